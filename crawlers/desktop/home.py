"""The home folder that a program finds: seed files, a calm toolkit, and a language."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from crawlers import clock
from crawlers.desktop.quirks import QUIRKS
from schemas.app import App

_CALM = "[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\ngtk-recent-files-enabled=false\n"
"""Screens that stand still are alike on every run."""
FILES = {
    ".config/gtk-3.0/settings.ini": _CALM,
    ".config/gtk-4.0/settings.ini": _CALM,
    ".gtkrc-2.0": "gtk-cursor-blink=0\ngtk-enable-animations=0\n",
    ".config/user-dirs.dirs": (
        'XDG_DESKTOP_DIR="$HOME"\nXDG_DOCUMENTS_DIR="$HOME/Documents"\nXDG_DOWNLOAD_DIR="$HOME/Documents"\n'
    ),
    ".config/kdeglobals": "[KDE]\nAnimationDurationFactor=0\n",
}
MADE = datetime(2026, 6, 1, 12, tzinfo=UTC).timestamp()
"""When all files seem to have been written, as programs display that."""
FOLDERS = ("Documents", ".local/share", ".cache")


def furnish(home: Path, app: App) -> None:
    """Make the home folder anew."""
    shutil.rmtree(home, ignore_errors=True)
    for name in FOLDERS:
        (home / name).mkdir(parents=True, exist_ok=True)
    for name, text in {**FILES, **app.files}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{home}", str(home)), encoding="utf-8")
    for path in (home, *home.rglob("*")):
        os.utime(path, (MADE, MADE))


def environment(app: App, lang: str, *, home: Path, runtime: Path, display: str) -> dict[str, str]:
    """Environment variables of the program; nothing of ours leaks in but PATH."""
    code = app.locale.codes[lang]
    base = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(runtime),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "DISPLAY": display,
        "DBUS_SESSION_BUS_ADDRESS": session_bus(runtime),
        "LANG": code,
        "LANGUAGE": code.partition(".")[0],
        "TZ": "UTC",
        "GSETTINGS_BACKEND": "keyfile",
        "GIO_USE_VFS": "local",
        "GIO_USE_VOLUME_MONITOR": "unix",
        "GDK_BACKEND": "x11",
        "no_proxy": "127.0.0.1,localhost",
    }
    base |= dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    for program in app.desktop.programs if app.desktop else ():
        base |= QUIRKS[program.toolkit].environment
    base |= clock.variables(app.clock)
    return base | {name: text.replace("{home}", str(home)) for name, text in app.env.items()}


def session_bus(runtime: Path) -> str:
    """Address of the private session bus."""
    return f"unix:path={runtime / 'bus'}"
