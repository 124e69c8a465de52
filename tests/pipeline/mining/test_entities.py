from collections.abc import Sequence

from crawlers.identity import state_of
from pipeline.mining.entities import entity_text, siblings
from schemas.screen import Element, State


def row(number: int, *cells: str, columns: bool = True) -> list[Element]:
    item = " ".join(cells)
    texts = [
        Element(
            key=f"row[{number}]/cell.{place}",
            template=f"row[]/cell.{place}" if columns else "row[]/cell",
            role="cell",
            text=cell,
            item=item,
        )
        for place, cell in enumerate(cells)
    ]
    button = Element(
        key=f"row[{number}]/delete",
        template="row[]/delete",
        role="button",
        name="delete",
        clickable=True,
        item=item,
    )
    return [*texts, button]


def screen(*elements: Sequence[Element]) -> State:
    return state_of(
        app="toy",
        lang="en",
        address="/",
        route="/",
        title="",
        elements=[each for group in elements for each in group],
        width=10,
        height=10,
    )


def entities(state: State) -> list[str]:
    buttons = [element for element in state.elements if element.role == "button"]
    return [entity_text(state, button, state) for button in buttons]


def test_the_column_that_tells_all_rows_apart_names_them() -> None:
    bills = screen(
        row(1, "2027-01-05", "Alice", "Groceries", "30.00"),
        row(2, "2027-01-07", "Bob", "Cinema", "12.50"),
        row(3, "2027-01-09", "Alice", "Train tickets", "96.00"),
    )
    assert entities(bills) == ["Groceries", "Cinema", "Train tickets"]


def test_columns_of_one_template_are_told_by_their_place() -> None:
    bills = screen(row(1, "3", "Apples", "Food", columns=False), row(2, "1", "Hammer", "Food", columns=False))
    assert entities(bills) == ["Apples", "Hammer"]


def test_what_is_also_said_elsewhere_is_no_good_name() -> None:
    people = [Element(key="p", template="p", role="text", text="Alice and Bob")]
    bills = screen(row(1, "Alice", "Groceries"), row(2, "Bob", "Cinema"), people)
    assert entities(bills) == ["Groceries", "Cinema"]


def test_without_a_telling_line_of_words_a_short_item_is_named_whole() -> None:
    debts = screen(
        row(1, "Lin", "Amina", "14.00"), row(2, "Georg", "Amina", "4.80"), row(3, "Georg", "Rosa", "70.90")
    )
    assert entities(debts) == ["Lin Amina 14.00", "Georg Amina 4.80", "Georg Rosa 70.90"]


def test_buttons_never_name_an_item() -> None:
    assert entities(screen(row(1, "茶", "2"), row(2, "米", "2"))) == ["茶", "米"]


def test_siblings_are_the_same_control_of_other_items() -> None:
    state = screen(row(1, "A1"), row(2, "B2"), row(3, "C3"))
    button = next(element for element in state.elements if element.role == "button")
    assert [each.key for each in siblings(state, button)] == ["row[2]/delete", "row[3]/delete"]


def link(number: int, name: str, before: str = "") -> list[Element]:
    item = f"{before} {name}".strip()
    return [
        Element(key=f"li[{number}]", template="li[]", role="listitem", item=item),
        Element(key=f"li[{number}]/t", template="li[]/t", role="text", text=before, item=item),
        Element(
            key=f"li[{number}]/a",
            template="li[]/a",
            role="link",
            name=name,
            href=f"/{number}",
            clickable=True,
            item=item,
        ),
    ]


def linked(state: State) -> list[str]:
    return [entity_text(state, each, state) for each in state.elements if each.role == "link"]


def test_an_item_is_called_as_the_one_link_that_opens_it() -> None:
    tickets = screen(link(1, "Lamp flickers", "report:1:"), link(2, "Motor stops", "report:2:"))
    assert linked(tickets) == ["Lamp flickers", "Motor stops"]


def test_a_link_that_every_item_has_calls_none_of_them() -> None:
    assert linked(screen(link(1, "Edit", "Groceries"), link(2, "Edit", "Cinema"))) == ["Groceries", "Cinema"]
