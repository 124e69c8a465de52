"""A Mirror keeps a working folder equal to a pristine one, copying only what was touched in between."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

Stamp = tuple[int, int, int, int, int]
"""Mode, inode, size, mtime and ctime: the kernel's own record of a file, which no program can set back.
Folders keep only the mode, because theirs changes with every entry."""
INCOMING = ".groundsmith-incoming"


class Mirror:
    """``target`` follows ``source``, which nobody changes. Symbolic links are kept as links."""

    def __init__(self, source: Path, target: Path) -> None:
        """Make ``target`` a copy of ``source``."""
        self._source = source
        self._target = target
        shutil.copytree(source, target, symlinks=True)
        self._stamps = dict(walk(target))

    def restore(self) -> int:
        """Bring ``target`` back; returns how many files and folders had to be touched."""
        found = dict(walk(self._target))
        extra = [name for name in found if name not in self._stamps]
        for name in reversed(extra):  # children come after their parents
            _remove(self._target / name)
        changed = [name for name, stamp in self._stamps.items() if found.get(name) != stamp]
        for name in changed:
            self._renew(name)
        return len(extra) + len(changed)

    def _renew(self, name: str) -> None:
        """Copy one entry again. A file is replaced whole: no reader ever sees half of it."""
        source, target = self._source / name, self._target / name
        if stat.S_ISDIR(source.lstat().st_mode):
            if not stat.S_ISDIR(_mode(target)):
                _remove(target)
                target.mkdir()
            shutil.copystat(source, target)
        else:
            if stat.S_ISDIR(_mode(target)):
                _remove(target)
            incoming = target.with_name(target.name + INCOMING)
            shutil.copy2(source, incoming, follow_symlinks=False)
            incoming.replace(target)
        self._stamps[name] = _stamp(target.lstat())


def walk(folder: Path) -> Iterator[tuple[str, Stamp]]:
    """Name and stamp of everything below, parents before their children."""
    pending = [""]
    while pending:
        parent = pending.pop()
        with os.scandir(folder / parent) as entries:
            for entry in entries:
                name = os.path.join(parent, entry.name)  # noqa: PTH118 - on the hot path of every reset
                with contextlib.suppress(FileNotFoundError):  # the App may be at work
                    yield name, _stamp(entry.stat(follow_symlinks=False))
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(name)


def _stamp(status: os.stat_result) -> Stamp:
    if stat.S_ISDIR(status.st_mode):
        return (status.st_mode, 0, 0, 0, 0)
    return (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return 0


def _remove(path: Path) -> None:
    if stat.S_ISDIR(_mode(path)):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
