"""The same App in two languages, control by control: what is called how, and how much has no counterpart.

``python locales.py SIGHTINGS`` (a folder that ``sightings.py`` has filled) draws a sample of counterparts and
writes it, unchecked, as ``screens/counterparts.csv``; what was checked before stays checked.

Both graphs are walked at once from their roots: two Transitions belong together when they do the same to
counterparts, and lead to screens that belong together. On two such screens, elements of one key are
counterparts, wherever they stand in their list where nothing else has that key (it may be sorted by its
words); between these, elements of one role, kind and tag are, in the order of the document. A counterpart is
**right** when a person who reads both languages says that both are the same control of the same screen: its
words say the same, or are the same data.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from sightings import graphs

from schemas.action import Submit, target_of
from schemas.graph import FunctionGraph, Transition
from schemas.screen import Element, State

CHECKED = Path(__file__).resolve().parent / "screens" / "counterparts.csv"
ONE, TWO = "en", "zh-Hans"
SAMPLE = 100
_PLACE = re.compile(r"\[\d+\]")

Pair = tuple[Element, Element]


@dataclass(frozen=True)
class Counterpart:
    """One control in two languages."""

    app: str
    template: str
    role: str
    one: str
    """What it is called in the first language; empty where it has no words."""
    two: str


@dataclass(frozen=True)
class Alignment:
    """What belongs together in two graphs of an App."""

    screens: tuple[tuple[State, State], ...]
    controls: tuple[Pair, ...]
    """Counterparts of all these screens that can be pressed, filled in or ticked."""
    alone: int
    """Controls of these screens, in either language, without a counterpart."""

    @property
    def share(self) -> float:
        """Share of the controls that have a counterpart."""
        both = 2 * len(self.controls)
        return both / (both + self.alone) if both else 0.0


def align(one: FunctionGraph, two: FunctionGraph) -> Alignment:
    """Walk both graphs at once, breadth first, each screen of the first one once."""
    ones, twos = one.by_id(), two.by_id()
    leaving = _leaving(two)
    queue = deque([(one.root, two.root)])
    met = {one.root: two.root}
    controls: list[Pair] = []
    alone = 0
    outgoing: dict[str, list[Transition]] = {}
    for transition in one.transitions:
        outgoing.setdefault(transition.source, []).append(transition)
    while queue:
        here, there = queue.popleft()
        pairs = counterparts(ones[here], twos[there])
        mine = [pair for pair in pairs if all(map(_control, pair))]
        controls += mine
        alone += sum(len(_controls(state)) for state in (ones[here], twos[there])) - 2 * len(mine)
        keys = {left.key: right.key for left, right in pairs}
        for transition in outgoing.get(here, ()):
            twin = leaving.get((there, *_deed(transition, keys)))
            if twin is not None and transition.target not in met:
                met[transition.target] = twin.target
                queue.append((transition.target, twin.target))
    screens = tuple((ones[left], twos[right]) for left, right in met.items())
    return Alignment(screens, tuple(controls), alone)


def counterparts(one: State, two: State) -> list[Pair]:
    """Displayed elements of two screens that belong together, in the order of the document."""
    left, right = _displayed(one), _displayed(two)
    shared = {element.key for element in left} & {element.key for element in right}
    lone, other = _lone(left), _lone(right)
    twins = {element.key: other[free] for free, element in lone.items() if free in other}
    shared |= twins.keys() | {twin.key for twin in twins.values()}
    matcher = SequenceMatcher(None, _tokens(left, shared), _tokens(right, shared), autojunk=False)
    found = {
        left[block.a + step].key: right[block.b + step]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    found |= twins
    return [(element, found[element.key]) for element in left if element.key in found]


def _lone(elements: Sequence[Element]) -> dict[str, Element]:
    """Those that no other has the key of, wherever in its list it stands, by their keys without places."""
    free = [_PLACE.sub("", element.key) for element in elements]
    times = Counter(free)
    return {key: element for key, element in zip(free, elements, strict=True) if times[key] == 1}


def kept(folder: Path) -> Iterator[tuple[str, Alignment]]:
    """The alignment of every App of a folder of sightings that was seen in both languages."""
    for path in sorted(folder.glob(f"*.{TWO}.graph.json.gz")):
        app = path.name.removesuffix(f".{TWO}.graph.json.gz")
        if graphs(folder, app, ONE).is_file():
            yield app, align(_read(graphs(folder, app, ONE)), _read(path))


def locales(found: Mapping[str, Alignment]) -> dict[str, object]:
    """What ``bench-web`` tells: the share per App, the median, and the verdicts on the sample."""
    verdicts = list(checked().values())
    shares = {app: alignment.share for app, alignment in found.items()}
    return {
        "locale_aligned": round(median(shares.values()), 4) if shares else None,
        "locale_apps": {
            app: {"aligned": round(alignment.share, 4), "screens": len(alignment.screens)}
            for app, alignment in found.items()
        },
        "locale_checked": sum(verdict != "" for verdict in verdicts),
        "locale_wrong": verdicts.count("no"),
    }


def checked() -> dict[Counterpart, str]:
    """The committed sample with its verdicts, ``yes``, ``no`` or empty."""
    if not CHECKED.is_file():
        return {}
    with CHECKED.open(encoding="utf-8", newline="") as file:
        return {Counterpart(*row[:5]): row[5] for row in list(csv.reader(file))[1:]}


def sample(app: str, alignment: Alignment, size: int) -> list[Counterpart]:
    """A draw among the kinds of controls of an App, the same every time."""
    kinds: dict[str, Counterpart] = {}
    for left, right in alignment.controls:
        pair = Counterpart(app, left.template, left.role, left.label, right.label)
        kinds.setdefault(left.template, pair)
    found = sorted(kinds.values(), key=repr)
    return sorted(random.Random(0).sample(found, min(size, len(found))), key=repr)  # noqa: S311 - no secret


def _leaving(graph: FunctionGraph) -> dict[tuple[str, str, str], Transition]:
    found: dict[tuple[str, str, str], Transition] = {}
    for transition in graph.transitions:
        found.setdefault((transition.source, *_deed(transition, {})), transition)
    return found


def _deed(transition: Transition, keys: Mapping[str, str]) -> tuple[str, str]:
    """What is done to what; ``keys`` translates the keys of its screen."""
    action = transition.action
    target = target_of(action)
    key = action.form if isinstance(action, Submit) else target.key if target else ""
    how = f"{action.kind} {action.variant}" if isinstance(action, Submit) else action.kind
    return how, keys.get(key, key)


def _tokens(elements: Sequence[Element], keys: AbstractSet[str]) -> list[tuple[str, ...]]:
    return [
        ("key", element.key) if element.key in keys else (element.role, element.kind, element.tag)
        for element in elements
    ]


def _displayed(state: State) -> list[Element]:
    return [element for element in state.elements if element.visible]


def _control(element: Element) -> bool:
    return element.clickable or element.editable or element.checkable


def _controls(state: State) -> list[Element]:
    return list(filter(_control, _displayed(state)))


def _read(path: Path) -> FunctionGraph:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return FunctionGraph.model_validate_json(file.read())


def main() -> None:
    """Draw the sample from the sightings in a folder, the same number from every App, and say the shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sightings", type=Path)
    found = dict(kept(parser.parse_args().sightings))
    before = checked()
    each = -(-SAMPLE // max(1, len(found)))
    drawn = [pair for app, alignment in found.items() for pair in sample(app, alignment, each)]
    with CHECKED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("app", "template", "role", ONE, TWO, "right"))
        for pair in drawn:
            row = (pair.app, pair.template, pair.role, pair.one, pair.two, before.get(pair, ""))
            writer.writerow(row)
    for app, alignment in found.items():
        sys.stdout.write(
            f"{app}: {alignment.share:.4f} on {len(alignment.screens)} screens,"
            f" {len(alignment.controls)} pairs, {alignment.alone} alone\n"
        )


if __name__ == "__main__":
    main()
