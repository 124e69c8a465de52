"""One function in many frameworks: how far the capabilities agree that are found in variants of TodoMVC."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from contest import say

from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.recipe import load
from crawlers.web.host import WebHost
from pipeline.corpus.images import ImageStore
from pipeline.stages.mine import Mine
from schemas.app import App
from schemas.capability import Capability, CapabilityTree, Level

TODOS = (("a1", "Buy milk", False), ("b2", "Call the plumber", True), ("c3", "Water the plants", False))
"""Those that the recipe of the react variant begins with."""
LISTS: Mapping[str, str] = {
    "angularjs": "todos-angularjs",
    "angularjs-perf": "todos-angularjs-perf",
    "angularjs_require": "todos-angularjs-requirejs",
    "knockoutjs": "todos-knockoutjs",
    "knockoutjs_require": "todos-knockout-require",
    "mithril": "todos-mithril",
    "react": "react-todos",
    "somajs": "todos-somajs",
    "somajs_require": "todos-somajs",
    "typescript-angular": "todos-angularjs-typescript",
    "vue": "todos-vuejs",
}
"""Variants that keep their to-dos as one list, and under which key."""
RECORDS: Mapping[str, str] = {
    "backbone": "todos-backbone",
    "backbone_marionette": "todos-backbone-marionette",
    "backbone_marionette_require": "todos-backbone",
    "backbone_require": "todos-backbone",
    "exoskeleton": "todos-exoskeleton",
    "react-backbone": "todos-react-backbone",
}
"""Variants that keep each to-do under a key of its own."""
VARIANTS = (*LISTS, *RECORDS)
ACTIONS = 120
NAMED = frozenset({"link"})
"""Roles whose controls are told apart by what they are called: three filters are three functions."""

Function = tuple[str, str, str, str, tuple[str, ...]]


def agreement(actions: int = ACTIONS) -> dict[str, Any]:
    """Capability sets of all variants, and the median Jaccard index of all pairs."""
    sets = {variant: functions(variant, actions) for variant in sorted(VARIANTS)}
    pairs = {f"{one} {two}": jaccard(sets[one], sets[two]) for one, two in combinations(sorted(sets), 2)}
    return {
        "todomvc_agreement": round(median(pairs.values()), 4),
        "lowest": dict(sorted(pairs.items(), key=lambda pair: pair[1])[:5]),
        "variants": {
            name: sorted(" ".join(filter(None, map(str, each))) for each in found)
            for name, found in sets.items()
        },
    }


def functions(variant: str, actions: int) -> frozenset[Function]:
    """What a variant can do, in words that do not depend on its markup."""
    say(f"todomvc: {variant}")
    app = recipe(variant)
    try:
        with WebHost(app, "en") as host, TemporaryDirectory() as images:
            graph = explore(host, budget=Budget(actions=actions), seed=0, images=ImageStore(images))
    except HostError as error:
        say(f"todomvc: {variant}: {error}")
        return frozenset()
    trees = [each for each in Mine()(graph) if isinstance(each, CapabilityTree)]
    return frozenset(function(each) for tree in trees for each in tree.nodes if each.level is Level.ATOMIC)


def function(capability: Capability) -> Function:
    """A capability as effect, role of the control, its name where that tells it from its like, whether it
    is for one item, and the kinds of its parameters. Keys, routes and storage names are the framework's.
    """
    control = capability.control
    role = control.role if control else ""
    name = control.label.casefold() if control and role in NAMED else ""
    one = "item" if any(variant.entity for variant in capability.variants) else ""
    kinds = tuple(sorted(str(parameter.kind) for parameter in capability.parameters))
    return str(capability.effect), role, name, one, kinds


def jaccard(one: frozenset[Function], two: frozenset[Function]) -> float:
    """Shared functions by all functions; two that can do nothing do not agree."""
    return len(one & two) / len(one | two) if one or two else 0.0


def recipe(variant: str) -> App:
    """The shipped recipe, pointed at another variant, with the same to-dos to begin with."""
    app = load("todomvc")
    script = "\n".join(
        f"localStorage.setItem({json.dumps(key)}, {json.dumps(value)});" for key, value in _storage(variant)
    )
    return app.model_copy(
        update={
            "title": f"TodoMVC ({variant})",
            "setup": (("cp", "-r", f"{{node}}/todomvc/examples/{variant}/.", "."),),
            "files": {
                "sample.html": f"<!doctype html>\n<title>Sample to-dos</title>\n<script>{script}</script>\n"
            },
        }
    )


def _storage(variant: str) -> Iterator[tuple[str, str]]:
    """Keys and values of the storage that the variant reads its to-dos from."""
    todos = [{"id": key, "title": title, "completed": done} for key, title, done in TODOS]
    if variant in LISTS:
        yield LISTS[variant], json.dumps(todos)
        return
    yield RECORDS[variant], ",".join(str(todo["id"]) for todo in todos)
    for order, todo in enumerate(todos, start=1):
        yield f"{RECORDS[variant]}-{todo['id']}", json.dumps({**todo, "order": order})
