"""Files: a link that downloads is an edge, not a failure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from crawlers.web.patience import Patience
from schemas.action import Open
from schemas.effect import Outcome

pytestmark = pytest.mark.slow

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


@pytest.fixture(autouse=True)
def _files(stage: Any) -> None:
    stage.server.answers["/report.pdf"] = lambda _: (200, {"Content-Type": "application/pdf"}, PDF)
    attached = {"Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="bills.csv"'}
    stage.server.answers["/export"] = lambda _: (200, attached, b"a,b\n")


def test_p09_every_way_to_hand_out_a_file_is_a_download(stage: Any) -> None:
    state = stage.go("/downloads.html")
    for label, name, route, data in (
        ("Report", "report.pdf", "/report.pdf", PDF),
        ("Export", "bills.csv", "/export?format=csv", b"a,b\n"),
        ("Save list", "list.csv", "", b"a,b"),
        ("Save note", "hello.txt", "", b"hello"),
    ):
        (handed,) = stage.press(label).downloads
        assert (handed.name, handed.route, handed.size) == (name, route, len(data))
        assert handed.sha256 == hashlib.sha256(data).hexdigest()
        assert stage.see().id == state.id
    (saved,) = stage.press("Save page").downloads
    assert (saved.name, saved.route) == ("page.html", "/goal.html")


def test_p09_a_file_can_be_opened_by_address(stage: Any) -> None:
    assert stage.driver.perform(Open(address="/report.pdf")).downloads
    assert stage.see().title == "Plain"


def test_p09_the_crawl_goes_on(stage: Any) -> None:
    graph = stage.explore("/downloads.html", actions=8)
    ends = {edge.action.target.label: edge.effect for edge in graph.transitions}
    assert ends["Report"].outcome is ends["Export"].outcome is Outcome.DOWNLOAD
    assert ends["Go on"].outcome is Outcome.NAVIGATED


def test_a_file_that_a_link_hands_out_is_not_waited_for_in_vain(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Patience.until
    came: list[bool] = []

    async def until(self: Patience, done: Callable[[], bool], seconds: float) -> bool:
        came.append(await real(self, done, seconds))
        return came[-1]

    monkeypatch.setattr(Patience, "until", until)
    stage.go("/downloads.html")
    (saved,) = stage.press("Save page").downloads
    assert saved.size
    assert came
    assert all(came), "nothing was waited for until time was up"
