"""Pairs of screens, labelled by hand: are they the same screen?

``python pairs.py SIGHTINGS`` (a folder that ``sightings.py`` has filled) draws pairs from every App and
writes them, unlabelled, as ``screens/pairs.csv``, with the States they are of as ``screens/states.parquet``,
and pictures of them to be labelled as ``SIGHTINGS/sheets/*.png``. A pair that has a
label keeps it, as long as its pictures are seen again.

The rule of the labels, in the words it was labelled by: two observations are **the same screen** when they
offer the same things to do: the same page, dialog, menu or panel with the same kinds of controls. It does
not matter how many items of one kind are listed (one or a hundred), whose data is shown, what is filled in,
selected, focused or scrolled to, or what message or tooltip stands beside. They are **different screens**
when a kind of control, or an opened menu, panel or dialog, is on offer in one of them alone, or when what
the controls are for differs. A list without any item lacks the controls of its items, so it is another
screen than one with items. Labels were given from the pictures, with texts and controls at hand where a
picture does not show all of the page, and without seeing what our identity says.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from PIL import Image, ImageDraw
from sightings import IMAGES, kept

from crawlers.identity import structure_of
from schemas.screen import State

HERE = Path(__file__).resolve().parent / "screens"
LABELS = HERE / "pairs.csv"
STATES = HERE / "states.parquet"
COLUMNS = ("app", "left", "right", "same", "why")
EACH = 6
"""Pairs of every kind that are drawn from an App."""
OFTEN = 3
"""Pairs that one State is in, at most."""
ROWS = 3
"""Pairs on one sheet."""


@dataclass(frozen=True)
class Pair:
    """Two States of one App, by the ids of their pictures (those hold when keys and identities are computed
    otherwise), and what a person says of them."""

    app: str
    left: str
    right: str
    same: bool | None = None
    why: str = ""


def draw(states: Sequence[State]) -> Iterator[Pair]:
    """The pairs of one App that are hard to tell, and some that are drawn at random: of one structure and
    different data (least alike first), of different structures (most alike first), of one route and
    different structures, any. None is drawn twice.
    """
    ordered = sorted(states, key=lambda state: state.image)
    pairs = list(combinations(ordered, 2))
    random.Random(0).shuffle(pairs)  # noqa: S311 - a draw, not a secret
    likeness = {(one.image, two.image): _likeness(one, two) for one, two in pairs}
    same = [pair for pair in pairs if pair[0].structure == pair[1].structure]
    other = [pair for pair in pairs if pair[0].structure != pair[1].structure]
    kinds = (
        sorted(same, key=lambda pair: _said_alike(*pair)),
        sorted(other, key=lambda pair: -likeness[pair[0].image, pair[1].image]),
        [pair for pair in other if pair[0].route == pair[1].route],
        pairs,
    )
    drawn: set[tuple[str, str]] = set()
    times: Counter[str] = Counter()
    for kind in kinds:
        enough = len(drawn) + EACH
        for one, two in kind:
            pair = one.image, two.image
            if len(drawn) < enough and pair not in drawn and max(times[one.image], times[two.image]) < OFTEN:
                drawn.add(pair)
                times.update(pair)
    for left, right in sorted(drawn):  # so that their order tells nothing
        yield Pair(app=ordered[0].app, left=left, right=right)


def labelled() -> tuple[Pair, ...]:
    """The pairs as they are committed."""
    if not LABELS.is_file():
        return ()
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    said = {"yes": True, "no": False}
    return tuple(
        Pair(row["app"], row["left"], row["right"], said.get(row["same"]), row["why"]) for row in rows
    )


def scores(pairs: Iterable[Pair], states: dict[str, State]) -> dict[str, object]:
    """Precision and recall of "same screen", our structure against the labels, and what it gets wrong."""
    hits = 0
    wrong: list[str] = []
    false: list[str] = []
    for pair in pairs:
        if pair.same is None:
            continue
        left, right = states[pair.left], states[pair.right]
        ours = structure_of(left.elements, left.dialog) == structure_of(right.elements, right.dialog)
        hits += ours and pair.same
        if ours != pair.same:
            (false if ours else wrong).append(f"{pair.app} {pair.left} {pair.right}")
    return {
        "identity_precision": round(hits / (hits + len(false)), 4) if hits + len(false) else None,
        "identity_recall": round(hits / (hits + len(wrong)), 4) if hits + len(wrong) else None,
        "identity_pairs": sum(pair.same is not None for pair in pairs),
        "identity_same": sum(pair.same is True for pair in pairs),
        "identity_apps": len({pair.app for pair in pairs}),
        "taken_for_same": false,
        "taken_for_different": wrong,
    }


def identity() -> dict[str, object]:
    """What ``bench-web`` tells of our identity on the committed pairs."""
    return scores(labelled(), stored())


def stored() -> dict[str, State]:
    """The committed States, by picture."""
    return {row: State.model_validate_json(text) for row, text in pl.read_parquet(STATES).iter_rows()}


def _paths(state: State) -> frozenset[str]:
    return frozenset(element.template for element in state.elements if element.visible)


def _likeness(one: State, two: State) -> float:
    return _shared(_paths(one), _paths(two))


def _said_alike(one: State, two: State) -> float:
    return _shared(frozenset(one.texts()), frozenset(two.texts()))


def _shared(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left or right else 1.0


def _sheet(pairs: Sequence[tuple[int, Pair]], states: dict[str, State], folder: Path) -> Image.Image:
    wide, tall = 900, 562
    sheet = Image.new("RGB", (2 * wide + 10, len(pairs) * (tall + 30)), "white")
    pen = ImageDraw.Draw(sheet)
    for row, (number, pair) in enumerate(pairs):
        top = row * (tall + 30)
        pen.text((4, top + 6), f"#{number} {pair.app}", fill="red", font_size=18)
        for column, name in enumerate((pair.left, pair.right)):
            state = states[name]
            pen.text((200 + column * (wide + 10), top + 6), state.address[:90], fill="black", font_size=16)
            picture = Image.open(next(folder.glob(f"{IMAGES}/*/{state.image}*"))).convert("RGB")
            sheet.paste(picture.resize((wide, tall)), (column * (wide + 10), top + 28))
    return sheet


def main() -> None:
    """Draw pairs from the sightings in a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sightings", type=Path)
    given = parser.parse_args()
    states: dict[str, State] = {}
    pairs: list[Pair] = []
    for path in sorted(given.sightings.glob("*.en.jsonl.gz")):
        seen = {state.image: state for state in kept(path) if state.status < 400}
        states |= seen
        known = [
            pair for pair in labelled() if pair.same is not None and {pair.left, pair.right} <= seen.keys()
        ]
        told = {(pair.left, pair.right) for pair in known}
        fresh = [pair for pair in draw(tuple(seen.values())) if (pair.left, pair.right) not in told]
        pairs += [*known, *fresh[: max(0, 4 * EACH - len(known))]]
    _write(pairs, states)
    sheets = given.sightings / "sheets"
    sheets.mkdir(exist_ok=True)
    for first in range(0, len(pairs), ROWS):
        some = list(enumerate(pairs))[first : first + ROWS]
        _sheet(some, states, given.sightings).save(sheets / f"{first:04}.png")


def _write(pairs: Sequence[Pair], states: dict[str, State]) -> None:
    HERE.mkdir(exist_ok=True)
    word = {True: "yes", False: "no", None: ""}
    with LABELS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((pair.app, pair.left, pair.right, word[pair.same], pair.why) for pair in pairs)
    used = sorted({name for pair in pairs for name in (pair.left, pair.right)})
    rows = [states[name].model_dump_json(exclude_defaults=True) for name in used]
    pl.DataFrame({"state": used, "json": rows}).write_parquet(
        STATES, compression="zstd", compression_level=19
    )


if __name__ == "__main__":
    main()
