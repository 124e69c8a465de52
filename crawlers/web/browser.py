"""The one Chromium of this process.

Playwright runs on an event loop in a thread of its own, so the sync Driver contract may be called from any
thread: Beam's workers, or code below somebody else's event loop. (Asynchronous inside, because a click that
opens a native dialog does not return before the dialog is answered.)
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import shutil
import threading
from collections.abc import Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Browser as Chromium
from playwright.async_api import (
    BrowserContext,
    Error,
    Playwright,
    ProxySettings,
    StorageState,
    async_playwright,
)
from pydantic import JsonValue

from crawlers.host import HostError
from crawlers.web.driver import WebDriver
from crawlers.web.kind import Kind
from crawlers.web.manners import agent_of
from crawlers.web.records import Records
from crawlers.web.session import Session
from crawlers.web.tab import SIZE
from schemas.app import App

Result = TypeVar("Result")

KEPT = 3
"""Sessions that wait for their kind to be asked for again; each is a renderer process."""
_NAMES = (
    # Without windows to draw, a page costs a third less. Debian's command of this name is a script that
    # would outlive the browser, so this is what it starts.
    "/usr/lib/chromium/chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_ARGS = (
    "--disable-gpu",
    # A tile that is only drawn anew in part differs by a shade along the seam: pictures would not repeat.
    "--disable-partial-raster",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # All frames in one process: one connection sees them all.
    "--disable-site-isolation-trials",
)
_NOWHERE = "http://127.0.0.1:1"
"""A proxy that nobody runs: what may not be reached is sent there."""
_MISSING = (
    "No Chromium was found: install the Debian package chromium (or Google Chrome), or run"
    " 'playwright install chromium'."
)


class Browser:
    """A running Chromium with its loop and thread; restarted when it has crashed. Thread-safe."""

    def __init__(self) -> None:
        """Start the thread; the browser itself starts with the first session."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None
        self._rested: dict[str, Session] = {}
        """By kind."""

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do work on the browser's loop and wait for it, from any other thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def begin(self, kind: Kind, storage: StorageState | None) -> Session:
        """A session without a past, at its App's entry.

        Raises:
            HostError: no browser can be started.
        """
        rested = self._rested.pop(kind.id, None)
        if rested is not None:
            try:
                await rested.renew(storage)
            except Error:  # the browser has died since
                await rested.close()
            except BaseException:
                await rested.close()
                raise
            else:
                return rested
        return await Session.open(await self.context(kind, storage), kind)

    async def end(self, kind: Kind, session: Session) -> None:
        """A session is no longer needed; one of each kind that was used last is kept for the next."""
        if kind.id in self._rested or not await session.rest():
            await session.close()
            return
        self._rested[kind.id] = session
        if len(self._rested) > KEPT:
            await self._rested.pop(next(iter(self._rested))).close()

    async def context(self, kind: Kind, storage: StorageState | None) -> BrowserContext:
        """A fresh profile that asks for the kind's languages, can reach its origins and nothing else.

        Everything else is sent to a proxy that does not exist: unlike interception, this also holds for
        websockets and popups, costs no round trip and leaves the cache on. Service workers are blocked,
        because their requests escape the page's record and their caches outlive a restored App.

        Raises:
            HostError: no browser can be started.
        """
        new = partial(_new_context, kind=kind, storage=storage)
        try:
            return await new(await self._started())
        except Error:  # it had died unnoticed
            await self._stop()
            return await new(await self._started())

    def version(self) -> str:
        """What it calls itself; starts it.

        Raises:
            HostError: it cannot be started.
        """
        return self.run(self._started()).version

    def close(self) -> None:
        """End the browser and the thread. Safe to call twice."""
        if self._loop.is_closed():
            return
        self.run(self._wind_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _wind_up(self) -> None:
        await self._stop()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)  # let them take notice

    async def _started(self) -> Chromium:
        async with self._starting:
            if self._chromium is None or not self._chromium.is_connected():
                await self._stop()
                await self._start()
        assert self._chromium is not None  # noqa: S101 - _start sets it or raises
        return self._chromium

    async def _start(self) -> None:
        self._playwright = await async_playwright().start()
        launcher = self._playwright.chromium
        try:
            self._chromium = await launcher.launch(
                executable_path=executable(Path(launcher.executable_path)),
                args=[*_ARGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])],
                # Ctrl-C is for us to handle; finished work is kept before the browser goes.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            await self._stop()
            reason = str(error).splitlines()[0]
            raise HostError(f"Chromium does not start ({reason}); reinstall it or free memory.") from error

    async def _stop(self) -> None:
        self._rested.clear()
        chromium, playwright = self._chromium, self._playwright
        self._chromium = self._playwright = None
        with contextlib.suppress(Exception):  # a crashed browser cannot be closed
            if chromium is not None:
                await chromium.close()
        with contextlib.suppress(Exception):
            if playwright is not None:
                await playwright.stop()


_lock = threading.Lock()
_browsers: dict[int, Browser] = {}


def shared() -> Browser:
    """The browser of this process; a forked child gets its own."""
    with _lock:
        browser = _browsers.get(os.getpid())
        if browser is None:
            browser = _browsers[os.getpid()] = Browser()
        return browser


def session(  # noqa: PLR0913 - each is one side of what a session is
    *,
    app: App,
    lang: str,
    origin: str,
    storage: dict[str, JsonValue] | None = None,
    scale: float = 1.0,
    proxy: str = "",
    records: Records | None = None,
) -> WebDriver:
    """A fresh session of an App that is served at ``origin``, at its entry; ``storage`` (of an earlier
    session, see ``WebDriver.storage_state``) logs it in. ``scale`` is image pixels per CSS pixel. ``proxy``
    is the only way out for the browser; without it nothing but the origin can be reached. ``records`` is
    where the App's server keeps its data, if that can be seen.

    Raises:
        HostError: no browser can be started.
    """
    return WebDriver.begin(shared(), Kind(app, lang, origin, scale, proxy), storage, records)


@atexit.register
def close() -> None:
    """End the browser of this process, if there is one."""
    with _lock:
        browser = _browsers.pop(os.getpid(), None)
    if browser is not None:
        browser.close()


async def _new_context(chromium: Chromium, *, kind: Kind, storage: StorageState | None) -> BrowserContext:
    return await chromium.new_context(
        accept_downloads=True,
        device_scale_factor=kind.scale,
        extra_http_headers={"Accept-Language": _accept(kind.languages)},
        locale=kind.languages[0],
        # Our own proxy is all that can be at the other end, and it checks certificates itself.
        ignore_https_errors=bool(kind.proxy),
        proxy=_way_out(kind),
        reduced_motion="reduce",
        service_workers="block",
        storage_state=storage,
        timezone_id="UTC",
        user_agent=agent_of(kind.app.site) if kind.app.site else None,
        viewport=SIZE,
    )


def _way_out(kind: Kind) -> ProxySettings:
    if kind.proxy:
        return {"server": kind.proxy}
    return {"server": _NOWHERE, "bypass": ",".join(origin.partition("://")[2] for origin in kind.origins)}


def _accept(languages: Sequence[str]) -> str:
    """``zh-Hans,zh;q=0.9``: most wanted first."""
    return ",".join(
        tag if place == 0 else f"{tag};q={1 - place / 10:g}" for place, tag in enumerate(languages)
    )


def executable(bundled: Path) -> Path:
    """The machine's own browser, else the one that Playwright installed.

    Raises:
        HostError: there is neither.
    """
    found = next((path for path in map(shutil.which, _NAMES) if path), None)
    if found:
        return Path(found)
    if bundled.exists():
        return bundled
    raise HostError(_MISSING)
