"""A Session is one user's windows on one App: what WebDriver does, on the browser's loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any, cast
from urllib.parse import urljoin

from playwright.async_api import BrowserContext, Error, StorageState

from crawlers.driver import DriverError
from crawlers.forms import expand
from crawlers.identity import state_of
from crawlers.web.finder import CoveredError, Finder
from crawlers.web.hands import Hands
from crawlers.web.kind import Kind
from crawlers.web.pane import DocumentGone, script
from crawlers.web.recorder import Recorder
from crawlers.web.routes import address_of, origin_of, route_of
from crawlers.web.settle import LOAD_S, settle
from crawlers.web.sight import Sight
from crawlers.web.snapshot import Capture
from crawlers.web.storage import Shelf
from crawlers.web.tab import SIZE, DialogOpen, Tab
from crawlers.web.traffic import Mask, requests_of
from crawlers.web.windows import Windows
from schemas.action import Action, Back, Click, Open, Press, Respond, Type, Upload, Wait, target_of
from schemas.effect import Evidence, Gesture
from schemas.screen import Dialog, Quality, State

TRIES = 3
"""Pictures of a page that keeps replacing itself."""
TURNS = 100
"""Times that one renderer process serves before it is given back."""
ASKED = 2000
"""Requests after which it is given back, too: all that were ever made are remembered until then."""
_NOWHERE = "about:blank"
_THROUGH_DIALOGS = frozenset({"respond", "wait", "finish"})


class Session:
    """See ``crawlers.driver.Driver`` for what its methods do. Use ``Session.open``."""

    def __init__(self, context: BrowserContext, kind: Kind) -> None:
        """Nothing is open yet."""
        self._context = context
        self._kind = kind
        mask = Mask(frozenset(value for value in kind.app.secrets.values() if value))
        self._sight = Sight(mask, width=SIZE["width"], height=SIZE["height"], scale=kind.scale)
        self._windows = Windows(kind.origins)
        self._recorder = Recorder(context, kind.origins, self._windows.arrive)
        self._shelf = Shelf[Tab]()
        self._calm = True
        self._taken = False
        self._guarded = False
        self._turns = 0
        self._entered = False
        self._trace = ""
        """What the page on top called its look when it had settled."""

    @classmethod
    async def open(cls, context: BrowserContext, kind: Kind) -> Session:
        """One window. It goes to the App's entry with the first thing that is asked of it, unless that is to
        open another address.
        """
        await context.add_init_script(script("init").replace("EPOCH", json.dumps(kind.epoch)))
        session = cls(context, kind)
        try:
            await context.new_page()
            await session._windows.adopt()
        except BaseException:
            await session.close()
            raise
        return session

    async def rest(self) -> bool:
        """End it, and keep what costs a second to make anew: the renderer process and the cache of files.

        Returns:
            False where it cannot be used again.
        """
        self._turns += 1
        worn = self._turns >= TURNS or self._recorder.started >= ASKED
        if worn or not await self._windows.strip():
            return False
        tab = self._windows.top
        try:
            with contextlib.suppress(DriverError):  # a page without storage has none to clear
                await tab.call("sessionStorage.clear(), window.name = ''")
            await tab.until(tab.page.goto(_NOWHERE))
            await tab.cdp.send("Page.resetNavigationHistory")
        except (Error, DriverError, DialogOpen, DocumentGone):
            return False
        return True

    async def renew(self, storage: StorageState | None) -> None:
        """Begin again after ``rest``, as after ``open``, with no past and no storage but the given one."""
        await self._store(storage or {"cookies": [], "origins": []})
        self._windows.top.begin()
        self._recorder.forget()
        self._shelf.forget()
        self._entered = False

    async def _store(self, storage: StorageState) -> None:
        """Replace all that is stored. Only what is to be in a local storage needs a page of its origin."""
        if storage["origins"]:
            await self._context.set_storage_state(storage)
            return
        send = self._windows.top.cdp.send
        wipe = [{"origin": origin, "storageTypes": "all"} for origin in self._kind.origins]
        await asyncio.gather(*(send("Storage.clearDataForOrigin", each) for each in wipe))
        await self._context.clear_cookies()
        if storage["cookies"]:
            await self._context.add_cookies(cast("list[Any]", storage["cookies"]))

    async def observe(self) -> State:
        """The present screen."""
        await self._enter()
        capture = await self._read()
        tab = self._windows.top
        address = address_of(capture.url or tab.page.url, self._kind.origin)
        status = self._recorder.status(tab.page)
        return state_of(
            app=self._kind.app.name,
            lang=self._kind.lang,
            address=address,
            route=route_of(address),
            title=capture.title,
            elements=capture.elements,
            width=capture.width,
            height=capture.height,
            scale=capture.scale,
            dialog=_dialog(tab),
            quality=self._quality(capture, status),
            status=status,
        )

    async def perform(self, action: Action) -> Evidence:
        """One action, compound or not, and what it caused."""
        if not isinstance(action, Open):
            await self._enter()
        tab = self._windows.top
        if tab.asked is not None and action.kind not in _THROUGH_DIALOGS:
            raise DriverError("blocked", "A dialog stands before the page; answer it with Respond first.")
        self._recorder.begin()
        self._shelf.begin()
        known = self._windows.all
        gesture: Gesture | None = None
        for primitive in expand(action):
            gesture = await self._step(primitive) or gesture
        self._entered = self._entered or self._windows.top.page.url != _NOWHERE  # a file leaves it there
        downloads = await self._recorder.downloads(LOAD_S)
        await self._windows.drop_blank(known if downloads else self._windows.all)
        tab = self._windows.top
        mask = self._sight.mask
        return Evidence(
            requests=requests_of(self._recorder.exchanges(), self._kind.origins, mask),
            storage=self._shelf.changes(tab, tab.page.url, mask),
            downloads=downloads,
            dialog=_dialog(tab),
            window_opened=tab not in known,
            blocked=self._recorder.blocked(),
            gesture=gesture,
            settled=self._calm,
        )

    async def screenshot(self) -> bytes:
        """The viewport as PNG; behind a dialog, as it was before."""
        await self._enter()
        for _ in range(TRIES):
            with contextlib.suppress(DialogOpen, DocumentGone):
                return await self._sight.picture(self._windows.top, self._trace)
            await self._settle()
        raise DriverError("timeout", "The page keeps replacing itself; it cannot be pictured.")

    async def storage_state(self) -> StorageState:
        """Cookies and local storage."""
        return await self._context.storage_state()

    async def close(self) -> None:
        """End all windows."""
        self._windows.forget()
        with contextlib.suppress(Exception):  # the browser may be gone
            await self._context.close()

    async def _enter(self) -> None:
        if not self._entered:
            await self.perform(Open())

    async def _read(self) -> Capture:
        for last in (False, False, True):
            tab = self._windows.top
            if tab.asked is not None:
                return self._sight.behind(tab)
            with contextlib.suppress(DialogOpen, DocumentGone):
                consent = "" if last else self._kind.app.consent
                seen = await self._sight.again(tab)
                seen = seen or await self._sight.look(tab, trace=self._trace, consent=consent)
                if seen is not None:
                    return seen
            await self._settle()
        raise DriverError("timeout", "The page keeps replacing itself; it cannot be read.")

    def _quality(self, capture: Capture, status: int) -> Quality:
        if capture.quality is Quality.WALL:
            return Quality.WALL
        if status >= 400:
            return Quality.ERROR
        if capture.quality is Quality.OK and not self._calm:
            return Quality.UNSETTLED
        return capture.quality

    async def _step(self, action: Action) -> Gesture | None:
        """One primitive, and the wait for what it sets off."""
        tab = self._windows.top
        self._recorder.habits.step()
        # A document that goes away under an action, or a dialog, is an outcome of it and no failure.
        with contextlib.suppress(DialogOpen, DocumentGone):
            if _presses(action):
                await self._sight.brace(tab, target_of(action), guarded=self._guarded)
        finder = Finder(tab, self._sight.numbers(tab))
        hands = Hands(tab, finder, self._kind.app.secrets, self._kind.scale)
        self._sight.begin(answers=isinstance(action, Respond))
        with contextlib.suppress(DialogOpen, DocumentGone):
            await self._do(hands, action)
        spot = hands.spot
        await self._settle(pointed=spot is not None)
        here = tab is self._windows.top and tab.asked is None
        leads = isinstance(action, Click) and spot is not None and spot.leads and not self._taken
        sent = isinstance(action, Upload) and here and await self._recorder.send()
        if sent or (leads and here and await self._recorder.start()):
            await self._settle(pointed=True)
        if spot is not None and spot.opens and tab is self._windows.top and not self._recorder.blocked():
            await self._windows.expect()
            await self._settle(pointed=True)
        return hands.gesture()

    async def _do(self, hands: Hands, action: Action) -> None:
        match action:
            case Open():
                await self._goto(hands.tab, action.address)
            case Back():
                await hands.tab.back()
            case Respond():
                await hands.tab.answer(accept=action.accept, text=action.text)
            case Wait():
                await asyncio.sleep(action.ms / 1000)
            case _:
                await self._point(hands, action)

    async def _point(self, hands: Hands, action: Action) -> None:
        """An action on an element; one that is not known by number is looked for in a fresh reading."""
        try:
            await hands.do(action)
        except DriverError as error:
            if isinstance(error, CoveredError) and await hands.leave():
                await self._settle()
            elif error.kind == "target_missing":
                await self._sight.look(hands.tab)
                hands.finder.numbers = self._sight.numbers(hands.tab)
            else:
                raise
            await hands.do(action)

    async def _settle(self, *, pointed: bool = False) -> None:
        stillness = await settle(self._windows, self._recorder, pointed=pointed)
        self._calm = stillness.calm
        self._taken = stillness.taken
        self._trace = stillness.trace
        if stillness.kept is not None:
            self._shelf.take(self._windows.top, stillness.kept)
            self._guarded = stillness.guarded

    async def _goto(self, tab: Tab, address: str) -> None:
        """Go to an address below the origin; a download there is an outcome, not a failure."""
        url = urljoin(f"{self._kind.origin}/", address or self._kind.entry)
        if origin_of(url) not in self._kind.origins:
            raise DriverError("blocked", f"{url} is not an address of the App.")
        try:
            await tab.until(tab.page.goto(url, wait_until="commit", timeout=LOAD_S * 1000), LOAD_S + 1)
        except DocumentGone as gone:
            if "Timeout" in str(gone):
                raise DriverError("timeout", f"{url} did not load within {LOAD_S:g} s.") from gone
            if "ERR_ABORTED" not in str(gone) and "Download is starting" not in str(gone):
                raise DriverError("crashed", "The App's server does not answer; restore the App.") from gone


def _presses(action: Action) -> bool:
    return isinstance(action, Click | Press | Back) or (isinstance(action, Type) and action.submit_after)


def _dialog(tab: Tab) -> Dialog | None:
    asked = tab.asked
    if asked is None:
        return None
    told = {"kind": asked.type, "message": asked.message, "default": asked.default_value}
    return Dialog.model_validate(told)
