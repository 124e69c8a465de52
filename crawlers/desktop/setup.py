"""What desktop programs need of the machine: ``python -m crawlers.desktop.setup [APP …]`` installs Debian
packages and generates locales for these recipes, or for all of them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from crawlers import debian
from crawlers.host import HostError
from crawlers.recipe import available, load
from schemas.app import App, Platform

NEEDED = (
    "xvfb",
    "openbox",
    "xcompmgr",
    "dbus",
    "at-spi2-core",
    "locales",
    "fonts-noto-cjk",
    "fonts-noto-core",
)
"""Debian packages without which no desktop program can be run."""


def need(app: App, langs: Iterable[str]) -> None:
    """See to it that a program can be run in these languages.

    Raises:
        HostError: a package or a locale is missing and cannot be had.
    """
    debian.need(app.title, (*NEEDED, *app.install.debian))
    known = _locales()
    for code in (app.locale.codes[lang] for lang in langs):
        if _plain(code) not in known:
            _generate(app, code)


def main(names: Sequence[str]) -> int:
    """Set up for the named recipes; what cannot be had is named in one sentence each."""
    apps = [load(name) for name in names or available()]
    failed = 0
    for app in apps:
        if app.platform is not Platform.DESKTOP:
            continue
        try:
            need(app, app.languages)
        except HostError as error:
            failed += 1
            sys.stderr.write(f"{error}\n")
    return 1 if failed else 0


def _locales() -> frozenset[str]:
    """Locales that the C library knows."""
    if not shutil.which("locale"):
        return frozenset()
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    return frozenset(map(_plain, listed.stdout.split()))


def _plain(code: str) -> str:
    return code.lower().replace("-", "")


def _generate(app: App, code: str) -> None:
    """Without its locale, gettext makes a program speak English."""
    argv = ["localedef", "-i", code.partition(".")[0], "-f", "UTF-8", code]
    done = (
        subprocess.run(argv, capture_output=True, text=True, check=False)
        if shutil.which("localedef")
        else None
    )
    if done is None or done.returncode != 0:
        raise HostError(f"{app.title} needs the locale {code}; as root: {' '.join(argv)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
