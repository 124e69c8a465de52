"""Keys: names for objects that hold on every start and in every language.

A key is a path of structure: ``window/menubar/menuitem.3/menuitem.2``. A step is an ARIA role with its place
among those of its role below one container. Dialogs carry a digest of what they are made of, because
"the second button of the dialog" is another one in every dialog. Entries of lists carry their place in
brackets, which the template leaves out. Displayed text never enters a key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from schemas.record import digest

REPEATED = frozenset({"listitem", "row", "cell", "treeitem", "gridcell", "rowheader"})
"""Roles of which there are as many as there is data."""
_DATA = REPEATED | {"text", "img", "generic", "paragraph", "status", "separator", "scrollbar", "tooltip"}
"""What says nothing about which dialog it is in."""


@dataclass(frozen=True)
class Piece:
    """What a key is made from: role, the piece it lies in (-1: none), and the columns of a table."""

    role: str
    parent: int
    columns: int = 0


@dataclass(frozen=True)
class Key:
    """The two names of an object."""

    key: str
    template: str


def keys_of(pieces: Sequence[Piece]) -> tuple[Key, ...]:
    """The keys of all pieces, parents before children, each different from the others."""
    marks = _marks(pieces)
    found: list[Key] = []
    seen: Counter[tuple[int, str]] = Counter()
    for index, piece in enumerate(pieces):
        above = found[piece.parent] if piece.parent >= 0 else Key("", "")
        step = piece.role + marks.get(index, "")
        place = seen[piece.parent, step]
        seen[piece.parent, step] += 1
        columns = pieces[piece.parent].columns if piece.parent >= 0 else 0
        if piece.role == "cell" and columns:
            row, column = divmod(place, columns)
            tail = "cell" if column == 0 else f"cell.{column + 1}"
            mine, general = f"row[{row + 1}]/{tail}", f"row[]/{tail}"
        elif piece.role in REPEATED:
            mine, general = f"{step}[{place + 1}]", f"{step}[]"
        else:
            mine = general = step if place == 0 else f"{step}.{place + 1}"
        found.append(Key(_join(above.key, mine), _join(above.template, general)))
    return tuple(found)


def _join(above: str, step: str) -> str:
    return f"{above}/{step}" if above else step


def _marks(pieces: Sequence[Piece]) -> dict[int, str]:
    """For every dialog, and every window but the first, a digest of the controls that it is made of. Those in
    entries of lists are data, too: a file chooser offers to unmount what is mounted on one machine only.
    """
    tops = [index for index, piece in enumerate(pieces) if piece.parent < 0]
    main = next((index for index in tops if pieces[index].role == "window"), -1)
    paths: list[str] = []
    made: dict[int, set[str]] = {index: set() for index in tops if index != main}
    owner: list[int] = []
    listed: list[bool] = []
    for index, piece in enumerate(pieces):
        top = index if piece.parent < 0 else owner[piece.parent]
        owner.append(top)
        listed.append(piece.role in REPEATED or (piece.parent >= 0 and listed[piece.parent]))
        above = "" if piece.parent < 0 else paths[piece.parent]
        path = above if listed[index] or piece.role in _DATA else f"{above}/{piece.role}"
        paths.append(path)
        if top in made:
            made[top].add(path)
    return {index: f"~{digest('', sorted(parts))[1:5]}" for index, parts in made.items()}
