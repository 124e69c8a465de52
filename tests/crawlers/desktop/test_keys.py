from crawlers.desktop.keys import Piece, keys_of


def keys(*pieces: Piece) -> list[str]:
    return [key.key for key in keys_of(pieces)]


def test_a_key_is_a_path_of_roles_and_places() -> None:
    found = keys(
        Piece("window", -1),
        Piece("menubar", 0),
        Piece("menuitem", 1),
        Piece("menuitem", 1),
        Piece("menuitem", 3),
    )
    assert found[-1] == "window/menubar/menuitem.2/menuitem"


def test_entries_of_a_list_share_a_template() -> None:
    found = keys_of([Piece("window", -1), Piece("list", 0), Piece("listitem", 1), Piece("listitem", 1)])
    assert [each.key for each in found[2:]] == ["window/list/listitem[1]", "window/list/listitem[2]"]
    assert {each.template for each in found[2:]} == {"window/list/listitem[]"}


def test_cells_are_told_apart_by_column_and_not_by_row() -> None:
    table = [Piece("window", -1), Piece("table", 0, columns=2), *[Piece("cell", 1)] * 4]
    found = keys_of(table)[2:]
    assert [each.key for each in found] == [
        "window/table/row[1]/cell",
        "window/table/row[1]/cell.2",
        "window/table/row[2]/cell",
        "window/table/row[2]/cell.2",
    ]
    assert found[0].template == found[2].template != found[1].template


def test_the_button_of_one_dialog_is_not_that_of_another() -> None:
    one = keys(Piece("window", -1), Piece("dialog", -1), Piece("button", 1), Piece("textbox", 1))
    other = keys(Piece("window", -1), Piece("dialog", -1), Piece("button", 1), Piece("checkbox", 1))
    assert one[0] == other[0] == "window"
    assert one[2] != other[2]


def test_data_in_a_dialog_does_not_rename_it() -> None:
    few = [Piece("dialog", -1), Piece("list", 0), Piece("listitem", 1)]
    many = [*few, Piece("listitem", 1), Piece("text", 0)]
    assert keys(*few)[0] == keys(*many)[0]


def test_what_entries_of_a_dialog_offer_does_not_rename_it() -> None:
    """A file chooser lists what this machine has mounted, each with a button to unmount it."""
    none = [Piece("dialog", -1), Piece("list", 0), Piece("listitem", 1)]
    mounted = [*none, Piece("listitem", 1), Piece("group", 3), Piece("button", 4)]
    assert keys(*none)[0] == keys(*mounted)[0]
    assert keys(*none)[0] != keys(*none, Piece("button", 0))[0]
