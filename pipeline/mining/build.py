"""Building one atomic Capability from everything that was seen of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.mining.atlas import Atlas
from pipeline.mining.entities import entity_text, in_frame
from pipeline.mining.naming import (
    Lexicon,
    acts,
    beside,
    commands,
    is_prose,
    is_specific,
    label_of,
    lead_of,
    verb_of,
    with_object,
)
from pipeline.mining.parameters import parameters_of
from pipeline.mining.pressed import form_of
from pipeline.mining.signature import ASKED, LIGHT, Sight
from pipeline.mining.variants import Way, variants_of
from schemas.action import Submit, Target, target_of
from schemas.capability import Capability, Level, Parameter
from schemas.effect import WRITES, EffectClass
from schemas.graph import Risk, Transition
from schemas.screen import State

_BY_RISK = tuple(Risk)


def build(
    key: str, atlas: Atlas, lexicon: Lexicon, sights: Sequence[Sight], found: Sequence[Way]
) -> Capability:
    """The Capability with id ``key``; ``found`` are the ways to it, the reference first."""
    best = found[0]
    sight = best.sight
    effect = Counter(each.signature.effect for each in sights).most_common(1)[0][0]
    refusals = [
        (atlas.states[transition.source], transition)
        for transition in atlas.graph.transitions
        if transition.effect.main is EffectClass.INVALID
    ]
    parameters = parameters_of(sights, refusals, sight)
    title = lexicon.title(sight.target)
    name = name_of(atlas, lexicon, best, effect)
    return Capability(
        id=key,
        app=atlas.graph.app,
        lang=atlas.graph.lang,
        level=Level.ATOMIC,
        name=name,
        description=_description(name, title, parameters, effect, atlas.graph.lang),
        verb=verb_of(effect),
        object=title if effect in LIGHT else _part(atlas, best) or lexicon.title(best.chain[-1][0]),
        effect=effect,
        signature=sight.signature.text,
        parameters=parameters,
        variants=variants_of(atlas, found),
        labels=_labels(best),
        control=atlas.control(sight.transition),
        ends_in=sight.target.structure,
        ends_at=sight.target.route,
        title=title,
        page=lexicon.title(best.chain[-1][0]),
        risk=max((each.transition.risk for each in sights), key=_BY_RISK.index),
        evidence=tuple(each.transition.id for each in sights),
    )


def name_of(atlas: Atlas, lexicon: Lexicon, way: Way, effect: EffectClass) -> str:
    """A short phrase of the App's own: the link, the button that says what it is about, the form's
    heading, what had opened it, else the button with the first field that it sends.
    """
    state, last = way.chain[-1]
    label = pressed_label(atlas, state, last)
    opener = pressed_label(atlas, *way.chain[-2]) if len(way.chain) > 1 else ""
    if effect is EffectClass.NAVIGATE:
        title = lexicon.title(way.sight.target)
        return title if way.anchor or not is_prose(label) else label
    if opener and _asks_again(atlas, way):
        # "delete" that turns into "sure?" is still called delete.
        return opener
    form = form_of(state, last.action)
    control = atlas.control(last)
    if form is None or not form.fields or (control and is_specific(label) and not control.item):
        said = next(filter(is_prose, (label, opener)), lead_of(effect, atlas.graph.lang))
        return with_object(said, [_part(atlas, way)]) or lexicon.title(state)
    if effect in ASKED and label:
        return label
    return _form_name(lexicon.form(state, form), label, opener, label_of(form.fields[0]))


def _form_name(heading: str, label: str, opener: str, field: str) -> str:
    """The name of what a form does whose button says little."""
    if heading and not acts(heading) and label:
        return beside(label, heading)
    if heading or is_specific(opener):
        return heading or opener
    return with_object(label, [field]) or opener


def pressed_label(atlas: Atlas, state: State, transition: Transition) -> str:
    """What the App calls the control that a Transition used."""
    control = atlas.control(transition)
    element = state.find(control.key) if control else None
    if element is None:
        return control.label if control else ""
    return label_of(element)


def _part(atlas: Atlas, way: Way) -> str:
    """The part of the page that a fixed control stands in; empty where it stands in none, or chooses an
    item.
    """
    state, last = way.chain[-1]
    control = atlas.control(last)
    element = state.find(control.key) if control else None
    if way.anchor is not None or element is None or not element.item or in_frame(state, element):
        return ""
    return entity_text(state, element, atlas.root)


def _asks_again(atlas: Atlas, way: Way) -> bool:
    """Whether the last step only confirms: the same control again, or the answer to its dialog."""
    last, before = way.chain[-1][1], way.chain[-2][1]
    pressed = target_of(before.action)
    control = atlas.control(last)
    return pressed is not None and control is not None and pressed.key == control.key


def _labels(way: Way) -> tuple[str, ...]:
    """Displayed labels of everything that the path touches, each once."""
    found: dict[str, None] = {}
    for state, transition in way.chain:
        for target in _targets(transition):
            element = state.find(target.key)
            found[label_of(element) if element is not None else target.label] = None
    return tuple(label for label in found if label)


def _targets(transition: Transition) -> Iterator[Target]:
    if isinstance(transition.action, Submit):
        yield from (field.action.target for field in transition.action.fields)
    target = target_of(transition.action)
    if target is not None:
        yield target


def _description(
    name: str, title: str, parameters: Sequence[Parameter], effect: EffectClass, lang: str
) -> str:
    colon, comma = ("：", "、") if lang.startswith(("zh", "ja")) else (": ", ", ")
    lead = lead_of(effect, lang)
    said = not lead or lead.casefold() in name.casefold() or (effect in WRITES and commands(name))
    line = name if said else f"{lead}{colon}{name}"
    line = f"{line} — {title}" if title and title != name else line
    fields = comma.join(dict.fromkeys(parameter.label for parameter in parameters if parameter.label))
    return f"{line}{colon}{fields}" if fields else line
