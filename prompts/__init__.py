"""Jinja2 templates with one typed context each, as package data: ``NAME.j2``, or ``LANG/NAME.j2`` where the
wording differs by language.

A template for a model has the blocks ``system``, ``examples`` and ``user`` and renders to a Prompt; one that
is read by people as it is renders to a Phrase. Both carry the hash of their template, included files and
all, so that a row can say which words made it. Examples are written as lines ``>>> user`` and
``>>> assistant`` with a turn below each. Text from a page is data: it occurs in the user block alone, fenced,
and the system block tells the model so.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, TemplateNotFound, meta

from schemas.record import ID_HEX, Record

_TURN = re.compile(r"^>>> (?:user|assistant)$", re.MULTILINE)


class Prompt(Record):
    """What a model is asked."""

    system: str
    user: str
    examples: tuple[tuple[str, str], ...] = ()
    """Earlier turns, made up: what the user said and what a good answer was."""
    template: str
    """Name of the template within this package."""
    hash: str
    """``pt_`` + hash of the template's source and of everything it includes."""


class Phrase(Record):
    """A text that a template made by itself."""

    text: str
    template: str
    hash: str


class MissingTemplate(LookupError):  # noqa: N818 - a missing language is a fact, not a fault
    """There is no such template in that language."""


def render(name: str, context: Record, lang: str) -> Prompt:
    """Fill the template of that name for a model.

    Raises:
        MissingTemplate: when the language has none.
        jinja2.UndefinedError: when the context lacks a variable; every context has a test against that.
    """
    template, path = _find(name, lang)
    system, examples, user = (_block(template, block, context) for block in ("system", "examples", "user"))
    return Prompt(
        system=system, user=user, examples=_turns(examples), template=path, hash=template_hash(path)
    )


def phrase(name: str, context: Record, lang: str) -> Phrase:
    """Fill the template of that name for a reader.

    Raises:
        MissingTemplate: when the language has none.
    """
    template, path = _find(name, lang)
    text = template.render(_variables(context))
    return Phrase(text=text.strip(), template=path, hash=template_hash(path))


def has(name: str, lang: str) -> bool:
    """Whether there is a template of that name for the language."""
    try:
        _find(name, lang)
    except MissingTemplate:
        return False
    return True


@lru_cache(maxsize=256)
def template_hash(path: str) -> str:
    """``pt_`` + hash over the source of a template and of all that it includes, in order."""
    sources = "\0".join(f"{name}\0{_source(name)}" for name in _closure(path))
    return f"pt_{hashlib.sha256(sources.encode()).hexdigest()[:ID_HEX]}"


def _closure(path: str) -> tuple[str, ...]:
    """The template and every template that it refers to, each once, first seen first."""
    found = [path]
    for name in found:
        referred = meta.find_referenced_templates(environment().parse(_source(name)))
        found += [other for other in dict.fromkeys(referred) if other and other not in found]
    return tuple(found)


def _source(path: str) -> str:
    loader = environment().loader
    if loader is None:
        raise MissingTemplate(path)
    return loader.get_source(environment(), path)[0]


def _find(name: str, lang: str) -> tuple[Template, str]:
    """The most particular one: ``en-GB/NAME.j2``, ``en/NAME.j2``, ``NAME.j2``."""
    parts = lang.split("-")
    folders = ["-".join(parts[:size]) for size in range(len(parts), 0, -1)]
    for path in (*(f"{folder}/{name}.j2" for folder in folders), f"{name}.j2"):
        try:
            return environment().get_template(path), path
        except TemplateNotFound:
            continue
    raise MissingTemplate(f"no template {name} for the language {lang}")


def _block(template: Template, block: str, context: Record) -> str:
    if block not in template.blocks:
        return ""
    scope = template.new_context(_variables(context))
    return "".join(template.blocks[block](scope)).strip()


def _turns(examples: str) -> tuple[tuple[str, str], ...]:
    said = [turn.strip() for turn in _TURN.split(examples) if turn.strip()]
    return tuple(zip(said[::2], said[1::2], strict=True))


def _variables(context: Record) -> dict[str, object]:
    """The context's fields by name, nested Records left as they are so that templates may ask them."""
    return {name: getattr(context, name) for name in type(context).model_fields}


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The one Jinja2 environment: undefined variables are errors, nothing is escaped (this is no HTML)."""
    return Environment(
        loader=PackageLoader("prompts", package_path=""),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - prompts are plain text
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
