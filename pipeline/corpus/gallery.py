"""The gallery: static pages that show a run to people, from ``file://``, without a server or a network.

One index, one page per task, one page per App and language. All text of Apps is data and is escaped.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.corpus.app_page import AppCard, app_cards, app_view, page_of
from pipeline.corpus.layout import GALLERY, files_of, load_manifest
from pipeline.corpus.pages import render
from pipeline.corpus.query import corpus
from pipeline.corpus.reader import Reader
from pipeline.corpus.report import Summary, summary
from pipeline.corpus.sample import sample
from pipeline.corpus.task_page import task_views
from pipeline.corpus.thumbs import export
from pipeline.errors import DatasetError
from schemas.run import Manifest
from schemas.task_rows import StepRow, TaskRow

if TYPE_CHECKING:
    import duckdb

_ASSETS = ("gallery.css", "gallery.js", "graph.js")
_CHUNK = 50
_FILTERS = {"app": "app", "language": "lang", "effect": "effect", "writer": "writer"}
"""Filter on the index → column of tasks."""


@dataclass(frozen=True)
class Selection:
    """What of a large run is shown."""

    tasks: int = 400
    """Tasks at most, an even sample over Apps, languages and effects."""
    seed: int = 0
    """Which sample."""
    image_bytes: int = 200_000_000
    """Bytes of screenshots at most; those that tasks use come first."""


@dataclass(frozen=True)
class TaskCard:
    """One task on the index."""

    task: TaskRow
    cover: StepRow


def gallery(run_dir: str | Path, select: Selection | None = None) -> Path:
    """Write ``gallery/`` into a published run and return its first page.

    Raises:
        DatasetError: when the folder is no published run, or the pages cannot be written.
    """
    root = Path(run_dir)
    manifest = load_manifest(root)
    fresh = root / f".{GALLERY}.part"
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        _write(root, manifest, fresh, select or Selection())
        shutil.rmtree(root / GALLERY, ignore_errors=True)
        fresh.rename(root / GALLERY)
    except OSError as error:
        raise DatasetError(f"{root / GALLERY} cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return root / GALLERY / "index.html"


def _write(root: Path, manifest: Manifest, folder: Path, select: Selection) -> None:
    """Images first, because pages say which of them are there."""
    numbers = summary(root, manifest)
    with corpus(root, manifest) as connection:
        reader = Reader(connection)
        shown = sample(connection, select.tasks, select.seed)
        sizes = _sizes(connection, shown)
        parts = [root / path for path in files_of(manifest, "images")]
        images = export(parts, frozenset(sizes), folder / "images", select.image_bytes)
        pages = _Pages(folder, reader, manifest.run, frozenset(shown), images, sizes)
        tasks = pages.tasks(shown)
        apps = app_cards(reader, numbers.apps)
        pages.apps(apps)
        pages.index(numbers, apps, tasks)


def _sizes(connection: duckdb.DuckDBPyConnection, shown: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Width and height of every image that a page may show."""
    rows = connection.execute(_WANTED, {"shown": list(shown)}).fetchall()
    return {name: (width, height) for name, width, height in rows}


_WANTED = """
    WITH crawled AS (
        SELECT src_state_id AS state_id FROM edges UNION SELECT dst_state_id FROM edges
        UNION SELECT root_state_id FROM crawls
    ),
    wanted AS (
        SELECT unnest([image_before_id, image_after_id]) AS image_id FROM steps
        WHERE list_contains($shown, task_id)
        UNION SELECT image_id FROM states JOIN crawled USING (state_id)
    )
    SELECT image_id, width_px, height_px FROM images JOIN wanted USING (image_id)
"""


@dataclass(frozen=True)
class _Pages:
    """Writes pages into a folder."""

    folder: Path
    reader: Reader
    run: str
    shown: frozenset[str]
    """Tasks that have a page."""
    images: frozenset[str]
    """Images that were exported."""
    sizes: Mapping[str, tuple[int, int]]

    def tasks(self, ids: Sequence[str]) -> list[TaskCard]:
        """One page per task; what the index says of them."""
        chunks = (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))
        cards = []
        for view in (view for chunk in chunks for view in task_views(self.reader, chunk, self.shown)):
            page = page_of(view.task.app, view.task.lang)
            self._page(f"tasks/{view.task.task_id}.html", "task.html.j2", view=view, page=page)
            cards.append(TaskCard(view.task, view.cover))
        return cards

    def apps(self, cards: Sequence[AppCard]) -> None:
        """One page per App and language."""
        for card in cards:
            view = app_view(self.reader, card, self.shown)
            others = [other for other in cards if other is not card]
            data = view.data(self.images)
            self._page(f"apps/{card.page}", "app.html.j2", view=view, card=card, others=others, data=data)

    def index(self, numbers: Summary, apps: Sequence[AppCard], tasks: Sequence[TaskCard]) -> None:
        """The first page, and the files that all pages share."""
        filters = {
            name: sorted({str(getattr(card.task, column)) for card in tasks})
            for name, column in _FILTERS.items()
        }
        self._page("index.html", "index.html.j2", numbers=numbers, apps=apps, tasks=tasks, filters=filters)
        for name in _ASSETS:
            asset = resources.files("pipeline.corpus").joinpath("assets", name)
            self._write(f"assets/{name}", asset.read_text("utf-8"))

    def _page(self, name: str, template: str, **context: Any) -> None:
        up = "../" * name.count("/")
        text = render(template, up=up, run=self.run, images=self.images, sizes=self.sizes, **context)
        self._write(name, text)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
