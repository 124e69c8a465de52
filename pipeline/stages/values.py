"""Values: what a person would enter into a field, in the language of the App, the same on every run.

The same seed and group give the same number, day and choice in every language, and texts that say the same
where there are word lists for the language (``words.toml``).
"""

from __future__ import annotations

import math
import random
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from crawlers.words import words_of
from schemas.capability import Choice, Parameter, ParameterKind
from schemas.record import digest
from schemas.task import Value

if TYPE_CHECKING:
    from faker import Faker

TRIES = 60
"""Candidates looked at before a field is given up."""

_ON_OFF = {
    "en": ("on", "off"),
    "zh": ("开启", "关闭"),
    "de": ("an", "aus"),
    "fr": ("activé", "désactivé"),
    "es": ("activado", "desactivado"),
    "ja": ("オン", "オフ"),
}
_FAKER = {"en": "en_US", "zh": "zh_CN", "zh-Hans": "zh_CN", "zh-Hant": "zh_TW", "ja": "ja_JP", "pt": "pt_BR"}
_DEFAULT_DAY = date(2027, 1, 18)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d{4}")
_DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_UNWANTED = re.compile(r"[\"'`<>{}\\“”‘’「」『』《》«»]")


@dataclass(frozen=True)
class Field:
    """A parameter with everything that a value for it depends on."""

    parameter: Parameter
    lang: str
    route: str = ""
    """Signature of the capability."""
    about: str = ""
    """Its name."""
    known: tuple[str, ...] = ()
    """Names of existing items: what one would search for."""


def value_for(
    field: Field, *, seed: int, group: str, avoid: Collection[str] = (), tries: int = TRIES
) -> Value | None:
    """A value for a parameter: it satisfies kind and limits, differs from the preset and, where it is
    text, is part of none of the lines to ``avoid``. None when there is none.
    """
    parameter = field.parameter
    rng = random.Random(digest("", seed, group, parameter.name))  # noqa: S311 - repeatable, not secret
    if parameter.kind is ParameterKind.CHOICE:
        return _chosen(parameter, rng)
    if parameter.kind is ParameterKind.FLAG:
        on = parameter.preset != "true"
        yes, no = _ON_OFF.get(field.lang.split("-", maxsplit=1)[0], ("on", "off"))
        return _value(parameter, str(on).lower(), yes if on else no)
    if parameter.kind is ParameterKind.FILE:
        return _value(parameter, parameter.accepted[0]) if parameter.accepted else None
    make = _MAKERS.get(parameter.kind, _text)
    for text, _ in zip(make(field, rng), range(tries), strict=False):
        fits = _fits(text, parameter)
        if fits and (parameter.kind is ParameterKind.QUERY or not any(text in line for line in avoid)):
            return _value(parameter, text)
    return None


def _value(parameter: Parameter, value: str, shown: str = "") -> Value:
    return Value(
        name=parameter.name, label=parameter.label, kind=parameter.kind, value=value, shown=shown or value
    )


def _chosen(parameter: Parameter, rng: random.Random) -> Value | None:
    held = parameter.preset.split(",")
    others = [
        choice
        for choice in parameter.choices
        if choice.value and choice.label.strip() and choice.value not in held
    ]
    sane = [choice for choice in others if choice.value not in parameter.refused] or others
    if not sane:
        return None
    choice: Choice = sane[rng.randrange(len(sane))]
    return _value(parameter, choice.value, " ".join(choice.label.split()))


def _fits(text: str, parameter: Parameter) -> bool:
    limits = _limits(parameter)
    longest = int(limits["maxlength"]) if limits.get("maxlength", "").isdigit() else 10_000
    shortest = int(limits["minlength"]) if limits.get("minlength", "").isdigit() else 1
    return (
        shortest <= len(text) <= longest
        and text not in {parameter.preset, *parameter.refused}
        and not _UNWANTED.search(text)
        and ("pattern" not in limits or _matches(limits["pattern"], text))
    )


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.fullmatch(pattern, text) is not None
    except re.error:
        return True


def _limits(parameter: Parameter) -> dict[str, str]:
    pairs = (limit.partition("=") for limit in parameter.limits.split(";") if limit)
    return {name: value for name, _, value in pairs}


def _number(limits: dict[str, str], name: str) -> float | None:
    try:
        return float(limits[name])
    except (KeyError, ValueError):
        return None


def _numbers(field: Field, rng: random.Random) -> Iterator[str]:
    """Numbers inside the limits and on the grid of the step, of the size of the one that is there; whole
    ones where the field allows them.
    """
    limits = _limits(field.parameter)
    least, most, step = (_number(limits, name) for name in ("min", "max", "step"))
    held = _number({"held": field.parameter.preset}, "held") or 10.0
    grid, base = (step, least or 0.0) if step else (1.0, 0.0)
    low = least if least is not None else (most - 20 * grid if most is not None and most < 1 else 1.0)
    high = max(low + 8 * grid, 3 * held)
    high = high if most is None else min(most, high)
    first, last = math.ceil((low - base) / grid), math.floor((high - base) / grid)
    while first <= last:
        number = base + grid * rng.randint(first, last)
        yield str(int(number)) if float(number).is_integer() else f"{number:.2f}".rstrip("0")


def _amounts(field: Field, rng: random.Random) -> Iterator[str]:
    """Money with cents that no rounding hides, as 37.85."""
    limits = _limits(field.parameter)
    least, most = _number(limits, "min") or 4.0, _number(limits, "max") or 180.0
    while True:
        cents = rng.randint(int(least * 100) + 1, max(int(least * 100) + 1, int(most * 100) - 1))
        if cents % 10:
            yield f"{cents // 100}.{cents % 100:02d}"


def _days(field: Field, rng: random.Random) -> Iterator[str]:
    """Days within a month of the one that the field holds or was seen to take, written the same way."""
    seen = [field.parameter.preset, *field.parameter.accepted]
    held = next((text for text in seen if _DAY.fullmatch(text)), "")
    base = date.fromisoformat(held) if held else _DEFAULT_DAY
    spelling = _spelling(seen)
    while True:
        yield (base - timedelta(days=rng.randint(1, 27))).strftime(spelling)


def _spelling(seen: Sequence[str]) -> str:
    if any(_SLASHED.fullmatch(text) for text in seen):
        return "%m/%d/%Y"
    return "%d.%m.%Y" if any(_DOTTED.fullmatch(text) for text in seen) else "%Y-%m-%d"


def _times(_: Field, rng: random.Random) -> Iterator[str]:
    while True:
        yield f"{rng.randint(8, 19):02d}:{rng.choice((10, 20, 40, 50)):02d}"


def _emails(_: Field, rng: random.Random) -> Iterator[str]:
    faker = _faker("en", rng)
    while True:
        yield f"{faker.first_name()}.{faker.last_name()}@example.org".lower()


def _urls(_: Field, rng: random.Random) -> Iterator[str]:
    words = _topics()["tag"].lists["en"]
    while True:
        yield f"https://example.org/{rng.choice(words)}-{rng.randint(11, 99)}"


def _passwords(_: Field, rng: random.Random) -> Iterator[str]:
    words = _topics()["tag"].lists["en"]
    while True:
        yield f"{rng.choice(words).capitalize()}-{rng.randint(1100, 9900)}"


def _people(field: Field, rng: random.Random) -> Iterator[str]:
    """Names of people; of a thing where the field is about things."""
    if _topic(field) not in {"", "person"}:
        yield from _text(field, rng)
        return
    faker = _faker(field.lang, rng)
    whole = field.lang.startswith(("zh", "ja", "ko"))
    while True:
        yield faker.name() if whole else faker.first_name()


def _queries(field: Field, rng: random.Random) -> Iterator[str]:
    known = list(field.known)
    rng.shuffle(known)
    yield from known
    yield from _text(field, rng)


def _text(field: Field, rng: random.Random) -> Iterator[str]:
    fallback = "sentence" if field.parameter.kind is ParameterKind.LONG_TEXT else "title"
    topics, lang = _topics(), field.lang.split("-", maxsplit=1)[0]
    topic = _topic(field)
    own = topics[topic if topic not in {"", "person"} else fallback].lists.get(lang, ())
    # Single words come last, for fields that take no more.
    short = topics["tag"].lists.get(lang, ())
    start = rng.randrange(10_000)
    if not own:
        faker = _faker(field.lang, rng)
        while True:
            yield faker.sentence(nb_words=3).rstrip(".")
    for turn in range(TRIES):
        text = own[(start + turn) % len(own)]
        yield text if turn < len(own) else f"{text} {turn // len(own) + 1}"
        if turn >= len(own):
            yield short[(start + turn) % len(short)]


def _topic(field: Field) -> str:
    """What the field is about: by its name and the route it is sent to, which are the same in every
    language, else by what is displayed.
    """
    long = field.parameter.kind is ParameterKind.LONG_TEXT
    for text in (field.parameter.name, field.route, field.parameter.label, field.about):
        for name, topic in _topics().items():
            if long == (name == "sentence") and topic.speaks(text):
                return name
    return ""


@dataclass(frozen=True)
class _Topic:
    words: frozenset[str]
    lists: dict[str, tuple[str, ...]]

    def speaks(self, text: str) -> bool:
        """Whether the text holds one of the topic's words; inside a run where no spaces are written."""
        unspaced = (word for word in self.words if not word.isascii())
        return bool(words_of(text) & self.words) or any(word in text for word in unspaced)


@lru_cache(maxsize=1)
def _topics() -> dict[str, _Topic]:
    text = resources.files("pipeline.stages").joinpath("words.toml").read_text("utf-8")
    return {
        name: _Topic(
            frozenset(lists["words"]),
            {lang: tuple(lines) for lang, lines in lists.items() if lang != "words"},
        )
        for name, lists in tomllib.loads(text).items()
    }


def _faker(lang: str, rng: random.Random) -> Faker:
    """An instance of its own for the language, seeded; the shared generator is never touched."""
    from faker import Faker  # noqa: PLC0415 - half a second that only this stage pays
    from faker.config import AVAILABLE_LOCALES  # noqa: PLC0415

    short = lang.split("-", maxsplit=1)[0]
    wanted = _FAKER.get(lang) or _FAKER.get(short)
    own = next((locale for locale in sorted(AVAILABLE_LOCALES) if locale.split("_")[0] == short), "en_US")
    faker = Faker(wanted or own)
    faker.seed_instance(rng.getrandbits(32))
    return faker


_MAKERS: dict[ParameterKind, Callable[[Field, random.Random], Iterator[str]]] = {
    ParameterKind.NUMBER: _numbers,
    ParameterKind.AMOUNT: _amounts,
    ParameterKind.DATE: _days,
    ParameterKind.TIME: _times,
    ParameterKind.EMAIL: _emails,
    ParameterKind.URL: _urls,
    ParameterKind.PASSWORD: _passwords,
    ParameterKind.NAME: _people,
    ParameterKind.QUERY: _queries,
}
