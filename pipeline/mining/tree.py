"""The tree above the atomic capabilities: areas of the App, and the pages in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.mining.atlas import Atlas
from pipeline.mining.entities import in_frame
from pipeline.mining.naming import Lexicon, is_prose, label_of
from pipeline.mining.variants import Way
from schemas.action import target_of
from schemas.capability import Capability, Level
from schemas.graph import FunctionGraph
from schemas.record import digest
from schemas.screen import State


@dataclass(frozen=True)
class Place:
    """Where a capability is found: the area that the path enters first, and the page of its control."""

    area: str
    """Route of the area's first page."""
    area_name: str
    page: str
    """Route of the page on which it is done."""
    page_name: str


def place_of(atlas: Atlas, lexicon: Lexicon, way: Way) -> Place:
    """The area is the first page that navigation leads to, the root's own where none is used."""
    area, name = atlas.root, lexicon.link(atlas.root) or lexicon.title(atlas.root)
    for state, transition in way.chain[:-1]:
        target = target_of(transition.action)
        element = state.find(target.key) if target else None
        goal = atlas.states[transition.target]
        if element is not None and in_frame(state, element) and goal.route != state.route:
            label = label_of(element)
            area, name = goal, label if is_prose(label) else lexicon.title(goal)
            break
    page: State = way.chain[-1][0]
    return Place(area.route, name, page.route, lexicon.title(page))


def grow(
    graph: FunctionGraph, atomic: Mapping[str, Capability], places: Mapping[str, Place]
) -> tuple[Capability, ...]:
    """All nodes, parents before children, in the order in which the atomic ones were found."""
    nodes: dict[str, Capability] = {}
    leaves: dict[str, list[Capability]] = {}
    branches: dict[str, list[str]] = {}
    for key, leaf in atomic.items():
        place = places[key]
        area = digest("fn", graph.app_id, "area", place.area)
        page = digest("fn", graph.app_id, "page", place.area, place.page)
        nodes.setdefault(area, _node(graph, area, Level.CAPABILITY, place.area_name))
        nodes.setdefault(page, _node(graph, page, Level.SUB, place.page_name, parent=area))
        if page not in branches.setdefault(area, []):
            branches[area].append(page)
        leaves.setdefault(page, []).append(leaf.model_copy(update={"parent": page}))
    return tuple(
        node
        for area, pages in branches.items()
        for node in (nodes[area], *(n for page in pages for n in (nodes[page], *leaves[page])))
    )


def _node(graph: FunctionGraph, key: str, level: Level, name: str, parent: str = "") -> Capability:
    return Capability(id=key, app=graph.app, lang=graph.lang, parent=parent, level=level, name=name)
