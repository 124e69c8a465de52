from __future__ import annotations

import typing

import pytest

from schemas.action import Action, Click, Drag, Target
from schemas.arrow import schema_of
from schemas.expectations import BULK, expectations, invariants
from schemas.proof import Gate
from schemas.tables import HIVE, TABLES
from schemas.world_rows import ActionCell


@pytest.mark.parametrize("name", TABLES)
def test_keys_and_references_name_columns_of_one_type(name: str) -> None:
    table = TABLES[name]
    schema = schema_of(table.row)
    assert table.key
    assert not any(schema.field(column).nullable for column in table.key)
    for to in table.references:
        other = schema_of(TABLES[to.table].row)
        assert [schema.field(column).type for column in to.columns] == [other.field(c).type for c in to.to]
        assert set(to.to) <= set(TABLES[to.table].columns)


def test_partitioned_tables_hold_their_partition_columns() -> None:
    assert all(set(HIVE) <= set(table.columns) for table in TABLES.values() if table.partitioned)
    assert TABLES["tasks"].partitioned
    assert not TABLES["images"].partitioned


def test_action_cell_has_every_field_of_every_action() -> None:
    union = typing.get_args(typing.get_args(Action)[0])
    fields = {name for action in union for name in action.model_fields} - {"target", "fields", "submit"}
    assert fields <= set(ActionCell.model_fields)


def test_action_cell_leaves_other_kinds_null() -> None:
    target = Target(key="b", template="b", role="button", label="Save", item="row 1")
    cell = ActionCell.of(Click(target=target), (3, 4))
    assert (cell.kind, cell.x, cell.y, cell.target_label, cell.target_item) == (
        "click",
        3,
        4,
        "Save",
        "row 1",
    )
    assert cell.text is None
    assert cell.reveal is None
    assert cell.keys is None
    assert ActionCell.of(Drag(target=target, onto=target.model_copy(update={"key": "bin"}))).onto == "bin"


def test_every_expectation_names_columns_of_its_table() -> None:
    rules = expectations()
    assert all(set(rule.columns) <= set(TABLES[rule.table].columns) for rule in rules)
    assert not any(rule.table in BULK for rule in rules)
    assert {rule.table for rule in rules if rule.rule == "unique"} == set(TABLES) - BULK


def test_invariants_have_names_of_their_own_and_know_all_gates() -> None:
    rules = invariants()
    assert len({rule.name for rule in rules}) == len(rules)
    (gates,) = (rule for rule in rules if rule.name == "all_gates_passed")
    assert f"< {len(Gate)}" in gates.violations


def test_every_reference_is_an_invariant() -> None:
    names = {rule.name for rule in invariants()}
    count = sum(len(table.references) for table in TABLES.values())
    assert len([name for name in names if "_in_" in name]) >= count
    assert "steps_image_before_id_in_images" in names
