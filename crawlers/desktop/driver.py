"""DesktopDriver: the Driver contract on a desktop program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from crawlers.desktop.beside import beside, front, is_main
from crawlers.desktop.groups import NAMED_FILES
from crawlers.desktop.hands import Hands
from crawlers.desktop.input import Input
from crawlers.desktop.link import CallError
from crawlers.desktop.raw import RawScreen
from crawlers.desktop.session import Session
from crawlers.desktop.settle import settle, settle_choice
from crawlers.desktop.sight import Sight
from crawlers.desktop.traces import LONGEST, snapshot, writes
from crawlers.driver import DriverError
from crawlers.forms import expand
from crawlers.identity import state_of
from schemas.action import Action, Back, Click, Finish, Open, Press, Type, Wait
from schemas.effect import Evidence, Gesture, StorageWrite
from schemas.screen import Element, Quality, State

ENTRY = "/"
"""Address of the main window."""
CLOSED = "closed"
"""Address where the program has ended."""
LOOKS = 2
"""Times that a screen is read that does not stand still."""
ESCAPES = 2
"""Times that Escape is pressed to get back: once for a menu or dialog, once more for what it lies in."""


class DesktopDriver:
    """One run of one program, or of several together, in one language (see ``crawlers.driver.Driver``).

    Open (of the main window, or of the one that it starts with: the program is launched anew, its files
    stay), Click, Hover, Drag, Type, Select, Check, Press, Scroll, Back (Escape), Wait and Submit are
    performed; Finish does nothing. Dialogs are windows of the program and no ``State.dialog``: each is an
    address of its own.
    """

    def __init__(self, session: Session, lang: str, left: Callable[[], None]) -> None:
        """Begin the session; ``left`` is told when it ends.

        Raises:
            HostError: the program cannot be started.
        """
        self._session = session
        self._lang = lang
        self._left = left
        self._closed = False
        self._settled = True
        self._looked = time.monotonic()
        """When the screen was read last, unless the program has stirred since."""
        self._first: State | None = None
        """What launching the program led to; None until that was observed."""
        self._fresh = True
        """Whether nothing was written since the program was launched."""
        self._begin()
        self._files = snapshot(session.home)

    _screens: tuple[RawScreen, ...]
    _sight: Sight
    _copied: str
    """What the clipboard held last."""

    def observe(self) -> State:
        """The present screen, without an image."""
        self._alive()
        if not self._sight.elements or self._session.link.stirred > self._looked:
            self._look()
        window = front(self._sight)
        title = window.name if window else ""
        address = _address(window) if self._sight.elements else CLOSED
        state = state_of(
            app=self._session.app.name,
            lang=self._lang,
            address=address,
            route=address,
            title=title,
            elements=self._sight.elements,
            width=self._session.screen.width,
            height=self._session.screen.height,
            quality=self._quality(),
        )
        self._first = self._first or state
        return state

    def perform(self, action: Action) -> Evidence:
        """Do one Action and wait until the screen is stable.

        Raises:
            DriverError: when it could not be done; nothing further was done then.
        """
        self._alive()
        gesture: Gesture | None = None
        windows = {element.key for element in self._sight.elements if element.parent < 0}
        for primitive in expand(action):
            chooses, drawn = _chooses(primitive, self._sight), self._session.screen.numbers()
            gesture = self._do(primitive) or gesture
            self._settled = settle_choice(self._session, drawn) if chooses else settle(self._session)
            self._look()
        before, self._files = self._files, snapshot(self._session.home, self._files)
        storage = (*writes(before, self._files, self._session.desktop.noise), *self._copies())
        self._fresh = self._fresh and not storage
        now = {element.key for element in self._sight.elements if element.parent < 0}
        return Evidence(
            storage=storage,
            window_opened=bool(now - windows),
            gesture=gesture,
            settled=self._settled,
        )

    def screenshot(self) -> bytes:
        """The screen as PNG, of the size that ``State.width`` and ``State.height`` give."""
        self._alive()
        return self._session.screen.picture()

    @property
    def memory(self) -> int:
        """Bytes that the session's programs hold now."""
        return self._session.memory

    def close(self) -> None:
        """End the session. Safe to call twice and after a crash."""
        if not self._closed:
            self._closed = True
            self._session.end()
            self._left()

    def _alive(self) -> None:
        if self._closed:
            raise DriverError("crashed", "The session was closed; ask the host for a new driver.")

    def _do(self, action: Action) -> Gesture | None:
        """One primitive; where it pointed."""
        match action:
            case Open():
                self._open(action.address)
            case Wait():
                time.sleep(action.ms / 1000)
            case Back():
                Input(self._session.screen.display).press("Escape")
            case Finish():
                pass
            case _:
                return self._by_hand(action)
        return None

    def _by_hand(self, action: Action) -> Gesture | None:
        if not self._sight.elements:
            raise DriverError("target_missing", f"{self._session.app.title} has ended.")
        # An open menu or popover keeps the pointer, too, and lets go of it when anything is pressed.
        if not self._pops_up and Input(self._session.screen.display).grabbed():
            raise DriverError("blocked", "The program keeps the pointer for itself.")
        hands = Hands(self._session, self._sight, self._session.app.secrets)
        try:
            hands.do(action)
        except CallError as error:
            raise self._session.failure(error) from error
        return hands.gesture

    def _open(self, address: str) -> None:
        """Bring back the first screen: by Escape where that alone does it, else by launching the program
        anew.
        """
        first = self._first.address if self._first else ENTRY
        if address not in {"", ENTRY, first}:
            raise DriverError("blocked", f"Only a control of the program leads to {address}.")
        if self._escaped():
            return
        self._first, self._fresh = None, True
        self._begin()

    def _begin(self) -> None:
        """Launch, and see what that led to. A clipboard goes with the program that filled it."""
        self._take(self._session.begin())
        self._rest()
        self._look()
        self._copied = ""

    def _copies(self) -> Iterator[StorageWrite]:
        """What was put on the clipboard, unless it held that before."""
        before, self._copied = self._copied, self._session.screen.copied()
        if self._copied and self._copied != before:
            yield StorageWrite(area="clipboard", key="text", value=self._copied[:LONGEST])

    def _escaped(self) -> bool:
        """Whether closing what is open shows the first screen again, as it was, with nothing written."""
        for _ in range(ESCAPES):
            more = len(self._sight.windows) > len(self._screens) or self._sight.menus or self._pops_up
            if not self._fresh or not self._sight.elements or not more:
                return False
            Input(self._session.screen.display).press("Escape")
            self._rest()
            self._look()
            now = snapshot(self._session.home, self._files)
            self._fresh = not writes(self._files, now, self._session.desktop.noise)
            if self._fresh and self._first is not None and self.observe().id == self._first.id:
                return True
        return False

    def _rest(self) -> None:
        """Let the pointer rest where nothing is."""
        screen = self._session.screen
        Input(screen.display).move(screen.width - 1, screen.height - 1)
        self._settled = settle(self._session)

    def _look(self) -> None:
        """Read the screen; again where it was drawn anew meanwhile, for a large tree takes its time."""
        for _ in range(LOOKS):
            self._looked, pixels = time.monotonic(), self._session.screen.pixels()
            self._take(self._session.read())
            if self._session.screen.pixels() == pixels:
                break
        if not all(screen.nodes for screen in self._screens):
            self._session.check()

    @property
    def _pops_up(self) -> bool:
        return any(screen.pops_up for screen in self._screens)

    def _take(self, screens: tuple[RawScreen, ...]) -> None:
        self._screens, self._sight = screens, beside(screens)

    def _quality(self) -> Quality:
        if not self._sight.elements:
            return Quality.BLANK if self._session.over else Quality.TREE_MISSING
        if any(screen.partial for screen in self._screens):
            return Quality.PARTIAL
        return Quality.OK if self._settled else Quality.UNSETTLED


def _chooses(action: Action, sight: Sight) -> bool:
    """Whether an action is the answer to a file chooser: Enter, a double click or a button at its foot."""
    choosers = {window.key for window in sight.windows if window.tag == NAMED_FILES}
    match action:
        case Type(submit_after=True):
            return bool(choosers)
        case Press(keys=keys):
            return bool(choosers) and "Enter" in keys
        case Click(target=target, count=count):
            chooser = target.key.rpartition("/")[0]
            inside = any(target.key.startswith(f"{key}/") for key in choosers)
            return inside and (count == 2 or (target.role == "button" and chooser in choosers))
    return False


def _address(window: Element | None) -> str:
    """The main window is where launching leads; every other one has no address but its name."""
    return ENTRY if window is None or is_main(window) else window.key
