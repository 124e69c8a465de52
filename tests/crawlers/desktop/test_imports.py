import subprocess
import sys

FOREIGN = ("dbus_fast", "mss", "Xlib", "crawlers.desktop")


def imported(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_web_needs_nothing_of_the_desktop() -> None:
    modules = imported(
        "import pipeline.cli, pipeline.workshop, crawlers.explore\n"
        "from crawlers.platforms import open_host\n"
        "from crawlers.recipe import load\n"
        "open_host(load('ihatemoney'), 'en')\n"
    )
    assert "crawlers.web.host" in modules
    assert not modules & set(FOREIGN)


def test_the_desktop_needs_nothing_of_the_web() -> None:
    modules = imported(
        "from crawlers.platforms import open_host\n"
        "from crawlers.recipe import load\n"
        "open_host(load('mousepad'), 'en')\n"
    )
    assert "crawlers.desktop.host" in modules
    assert not [name for name in modules if name.startswith(("crawlers.web", "playwright"))]
