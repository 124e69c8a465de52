"""The gallery in a real browser, from file:// and without a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.corpus.gallery import gallery
from pipeline.corpus.query import query

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, published: Path) -> Path:
    root = Path(shutil.copytree(published, tmp_path_factory.mktemp("browser") / "run"))
    return gallery(root).parent


@pytest.fixture(scope="module")
def browser() -> Iterator[playwright.Browser]:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no program chromium")
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: playwright.Browser) -> Iterator[playwright.Page]:
    """A page that fails the test when anything goes wrong on it or it wants the network."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on(
        "request", lambda sent: None if sent.url.startswith(("file:", "data:")) else wrong.append(sent.url)
    )
    yield page
    page.close()
    assert wrong == []


def test_filters_leave_what_fits(page: playwright.Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    assert page.locator(".task.card:visible").count() == 6
    page.select_option("select[name=language]", "zh-Hans")
    assert page.locator(".task.card:visible").count() == 3
    page.fill("input[type=search]", "统计")
    assert page.locator(".task.card:visible").count() == 1
    page.fill("input[type=search]", "nothing like it")
    assert page.locator("#none").is_visible()


def test_screenshots_are_drawn_with_their_actions(page: playwright.Page, site: Path) -> None:
    page.goto((site / "index.html").as_uri())
    sizes = page.eval_on_selector_all(".task.card img", "all => all.map(image => image.naturalWidth)")
    assert sizes[:3] == [640, 640, 640]
    image, box = page.locator(".task.card img").first, page.locator(".task.card svg .box").first
    outer, inner = image.bounding_box(), box.bounding_box()
    assert outer["x"] <= inner["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]


def test_a_link_to_a_step_opens_its_replay(page: playwright.Page, site: Path, published: Path) -> None:
    ((task, run),) = query(
        published, "SELECT task_id, trajectory_id FROM trajectories WHERE attempt = 1 ORDER BY 1 LIMIT 1"
    ).rows
    page.goto(f"{(site / 'tasks' / f'{task}.html').as_uri()}#{run}-0")
    assert page.locator("#run2").is_checked()
    assert page.locator(f"[id='{run}-0']").is_visible()
    page.locator(f"[id='{run}-0'] .screen").click()
    assert page.locator("#lightbox").is_visible()


def test_the_graph_is_explored_by_clicking(page: playwright.Page, site: Path) -> None:
    page.goto((site / "apps" / "purse.en.html").as_uri())
    assert page.locator(".node").count() == 3
    assert page.locator("#panel h2").inner_text() == "Shared purse <home>"
    page.locator(".moves button", has_text="Statistics").click()
    assert page.locator("#panel h2").inner_text() == "Shared purse <stats>"
    assert page.evaluate("location.hash").startswith("#st_")
    page.locator(".function").first.click()
    assert page.locator(".link.lit").count() >= 1
    assert page.locator(".of a:visible").count() == 1
