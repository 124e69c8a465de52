from collections.abc import Sequence

import pytest

from crawlers.effects import read
from crawlers.explore import Budget, explore
from crawlers.identity import state_of
from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.stages.mine import Mine
from schemas.action import Action, Check, Click, FieldInput, Open, Submit, Target, Type, action_id, target_of
from schemas.capability import Capability, CapabilityTree, Level, ParameterKind
from schemas.effect import EffectClass, Evidence, Request, StorageWrite
from schemas.graph import FunctionGraph, Risk, Transition
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.screen import Element, State


def mined(lang: str) -> CapabilityTree:
    with ScriptedHost(scripted_app(), lang) as host:
        graph = explore(host, budget=Budget(actions=400), seed=0, images=lambda _: "")
    (tree,) = (out for out in Mine()(graph) if isinstance(out, CapabilityTree))
    return tree


@pytest.fixture(scope="module")
def english() -> CapabilityTree:
    return mined("en")


@pytest.fixture(scope="module")
def chinese() -> CapabilityTree:
    return mined("zh-Hans")


def called(tree: CapabilityTree, signature: str) -> Capability:
    (found,) = (node for node in tree.atomic if node.signature == signature)
    return found


def test_every_function_of_the_scripted_app_is_found_once(english: CapabilityTree) -> None:
    found = {(node.effect.value, node.signature) for node in english.atomic if node.signature[:3] != "ui "}
    assert found == {
        ("navigate", "GET /items/add"),
        ("navigate", "GET /items/{}/edit"),
        ("navigate", "GET /settings"),
        ("navigate", "GET /about"),
        ("sort", "GET /?sort"),
        ("search", "GET /?q"),
        ("download", "download /export"),
        ("create", "POST /items/add"),
        ("update", "POST /items/{}/edit"),
        ("toggle", "POST /items/{}/done"),
        ("delete", "POST /items/{}/delete"),
        ("update", "POST /settings"),
    }


def test_ids_are_free_of_language_and_names_are_not(english: CapabilityTree, chinese: CapabilityTree) -> None:
    assert [node.id for node in english.nodes] == [node.id for node in chinese.nodes]
    assert called(english, "POST /items/add").name == "Add item"
    assert called(chinese, "POST /items/add").name == "添加物品"
    assert called(chinese, "POST /settings").name == "保存设置"


def test_parents_come_before_their_children(english: CapabilityTree) -> None:
    seen: set[str] = set()
    for node in english.nodes:
        assert (node.level is Level.CAPABILITY) == (node.parent == "")
        assert not node.parent or node.parent in seen
        seen.add(node.id)
    assert called(english, "POST /settings").parent != called(english, "POST /items/add").parent


def test_a_path_to_a_write_writes_nothing_on_the_way(english: CapabilityTree) -> None:
    for node in english.atomic:
        for variant in node.variants:
            assert len(variant.signatures) <= 1
            assert all(action.kind not in {"open", "back", "submit"} for action in variant.path)


def test_parameters_are_typed_by_their_fields(english: CapabilityTree) -> None:
    name, amount, category = called(english, "POST /items/add").parameters
    assert (name.kind, name.required, name.limits) == (ParameterKind.NAME, True, "maxlength=40")
    assert amount.kind is ParameterKind.NUMBER
    assert [choice.label for choice in category.choices] == ["Food", "Tools", "Other"]
    assert category.preset == "food"
    assert name.echoed
    assert not category.echoed
    assert (name.carried, category.carried) == ("name", "category")
    assert "" in name.refused
    assert "" not in name.accepted


def test_one_variant_for_each_row_named_by_its_name(english: CapabilityTree) -> None:
    delete = called(english, "POST /items/{}/delete")
    assert [variant.entity for variant in delete.variants] == ["Apples", "Hammer", "Rice"]
    assert [variant.target_path for variant in delete.variants] == [
        f"/items/{number}/delete" for number in (1, 2, 3)
    ]
    assert [action.kind for action in delete.variants[2].path] == ["click", "respond"]


def test_create_and_delete_take_each_other_back(english: CapabilityTree) -> None:
    create, delete = called(english, "POST /items/add"), called(english, "POST /items/{}/delete")
    assert (create.inverse, delete.inverse) == (delete.id, create.id)
    pressed = [target for action in create.variants[0].undo if (target := target_of(action))]
    assert len(create.variants[0].undo) == 2
    assert all(create.parameters[0].accepted[0] in target.item for target in pressed)


def test_session_actions_are_no_capabilities(english: CapabilityTree) -> None:
    assert not any("log" in node.signature for node in english.atomic)


def test_mining_twice_says_the_same(english: CapabilityTree) -> None:
    assert mined("en") == english


# --- graphs made by hand ---------------------------------------------------------------------------------


def element(key: str, role: str = "button", **more: object) -> Element:
    data = {"key": key, "template": key, "role": role, "name": key, "clickable": True, **more}
    return Element.model_validate(data)


def field(name: str, form: str, **more: object) -> Element:
    more = {"name": name.title(), "field": name, "form": form, "editable": True, "kind": "text", **more}
    return element(f"{form}/{name}", "textbox", **more)


def screen(address: str, *elements: Element, route: str = "") -> State:
    return state_of(
        app="toy",
        lang="en",
        address=address,
        route=route or address,
        title="Toy",
        elements=elements,
        width=100,
        height=100,
    )


def post(route: str, path: str = "", **fields: str) -> Evidence:
    pairs = tuple(fields.items())
    request = Request(method="POST", path=path or route, route=route, status=302, fields=pairs, document=True)
    return Evidence(requests=(request,))


def edge(
    source: State, action: Action, target: State, evidence: Evidence | None = None, **more: object
) -> Transition:
    effect = read(source, action, target, evidence or Evidence())
    key = digest("ed", source.id, action_id(action), target.id)
    data = {"id": key, "source": source.id, "action": action, "target": target.id, "effect": effect, **more}
    return Transition.model_validate(data)


def graph(root: State, states: Sequence[State], transitions: Sequence[Transition]) -> FunctionGraph:
    return FunctionGraph(
        app="toy", app_id="ap_toy", lang="en", root=root.id, states=states, transitions=transitions
    )


def click(element: Element) -> Click:
    return Click(target=Target.of(element))


def send(form: str, button: Element, *typed: tuple[Element, str]) -> Submit:
    fields = tuple(
        FieldInput(name=each.field, value=text, action=Type(target=Target.of(each), text=text))
        for each, text in typed
    )
    return Submit(form=form, fields=fields, submit=Target.of(button))


def atomic(made: FunctionGraph) -> tuple[Capability, ...]:
    return tuple(node for out in Mine()(made) if isinstance(out, CapabilityTree) for node in out.atomic)


NAV = element("link=/list", "link", name="List", href="/list")
HOME = screen("/", NAV)


def test_two_forms_that_post_to_one_route_are_two_capabilities() -> None:
    name, send_name = field("name", "f1"), element("f1/save", form="f1", kind="submit")
    mail, send_mail = field("mail", "f2"), element("f2/save", form="f2", kind="submit")
    root = screen("/", name, send_name, mail, send_mail)
    end = screen("/done")
    made = graph(
        root,
        [root, end],
        [
            edge(root, send("f1", send_name, (name, "Quill")), end, post("/save", name="Quill")),
            edge(
                root, send("f2", send_mail, (mail, "q@example.org")), end, post("/save", mail="q@example.org")
            ),
        ],
    )
    found = atomic(made)
    assert [node.signature for node in found] == ["POST /save", "POST /save"]
    assert len({node.id for node in found}) == 2
    assert [[p.name for p in node.parameters] for node in found] == [["name"], ["mail"]]


def test_the_same_form_in_two_places_is_one_capability_by_the_shorter_path() -> None:
    opener = element("open")
    name, save = field("name", "f1"), element("f1/save", form="f1", kind="submit")
    more = field("more", "f1")
    home, end = screen("/", NAV, opener), screen("/done")
    modal, page = screen("/", NAV, opener, name, save), screen("/list", name, more, save)
    made = graph(
        home,
        [home, modal, page, end],
        [
            edge(home, click(NAV), page),
            edge(page, send("f1", save, (name, "A1"), (more, "B1")), end, post("/add", name="A1", more="B1")),
            edge(home, click(opener), modal),
            edge(modal, send("f1", save, (name, "A1")), end, post("/add", name="A1")),
        ],
    )
    (found,) = (node for node in atomic(made) if node.signature == "POST /add")
    assert len(found.evidence) == 2
    only_short = graph(home, [home, modal, end], made.transitions[2:])
    assert [node.id for node in atomic(only_short) if node.signature == "POST /add"] == [found.id]


def test_an_address_that_was_opened_is_no_way_for_a_user() -> None:
    page, end = screen("/list", element("go", form="f")), screen("/done")
    made = graph(
        HOME,
        [HOME, page, end],
        [
            edge(HOME, Open(address="/list"), page),
            edge(page, click(page.elements[0]), end, post("/go")),
        ],
    )
    outs = list(Mine()(made))
    assert [out.reason for out in outs if isinstance(out, Rejection)] == ["unreachable", "empty"]
    walked = made.model_copy(update={"transitions": (*made.transitions, edge(HOME, click(NAV), page))})
    (found,) = (node for node in atomic(walked) if node.signature == "POST /go")
    assert [action.kind for action in found.variants[0].path] == ["click", "click"]


def test_a_screen_behind_a_write_is_replaced_by_its_clean_twin() -> None:
    rows = [element(f"row[{n}]", template="row[]", name="Remove", item=f"Thing {n}") for n in (1, 2)]
    add = element("add")
    root, dirty = screen("/", add, rows[0]), screen("/", add, *rows)
    end = screen("/", add)
    made = graph(
        root,
        [root, dirty, end],
        [
            edge(root, click(add), dirty, post("/add")),
            edge(dirty, click(rows[0]), end, post("/{}/remove", "/1/remove"), clean=False),
        ],
    )
    (found,) = (node for node in atomic(made) if node.signature == "POST /{}/remove")
    assert [target.key for action in found.variants[0].path if (target := target_of(action))] == ["row[1]"]
    assert found.variants[0].signatures == ("POST /{}/remove",)


def test_a_box_in_a_dialog_is_told_by_its_mark_when_the_dialog_came_up() -> None:
    box = element("dialog/box", "checkbox", name="Keep", checkable=True)
    ticked = box.model_copy(update={"checked": True})
    root, dialog, end = screen("/", NAV), screen("/", NAV, box), screen("/", NAV, ticked)
    tick = Check(target=Target.of(box), checked=True)
    made = graph(root, [root, dialog, end], [edge(root, click(NAV), dialog), edge(dialog, tick, end)])
    (found,) = (node for node in atomic(made) if node.effect is EffectClass.TOGGLE)
    assert [(flip.key, flip.attribute, flip.value) for flip in found.variants[0].flips] == [
        ("dialog/box", "checked", "true")
    ]


def test_a_question_asked_by_the_same_button_keeps_the_name_of_the_button() -> None:
    button = element("row/remove", name="remove", item="Groceries")
    sure = button.model_copy(update={"name": "you sure?"})
    text = element("row/name", "text", name="", text="Groceries", item="Groceries", clickable=False)
    root, asked, end = screen("/", text, button), screen("/", text, sure), screen("/", NAV)
    made = graph(
        root,
        [root, asked, end],
        [edge(root, click(button), asked), edge(asked, click(sure), end, post("/{}/remove", "/7/remove"))],
    )
    (found,) = atomic(made)
    assert found.name == "remove"
    assert found.variants[0].entity == "Groceries"
    assert len(found.variants[0].path) == 2


def test_what_is_only_stored_in_the_browser_is_told_by_key_and_control() -> None:
    boxes = [
        element(
            f"item[{n}]/done",
            "checkbox",
            template="item[]/done",
            name="",
            item=f"Task {n}",
            checkable=True,
        )
        for n in (1, 2)
    ]
    texts = [
        element(f"item[{n}]/text", "text", template="item[]/text", name=f"Task {n}", item=f"Task {n}")
        for n in (1, 2)
    ]
    done = boxes[0].model_copy(update={"checked": True})
    root, end = (
        screen("/", texts[0], boxes[0], texts[1], boxes[1]),
        screen("/", texts[0], done, texts[1], boxes[1]),
    )
    wrote = Evidence(storage=(StorageWrite(area="local", key="todos", value="[1]"),))
    action = Check(target=Target.of(boxes[0]), checked=True)
    (found,) = atomic(graph(root, [root, end], [edge(root, action, end, wrote)]))
    assert (found.signature, found.effect) == ("local todos", EffectClass.TOGGLE)
    assert [variant.entity for variant in found.variants] == ["Task 1", "Task 2"]
    assert [flip.key for flip in found.variants[1].flips] == ["item[2]/done"]


def test_a_button_that_stays_down_is_told_by_its_mark() -> None:
    bold, said = element("bold"), element("undo", "text", name="Undo Bold")
    root = screen("/", bold)
    end = screen("/", bold.model_copy(update={"checked": True}), said)
    (found,) = atomic(graph(root, [root, end], [edge(root, Click(target=Target.of(bold)), end)]))
    flips = [(flip.key, flip.attribute, flip.value) for flip in found.variants[0].flips]
    assert flips == [("bold", "checked", "true")]


def test_what_reaches_other_people_is_rejected() -> None:
    button = element("invite")
    root, end = screen("/", button), screen("/done")
    made = graph(root, [root, end], [edge(root, click(button), end, post("/invite"), risk=Risk.EXTERNAL)])
    assert [out.reason for out in Mine()(made) if isinstance(out, Rejection)] == ["external", "empty"]


def test_a_graph_without_its_root_is_rejected() -> None:
    made = graph(HOME, [], [])
    assert [out.reason for out in Mine()(made) if isinstance(out, Rejection)] == ["no_root"]


@pytest.mark.parametrize(
    "name,label", [("cancel", "Zurück"), ("x", "取消"), ("preview", "Look"), ("x", "Preview page")]
)
def test_a_button_that_only_leaves_or_previews_a_form_is_no_capability(name: str, label: str) -> None:
    text = field("text", "f")
    save = element("f/save", form="f", kind="submit", field="save", name="Save")
    other = element("f/other", form="f", kind="submit", field=name, name=label)
    root, end, same = screen("/", text, save, other), screen("/done"), screen("/seen")
    made = graph(
        root,
        [root, end, same],
        [
            edge(root, send("f", save, (text, "Quill")), end, post("/edit", text="Quill", save="Save")),
            edge(root, send("f", other, (text, "Quill")), same, post("/edit", text="Quill", **{name: label})),
        ],
    )
    assert [node.control.key for node in atomic(made) if node.control] == ["f/save"]


def test_a_button_whose_label_says_more_than_cancel_is_a_capability() -> None:
    text = field("text", "f")
    stop = element("f/stop", form="f", kind="submit", field="stop", name="Cancel order")
    root, end = screen("/", text, stop), screen("/done")
    made = graph(root, [root, end], [edge(root, send("f", stop, (text, "Q")), end, post("/stop", text="Q"))])
    assert [node.signature for node in atomic(made)] == ["POST /stop"]


def test_what_a_button_writes_into_a_form_that_is_not_sent_is_no_capability() -> None:
    bold = element("bold", name="Bold")
    text, filled = field("text", "f", value=""), field("text", "f", value="**bold**")
    save = element("f/save", form="f", kind="submit")
    before, after = screen("/x", bold, text, save), screen("/x", bold, filled, save)
    made = graph(
        HOME, [HOME, before, after], [edge(HOME, click(NAV), before), edge(before, click(bold), after)]
    )
    assert not [node for node in atomic(made) if node.signature.startswith("ui ")]
    alone, entered = field("text", "", value=""), field("text", "", value="**bold**")
    page, shown = screen("/x", bold, alone), screen("/x", bold, entered)
    free = graph(HOME, [HOME, page, shown], [edge(HOME, click(NAV), page), edge(page, click(bold), shown)])
    assert [node for node in atomic(free) if node.signature.startswith("ui ")]
