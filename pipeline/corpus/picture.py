"""The picture of a FunctionGraph: its screens in columns by distance from the entry, ordered so that few
edges cross. Pure and deterministic; a page draws it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence

from schemas.record import Record
from schemas.world_rows import EdgeRow, StateRow

NODE = (208, 164)
"""Width and height of a drawn screen."""
GAP = (76, 28)
COLUMN = 7
"""Screens drawn below one another at most; a longer layer takes several columns."""
_SWEEPS = 6
_SHARED = 3
"""Screens with one title from which on it tells nothing."""


class Screen(Record):
    """All States of one structure, drawn as one node."""

    id: str
    title: str
    route: str
    label: str
    """The title, or the route where many screens share the title."""
    states: tuple[str, ...]
    depth: int
    x: int
    y: int


class Picture(Record):
    """The drawn screens, in reading order, and the size of the whole."""

    screens: tuple[Screen, ...]
    width: int
    height: int


def picture_of(states: Sequence[StateRow], edges: Iterable[EdgeRow], root: str) -> Picture:
    """Lay out the screens of one crawl; ``root`` is the State that it started in. It stands for its screen,
    and of other screens the State in which most was tried does.
    """
    edges = list(edges)
    tried = Counter(edge.src_state_id for edge in edges)
    members: dict[str, list[StateRow]] = {}
    for state in sorted(
        states, key=lambda state: (state.state_id != root, -tried[state.state_id], state.state_id)
    ):
        members.setdefault(state.structure, []).append(state)
    first = next((state.structure for state in states if state.state_id == root), "")
    links = _links(edges, members)
    columns = _columns(_ordered(_layers(first, sorted(members), links), links))
    titles = Counter(group[0].title for group in members.values())
    tallest = max((len(column) for _, column in columns), default=0)
    screens = [
        _screen(members[name], titles, depth, (at, row + (tallest - len(column)) / 2))
        for at, (depth, column) in enumerate(columns)
        for row, name in enumerate(column)
    ]
    width, height = len(columns) * (NODE[0] + GAP[0]) - GAP[0], tallest * (NODE[1] + GAP[1]) - GAP[1]
    return Picture(screens=tuple(screens), width=max(width, NODE[0]), height=max(height, NODE[1]))


def _screen(
    states: Sequence[StateRow], titles: Mapping[str, int], depth: int, place: tuple[int, float]
) -> Screen:
    first, (column, row) = states[0], place
    own = first.title and titles[first.title] < _SHARED
    return Screen(
        id=first.structure,
        title=first.title,
        route=first.route,
        label=first.title if own else first.route,
        states=tuple(state.state_id for state in states),
        depth=depth,
        x=column * (NODE[0] + GAP[0]),
        y=round(row * (NODE[1] + GAP[1])),
    )


def _links(edges: Iterable[EdgeRow], known: Mapping[str, object]) -> dict[str, set[str]]:
    """Structure → structures that an action leads to, itself left out."""
    links: dict[str, set[str]] = {name: set() for name in known}
    for edge in edges:
        if (
            edge.src_structure != edge.dst_structure
            and {edge.src_structure, edge.dst_structure} <= links.keys()
        ):
            links[edge.src_structure].add(edge.dst_structure)
    return links


def _layers(first: str, names: Sequence[str], links: Mapping[str, set[str]]) -> list[list[str]]:
    """Structures by least number of actions from the first; what is out of reach comes last."""
    depth = {first: 0} if first else {}
    queue = deque(depth)
    while queue:
        here = queue.popleft()
        for there in sorted(links[here] - depth.keys()):
            depth[there] = depth[here] + 1
            queue.append(there)
    beyond = max(depth.values(), default=-1) + 1
    layers: list[list[str]] = [[] for _ in range(beyond + 1)]
    for name in names:
        layers[depth.get(name, beyond)].append(name)
    return [layer for layer in layers if layer]


def _ordered(layers: list[list[str]], links: Mapping[str, set[str]]) -> list[list[str]]:
    """Each layer sorted by the mean place of its neighbours, a few times over."""
    both: dict[str, set[str]] = {name: set(to) for name, to in links.items()}
    for name, to in links.items():
        for other in to:
            both[other].add(name)
    for _ in range(_SWEEPS):
        place = {name: at / len(layer) for layer in layers for at, name in enumerate(layer)}
        layers = [sorted(layer, key=lambda name: (_mean(both[name], place), name)) for layer in layers]
    return layers


def _mean(names: Iterable[str], place: Mapping[str, float]) -> float:
    places = [place[name] for name in names]
    return sum(places) / len(places) if places else 1.0


def _columns(layers: Sequence[Sequence[str]]) -> list[tuple[int, Sequence[str]]]:
    """(layer, structures) of every column drawn; a long layer is dealt out evenly."""
    columns: list[tuple[int, Sequence[str]]] = []
    for depth, layer in enumerate(layers):
        count = -(-len(layer) // COLUMN)
        size = -(-len(layer) // count)
        columns += [(depth, layer[start : start + size]) for start in range(0, len(layer), size)]
    return columns
