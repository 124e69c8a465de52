"""The private X server with its window manager: pictures of it, and the windows on it."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from mss import MSS
from PIL import Image
from Xlib import X, error
from Xlib.display import Display
from Xlib.protocol import event

from crawlers.desktop.clipboard import Clipboard
from crawlers.desktop.raw import RawWindow
from crawlers.host import HostError
from crawlers.processes import Service

START_S = 15.0
GRACE_S = 0.2
PAUSE_S = 0.01
_ALL_FOUR = 0b1111 << 8
"""Says to the window manager that place and size are both given."""

Found = TypeVar("Found")

MARGIN = 48
"""Pixels at the bottom, where a panel would be."""
_RULES = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <margins><top>0</top><bottom>{margin}</bottom><left>0</left><right>0</right></margins>
  <desktops><number>1</number></desktops>
  <applications>
    <application type="normal"><decor>no</decor><maximized>{maximized}</maximized></application>
    <application type="dialog"><decor>yes</decor></application>
  </applications>
</openbox_config>
"""
"""Main windows fill the screen down to the margin, or their share of it; dialogs stand in the middle."""


class Screen:
    """One X server. Not thread-safe."""

    def __init__(
        self, folder: Path, *, width: int, height: int, blended: bool = False, shared: bool = False
    ) -> None:
        """Nothing runs yet; logs and settings go to ``folder``. ``blended`` is for toolkits that draw shadows
        whether or not somebody blends them with what is behind; ``shared`` is for several programs.
        """
        self.width = width
        self.height = height
        self.name = ""
        """What DISPLAY has to be."""
        self._folder = folder
        self._log = folder / "x.log"
        self._blended = blended
        self._shared = shared
        self._services: list[Service] = []
        self._display: Any = None
        self._clipboard: Clipboard | None = None
        self._grabber: Any = None

    @property
    def display(self) -> Any:
        """The connection to the server."""
        return self._display

    @property
    def alive(self) -> bool:
        """Whether server and window manager run."""
        return bool(self._services) and all(each.alive for each in self._services)

    @property
    def pids(self) -> frozenset[int]:
        """Numbers of all its processes."""
        return frozenset[int]().union(*(service.pids for service in self._services))

    def start(self) -> None:
        """Start server and window manager.

        Raises:
            HostError: one of them cannot be started.
        """
        size = f"{self.width}x{self.height}x24"
        self._log.unlink(missing_ok=True)
        self._run("Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp", "-noreset")
        self.name = f":{self._number()}"
        self._display = Display(self.name)
        self._clipboard = Clipboard(self._display)
        rules = self._folder / "openbox.xml"
        maximized = "no" if self._shared else "yes"
        rules.write_text(_RULES.format(margin=MARGIN, maximized=maximized), encoding="utf-8")
        self._run("openbox", "--sm-disable", "--config-file", str(rules))
        self._until(lambda: self._numbers(self._display.screen().root, "_NET_SUPPORTING_WM_CHECK"))
        if self._blended:
            self._run("xcompmgr")
            owner = self._display.intern_atom("_NET_WM_CM_S0")
            self._until(lambda: self._display.get_selection_owner(owner))
        self._grabber = MSS(display=self.name)

    def windows(self) -> tuple[RawWindow, ...]:
        """Windows that are drawn, from the bottom to the top."""
        root = self._display.screen().root
        found = (self._window(each) for each in root.query_tree().children)
        return tuple(each for each in found if each is not None)

    def numbers(self) -> frozenset[int]:
        """Those that a window manager looks after: main windows and dialogs."""
        return frozenset(window.number for window in self.windows() if not window.popup)

    def tile(self, columns: Sequence[frozenset[int]]) -> None:
        """Put the windows of so many groups of processes side by side, so that all can be reached."""
        width, height = self.width // len(columns), self.height - MARGIN
        for window in self.windows():
            place = next((at for at, pids in enumerate(columns) if window.pid in pids), None)
            if place is not None and not window.popup:
                self._tell(window, "_NET_MOVERESIZE_WINDOW", _ALL_FOUR, place * width, 0, width, height)
        self._display.sync()

    def copied(self) -> str:
        """The text on the clipboard; empty where there is none."""
        return self._clipboard.text() if self._clipboard else ""

    def picture(self) -> bytes:
        """The screen as PNG."""
        shot = self._grabber.grab(self._grabber.monitors[0])
        image = Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")
        held = io.BytesIO()
        image.save(held, "PNG", compress_level=3)
        return held.getvalue()

    def pixels(self) -> bytes:
        """What the screen shows, only to be compared."""
        return bytes(self._grabber.grab(self._grabber.monitors[0]).raw)

    def stop(self) -> None:
        """Stop both. Safe to call twice."""
        for held in (self._grabber, self._display):
            with contextlib.suppress(Exception):  # whatever a dead connection raises
                if held is not None:
                    held.close()
        self._grabber = self._display = self._clipboard = None
        while self._services:
            self._services.pop().stop()

    def _run(self, program: str, *options: str) -> None:
        if not shutil.which(program):
            raise HostError(f"{program} is missing; on Debian, as root: apt-get install {program.lower()}")
        environment = {"HOME": str(self._folder), "DISPLAY": self.name, "PATH": os.environ["PATH"]}
        log = self._log if program == "Xvfb" else self._folder / f"{program}.log"
        service = Service(
            program, [program, *options], cwd=self._folder, log=log, env=environment, grace=GRACE_S
        )
        self._services.append(service)
        service.start()

    def _number(self) -> int:
        """The number that the server has given itself."""
        return next(int(line) for line in self._until(self._numbered))

    def _numbered(self) -> list[str]:
        said = self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""
        return [line for line in said.splitlines() if line.isdigit() and said.endswith("\n")]

    def _until(self, look: Callable[[], Found]) -> Found:
        """What is found at last."""
        deadline = time.monotonic() + START_S
        while not (found := look()):
            service = self._services[-1]
            service.check_alive()
            if time.monotonic() > deadline:
                raise HostError(f"{service.name} did not start within {START_S:g} s; see {service.log}.")
            time.sleep(PAUSE_S)
        return found

    def _window(self, outer: Any) -> RawWindow | None:
        """What a child of the root is: a frame with a program's window in it, or a popup."""
        with contextlib.suppress(error.XError):
            seen = outer.get_attributes()
            if seen.map_state != X.IsViewable or seen.win_class == X.InputOnly:
                return None
            client = next(self._clients(outer), None)
            inner = client or outer
            title = self._text(inner, "_NET_WM_NAME") or self._text(inner, "WM_NAME")
            size = inner.get_geometry()
            corner = inner.translate_coords(self._display.screen().root, 0, 0)
            shadow = self._numbers(inner, "_GTK_FRAME_EXTENTS")
            pid = self._numbers(inner, "_NET_WM_PID")
            if client is None and not (title or pid):
                return None
            return RawWindow(
                number=inner.id,
                pid=pid[0] if pid else 0,
                title=title,
                extents=(-corner.x, -corner.y, size.width, size.height),
                shadow=(shadow[0], shadow[1], shadow[2], shadow[3]) if len(shadow) == 4 else (0, 0, 0, 0),
                popup=client is None,
            )
        return None

    def _clients(self, outer: Any) -> Iterator[Any]:
        state = self._display.intern_atom("WM_STATE")
        pending = [outer]
        while pending:
            window = pending.pop()
            if window.get_full_property(state, X.AnyPropertyType) is not None:
                yield window
            pending.extend(window.query_tree().children)

    def _tell(self, window: RawWindow, what: str, *values: int) -> None:
        """Ask the window manager to do something to a window."""
        root = self._display.screen().root
        message = event.ClientMessage(
            window=self._display.create_resource_object("window", window.number),
            client_type=self._display.intern_atom(what),
            data=(32, list(values)),
        )
        root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)

    def _text(self, window: Any, name: str) -> str:
        held = window.get_full_property(self._display.intern_atom(name), X.AnyPropertyType)
        value = held.value if held else b""
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def _numbers(self, window: Any, name: str) -> list[int]:
        held = window.get_full_property(self._display.intern_atom(name), X.AnyPropertyType)
        return [int(value) for value in held.value] if held else []
