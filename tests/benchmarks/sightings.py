"""Every look that a crawl took at an App, also at screens that it knew, each with its picture.

``python sightings.py FOLDER [APP …] [--lang TAG …]`` keeps them in ``FOLDER/APP.LANG.jsonl.gz``,
a State a line, in the order they were seen; one that was seen before with the same picture is left out. The
graph that the crawl has made of them lies beside it.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from contest import say

from crawlers.driver import Driver, ImageSink
from crawlers.explore import Budget, explore
from crawlers.host import HostError
from crawlers.recipe import available, load
from crawlers.web.host import WebHost
from pipeline.corpus.images import ImageStore
from schemas.action import Action
from schemas.app import App, Platform
from schemas.effect import Evidence
from schemas.graph import FunctionGraph
from schemas.screen import State

IMAGES = "images"


class WatchedDriver:
    """A Driver (see ``crawlers.driver``) of which every look is kept."""

    def __init__(self, inner: Driver, images: ImageSink, seen: dict[tuple[str, str], State]) -> None:
        """Keep what ``inner`` sees in ``seen``, by State and image id."""
        self._inner = inner
        self._images = images
        self._seen = seen

    def observe(self) -> State:
        """As the inner Driver."""
        state = self._inner.observe()
        shown = state.model_copy(update={"image": self._images(self._inner.screenshot())})
        self._seen.setdefault((shown.id, shown.image), shown)
        return state

    def perform(self, action: Action) -> Evidence:
        """As the inner Driver."""
        return self._inner.perform(action)

    def screenshot(self) -> bytes:
        """As the inner Driver."""
        return self._inner.screenshot()

    def close(self) -> None:
        """As the inner Driver."""
        self._inner.close()


class WatchedHost(WebHost):
    """A web App whose sessions are watched."""

    def __init__(self, app: App, lang: str, images: ImageSink) -> None:
        """Keep pictures in ``images``."""
        super().__init__(app, lang)
        self._images = images
        self.seen: dict[tuple[str, str], State] = {}

    def driver(self) -> Driver:  # type: ignore[override] - what it hands out is a Driver all the same
        """A session that is watched."""
        return WatchedDriver(super().driver(), self._images, self.seen)


def watch(app: App, lang: str, folder: Path, actions: int) -> FunctionGraph:
    """Crawl, and keep all that was seen.

    Raises:
        HostError: the App cannot be started.
    """
    images = ImageStore(str(folder / IMAGES))
    with WatchedHost(app, lang, images) as host:
        graph = explore(host, budget=Budget(actions=actions), seed=0, images=images)
    keep(host.seen.values(), sightings(folder, app.name, lang))
    with gzip.open(graphs(folder, app.name, lang), "wt", encoding="utf-8") as file:
        file.write(graph.model_dump_json())
    return graph


def graphs(folder: Path, app: str, lang: str) -> Path:
    """Where the graph is kept that the crawl has made of what it saw."""
    return folder / f"{app}.{lang}.graph.json.gz"


def sightings(folder: Path, app: str, lang: str) -> Path:
    """Where the sightings of an App in a language are kept."""
    return folder / f"{app}.{lang}.jsonl.gz"


def keep(states: Iterable[State], path: Path) -> None:
    """Write States, one a line."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{state.model_dump_json()}\n" for state in states)


def kept(path: Path) -> Iterator[State]:
    """Read States that were kept."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(State.model_validate_json, file)


def main() -> None:
    """Watch the Apps that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("apps", nargs="*")
    parser.add_argument("--lang", action="append")
    parser.add_argument("--actions", type=int, default=60)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for app in map(load, given.apps or available()):
        if app.platform is not Platform.WEB:
            continue
        for lang in (tag for tag in given.lang or ("en", "zh-Hans") if tag in app.languages):
            try:
                graph = watch(app, lang, given.folder, given.actions)
                say(f"{app.name} in {lang}: {len(graph.states)} states")
            except HostError as error:
                say(f"{app.name} in {lang}: {error}")


if __name__ == "__main__":
    main()
