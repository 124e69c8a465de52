"""What an App's page in the gallery shows: its functionality graph as a picture and its functions as a
tree with their tasks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from pipeline.corpus.picture import NODE, Picture, picture_of
from pipeline.corpus.reader import Reader
from pipeline.corpus.report import Reach
from pipeline.corpus.untried import LeftOut, left_out
from pipeline.corpus.wording import caption_of
from schemas.action import Action
from schemas.task_rows import TaskRow
from schemas.world_rows import AppRow, CrawlRow, EdgeRow, FunctionRow, StateRow

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


@dataclass(frozen=True)
class AppCard:
    """One App in one language on the index."""

    app: AppRow
    crawl: CrawlRow
    reach: Reach
    image: str | None
    """Screenshot of the State that the crawl started in."""

    @property
    def page(self) -> str:
        """File name of its page."""
        return page_of(self.app.name, self.crawl.lang)


@dataclass(frozen=True)
class FunctionNode:
    """One function, those below it, and the tasks made of it."""

    row: FunctionRow
    children: tuple[FunctionNode, ...]
    tasks: tuple[TaskRow, ...]


@dataclass(frozen=True)
class AppView:
    """One App in one language, whole."""

    card: AppCard
    states: tuple[StateRow, ...]
    edges: tuple[EdgeRow, ...]
    functions: tuple[FunctionNode, ...]
    picture: Picture

    @property
    def effects(self) -> tuple[str, ...]:
        """Effect classes that occur, most frequent first."""
        seen = [str(edge.effect) for edge in self.edges if edge.src_state_id != edge.dst_state_id]
        return tuple(sorted(set(seen), key=lambda name: (-seen.count(name), name)))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was seen and not tried, by reason."""
        return left_out(self.card.crawl.untried)

    def data(self, images: frozenset[str]) -> dict[str, Any]:
        """What the page's script draws, as plain JSON."""
        return {
            "node": NODE,
            "size": (self.picture.width, self.picture.height),
            "root": self.card.crawl.root_state_id,
            "screens": [screen.model_dump() for screen in self.picture.screens],
            "states": {state.state_id: _state(state, images) for state in self.states},
            "edges": [_edge(edge) for edge in self.edges],
        }


def page_of(app: str, lang: str) -> str:
    """File name of the page of one App in one language."""
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '_', app)}.{lang}.html"


def app_cards(reader: Reader, reaches: Sequence[Reach]) -> list[AppCard]:
    """The cards of all crawls, in the order of the reaches."""
    apps = {app.app_id: app for app in reader.all(AppRow)}
    crawls = {(apps[crawl.app_id].name, crawl.lang): crawl for crawl in reader.all(CrawlRow)}
    cards = []
    for reach in reaches:
        crawl = crawls[reach.app, reach.lang]
        roots = reader.all(StateRow, state_id=crawl.root_state_id)
        image = roots[0].image_id if roots else None
        cards.append(AppCard(apps[crawl.app_id], crawl, reach, image))
    return cards


def app_view(reader: Reader, card: AppCard, shown: frozenset[str]) -> AppView:
    """The whole view of one card; ``shown`` are all tasks that have a page."""
    where = {"app_id": card.app.app_id, "lang": card.crawl.lang}
    edges = reader.all(EdgeRow, **where)
    crawled = {
        card.crawl.root_state_id,
        *(name for edge in edges for name in (edge.src_state_id, edge.dst_state_id)),
    }
    states = [state for state in reader.all(StateRow, **where) if state.state_id in crawled]
    tasks: dict[str, list[TaskRow]] = {}
    for task in reader.all(TaskRow, **where):
        for function in task.function_ids:
            if task.task_id in shown:
                tasks.setdefault(function, []).append(task)
    return AppView(
        card=card,
        states=tuple(states),
        edges=tuple(edges),
        functions=_forest(reader.all(FunctionRow, **where), tasks),
        picture=picture_of(states, edges, card.crawl.root_state_id),
    )


def _forest(rows: Sequence[FunctionRow], tasks: Mapping[str, Sequence[TaskRow]]) -> tuple[FunctionNode, ...]:
    known = {row.function_id for row in rows}
    below: dict[str | None, list[FunctionRow]] = {}
    for row in sorted(rows, key=lambda row: (row.effect, row.name, row.function_id)):
        below.setdefault(row.parent_id if row.parent_id in known else None, []).append(row)

    def grown(parent: str | None) -> tuple[FunctionNode, ...]:
        return tuple(
            FunctionNode(row, grown(row.function_id), tuple(tasks.get(row.function_id, ())))
            for row in below.get(parent, ())
        )

    return grown(None)


def _state(state: StateRow, images: frozenset[str]) -> dict[str, Any]:
    return {
        "title": state.title,
        "address": state.address,
        "route": state.route,
        "screen": state.structure,
        "quality": state.quality,
        "dialog": state.dialog_message,
        "image": state.image_id if state.image_id in images else None,
        "size": (state.width_px, state.height_px),
    }


def _edge(edge: EdgeRow) -> dict[str, Any]:
    box = edge.target_box
    return {
        "id": edge.edge_id,
        "from": edge.src_state_id,
        "to": edge.dst_state_id,
        "caption": caption_of(_ACTION.validate_json(edge.action_json)),
        "effect": edge.effect,
        "outcome": edge.outcome,
        "risk": edge.risk,
        "writes": edge.side_effects,
        "box": (box.x1, box.y1, box.x2, box.y2) if box else None,
    }
