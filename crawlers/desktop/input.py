"""Pointer and keyboard of the private X server, through its XTEST extension."""

from __future__ import annotations

import time
from typing import Any, Literal

from Xlib import XK, X
from Xlib.ext import xtest

from crawlers.driver import DriverError

_BUTTONS = {"left": 1, "middle": 2, "right": 3}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
NOTCH = 60
"""Pixels that one notch of the wheel is taken to move."""
STRIDES = 10
STRIDE_S = 0.03
"""Steps of a drag and the seconds for each: on the way the target is asked whether it takes what comes."""
_NAMED = {
    "Alt": "Alt_L",
    "ArrowDown": "Down",
    "ArrowLeft": "Left",
    "ArrowRight": "Right",
    "ArrowUp": "Up",
    "Backspace": "BackSpace",
    "Control": "Control_L",
    "ControlOrMeta": "Control_L",
    "Enter": "Return",
    "Meta": "Super_L",
    "PageDown": "Page_Down",
    "PageUp": "Page_Up",
    "Shift": "Shift_L",
    " ": "space",
    "Space": "space",
    "\n": "Return",
    "\t": "Tab",
}
"""Playwright's names of keys, where X calls them otherwise."""
_UNICODE = 0x01000000
"""What X adds to a code point to make it the name of a key."""
REMAP_S = 0.03
"""Programs read a changed keyboard when they get round to it."""


class Input:
    """Moves, presses and types. Not thread-safe."""

    def __init__(self, display: Any) -> None:
        """Use the server behind the connection."""
        self._display = display
        self._spare = 0

    def move(self, x: int, y: int) -> None:
        """Point at a pixel."""
        xtest.fake_input(self._display, X.MotionNotify, x=x, y=y)
        self._display.sync()

    def click(
        self, x: int, y: int, button: Literal["left", "right", "middle"] = "left", count: int = 1
    ) -> None:
        """Press and release there, as often as asked."""
        self.move(x, y)
        for _ in range(count):
            self._button(_BUTTONS[button])

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press at one point, move in steps, as toolkits want to see them, and let go at the other."""
        self.move(*start)
        xtest.fake_input(self._display, X.ButtonPress, _BUTTONS["left"])
        for step in range(1, STRIDES + 1):
            x, y = (a + (b - a) * step // STRIDES for a, b in zip(start, end, strict=True))
            self.move(x, y)
            time.sleep(STRIDE_S)
        xtest.fake_input(self._display, X.ButtonRelease, _BUTTONS["left"])
        self._display.sync()

    def wheel(self, reveal: Literal["up", "down", "left", "right"], pixels: int) -> None:
        """Turn the wheel, wherever the pointer is."""
        for _ in range(max(1, round(pixels / NOTCH))):
            self._button(_WHEEL[reveal])

    def press(self, *keys: str) -> None:
        """Press keys together.

        Raises:
            DriverError: the keyboard has no such key.
        """
        codes = [self._code(key) for key in keys]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()

    def type(self, text: str) -> None:
        """Type letters of any script, those that no key has on a key that is lent to them."""
        for letter in text:
            code, shifted = self._letter(letter)
            if shifted:
                xtest.fake_input(self._display, X.KeyPress, self._code("Shift"))
            xtest.fake_input(self._display, X.KeyPress, code)
            xtest.fake_input(self._display, X.KeyRelease, code)
            if shifted:
                xtest.fake_input(self._display, X.KeyRelease, self._code("Shift"))
            self._display.sync()
            if code == self._spare:
                time.sleep(REMAP_S)

    def grabbed(self) -> bool:
        """Whether some program keeps the pointer for itself."""
        root = self._display.screen().root
        answer = root.grab_pointer(False, 0, X.GrabModeAsync, X.GrabModeAsync, X.NONE, X.NONE, X.CurrentTime)  # noqa: FBT003 - Xlib takes it by place
        if answer == X.GrabSuccess:
            self._display.ungrab_pointer(X.CurrentTime)
            self._display.sync()
        return bool(answer == X.AlreadyGrabbed)

    def _button(self, number: int) -> None:
        xtest.fake_input(self._display, X.ButtonPress, number)
        xtest.fake_input(self._display, X.ButtonRelease, number)
        self._display.sync()

    def _code(self, key: str) -> int:
        name = _NAMED.get(key, key)
        symbol = XK.string_to_keysym(name) or (ord(name) if len(name) == 1 else 0)
        code = self._display.keysym_to_keycode(symbol) if symbol else 0
        if not code:
            raise DriverError("blocked", f"The keyboard has no key {key!r}.")
        return int(code)

    def _letter(self, letter: str) -> tuple[int, bool]:
        name = _NAMED.get(letter)
        symbol = XK.string_to_keysym(name) if name else ord(letter)
        symbol = symbol if symbol < 0x100 or name else _UNICODE + symbol
        for code, index in self._display.keysym_to_keycodes(symbol):
            if index in {0, 1}:
                return code, index == 1
        return self._lend(symbol), False

    def _lend(self, symbol: int) -> int:
        """Put a letter on a key that means nothing."""
        if not self._spare:
            low = self._display.display.info.min_keycode
            count = self._display.display.info.max_keycode - low + 1
            mapping = self._display.get_keyboard_mapping(low, count)
            free = [low + at for at, symbols in enumerate(mapping) if not any(symbols)]
            self._spare = free[-1]
        self._display.change_keyboard_mapping(self._spare, [[symbol, symbol]])
        self._display.sync()
        time.sleep(REMAP_S)
        return self._spare
