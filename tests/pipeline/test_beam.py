"""Both ways to make a Pile come true yield the same, and neither does anything twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawlers.host import HostError
from pipeline import beam
from pipeline.ledger import Ledger, Recorded
from pipeline.memory import Memory, Tick
from pipeline.pile import Meet, Pile, Source, Through
from schemas.record import Record
from schemas.rejection import Rejection


class Number(Record):
    value: int


class Sum(Record):
    of: int
    parts: tuple[int, ...]


@dataclass(frozen=True)
class Count:
    """0 … value - 1; multiples of five fall out. Every call leaves a line in the diary."""

    diary: Path
    name: str = "count"

    def __call__(self, item: Number) -> Iterator[Number | Rejection]:
        with self.diary.open("a") as diary:
            diary.write(f"{item.value}\n")
        for value in range(item.value):
            yield (
                Rejection(stage=self.name, item=str(value), reason="five")
                if value % 5 == 0
                else Number(value=value)
            )


@dataclass(frozen=True)
class Square:
    name: str = "square"

    def __call__(self, item: Number) -> Iterator[Number]:
        yield Number(value=item.value**2)


@dataclass(frozen=True)
class Total:
    name: str = "total"

    def __call__(self, item: Sum) -> Iterator[Number]:
        yield Number(value=item.of * 1000 + sum(item.parts))


@dataclass(frozen=True)
class Broken:
    name: str = "broken"

    def __call__(self, _: Number) -> Iterator[Number]:
        raise HostError("the app did not start; look into its log")


def parity(item: Number) -> str:
    return str(item.value % 2)


def by_value(item: Number) -> int:
    return item.value


def gathered(left: Number, right: tuple[Number, ...]) -> Sum:
    return Sum(of=left.value, parts=tuple(item.value for item in right))


def flow(root: Path) -> Through[Sum, Number]:
    ledger = Ledger(root, "code")
    counted = Source((Number(value=7), Number(value=4))).through(
        Recorded(Count(root / "diary"), ledger, "counted", Number)
    )
    squares = counted.through(Recorded(Square(), ledger, "squares", Number), spread=True)
    sides: Pile[Number] = Source((Number(value=1), Number(value=2)))
    sums = Meet("parity", sides, squares, parity, parity, by_value, gathered)
    return sums.through(Recorded(Total(), ledger, "totals", Number))


def outcome(pile: Through[Sum, Number], memory: Memory) -> tuple[list[Number], list[Rejection]]:
    return list(memory.items(pile)), list(memory.rejections(pile))


def test_in_memory_and_on_beam_the_same_comes_out(tmp_path: Path) -> None:
    here, there = tmp_path / "memory", tmp_path / "beam"
    here.mkdir()
    there.mkdir()
    in_memory = outcome(flow(here), Memory())
    beam.exhaust(flow(there))
    on_beam = outcome(flow(there), Memory(execute=False))
    assert in_memory == on_beam
    # 1, 2, 3, 4, 6 of the first and 1, 2, 3 of the second; an item that comes twice is taken once.
    assert [number.value for number in in_memory[0]] == [1000 + 1 + 9, 2000 + 4 + 16 + 36]
    assert [rejection.item for rejection in in_memory[1]] == ["0", "5", "0"]
    assert names(here) == names(there)


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.gz"))


@pytest.mark.parametrize("second", ["memory", "beam"])
def test_the_second_run_makes_nothing(tmp_path: Path, second: str) -> None:
    Memory().exhaust(flow(tmp_path))
    before = (tmp_path / "diary").read_text()
    if second == "beam":
        beam.exhaust(flow(tmp_path))
    else:
        ticks: list[Tick] = []
        assert Memory(ticks.append).exhaust(flow(tmp_path)) == 2
        assert {tick.what for tick in ticks} == {"reused"}
    assert (tmp_path / "diary").read_text() == before


def test_reading_only_passes_over_what_is_missing(tmp_path: Path) -> None:
    ticks: list[Tick] = []
    assert list(Memory(ticks.append, execute=False).items(flow(tmp_path).before.right)) == []
    assert [tick.what for tick in ticks] == ["missing", "missing"]
    assert not (tmp_path / "diary").exists()


def test_stale_outcomes_of_other_items_do_not_leak_in(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "code")

    def squares(*values: int) -> Pile[Number]:
        items = tuple(Number(value=value) for value in values)
        return Source(items).through(Recorded(Square(), ledger, "squares", Number))

    Memory().exhaust(squares(1, 2, 3))
    assert [number.value for number in Memory().items(squares(2))] == [4]


def test_an_item_goes_all_the_way_before_the_next_is_taken_up(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "code")
    ticks: list[Tick] = []
    pile = (
        Source((Number(value=2), Number(value=3)))
        .through(Recorded(Square(), ledger, "first", Number))
        .through(Recorded(Square("again"), ledger, "second", Number))
    )
    Memory(ticks.append).exhaust(pile)
    assert [tick.stage for tick in ticks if tick.what == "made"] == ["square", "again", "square", "again"]


@pytest.mark.parametrize("runner", ["memory", "beam"])
def test_a_broken_environment_ends_the_run_with_its_own_sentence(tmp_path: Path, runner: str) -> None:
    pile = Source((Number(value=1),)).through(Recorded(Broken(), Ledger(tmp_path, "c"), "x", Number))
    with pytest.raises(HostError, match=r"^the app did not start; look into its log$"):
        beam.exhaust(pile) if runner == "beam" else Memory().exhaust(pile)
