"""Several programs in one session: a file that one of them has made is used in another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from crawlers.desktop.driver import DesktopDriver
from crawlers.desktop.host import DesktopHost
from schemas.action import Press, Target, Type, Wait
from schemas.app import App, Desktop
from schemas.screen import Element

pytestmark = pytest.mark.slow

PAIRS = (
    ("l3afpad", "mousepad"),
    ("mousepad", "l3afpad"),
    ("l3afpad", "pluma"),
    ("mousepad", "pluma"),
    ("pluma", "l3afpad"),
)


def fields(driver: DesktopDriver) -> list[Element]:
    return [e for e in driver.observe().elements if e.editable and e.visible and not e.occluded]


def area(driver: DesktopDriver, *, left: bool) -> Element:
    """The text area of the program on that side of the screen."""
    found = [e for e in fields(driver) if e.tag == "textarea" and e.box]
    return sorted(found, key=lambda e: e.box.x1 if e.box else 0)[0 if left else -1]


def ask(driver: DesktopDriver, *keys: str, of: Element) -> None:
    """Press keys that bring up a dialog, which a busy machine takes its time for."""
    driver.perform(Press(keys=keys, target=Target.of(of)))
    for _ in range(20):
        if driver.observe().address.startswith("dialog"):
            return
        driver.perform(Wait(ms=500))


def name_a_file(driver: DesktopDriver, path: str) -> None:
    """In a dialog that asks for a file: say which, and go on."""
    entry = next(e for e in fields(driver) if e.tag != "textarea" and e.key.startswith("dialog"))
    driver.perform(Type(target=Target.of(entry), text=path, submit_after=True))


@pytest.fixture(params=PAIRS, ids="-".join)
def pair(
    request: pytest.FixtureRequest,
    notes: App,
    require: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> App:
    """Two programs, the one that saves on the left."""
    maker, user = request.param
    require(maker, user)
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    desktop = Desktop(toolkit="gtk3", launch=(maker,), also=((user,),))
    return notes.model_copy(update={"desktop": desktop, "name": f"{maker}-{user}"})


def test_what_one_program_saves_another_opens(pair: App) -> None:
    with DesktopHost(pair, "en") as host:
        driver = host.driver()
        driver.perform(Type(target=Target.of(area(driver, left=True)), text="From one to the other"))
        ask(driver, "Control", "Shift", "s", of=area(driver, left=True))
        name_a_file(driver, str(host.home / "Documents" / "shared.txt"))
        assert (host.home / "Documents" / "shared.txt").read_text("utf-8").strip() == "From one to the other"
        ask(driver, "Control", "o", of=area(driver, left=False))
        driver.perform(Press(keys=("Control", "l")))
        name_a_file(driver, str(host.home / "Documents" / "shared.txt"))
        assert area(driver, left=False).value == "From one to the other"
