"""The data card: ``README.md`` of a run, whose every number comes from its manifest and shards."""

from __future__ import annotations

from pathlib import Path

from pipeline.corpus.layout import CARD
from pipeline.corpus.pages import render
from pipeline.corpus.report import summary
from schemas.run import Manifest
from schemas.tables import TABLES

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write_card(manifest: Manifest, run_dir: Path) -> None:
    """Write the card into the run folder."""
    run_dir.joinpath(CARD).write_text(card_of(manifest, run_dir), "utf-8")


def card_of(manifest: Manifest, run_dir: Path) -> str:
    """The card's text: front matter that dataset hubs understand, then numbers, layout and limits."""
    numbers = summary(run_dir, manifest)
    return render(
        "card.md.j2",
        manifest=manifest,
        numbers=numbers,
        tables=TABLES,
        size=next((name for bound, name in _SIZES if numbers.tasks < bound), "n>1M"),
        described={name: " ".join((table.row.__doc__ or "").split()) for name, table in TABLES.items()},
    )
