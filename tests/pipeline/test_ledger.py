"""What is recorded is neither lost, done twice, nor taken for something else."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipeline.errors import DatasetError, Interrupted
from pipeline.interrupt import stoppable
from pipeline.ledger import Ledger, Outcome, Recorded, code_hash
from pipeline.lock import locked
from schemas.proof import Fault
from schemas.record import Record
from schemas.rejection import Rejection


class Word(Record):
    text: str


class Letter(Record):
    text: str


@dataclass
class Spell:
    """Letters of a word; vowels fall out."""

    fault: Fault | None = None
    calls: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "spell"

    def __call__(self, word: Word) -> Iterator[Letter | Rejection]:
        self.calls.append(word.text)
        for letter in word.text:
            if letter in "aeiou":
                yield Rejection(stage=self.name, item=letter, reason="vowel", fault=self.fault)
            else:
                yield Letter(text=letter)


def recorded(root: Path, stage: Spell, *, code: str = "c", settings: object = ()) -> Recorded[Word, Letter]:
    return Recorded(stage, Ledger(root, code), "letters", Letter, (settings,))


def test_a_second_call_reads_what_the_first_one_made(tmp_path: Path) -> None:
    stage = Spell()
    first = list(recorded(tmp_path, stage)(Word(text="cat")))
    second = list(recorded(tmp_path, stage)(Word(text="cat")))
    assert first == second
    assert first == [
        Letter(text="c"),
        Letter(text="t"),
        Rejection(stage="spell", item="a", reason="vowel"),
    ]
    assert stage.calls == ["cat"]


@pytest.mark.parametrize(
    "other",
    [{"code": "other"}, {"settings": 2}, {"settings": Word(text="x")}],
    ids=["code", "number", "record"],
)
def test_other_code_or_settings_make_it_again(tmp_path: Path, other: dict[str, object]) -> None:
    stage = Spell()
    list(recorded(tmp_path, stage)(Word(text="cat")))
    list(recorded(tmp_path, stage, **other)(Word(text="cat")))  # type: ignore[arg-type]
    assert stage.calls == ["cat", "cat"]


@pytest.mark.parametrize("damage", [b"", b"junk", b"\x1f\x8b\x08\x00"], ids=["empty", "junk", "cut"])
def test_a_damaged_outcome_is_made_again(tmp_path: Path, damage: bytes) -> None:
    stage = Spell()
    list(recorded(tmp_path, stage)(Word(text="cat")))
    (path,) = (tmp_path / "letters").iterdir()
    path.write_bytes(damage)
    assert len(list(recorded(tmp_path, stage)(Word(text="cat")))) == 3
    assert stage.calls == ["cat", "cat"]
    assert recorded(tmp_path, stage).recorded(path.name.removesuffix(".json.gz")) is not None


def test_an_outcome_cut_in_the_middle_is_made_again(tmp_path: Path) -> None:
    stage = Spell()
    list(recorded(tmp_path, stage)(Word(text="cat")))
    (path,) = (tmp_path / "letters").iterdir()
    path.write_bytes(path.read_bytes()[:-12])
    assert len(list(recorded(tmp_path, stage)(Word(text="cat")))) == 3


def test_a_failed_environment_is_tried_again(tmp_path: Path) -> None:
    stage = Spell(fault=Fault.ENVIRONMENT)
    list(recorded(tmp_path, stage)(Word(text="cat")))
    list(recorded(tmp_path, stage)(Word(text="cat")))
    assert stage.calls == ["cat", "cat"]


def test_nothing_is_kept_of_a_stage_that_raises(tmp_path: Path) -> None:
    class Broken(Spell):
        def __call__(self, word: Word) -> Iterator[Letter | Rejection]:
            yield Letter(text=word.text)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        list(recorded(tmp_path, Broken())(Word(text="x")))
    assert not (tmp_path / "letters").exists()


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:3])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        Ledger(tmp_path, "c").write("letters", "k", Letter, Outcome[Letter]())
    assert list((tmp_path / "letters").iterdir()) == []


def test_the_code_hash_covers_what_can_change_an_outcome() -> None:
    assert code_hash() == code_hash()
    assert code_hash() != code_hash("pipeline/stages")
    assert code_hash("pipeline/stages") != code_hash("pipeline/stage.py")


def _hold(folder: Path, ready: object) -> None:
    with locked(folder):
        ready.set()  # type: ignore[attr-defined]
        signal.pause()


def test_one_command_at_a_time_and_no_lock_outlives_its_holder(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("fork")
    ready = spawn.Event()
    holder = spawn.Process(target=_hold, args=(tmp_path, ready))
    holder.start()
    try:
        assert ready.wait(30)
        with pytest.raises(DatasetError, match=rf"process {holder.pid} is working"), locked(tmp_path):
            pass
    finally:
        holder.kill()
        holder.join(30)
    with locked(tmp_path):
        pass


def interrupted(number: int, cleaned: list[bool]) -> None:
    with stoppable():
        try:
            os.kill(os.getpid(), number)
            pytest.fail("the signal came to nothing")
        except Exception:  # noqa: BLE001 - as a stage would
            pytest.fail("taken for an item's error")
        finally:
            os.kill(os.getpid(), number)
            cleaned.append(True)


def test_an_error_that_the_signal_was_turned_into_is_still_an_interruption() -> None:
    def turned() -> None:
        with stoppable():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except KeyboardInterrupt:
                raise RuntimeError from None

    with pytest.raises(Interrupted):
        turned()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_unwinds_and_a_second_one_does_not_disturb_the_clean_up(number: int) -> None:
    cleaned: list[bool] = []
    with pytest.raises(Interrupted, match="goes on from there") as caught:
        interrupted(number, cleaned)
    assert cleaned == [True]
    assert caught.value.exit_code == 75
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
