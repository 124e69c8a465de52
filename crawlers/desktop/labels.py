"""Labels as a person reads them: without accelerators, padding and what toolkits put in their place."""

from __future__ import annotations

import re

_ACCELERATOR = re.compile(r"\s*[(（]_?[A-Za-z0-9][)）](?=\s*(?:$|[.…:：]))")
"""``文件(F)``, ``打开（O）…``: a letter to press, added where the language has no Latin ones."""
_SHORTCUT = re.compile(r"\t.*$", re.DOTALL)
_MNEMONIC = re.compile(r"&(?=\w)|(?<=\()_(?=\w)|^_(?=\w)")
_CLASS = re.compile(r"(?:Gtk|Adw|Gdk|Q)[A-Z]\w+|(?:[A-Z][a-z]+){3,}")
"""Classes of toolkits, and those of programs, which are words run together: ``EditorSourceView``."""
_LETTERED = re.compile(r"(.+?)\s*[(（]_?[A-Za-z0-9][)）] \1")
"""Said twice, with a letter to press once."""
_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufffc"))
"""Invisible marks of direction, which right-to-left texts are full of, and what stands for a picture."""


def clean(label: str, *, echoes: bool = False) -> str:
    """The label in one line. ``echoes`` is for toolkits that say names twice or give classes for names."""
    line = _SHORTCUT.sub("", label.translate(_MARKS))
    line = _MNEMONIC.sub("", _ACCELERATOR.sub("", " ".join(line.split())))
    if not echoes:
        return line
    return "" if _CLASS.fullmatch(line) else _once(line)


def _once(line: str) -> str:
    if lettered := _LETTERED.fullmatch(line):
        return lettered[1]
    half = len(line) // 2
    twice = len(line) % 2 == 1 and line[half] == " " and line[:half] == line[half + 1 :]
    return line[:half] if twice else line
