"""Are clicks aimed well? ``python tests/benchmarks/click_points.py [FOLDER]`` takes 100 click targets of
programs of every toolkit and draws them onto contact sheets in the folder (``data/runs/click-points``), for a
person to look at. What was seen is written into ``click_labels.json`` by hand:

rule      a target counts as inside where the cross stands on the picture of the very control that the words
          above it name: on its text, icon or face, or in the empty part of the field, list entry or cell that
          belongs to it. A cross on a neighbour, a frame, a separator, behind something that covers the
          control, or where nothing of it is to be seen counts as outside.

``make bench-desktop`` does not look at pictures. It takes 100 targets again and reports the share whose point
was looked at and called inside. GTK 4 programs open in one of several heights, so that a target may have been
looked at in several places. One that is at none of these is reported as ``unseen`` and counts as outside, as
does one that is not there.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from crawlers.desktop.driver import DesktopDriver
from crawlers.desktop.host import DesktopHost
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.recipe import load
from schemas.action import Click, Press, Target
from schemas.record import digest
from schemas.screen import Element, State

ROOT = Path(__file__).resolve().parents[2]
LABELS = Path(__file__).with_name("click_labels.json")
TAKEN = 100
CROP = (300, 120)
COLUMNS, ROWS = 4, 5
FILE_MENU = ("window/menubar/menuitem",)
SCREENS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("mousepad", "en", ()),
    ("mousepad", "ar", FILE_MENU),
    ("mousepad", "zh-Hans", ("Control+h",)),
    ("galculator", "ja", ()),
    ("gnumeric", "en", ()),
    ("pluma", "de", ("Control+h",)),
    ("gnome-calculator", "en", ()),
    ("gnome-clocks", "zh-Hans", ()),
    ("gnome-text-editor", "en", ()),
    ("featherpad", "en", ()),
    ("featherpad", "en", FILE_MENU),
    ("kwrite", "zh-Hans", FILE_MENU),
    ("keepassxc", "de", ()),
    ("libreoffice-writer", "en", ()),
    ("gucharmap", "ar", ()),
)
"""Program, language, and what is done first: keys of controls that are pressed, or keys of the keyboard."""


def main(folder: Path) -> None:
    """Take the targets, draw the sheets, write ``targets.json`` beside them; sheet by sheet, as they come."""
    folder.mkdir(parents=True, exist_ok=True)
    size = COLUMNS * ROWS
    rows: list[dict[str, Any]] = []
    targets = take()
    while page := list(islice(targets, size)):
        sheet(page, len(rows)).save(folder / f"sheet-{len(rows) // size + 1}.png")
        rows += [row for row, _ in page]
        said = json.dumps(rows, indent=1, ensure_ascii=False)
        (folder / "targets.json").write_text(said, encoding="utf-8")


def take() -> Iterator[tuple[dict[str, Any], Image.Image]]:
    """``TAKEN`` targets, as many of each screen, with the picture around each point."""
    share = -(-TAKEN // len(SCREENS))
    each = (_of_screen(app, lang, steps, share) for app, lang, steps in SCREENS)
    yield from islice(chain.from_iterable(each), TAKEN)


def accuracy() -> dict[str, Any]:
    """The share of the targets, as they are now, that were looked at where they are and called inside."""
    rows = json.loads(LABELS.read_text(encoding="utf-8"))["targets"]
    labels = {(row["id"], *row["point"]): row["inside"] for row in rows}
    said = [labels.get((row["id"], *row["point"])) for row, _ in take()]
    inside = said.count(True)
    return {
        "looked_at": len(labels),
        "taken": len(said),
        "unseen": said.count(None),
        "accuracy": round(inside / TAKEN, 4),
    }


def sheet(rows: list[tuple[dict[str, Any], Image.Image]], first: int) -> Image.Image:
    """Pictures with crosses, each below the words for what should be there."""
    width, height = CROP[0] + 10, CROP[1] + 40
    paper = Image.new("RGB", (COLUMNS * width, ROWS * height), "white")
    pen = ImageDraw.Draw(paper)
    font = ImageFont.truetype("NotoSansCJK-Regular.ttc", 12)
    for place, (row, picture) in enumerate(rows):
        x, y = place % COLUMNS * width, place // COLUMNS * height
        pen.text((x + 2, y), f"{first + place + 1} {row['app']} {row['lang']} {row['role']}", "black", font)
        pen.text((x + 2, y + 16), f"{row['label'][:36]!r} {row['key'][-18:]}", "blue", font)
        paper.paste(picture, (x, y + 36))
    return paper


def _of_screen(
    app: str, lang: str, steps: tuple[str, ...], share: int
) -> list[tuple[dict[str, Any], Image.Image]]:
    try:
        with DesktopHost(load(app), lang) as host:
            driver = host.driver()
            state = _walk(driver, steps)
            shot = Image.open(io.BytesIO(driver.screenshot())).convert("RGB")
    except (HostError, DriverError) as error:
        print(f"{app} in {lang}: {error}", file=sys.stderr)
        return []
    rows = [_row(app, lang, steps, element) for element in state.elements if _pressed(element)]
    # By id, so that the choice is the same on every run and owes nothing to the order on the screen.
    chosen = sorted(rows, key=lambda row: str(row["id"]))[:share]
    return [(row, _around(shot, *row["point"])) for row in chosen]


def _walk(driver: DesktopDriver, steps: tuple[str, ...]) -> State:
    state = driver.observe()
    for step in steps:
        element = state.find(step)
        if element is not None:
            driver.perform(Click(target=Target.of(element)))
        else:
            driver.perform(Press(keys=tuple(step.split("+"))))
        state = driver.observe()
    return state


def _pressed(element: Element) -> bool:
    return element.pressable and (element.clickable or element.editable)


def _row(app: str, lang: str, steps: tuple[str, ...], element: Element) -> dict[str, Any]:
    box = element.box
    return {
        "id": digest("ct", app, lang, steps, element.key),
        "app": app,
        "lang": lang,
        "steps": steps,
        "role": element.role,
        "label": element.label,
        "key": element.key,
        "point": list(box.centre) if box else [-1, -1],
    }


def _around(shot: Image.Image, x: int, y: int) -> Image.Image:
    """The part of the picture around a point, with a cross whose middle is left free."""
    left, top = x - CROP[0] // 2, y - CROP[1] // 2
    part = shot.crop((left, top, left + CROP[0], top + CROP[1]))
    pen = ImageDraw.Draw(part)
    cx, cy = CROP[0] // 2, CROP[1] // 2
    for line in (((cx - 14, cy), (cx - 3, cy)), ((cx + 3, cy), (cx + 14, cy))):
        pen.line(line, "red", 2)
    for line in (((cx, cy - 14), (cx, cy - 3)), ((cx, cy + 3), (cx, cy + 14))):
        pen.line(line, "red", 2)
    pen.rectangle((0, 0, CROP[0] - 1, CROP[1] - 1), outline="gray")
    return part


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data" / "runs" / "click-points")
