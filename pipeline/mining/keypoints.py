"""Keypoints of a plan: typed conditions that hold after its path and not after doing nothing, chosen so
that what happened behind the screen and what it displays can both be asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.mining.signature import ASKED
from schemas.action import Action
from schemas.capability import Capability, CapabilityTree, Parameter, ParameterKind, Variant
from schemas.effect import EffectClass
from schemas.record import digest
from schemas.task import Carried, ElementIs, Forbidden, Happened, Keypoint, Shown, Value, Visited

_DRAFT = "kp_"


def keypoints_of(
    tree: CapabilityTree, capability: Capability, variant: Variant, values: Sequence[Value], plan: str
) -> tuple[Keypoint, ...]:
    """The keypoints of one plan with ids of their own; only ``Forbidden`` when nothing can be asked."""
    drafts = [*_behind(capability, variant, values), *_on_screen(tree, capability, variant, values)]
    drafts.append(Forbidden(id=_DRAFT, allowed=variant.signatures))
    return tuple(draft.model_copy(update={"id": digest("kp", plan, draft)}) for draft in drafts)


def tells_entities(capability: Capability, variant: Variant) -> bool:
    """Whether the keypoints of a Variant would notice that another item was acted on."""
    if not variant.entity:
        return True
    own = any(flip.attribute == "checked" and not flip.parameter for flip in variant.flips)
    called = bool(_path(capability, variant)) or bool(_call(capability) and variant.told)
    return called or own or _vanishes(capability, variant)


def _path(capability: Capability, variant: Variant) -> str:
    """The concrete path where it tells the item, else empty."""
    return variant.target_path if variant.entity and "{" in _call(capability) else ""


def sent_as(parameter: Parameter, value: Value) -> str:
    """What the request holds: for a box that was ticked, the box's own value."""
    if parameter.kind is ParameterKind.FLAG:
        return parameter.choices[0].value if parameter.choices and value.value == "true" else ""
    return value.value


def _behind(capability: Capability, variant: Variant, values: Sequence[Value]) -> Iterator[Keypoint]:
    signature = _call(capability)
    if not signature:
        return
    parameters = {parameter.name: parameter for parameter in capability.parameters}
    if not values and (variant.entity or capability.effect in ASKED) and not _path(capability, variant):
        for field, told in variant.told:
            yield Carried(id=_DRAFT, signature=signature, field=field, value=told)
    if capability.effect not in ASKED and (capability.effect is not EffectClass.NAVIGATE or variant.entity):
        # A field that sends the form by itself may be among those left alone.
        count = 1 if _left(variant, values) else max(1, variant.signatures.count(signature))
        path = _path(capability, variant)
        yield Happened(id=_DRAFT, signature=signature, count=count, path=path)
    for value in values:
        parameter = parameters[value.name]
        sent = sent_as(parameter, value)
        if parameter.carried and sent:
            yield Carried(id=_DRAFT, signature=signature, field=parameter.carried, value=sent)


def _call(capability: Capability) -> str:
    """What the state judge can look for; empty where nothing leaves the screen."""
    if capability.signature.startswith("ui "):
        return ""
    if capability.effect in ASKED:
        return capability.signature.partition("?")[0]
    return capability.signature


def _on_screen(
    tree: CapabilityTree, capability: Capability, variant: Variant, values: Sequence[Value]
) -> Iterator[Keypoint]:
    parameters = {parameter.name: parameter for parameter in capability.parameters}
    shown = [
        Shown(id=_DRAFT, text=value.shown)
        for value in values
        if parameters[value.name].echoed and not any(value.shown in line for line in tree.lines)
    ]
    if _vanishes(capability, variant):
        shown.append(Shown(id=_DRAFT, text=variant.entity, present=False))
    yield from shown
    silent = capability.signature.startswith("ui ") and not shown
    marks = tuple(_marks(variant, values, silent=silent))
    yield from marks
    goes = capability.effect is EffectClass.NAVIGATE
    # Where a form leads may hang on a box or a choice that this plan leaves alone.
    open_end = bool(_call(capability)) and any(
        step.kind in {"check", "select"} for step in _left(variant, values)
    )
    if goes or not (shown or marks or open_end):
        yield from _visited(tree, capability, final=goes)


def _left(variant: Variant, values: Sequence[Value]) -> list[Action]:
    """The steps of the Variant that enter something which the plan does not name."""
    named = {value.name for value in values}
    return [variant.path[slot.step] for slot in variant.slots if slot.parameter not in named]


def _marks(variant: Variant, values: Sequence[Value], *, silent: bool) -> Iterator[ElementIs]:
    """States of elements: what the plan's values leave in fields, the control's own mark, and, where
    nothing else tells, what came up.
    """
    named = {value.name: value.value for value in values}
    for flip in variant.flips:
        own = flip.attribute == "checked" and not flip.parameter
        if flip.parameter in named or own or (silent and not flip.parameter):
            value = named.get(flip.parameter, flip.value)
            yield ElementIs(id=_DRAFT, key=flip.key, attribute=flip.attribute, value=value)


def _visited(tree: CapabilityTree, capability: Capability, *, final: bool) -> Iterator[Keypoint]:
    """Only where the screen is not the one that the task starts on."""
    start = capability.ends_at == tree.start
    if not start and capability.signature.partition(" ")[0] != "download":
        yield Visited(id=_DRAFT, route=capability.ends_at, structure=capability.ends_in, final=final)


def _vanishes(capability: Capability, variant: Variant) -> bool:
    """Whether the item's name was seen on fewer lines in the end than at the start; where nobody tried the
    Variant, whether that of the reference was.
    """
    seen = variant.delta.vanished or variant.delta.appeared
    like = variant if seen else capability.variants[0]
    gone = sum(like.entity in line for line in like.delta.vanished)
    come = sum(like.entity in line for line in like.delta.appeared)
    return capability.effect is EffectClass.DELETE and bool(variant.entity) and gone > come
