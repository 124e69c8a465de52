from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from pipeline.corpus.gallery import Selection, gallery
from pipeline.corpus.layout import load_manifest
from pipeline.corpus.picture import COLUMN, NODE, picture_of
from pipeline.corpus.query import query
from pipeline.corpus.task_page import Piece, pieces_of
from pipeline.errors import DatasetError
from schemas.task import Span
from schemas.world_rows import EdgeRow, StateRow


class Links(HTMLParser):
    """Every address that a page refers to, and all ids in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.add(values.get("id") or "")
        self.addresses += [values[name] or "" for name in ("href", "src") if name in values]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, published: Path) -> Path:
    root = Path(shutil.copytree(published, tmp_path_factory.mktemp("site") / "run"))
    return gallery(root).parent


def test_every_task_and_every_app_has_a_page(site: Path, published: Path) -> None:
    tasks = {row[0] for row in query(published, "SELECT task_id FROM tasks").rows}
    assert {path.stem for path in (site / "tasks").iterdir()} == tasks
    assert {path.name for path in (site / "apps").iterdir()} == {"purse.en.html", "purse.zh-Hans.html"}


def test_all_references_are_relative_and_lead_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) == 9
    for page, links in pages.items():
        assert links.addresses
        for address in links.addresses:
            assert not re.match(r"[a-z]+:|/", address), address
            path, _, fragment = address.partition("#")
            there = (page.parent / path).resolve() if path else page.resolve()
            assert there.is_file(), address
            if fragment and "apps/" not in path:
                assert fragment in Links(there).ids, address


def test_index_links_back_to_cards_by_id(site: Path, published: Path) -> None:
    ids = Links(site / "index.html").ids
    assert {row[0] for row in query(published, "SELECT task_id FROM tasks").rows} <= ids


def test_task_page_shows_the_action_on_the_screenshot(site: Path, published: Path) -> None:
    ((task, x, y),) = query(
        published,
        """SELECT task_id, action.x, action.y FROM steps JOIN tasks USING (task_id)
           WHERE verb = 'add' AND steps.lang = 'en' AND step_index = 0 LIMIT 1""",
    ).rows
    page = (site / "tasks" / f"{task}.html").read_text("utf-8")
    assert f'class="point" cx="{x}" cy="{y}"' in page
    assert 'viewBox="0 0 640 400"' in page
    assert page.count('class="step card"') == 12
    assert '<mark class="s-value" title="value: amount">31.50</mark>' in page
    assert "POST /add happens exactly once" in page
    assert "replay 2" in page


def test_text_of_apps_is_never_markup(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<home>" not in text
        assert "<1>" not in text
    assert "near_miss &lt;1&gt;" in "".join(page.read_text("utf-8") for page in (site / "tasks").iterdir())


def test_graph_data_knows_states_edges_and_functions(site: Path) -> None:
    page = (site / "apps" / "purse.en.html").read_text("utf-8")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert len(data["screens"]) == 3
    assert len(data["edges"]) == 7
    assert data["root"] in data["states"]
    assert all(edge["from"] in data["states"] and edge["to"] in data["states"] for edge in data["edges"])
    assert {edge["effect"] for edge in data["edges"]} == {"navigate", "set", "create", "delete"}
    assert page.count('class="function"') == 3
    assert "1: it would change the account" in page
    assert "Log &lt;out&gt;" in page


def test_graph_page_says_what_was_reached(site: Path) -> None:
    counted, uncounted = (
        (site / "apps" / f"purse.{lang}.html").read_text("utf-8") for lang in ("en", "zh-Hans")
    )
    assert (
        "9 of 12 clickables tried · 3 routes (2 of 4 that it lists) · 40 lines of its own code, of 90"
        in counted
    )
    assert "3 routes</p>" in uncounted
    assert "lines of its own code" not in uncounted


def test_screenshots_are_small_and_whole(site: Path, published: Path) -> None:
    files = list((site / "images").iterdir())
    assert len(files) == load_manifest(published).counts["images"]
    with Image.open(files[0]) as image:
        assert image.format == "WEBP"
        assert image.size == (640, 400)


def test_budget_of_bytes_leaves_screenshots_out(run_dir: Path) -> None:
    page = gallery(run_dir, Selection(image_bytes=6_000))
    there = list((page.parent / "images").iterdir())
    assert 0 < len(there) < 14
    assert sum(path.stat().st_size for path in there) <= 6_000
    assert "left out to keep this gallery small" in "".join(
        path.read_text("utf-8") for path in (page.parent / "tasks").iterdir()
    )


def test_a_sample_is_even_and_follows_the_seed(run_dir: Path) -> None:
    def shown(seed: int) -> set[str]:
        page = gallery(run_dir, Selection(tasks=4, seed=seed))
        assert "an even sample of 4 out of 6" in page.read_text("utf-8")
        return {path.stem for path in (page.parent / "tasks").iterdir()}

    first = shown(1)
    assert len(first) == 4
    assert first == shown(1)


def test_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no published run"):
        gallery(tmp_path)
    assert not list(tmp_path.iterdir())


def test_pieces_cover_the_text_and_skip_overlaps() -> None:
    spans = [
        Span(start=4, end=7, source="value", of="what"),
        Span(start=0, end=3, source="verb", of="add"),
        Span(start=5, end=9, source="label", of="x"),
    ]
    assert list(pieces_of("Add tea now", spans)) == [
        Piece("Add", "verb", "add"),
        Piece(" "),
        Piece("tea", "value", "what"),
        Piece(" now"),
    ]


def graph(published: Path) -> tuple[list[StateRow], list[EdgeRow]]:
    from pipeline.corpus.query import corpus  # noqa: PLC0415
    from pipeline.corpus.reader import Reader  # noqa: PLC0415

    with corpus(published) as connection:
        reader = Reader(connection)
        return reader.all(StateRow, lang="en"), reader.all(EdgeRow, lang="en")


def test_layout_puts_screens_by_distance_and_never_on_one_another(published: Path) -> None:
    states, edges = graph(published)
    root = next(state for state in states if state.route == "/")
    many = [
        state.model_copy(update={"state_id": f"st_{at}", "structure": f"sc_{at}"})
        for at, state in enumerate([root] * 20)
    ]
    links = [
        edges[0].model_copy(update={"src_structure": "sc_0", "dst_structure": f"sc_{at}"})
        for at in range(1, 20)
    ]
    picture = picture_of(many, links, "st_0")
    assert picture.screens[0].id == "sc_0"
    assert picture.screens[0].depth == 0
    places = [(screen.x, screen.y) for screen in picture.screens]
    assert len(set(places)) == 20
    assert max(sum(1 for x, _ in places if x == column) for column, _ in places) <= COLUMN
    assert all(0 <= x <= picture.width - NODE[0] and 0 <= y <= picture.height - NODE[1] for x, y in places)
    assert picture == picture_of(many[::-1], links[::-1], "st_0")


def test_layout_of_nothing(published: Path) -> None:
    assert picture_of([], [], "st_0").screens == ()
    states, _ = graph(published)
    assert len(picture_of(states[:2], [], "elsewhere").screens) >= 1
