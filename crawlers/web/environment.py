"""What an App's processes see of the world: its own folders, UTC, a frozen clock, and no way out."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from crawlers import clock
from crawlers.processes import LOOPBACK
from crawlers.web.install import Toolbox
from schemas.app import App

PLACEHOLDER = re.compile(r"\{(port|data|bin|node|package|origin|locale)\}")
NOWHERE = f"http://{LOOPBACK}:9"
"""A proxy that never answers (the discard port)."""


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace the known placeholders, and only these: braces of JSON, PHP and CSS stay as they are."""
    return PLACEHOLDER.sub(lambda found: values[found[1]], text)


def placeholders(app: App, lang: str, *, port: int, data: Path, tools: Toolbox) -> dict[str, str]:
    """What each placeholder of a recipe stands for."""
    return {
        "port": str(port),
        "data": str(data),
        "bin": str(tools.bin),
        "node": str(tools.node),
        "package": str(tools.package),
        "origin": f"http://{LOOPBACK}:{port}",
        "locale": app.locale.codes[lang],
    }


def environment(app: App, values: Mapping[str, str], home: Path, time: str) -> dict[str, str]:
    """Environment variables of everything that is run for an App; nothing of ours leaks in but PATH.

    ``home`` is for its temporary files and dotfiles, ``time`` is what its clock shows.
    """
    base = {
        "PATH": os.pathsep.join((values["bin"], os.environ.get("PATH", os.defpath))),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "no_proxy": "127.0.0.1,localhost",
    }
    base |= dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), NOWHERE)
    return base | clock.variables(time) | {name: fill(text, values) for name, text in app.env.items()}
