"""What a real program does to the Driver, good and bad; each outcome has its name and comes in time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from crawlers.change import Change
from crawlers.desktop.driver import CLOSED, DesktopDriver
from crawlers.desktop.host import DesktopHost
from crawlers.driver import DriverError
from crawlers.effects import read
from crawlers.host import HostError
from schemas.action import Back, Check, Click, Drag, Open, Press, Select, Target, Type
from schemas.app import App
from schemas.effect import EffectClass, StorageWrite
from schemas.screen import Element, Quality, State

pytestmark = pytest.mark.slow

Recipe = Callable[..., App]
SOON_S = 30.0
"""Any outcome, however bad, comes within this time; a test of it would take minutes if it did not."""


@contextmanager
def running(app: App, lang: str = "en") -> Iterator[tuple[DesktopHost, DesktopDriver]]:
    with DesktopHost(app, lang) as host:
        driver = host.driver()
        yield host, driver


@pytest.fixture
def host(odd: App) -> Iterator[DesktopHost]:
    with DesktopHost(odd, "en") as host:
        yield host


@pytest.fixture
def driver(host: DesktopHost) -> DesktopDriver:
    return host.driver()


def called(state: State, label: str) -> Element:
    return next(each for each in state.elements if each.label == label and each.visible)


def press(driver: DesktopDriver, label: str) -> State:
    driver.perform(Click(target=Target.of(called(driver.observe(), label))))
    return driver.observe()


def entry(state: State) -> Element:
    return next(each for each in state.elements if each.role == "textbox")


def test_a_program_that_starts_with_a_dialog_is_launched_anew_by_its_address(odd: App) -> None:
    assert odd.desktop is not None
    asks = odd.desktop.model_copy(update={"launch": (*odd.desktop.launch, "ask")})
    with running(odd.model_copy(update={"desktop": asks})) as (_, driver):
        first = driver.observe()
        assert first.address.startswith(("dialog~", "alertdialog~"))
        assert press(driver, "No").address == "/"
        driver.perform(Open(address=first.address))
        assert driver.observe().id == first.id


def test_what_escape_closes_needs_no_new_launch_and_what_was_typed_does(driver: DesktopDriver) -> None:
    first, program = driver.observe(), driver._session.pids
    press(driver, "Modal")
    driver.perform(Open())
    assert driver.observe().id == first.id
    assert driver._session.pids == program
    driver.perform(Type(target=Target.of(entry(driver.observe())), text="typed"))
    press(driver, "Modal")
    driver.perform(Open())
    assert driver.observe().id == first.id
    assert not driver._session.pids & program - driver._session.screen.pids


@pytest.mark.parametrize("text", ["plain", "你好 — ünïcode, عربى"])
def test_text_of_any_script_is_typed_and_read_back(driver: DesktopDriver, text: str) -> None:
    driver.perform(Type(target=Target.of(entry(driver.observe())), text=text))
    assert entry(driver.observe()).value == text


def test_letters_of_any_script_can_be_typed_key_by_key(driver: DesktopDriver) -> None:
    driver.perform(Click(target=Target.of(entry(driver.observe()))))
    from crawlers.desktop.input import Input  # noqa: PLC0415

    Input(driver._session.screen.display).type("Ab 你好é")
    time.sleep(0.3)
    assert entry(driver.observe()).value == "Ab 你好é"


def test_a_box_is_brought_to_a_state_and_stays_there(driver: DesktopDriver) -> None:
    for _ in range(2):
        driver.perform(Check(target=Target.of(called(driver.observe(), "Tick")), checked=True))
        assert called(driver.observe(), "Tick").checked


def test_what_is_written_to_home_is_evidence_and_is_gone_after_a_reset(host: DesktopHost) -> None:
    driver = host.driver()
    driver.perform(Type(target=Target.of(entry(driver.observe())), text="kept"))
    before = driver.observe()
    evidence = driver.perform(action := Click(target=Target.of(called(before, "Save"))))
    wrote = StorageWrite(area="file", key="Documents/*.txt", value="saved.txt\nkept")
    assert evidence.storage == (wrote,)
    assert evidence.gesture is not None
    assert evidence.gesture.box == called(before, "Save").box
    assert EffectClass.NONE not in read(before, action, driver.observe(), evidence).classes
    driver.perform(Open())
    assert (host.home / "Documents" / "saved.txt").exists(), "launching anew keeps the files"
    first = host.driver().observe()
    host.restore()
    assert not (host.home / "Documents" / "saved.txt").exists()
    assert host.driver().observe().id == first.id


def test_what_is_copied_is_evidence_once(driver: DesktopDriver) -> None:
    driver.perform(Type(target=Target.of(entry(driver.observe())), text="kept 你好"))
    driver.perform(Press(keys=("Control", "a")))
    copied = driver.perform(Press(keys=("Control", "c"))).storage
    assert copied == (StorageWrite(area="clipboard", key="text", value="kept 你好"),)
    assert driver.perform(Press(keys=("Control", "c"))).storage == ()
    driver.perform(Open())
    driver.perform(Press(keys=("Control", "v"), target=Target.of(entry(driver.observe()))))
    assert not entry(driver.observe()).value, "launching anew empties the clipboard"


def test_what_is_dragged_lands_where_it_is_dropped(driver: DesktopDriver) -> None:
    state = driver.observe()
    driver.perform(Drag(target=Target.of(called(state, "Carry")), onto=Target.of(entry(state))))
    assert entry(driver.observe()).value == "carried"


def test_a_modal_dialog_is_a_place_of_its_own_and_blocks_what_is_behind(driver: DesktopDriver) -> None:
    before = driver.observe()
    asked = press(driver, "Modal")
    assert asked.address != before.address
    assert called(asked, "Yes").enabled
    assert called(asked, "Save").occluded
    with pytest.raises(DriverError) as caught:
        driver.perform(Click(target=Target.of(called(asked, "Save"))))
    assert caught.value.kind == "blocked"
    driver.perform(Back())
    assert driver.observe().structure == before.structure


def test_a_program_that_hangs_is_a_timeout(driver: DesktopDriver) -> None:
    began = time.monotonic()
    with pytest.raises(DriverError) as caught:
        press(driver, "Hang")
    assert caught.value.kind == "timeout"
    assert time.monotonic() - began < SOON_S


@pytest.mark.parametrize("label", ["Crash", "Fail"])
def test_a_program_that_dies_is_a_crash_and_the_host_goes_on(host: DesktopHost, label: str) -> None:
    with pytest.raises(DriverError) as caught:
        press(host.driver(), label)
    assert caught.value.kind == "crashed"
    host.restore()
    assert called(host.driver().observe(), label)


def test_a_program_that_ends_in_good_order_leaves_a_blank_screen(driver: DesktopDriver) -> None:
    closed = press(driver, "Quit")
    assert (closed.quality, closed.address, closed.elements) == (Quality.BLANK, CLOSED, ())
    driver.perform(Open())
    assert called(driver.observe(), "Quit")


def test_a_program_that_keeps_the_pointer_is_blocked(driver: DesktopDriver) -> None:
    state = press(driver, "Grab")
    with pytest.raises(DriverError) as caught:
        driver.perform(Click(target=Target.of(called(state, "Tick"))))
    assert caught.value.kind == "blocked"


def test_what_is_not_there_is_missing_and_what_cannot_be_done_is_blocked(driver: DesktopDriver) -> None:
    target = Target.of(called(driver.observe(), "Tick"))
    lost = target.model_copy(update={"key": "window/button.99", "template": "window/button.99"})
    for action, kind in (
        (Click(target=lost), "target_missing"),
        (Select(target=target, value="0", label=""), "blocked"),
        (Open(address="dialog~1234"), "blocked"),
    ):
        with pytest.raises(DriverError) as caught:
            driver.perform(action)
        assert caught.value.kind == kind


def test_a_program_that_never_shows_anything_is_named(odd: App) -> None:
    mute = odd.model_copy(
        update={"desktop": odd.desktop.model_copy(update={"launch": ("sleep", "60")}), "ready_s": 1.5}
    )
    with DesktopHost(mute, "en") as host, pytest.raises(HostError, match=r"^Odd showed nothing that can be"):
        host.driver()


def test_a_program_that_dies_at_once_is_named_with_its_last_words(odd: App) -> None:
    broken = odd.model_copy(
        update={"desktop": odd.desktop.model_copy(update={"launch": ("sh", "-c", "echo no luck; exit 3")})}
    )
    with DesktopHost(broken, "en") as host, pytest.raises(HostError, match=r"exit status 3.*no luck"):
        host.driver()


def test_a_missing_package_is_named_in_one_sentence(odd: App, monkeypatch: pytest.MonkeyPatch) -> None:
    from crawlers import debian  # noqa: PLC0415

    monkeypatch.setattr(debian.os, "geteuid", lambda: 1000)
    lacking = odd.model_copy(update={"install": odd.install.model_copy(update={"debian": ("no-such",)})})
    with pytest.raises(HostError, match=r"^Odd needs Debian packages that are missing; .* no-such$"):
        DesktopHost(lacking, "en").start()


def test_nothing_outlives_us_even_when_we_are_killed(odd: App, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(odd.model_dump_json(), encoding="utf-8")
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from schemas.app import App\n"
        "from crawlers.desktop.host import DesktopHost\n"
        "host = DesktopHost(App.model_validate_json(Path(sys.argv[1]).read_bytes()), 'en')\n"
        "host.start(); host.driver(); print('up', flush=True); time.sleep(60)\n"
    )
    argv = [sys.executable, "-c", program, str(tmp_path / "odd.json")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        started = psutil.Process(process.pid).children(recursive=True)
        names = {each.name() for each in started}
        assert {"Xvfb", "openbox", "dbus-daemon"} <= names
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    _, left = psutil.wait_procs(started, timeout=20)
    assert not left


def test_the_change_is_read_from_what_the_driver_saw(driver: DesktopDriver) -> None:
    before = driver.observe()
    action = Check(target=Target.of(called(before, "Tick")), checked=True)
    evidence = driver.perform(action)
    after = driver.observe()
    effect = read(before, action, after, evidence)
    assert effect.main is EffectClass.TOGGLE
    assert Change(before, action, after, evidence, effect.delta).marked
