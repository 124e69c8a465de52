"""Mine: FunctionGraph → CapabilityTree. A capability is a path that ends in an effect, never a mere path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.mining.atlas import Atlas
from pipeline.mining.build import build, pressed_label
from pipeline.mining.distinct import distinct
from pipeline.mining.inverse import inverse_of, undo_of
from pipeline.mining.naming import Lexicon
from pipeline.mining.signature import Sight, Signature, core
from pipeline.mining.tree import Place, grow, place_of
from pipeline.mining.variants import ways
from schemas.capability import Capability, CapabilityTree
from schemas.graph import FunctionGraph, Risk
from schemas.record import digest
from schemas.rejection import Rejection


@dataclass(frozen=True)
class Mine:
    """Groups Transitions by what they amount to and finds the shortest harmless way to each."""

    @property
    def name(self) -> str:
        """The stage column of its Rejections."""
        return "mine"

    def __call__(self, graph: FunctionGraph, /) -> Iterable[CapabilityTree | Rejection]:
        """One tree; a Rejection for each effect that no harmless path leads to, and for an empty tree."""
        if graph.root not in graph.by_id():
            yield _reject(graph, graph.root, "no_root", "The graph does not hold its own root state.")
            return
        atlas, lexicon = Atlas(graph), Lexicon(graph)
        atomic: dict[str, Capability] = {}
        places: dict[str, Place] = {}
        seen: dict[str, Sight] = {}
        for sights in grouped(atlas.sights):
            key, first = capability_id(graph.app_id, sights), sights[0]
            label = pressed_label(atlas, first.source, first.transition)
            if any(sight.transition.risk is Risk.EXTERNAL for sight in sights):
                yield _reject(graph, key, "external", "It reaches other people.", label)
                continue
            found = ways(atlas, sights)
            if not found:
                yield _reject(graph, key, "unreachable", "Every way to it changes data.", label)
                continue
            atomic[key] = build(key, atlas, lexicon, sights, found)
            places[key] = place_of(atlas, lexicon, found[0])
            seen[key] = found[0].sight
        if not atomic:
            yield _reject(graph, graph.root, "empty", "Nothing that was tried had an effect.")
            return
        yield CapabilityTree(
            app=graph.app,
            app_id=graph.app_id,
            lang=graph.lang,
            root=graph.root,
            entry=atlas.root.address,
            start=atlas.root.route,
            lines=atlas.root.texts(),
            nodes=grow(graph, _finished(atomic, seen), places),
        )


def grouped(sights: Sequence[Sight]) -> list[list[Sight]]:
    """Sights of one capability each, in the order in which the first was seen. A form seen once with a
    folded part opened and once without is one form: the fields of the one include those of the other.
    """
    families: dict[tuple[str, str, str], list[list[Sight]]] = {}
    order: list[list[Sight]] = []
    for sight in sights:
        groups = families.setdefault(sight.signature.family, [])
        group = next((g for g in groups if _one_form(g[0].signature, sight.signature)), None)
        if group is None:
            group = []
            groups.append(group)
            order.append(group)
        group.append(sight)
    return order


def capability_id(app_id: str, sights: Sequence[Sight]) -> str:
    """``fn_`` id made of routes, keys and field names only: the same in every language."""
    fields = sorted(core([sight.signature for sight in sights]))
    return digest("fn", app_id, *sights[0].signature.family, fields)


def _one_form(one: Signature, two: Signature) -> bool:
    if not one.fields or not two.fields:
        return one.fields == two.fields
    return one.fields <= two.fields or two.fields <= one.fields


def _finished(atomic: Mapping[str, Capability], seen: Mapping[str, Sight]) -> dict[str, Capability]:
    """Inverses found, and names made distinct."""
    others = tuple(atomic.values())
    names = distinct(atomic)
    finished: dict[str, Capability] = {}
    for key, each in atomic.items():
        inverse = inverse_of(each, others)
        first = each.variants[0]
        if inverse and inverse != key:
            first = first.model_copy(update={"undo": undo_of(seen[key], atomic[inverse])})
        changed = {"name": names[key], "inverse": inverse, "variants": (first, *each.variants[1:])}
        finished[key] = each.model_copy(update=changed)
    return finished


def _reject(graph: FunctionGraph, item: str, reason: str, detail: str, text: str = "") -> Rejection:
    return Rejection(
        stage="mine", item=item, reason=reason, detail=detail, app=graph.app, lang=graph.lang, text=text
    )
