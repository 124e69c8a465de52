from __future__ import annotations

from pathlib import Path

from pipeline.corpus.card import card_of
from pipeline.corpus.layout import load_manifest
from pipeline.corpus.report import Tally, summary


def test_summary_counts_what_the_shards_hold(published: Path) -> None:
    numbers = summary(published)
    assert numbers.tasks == 6
    assert numbers.multilingual == 3
    assert numbers.median_steps == 1.0
    assert [(reach.app, reach.lang, reach.tasks, reach.functions) for reach in numbers.apps] == [
        ("purse", "en", 3, 3),
        ("purse", "zh-Hans", 3, 3),
    ]
    assert Tally(of=("en", "model", "small.gguf"), count=1) in numbers.writers
    assert numbers.rejections == (Tally(of=("prove", "necessary", ""), count=1),)
    assert numbers.bytes == sum(entry.bytes for entry in load_manifest(published).files)


def test_gates_come_in_their_order_with_what_they_refused(published: Path) -> None:
    gates = {gate.gate: gate for gate in summary(published).gates}
    assert next(iter(gates)) == "grounded"
    assert list(gates)[-1] == "discriminating"
    assert (gates["necessary"].passed, gates["necessary"].rejected) == (6, 1)
    assert (gates["fresh"].had_to_fail, gates["fresh"].wrongly_accepted) == (6, 0)
    assert (gates["replayed"].executions, gates["replayed"].had_to_fail) == (12, 0)


def test_abstentions_are_counted_apart(published: Path) -> None:
    judges = {judge.judge: (judge.met, judge.not_met, judge.abstained) for judge in summary(published).judges}
    assert judges == {"state": (32, 0, 16), "tree": (16, 0, 32)}


def test_card_says_the_numbers(published: Path) -> None:
    card = (published / "README.md").read_text("utf-8")
    assert card == card_of(load_manifest(published), published)
    assert "6 proven GUI tasks in en, zh-Hans" in card
    assert "| purse | zh-Hans | BSD-3-Clause | 7 (3) |" in card
    assert "| 3 (2 of 4) | 40 of 90 | 3 | 3 |" in card
    assert "| 3 | - | 3 | 3 |" in card
    assert "| prove | necessary | - | 1 |" in card
    assert "| en | model | small.gguf | 1 | 17 % |" in card
    assert card.startswith("---\npretty_name:")
