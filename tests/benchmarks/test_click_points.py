"""The click benchmark counts what people saw, and no point that they did not see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent))

import click_points


def row(name: str, *point: int) -> dict[str, Any]:
    return {"id": name, "point": list(point)}


@pytest.fixture
def labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [row("a", 1, 1) | {"inside": True}, row("b", 2, 2) | {"inside": False}]
    seen += [row("c", 3, 3) | {"inside": True}, row("c", 3, 8) | {"inside": True}]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"targets": seen}), encoding="utf-8")
    monkeypatch.setattr(click_points, "LABELS", path)


@pytest.mark.usefixtures("labels")
def test_what_nobody_looked_at_or_is_gone_counts_as_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [row("a", 1, 1), row("b", 2, 2), row("c", 3, 8), row("d", 9, 9)]
    monkeypatch.setattr(click_points, "TAKEN", 5)
    monkeypatch.setattr(click_points, "take", lambda: [(each, Image.new("RGB", (1, 1))) for each in now])
    assert click_points.accuracy() == {"looked_at": 4, "taken": 4, "unseen": 1, "accuracy": 0.4}


def test_a_sheet_names_what_it_shows() -> None:
    target = {"app": "a", "lang": "ja", "role": "button", "label": "消す", "key": "window/button"}
    paper = click_points.sheet([(target, Image.new("RGB", click_points.CROP, "black"))], 0)
    assert paper.size[0] > click_points.CROP[0] * click_points.COLUMNS
    colours = {colour for _, colour in paper.getcolors(1 << 16) or ()}
    assert {(0, 0, 0), (255, 255, 255), (0, 0, 255)} <= colours
