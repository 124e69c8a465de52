"""The same App in two languages, control by control: what is called how, and how much has no counterpart.

``python locales.py SIGHTINGS`` (a folder that ``sightings.py`` has filled) draws a sample of counterparts and
writes it, unchecked, as ``screens/counterparts.csv``; what was checked before stays checked.

A control is an element that is displayed and can be pressed, filled in or ticked. Its counterpart is the one
with the same key on a screen of the same structure: neither holds a word of the user interface's language,
so nothing is translated or guessed. A counterpart is **right** when a person who reads both languages says
that both are the same control of the same screen: its words say the same, or are the same data.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from sightings import kept, sightings

from schemas.screen import Element, State

CHECKED = Path(__file__).resolve().parent / "screens" / "counterparts.csv"
ONE, TWO = "en", "zh-Hans"
SAMPLE = 100


@dataclass(frozen=True)
class Counterpart:
    """One control in two languages."""

    app: str
    template: str
    role: str
    one: str
    """What it is called in the first language; empty where it has no words."""
    two: str


Place = tuple[str, str]
"""Structure of the screen, key of the control."""


def controls(states: Iterable[State]) -> dict[Place, Element]:
    """Every control of these screens, as it was seen first."""
    found: dict[Place, Element] = {}
    for state in states:
        for element in filter(_control, state.elements):
            found.setdefault((state.structure, element.key), element)
    return found


def aligned(one: Mapping[Place, Element], two: Mapping[Place, Element]) -> float:
    """Share of the kinds of controls (those of a list's items count once) that have a counterpart, of all
    that were seen in either language (Dice coefficient).
    """
    left, right = _kinds(one), _kinds(two)
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 0.0


def counterparts(app: str, one: Mapping[Place, Element], two: Mapping[Place, Element]) -> list[Counterpart]:
    """One pair for every kind of control that has a counterpart."""
    found: dict[str, Counterpart] = {}
    for place in sorted(one.keys() & two.keys()):
        left, right = one[place], two[place]
        pair = Counterpart(app, left.template, left.role, left.label, right.label)
        found.setdefault(left.template, pair)
    return list(found.values())


def checked() -> dict[Counterpart, str]:
    """The committed sample with its verdicts, ``yes``, ``no`` or empty."""
    if not CHECKED.is_file():
        return {}
    with CHECKED.open(encoding="utf-8", newline="") as file:
        return {Counterpart(*row[:5]): row[5] for row in list(csv.reader(file))[1:]}


def locales(shares: Mapping[str, float]) -> dict[str, object]:
    """What ``bench-web`` tells: the share per App, the median, and the sample's verdicts."""
    verdicts = list(checked().values())
    return {
        "locale_aligned": round(median(shares.values()), 4) if shares else None,
        "locale_aligned_lowest": round(min(shares.values()), 4) if shares else None,
        "locale_apps": {app: round(share, 4) for app, share in shares.items()},
        "locale_checked": sum(verdict != "" for verdict in verdicts),
        "locale_wrong": verdicts.count("no"),
    }


def pairs(folder: Path) -> dict[str, tuple[dict[Place, Element], dict[Place, Element]]]:
    """The controls of every App that was seen in both languages."""
    found = {}
    for path in sorted(folder.glob(f"*.{TWO}.jsonl.gz")):
        app = path.name.removesuffix(f".{TWO}.jsonl.gz")
        if sightings(folder, app, ONE).is_file():
            found[app] = (controls(kept(sightings(folder, app, ONE))), controls(kept(path)))
    return found


def _control(element: Element) -> bool:
    return element.visible and (element.clickable or element.editable or element.checkable)


def _kinds(found: Mapping[Place, Element]) -> set[Place]:
    return {(structure, element.template) for (structure, _), element in found.items()}


def sample(found: Sequence[Counterpart], size: int) -> list[Counterpart]:
    """A draw, the same every time."""
    drawn = random.Random(0).sample(sorted(found, key=repr), min(size, len(found)))  # noqa: S311 - no secret
    return sorted(drawn, key=repr)


def main() -> None:
    """Draw the sample from the sightings in a folder, the same number from every App, and say the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sightings", type=Path)
    apps = pairs(parser.parse_args().sightings)
    before = checked()
    each = -(-SAMPLE // max(1, len(apps)))
    drawn = [pair for app, (one, two) in apps.items() for pair in sample(counterparts(app, one, two), each)]
    with CHECKED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("app", "template", "role", ONE, TWO, "right"))
        for pair in drawn:
            row = (pair.app, pair.template, pair.role, pair.one, pair.two, before.get(pair, ""))
            writer.writerow(row)
    for app, (one, two) in apps.items():
        sys.stdout.write(
            f"{app}: {aligned(one, two):.4f} of {len(_kinds(one))} and {len(_kinds(two))} kinds\n"
        )


if __name__ == "__main__":
    main()
