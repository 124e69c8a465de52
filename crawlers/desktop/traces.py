"""Traces: what a program has written into its home folder, as storage writes.

Files of known formats are compared by their content: settings by name and value, texts by their text. A new
file is named by its folder and ending alone (``Documents/*.txt``) and its own name is the first line of the
value, because whoever saves it chooses the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from schemas.effect import StorageWrite

LONGEST = 2000
LARGEST = 256 * 1024
"""Bytes of a file that is read."""
NOISE = (
    r"file \.(?:cache|dbus|local/share/(?:gvfs|mime|recently-used|Trash/info)|ICEauthority|Xauthority)",
    r"setting \.(?:cache|local/share/recently-used|config/(?:dconf|pulse|ibus|QtProject|kdeglobals|session))",
    r"file .*\.[A-Za-z0-9]{6}$",
    r"(?:file|setting) .*(?:lock|\.tmp|\.part|~|\.swp|\.bak|\.log)$",
    r"(?i:setting .*(?:window.?(?:width|height|size|state|pos|maxim|fullscreen|[xy]$)|geometry|splitter))",
    r"setting (?:.*accel|org/gtk/(?:gtk4/)?settings/file-chooser/)",
    r"(?i:setting .*(?:maximi[sz]ed|paned|recent|last.?(?:used|run|version|open|folder|dir)))",
)
"""What programs write by themselves: files that are half written, caches, locks, logs, shortcuts, sizes of
windows, how a file chooser was looked at.
"""
_KEYFILE = ".config/glib-2.0/settings/keyfile"
_SECTION = re.compile(r"\[(.+)\]\s*$")
_ENTRY = re.compile(r"([\w./\\%\- $\[\]]+?)\s*[=:]\s*(.*)$")


@dataclass(frozen=True)
class File:
    """One file as it was seen."""

    stamp: tuple[int, int]
    """Time of its last change in nanoseconds, and size in bytes."""
    text: str | None
    """None for what is no text, or too much of it."""


Snapshot = Mapping[str, File]
"""Files by their path below home."""


def snapshot(home: Path, before: Snapshot | None = None) -> dict[str, File]:
    """All files of a home folder; those that have not changed since ``before`` are not read again."""
    found: dict[str, File] = {}
    known = before or {}
    for path in sorted(home.rglob("*")):
        try:
            if path.is_symlink() or not path.is_file():
                continue
            stat = path.stat()
            name = path.relative_to(home).as_posix()
            stamp = (stat.st_mtime_ns, stat.st_size)
            held = known.get(name)
            found[name] = held if held and held.stamp == stamp else File(stamp, _read(path, stat.st_size))
        except OSError:  # it was there a moment ago
            continue
    return found


def writes(before: Snapshot, after: Snapshot, noise: Sequence[str]) -> tuple[StorageWrite, ...]:
    """What has changed, sorted; ``noise`` is left out (regular expressions of signatures)."""
    quiet = re.compile("|".join((*NOISE, *noise)))
    return tuple(
        write
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name) and not quiet.match(f"file {name}")
        for write in _changes(name, before.get(name), after.get(name))
        if not quiet.match(write.signature)
    )


def _read(path: Path, size: int) -> str | None:
    if size > LARGEST:
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def _changes(name: str, old: File | None, new: File | None) -> Iterator[StorageWrite]:
    if not _is_setting(name):
        yield _file(name, old, new)
        return
    first, last = _settings(name, old), _settings(name, new)
    if not first and not last:
        yield StorageWrite(area="setting", key=name, value="", removed=new is None)
    for key in sorted({*first, *last}):
        if first.get(key) != last.get(key):
            yield StorageWrite(
                area="setting", key=key, value=last.get(key, "")[:LONGEST], removed=key not in last
            )


def _file(name: str, old: File | None, new: File | None) -> StorageWrite:
    path = PurePosixPath(name)
    text = new.text if new else None
    if old is not None:
        return StorageWrite(area="file", key=name, value=(text or "")[:LONGEST], removed=new is None)
    kind = f"*{path.suffix}"
    key = kind if path.parent == PurePosixPath() else f"{path.parent.as_posix()}/{kind}"
    return StorageWrite(area="file", key=key, value=f"{path.name}\n{text or ''}"[:LONGEST])


def _is_setting(name: str) -> bool:
    return name.startswith(".")


def _settings(name: str, file: File | None) -> dict[str, str]:
    """Names and values of a settings file, where it is written as lines of ``name = value``."""
    if file is None or file.text is None:
        return {}
    prefix = "" if name == _KEYFILE else f"{name}:"
    section = ""
    found: dict[str, str] = {}
    for line in file.text.splitlines():
        if head := _SECTION.match(line.strip()):
            section = head[1]
        elif entry := _ENTRY.match(line.strip()):
            found[f"{prefix}{f'{section}/' if section else ''}{entry[1].strip()}"] = entry[2]
    return found
