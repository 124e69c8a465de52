"""Compose: CapabilityTree → TaskPlans of one capability each. What is to be done, and how it is checked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.mining.keypoints import keypoints_of, tells_entities
from pipeline.mining.misses import Subject, intruder_for, misses_of
from pipeline.mining.paths import fill, needs_secret
from pipeline.mining.signature import LIGHT
from pipeline.stages.values import Field, value_for
from schemas.action import Check, Upload, target_of
from schemas.capability import Capability, CapabilityTree, Parameter, ParameterKind, Variant
from schemas.effect import EffectClass
from schemas.graph import Risk
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.task import Asset, Forbidden, TaskPlan, Value

MOST_VALUES = 3
"""Values that a plan names beyond the required ones' number: more makes a form and no task."""

LEAST_LIGHT = 2
"""Steps of a plan that only moves about: with one, clicking at random does it too often."""


class _Unfit(Exception):  # noqa: N818 - it becomes a Rejection
    """A capability that no plan can be made of."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class Compose:
    """Plans that differ in capability first, then in entity and values; deterministic by seed."""

    per_capability: int
    navigation_share: float
    """At most this share of the plans leaves everything as it was but the screen."""
    limit: int
    seed: int

    @property
    def name(self) -> str:
        """The stage column of its Rejections."""
        return "compose"

    def __call__(self, tree: CapabilityTree, /) -> Iterable[TaskPlan | Rejection]:
        """Rejections for capabilities that no task can be made of, then the plans."""
        rows: list[list[TaskPlan]] = []
        # By id: tree order follows the exploration, which may differ between languages.
        for capability in sorted(tree.atomic, key=lambda each: each.id):
            try:
                rows.append(list(self._plans(tree, capability)))
            except _Unfit as unfit:
                yield self._reject(tree, capability, unfit)
        yield from self._chosen(rows)

    def _chosen(self, rows: Sequence[Sequence[TaskPlan]]) -> list[TaskPlan]:
        """First plans of all capabilities, then second ones, up to the limit and the share."""
        rounds = [row[turn] for turn in range(self.per_capability) for row in rows if turn < len(row)]
        light = [plan for plan in rounds if plan.effect in LIGHT]
        heavy = [plan for plan in rounds if plan.effect not in LIGHT]
        share = min(max(self.navigation_share, 0.0), 1.0)
        most = int(self.limit * share)
        if share < 1.0:
            most = min(most, int(len(heavy) * share / (1.0 - share)))
        kept = light[:most]
        return [*heavy[: self.limit - len(kept)], *kept]

    def _plans(self, tree: CapabilityTree, capability: Capability) -> Iterator[TaskPlan]:
        variants = _usable(capability)
        seen: set[str] = set()
        for turn in range(self.per_capability):
            variant = variants[turn % len(variants)]
            plan = self._plan(tree, capability, variant, turn)
            if plan is not None and plan.id not in seen:
                seen.add(plan.id)
                yield plan
            elif plan is None and not seen:
                raise _Unfit("no_value", f"No value fits what {capability.name!r} requires.")

    def _plan(
        self, tree: CapabilityTree, capability: Capability, variant: Variant, turn: int
    ) -> TaskPlan | None:
        keys = [[action.kind, target.key if (target := target_of(action)) else ""] for action in variant.path]
        draw = digest("", tree.app_id, capability.id, keys if variant.entity else [], turn)
        names = _named(capability, variant, draw, turn)
        values = self._values(tree, capability, names, draw)
        if values is None:
            return None
        named = {value.name: value for value in values}
        filled = fill(variant, named)
        plan = digest("pl", tree.app_id, capability.id, variant.entity, values, tree.lang)
        keypoints = keypoints_of(tree, capability, variant, values, plan)
        if all(isinstance(keypoint, Forbidden) for keypoint in keypoints):
            raise _Unfit("no_keypoint", f"Nothing tells {capability.name!r} from doing nothing.")
        subject = Subject(
            capability=capability,
            variant=variant,
            values=values,
            path=filled.path,
            others={other.id: other for other in tree.atomic},
            wrong=self._wrong(tree, capability, values, draw),
            intruder=intruder_for(capability, [other for other in tree.atomic if _gentle(other)]),
        )
        return TaskPlan(
            id=plan,
            group=digest("tg", tree.app_id, capability.id, draw, names, self.seed),
            app=tree.app,
            app_id=tree.app_id,
            lang=tree.lang,
            capabilities=(capability.id,),
            effect=capability.effect,
            verb=capability.verb,
            object=capability.object,
            name=capability.name,
            title=capability.title,
            page=capability.page,
            entity=variant.entity,
            values=values,
            labels=_labels(capability, names),
            path=filled.path,
            slots=filled.slots,
            keypoints=keypoints,
            near_misses=misses_of(subject, turn),
            assets=tuple(
                Asset(name=action.asset, content=action.content)
                for action in filled.path
                if isinstance(action, Upload)
            ),
            root=tree.root,
        )

    def _values(
        self, tree: CapabilityTree, capability: Capability, names: Sequence[str], draw: str
    ) -> tuple[Value, ...] | None:
        found: list[Value] = []
        for name in names:
            field = _field(tree, capability, name)
            avoid = (*tree.lines, *(value.shown for value in found))
            value = value_for(field, seed=self.seed, group=draw, avoid=avoid)
            if value is None:
                return None
            found.append(value)
        return tuple(found)

    def _wrong(
        self, tree: CapabilityTree, capability: Capability, values: Sequence[Value], draw: str
    ) -> tuple[Value, ...]:
        """The values with the first one replaced that has another valid value."""
        for place, value in enumerate(values):
            field = _field(tree, capability, value.name)
            avoid = (*tree.lines, *(each.shown for each in values))
            for turn in range(4):
                other = value_for(field, seed=self.seed, group=f"{draw} wrong {turn}", avoid=avoid)
                if other is not None and other.value != value.value:
                    return (*values[:place], other, *values[place + 1 :])
        return ()

    def _reject(self, tree: CapabilityTree, capability: Capability, unfit: _Unfit) -> Rejection:
        return Rejection(
            stage=self.name,
            item=capability.id,
            reason=unfit.reason,
            detail=unfit.detail,
            app=tree.app,
            lang=tree.lang,
            text=capability.name,
        )


def _usable(capability: Capability) -> tuple[Variant, ...]:
    """Variants whose item the keypoints can tell from others."""
    reference = capability.variants[0]
    if capability.risk is Risk.ACCOUNT:
        raise _Unfit("account", f"{capability.name!r} changes the session or who may enter.")
    if capability.effect in LIGHT and len(reference.path) < LEAST_LIGHT:
        raise _Unfit("trivial", f"{capability.name!r} is one click that changes nothing.")
    lacking = [each for each in capability.parameters if each.required and not each.preset]
    entered = {slot.parameter for slot in reference.slots}
    if any(each.kind is ParameterKind.PASSWORD for each in lacking if each.name not in entered) or any(
        needs_secret(reference, each.name) for each in lacking
    ):
        raise _Unfit("needs_secret", f"{capability.name!r} asks for a secret that no task may tell.")
    found = tuple(variant for variant in capability.variants if tells_entities(capability, variant))
    if not found:
        raise _Unfit("no_keypoint", f"Nothing tells on which item {capability.name!r} was done.")
    return found


def _must(parameter: Parameter, variant: Variant) -> bool:
    """Whether the plan must type it: it is required and holds nothing, or typing it sends the form."""
    steps = [slot.step for slot in variant.slots if slot.parameter == parameter.name]
    last = len(variant.path) - 1
    return bool(steps) and ((parameter.required and not parameter.preset) or last in steps)


def _named(capability: Capability, variant: Variant, draw: str, turn: int) -> tuple[str, ...]:
    """Which parameters a plan names: all that it must, and one to three that can be checked."""
    must = [each.name for each in capability.parameters if _must(each, variant)]
    may = [each.name for each in capability.parameters if each.name not in must and _telling(each, variant)]
    wanted = 1 + turn % MOST_VALUES
    rng = random.Random(draw)  # noqa: S311 - repeatable, not secret
    extra = set(rng.sample(may, min(len(may), max(0, wanted - len(must)))))
    return tuple(each.name for each in capability.parameters if each.name in {*must, *extra})


def _telling(parameter: Parameter, variant: Variant) -> bool:
    """Whether a value can be entered and would be seen afterwards."""
    steps = [variant.path[slot.step] for slot in variant.slots if slot.parameter == parameter.name]
    if not steps or needs_secret(variant, parameter.name):
        return False
    if parameter.kind is ParameterKind.FLAG:
        ticks = parameter.preset == "false" and bool(parameter.choices)
        return ticks and bool(parameter.carried)
    if parameter.kind is ParameterKind.CHOICE and isinstance(steps[0], Check):
        return False
    return bool(parameter.carried) or parameter.echoed


def _field(tree: CapabilityTree, capability: Capability, name: str) -> Field:
    parameter = next(each for each in capability.parameters if each.name == name)
    known = dict.fromkeys(variant.entity for node in tree.atomic for variant in node.variants)
    return Field(
        parameter,
        tree.lang,
        route=capability.signature,
        about=capability.name,
        known=tuple(sorted(entity for entity in known if entity)),
    )


def _gentle(capability: Capability) -> bool:
    """Whether it can be done beside another task: it writes, and nothing that matters is lost by it."""
    writes = capability.effect not in {EffectClass.DOWNLOAD, *LIGHT}
    return writes and capability.risk in {Risk.NONE, Risk.REVERSIBLE}


def _labels(capability: Capability, names: Sequence[str]) -> tuple[str, ...]:
    """The App's words along the path, those of fields that are left alone taken out."""
    unused = {each.label for each in capability.parameters if each.name not in names}
    used = {each.label for each in capability.parameters if each.name in names}
    return tuple(label for label in capability.labels if label not in unused - used)
