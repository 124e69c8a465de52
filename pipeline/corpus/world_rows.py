"""Apps, FunctionGraphs and CapabilityTrees → rows. Pure: no file, no clock."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from pipeline.corpus.cells import cell_of, effect_columns, json_of
from pipeline.corpus.images import size_of
from schemas.app import App, Platform
from schemas.capability import Capability, CapabilityTree
from schemas.graph import FunctionGraph, Transition
from schemas.record import digest
from schemas.screen import Element, Quality, State
from schemas.world_rows import (
    AppRow,
    CrawlRow,
    EdgeRow,
    ElementRow,
    FunctionRow,
    ImageRow,
    StateDumpRow,
    StateRow,
)


def app_row(app: App, langs: Iterable[str]) -> AppRow:
    """One App; secrets and passwords of the recipe enter nothing but its hash."""
    return AppRow(
        app_id=app.id,
        name=app.name,
        title=app.title,
        platform=app.platform,
        version=app.version,
        licence_spdx=app.licence,
        homepage=app.homepage,
        category=app.category,
        description=app.description,
        langs=tuple(sorted(langs)),
        locale_codes=app.locale.codes,
        entry=app.entry,
        login_required=bool(app.login),
        resettable=app.resettable,
        clock=app.clock,
        recipe_hash=digest("rc", app),
    )


def crawl_row(graph: FunctionGraph, platform: Platform) -> CrawlRow:
    """What one exploration reached."""
    return CrawlRow(
        app_id=graph.app_id,
        lang=graph.lang,
        platform=platform,
        root_state_id=graph.root,
        untried=graph.untried,
        **graph.coverage.model_dump(exclude={"wall_s"}),
    )


def image_row(name: str, png: bytes) -> ImageRow:
    """One screenshot."""
    width, height = size_of(png)
    return ImageRow(
        image_id=name,
        media_type="image/png",
        width_px=width,
        height_px=height,
        byte_len=len(png),
        bytes=png,
    )


def state_row(state: State, app_id: str, platform: Platform) -> StateRow:
    """One screen without its elements."""
    return StateRow(
        state_id=state.id,
        app_id=app_id,
        platform=platform,
        lang=state.lang,
        structure=state.structure,
        image_id=state.image,
        address=state.address,
        route=state.route,
        title=state.title,
        width_px=state.width,
        height_px=state.height,
        scale=state.scale,
        dialog_kind=state.dialog.kind if state.dialog else None,
        dialog_message=state.dialog.message if state.dialog else None,
        quality=state.quality,
        http_status=state.status,
        element_count=len(state.elements),
    )


def dump_row(state: State) -> StateDumpRow:
    """The element tree as it was captured."""
    payload = json_of([element.model_dump(mode="json", exclude_defaults=True) for element in state.elements])
    return StateDumpRow(
        state_id=state.id,
        kind="elements_json",
        payload=payload,
        payload_sha256=hashlib.sha256(payload.encode("utf-8", "replace")).hexdigest(),
    )


def element_rows(state: State, platform: Platform) -> Iterator[ElementRow]:
    """The elements in order; none for a screen that shows nothing."""
    if state.quality is Quality.BLANK:
        return
    for ordinal, element in enumerate(state.elements):
        yield ElementRow(
            state_id=state.id,
            ordinal=ordinal,
            platform=platform,
            lang=state.lang,
            parent=element.parent if element.parent >= 0 else None,
            raw_class=element.tag,
            **{name: getattr(element, name) for name in _SAME_IN_ELEMENT},
        )


_SAME_IN_ELEMENT = sorted(set(ElementRow.model_fields) & set(Element.model_fields) - {"parent"})


def edge_row(
    transition: Transition, graph: FunctionGraph, structures: Mapping[str, str], platform: Platform
) -> EdgeRow:
    """One Transition; ``structures`` maps the graph's State ids to theirs."""
    return EdgeRow(
        edge_id=transition.id,
        app_id=graph.app_id,
        platform=platform,
        lang=graph.lang,
        src_state_id=transition.source,
        dst_state_id=transition.target,
        src_structure=structures[transition.source],
        dst_structure=structures[transition.target],
        action=cell_of(transition.action, transition.effect),
        action_json=json_of(transition.action),
        risk=transition.risk,
        clean=transition.clean,
        **effect_columns(transition.effect),
    )


def function_rows(tree: CapabilityTree, platform: Platform) -> Iterator[FunctionRow]:
    """All nodes of a tree."""
    for node in tree.nodes:
        yield _function_row(node, tree.app_id, platform)


def _function_row(node: Capability, app_id: str, platform: Platform) -> FunctionRow:
    reference = node.variants[0] if node.variants else None
    return FunctionRow(
        function_id=node.id,
        lang=node.lang,
        app_id=app_id,
        platform=platform,
        parent_id=node.parent or None,
        level=node.level,
        name=node.name,
        description=node.description,
        verb=node.verb,
        object=node.object,
        effect=node.effect,
        signature=node.signature,
        params=node.parameters,
        entities=tuple(variant.entity for variant in node.variants if variant.entity),
        labels=node.labels,
        min_steps=len(reference.path) if reference else None,
        path_json=json_of(reference.path) if reference else None,
        side_effects=reference.signatures if reference else (),
        ends_in=node.ends_in,
        ends_at=node.ends_at,
        title=node.title,
        inverse_id=node.inverse or None,
        risk=node.risk,
        evidence_edge_ids=node.evidence,
        source=node.source,
    )
