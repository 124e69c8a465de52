"""A Completion is what a model answered to one prompt, or why it did not: data either way."""

from __future__ import annotations

import re

from schemas.record import Record

_FENCE = re.compile(r"^\s*```[\w-]*\n?|\n?```\s*$")
_ESCAPE = re.compile(r"\\{1,2}u([0-9a-fA-F]{4})")
_WRAPPERS = (('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("「", "」"), ("**", "**"))


class Completion(Record):
    """One answer. An item that failed carries ``error`` and no text; it is never an exception."""

    text: str = ""
    error: str = ""
    """Why there is no answer, in one sentence."""
    finish_reason: str = ""
    """``stop``, ``length`` (cut off) or what the endpoint calls it."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""

    @property
    def complete(self) -> bool:
        """Whether the model came to an end by itself. A whitespace loop or a ramble did not."""
        return not self.error and self.finish_reason != "length" and bool(self.text.strip())


def first_line(text: str) -> str:
    """The first line a model wrote, freed of what small models put around it: a code fence, quotes or
    asterisks about the whole, a leading list mark, escapes that were escaped once too often.
    """
    bare = _FENCE.sub("", unescaped(text)).strip()
    line = next((line.strip() for line in bare.splitlines() if line.strip()), "")
    line = line.removeprefix("- ").strip()
    for opening, closing in _WRAPPERS:
        inner = line[len(opening) : -len(closing)]
        if (
            line.startswith(opening)
            and line.endswith(closing)
            and opening not in inner
            and closing not in inner
        ):
            return inner.strip()
    return line


def unescaped(text: str) -> str:
    r"""Characters that arrived as ``\\u7406``, as some servers send Chinese under a schema, put right.

    Only escapes of non-ASCII characters are read, so that a Windows path keeps its backslashes.
    """
    return _ESCAPE.sub(_character, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    point = int(match[1], 16)
    return chr(point) if point > 0x7F else match[0]
