"""The clipboard of a private X server: the text that some program offers on the selection CLIPBOARD."""

from __future__ import annotations

import contextlib
import select
import time
from typing import Any

from Xlib import X, error

ANSWER_S = 1.0
"""Longest wait for the program that offers it."""


class Clipboard:
    """Asks as any program does that pastes. Not thread-safe."""

    def __init__(self, display: Any) -> None:
        """Use the server behind the connection."""
        self._display = display
        self._name = display.intern_atom("CLIPBOARD")
        self._kind = display.intern_atom("UTF8_STRING")
        self._place = display.intern_atom("GROUNDSMITH_PASTE")
        self._window = display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, X.InputOnly)

    def text(self) -> str:
        """What pasting would enter; empty where nobody offers a text, or does not hand it over in time. Texts
        that are too long for one answer (a quarter of a megabyte) count as none.
        """
        with contextlib.suppress(error.XError):
            if self._display.get_selection_owner(self._name) == X.NONE:
                return ""
            self._window.convert_selection(self._name, self._kind, self._place, X.CurrentTime)
            self._display.flush()
            if self._answered():
                held = self._window.get_full_property(self._place, self._kind)
                self._window.delete_property(self._place)
                return bytes(held.value).decode("utf-8", "replace") if held else ""
        return ""

    def _answered(self) -> bool:
        """Whether the text has been handed over."""
        deadline = time.monotonic() + ANSWER_S
        while (left := deadline - time.monotonic()) > 0:
            while self._display.pending_events():
                event = self._display.next_event()
                if event.type == X.SelectionNotify:
                    return bool(event.property != X.NONE)
            select.select([self._display], [], [], left)
        return False
