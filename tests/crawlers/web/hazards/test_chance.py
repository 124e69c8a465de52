"""Chance: what a page draws by lot is the same on every visit, and another on every page."""

from __future__ import annotations

from typing import Any

import pytest

from crawlers.web import browser
from crawlers.web.kind import Kind

pytestmark = pytest.mark.slow

VISITS = 4


def drawn(stage: Any) -> list[str]:
    """The tip and the two ids."""
    return [text for text in stage.see().texts() if text.startswith(("Tip ", "id-"))]


def visits(stage: Any) -> list[list[str]]:
    """What is drawn on the first page of several sessions."""
    found = []
    for _ in range(VISITS):
        driver = browser.session(app=stage.app, lang="en", origin=stage.server.origin)
        try:
            stage.driver = driver
            stage.go("/lots.html")
            found.append(drawn(stage))
        finally:
            driver.close()
    return found


def test_every_session_draws_alike_whichever_script_comes_first(stage: Any) -> None:
    first, *others = visits(stage)
    assert len(first) == 2, "a tip, and a line of ids"
    assert others == [first] * (VISITS - 1)


def test_ids_do_not_come_again(stage: Any) -> None:
    stage.go("/lots.html")
    ids = set(drawn(stage)[1].split())
    for address in ("/lots.html", "/lots.html?again=1"):
        stage.go(address)
        ids |= set(drawn(stage)[1].split())
    assert len(ids) == 6, "two on each of three pages"


def test_what_is_not_ours_draws_as_it_likes(stage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "epoch", None)
    monkeypatch.setattr(Kind, "id", "another")  # or a session that has rested would be taken
    first, *others = visits(stage)
    assert first not in others
