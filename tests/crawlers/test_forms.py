from crawlers.forms import Form, expand, fill, forms_of
from crawlers.identity import state_of
from schemas.action import Check, Click, Open, Press, Select, Type, Upload
from schemas.screen import Element, Option, State


def field(key: str, **more: object) -> Element:
    given = {"key": key, "template": key, "role": "textbox", "form": "f", "field": key, "editable": True}
    return Element.model_validate({**given, **more})


def button(key: str, **more: object) -> Element:
    given = {"key": key, "template": key, "role": "button", "form": "f", "clickable": True, "kind": "submit"}
    return Element.model_validate({**given, **more})


def on(*elements: Element) -> State:
    return state_of(
        app="a", lang="en", address="/", route="/", title="", elements=elements, width=1, height=1
    )


def only(*elements: Element) -> Form:
    forms = forms_of(on(*elements))
    assert len(forms) == 1
    return forms[0]


def test_hidden_and_disabled_fields_are_left_out_and_hidden_file_fields_are_not() -> None:
    form = only(
        field("name"),
        field("token", kind="hidden"),
        field("later", visible=False),
        field("off", enabled=False),
        field("file", kind="file", visible=False),
        button("send"),
    )
    assert form.names == ("name", "file")
    assert [each.key for each in form.submits] == ["send"]


def test_buttons_that_do_not_send_are_no_submits_unless_none_does() -> None:
    both = only(field("name"), button("all", kind="button"), button("send"))
    assert [each.key for each in both.submits] == ["send"]
    plain = only(field("name"), button("go", kind=""))
    assert [each.key for each in plain.submits] == ["go"]


def test_a_field_outside_of_any_form_is_sent_with_enter() -> None:
    form = only(field("new", form=""))
    sent = fill(form, {"new": "Quill"}, None)
    (step,) = expand(sent)
    assert isinstance(step, Type)
    assert step.submit_after


def test_boxes_and_buttons_that_act_at_once_are_no_form() -> None:
    box = field("done", editable=False, checkable=True, role="checkbox")
    assert forms_of(on(box, button("remove", kind=""))) == ()
    assert len(forms_of(on(box, button("send")))) == 1
    assert forms_of(on(field("tick", form="", checkable=True, role="checkbox"))) == ()


def test_radio_buttons_are_one_parameter() -> None:
    radios = [
        Element(
            key=f"r{value}",
            template="r",
            role="radio",
            kind="radio",
            form="f",
            field="size",
            value=value,
            checkable=True,
        )
        for value in ("s", "m")
    ]
    form = only(*radios, button("send"))
    assert form.names == ("size",)
    (entered,) = fill(form, {"size": "m"}, form.submits[0]).fields
    assert entered.value == "m"
    assert isinstance(entered.action, Check)
    assert entered.action.target.key == "rm"
    assert fill(form, {"size": "xl"}, form.submits[0]).fields == ()


def test_every_kind_of_field_has_its_primitive() -> None:
    choice = field("kind", editable=False, options=(Option(value="1", label="One"),))
    box = field("ok", editable=False, checkable=True, role="checkbox")
    form = only(field("name"), choice, box, field("file", kind="file"), button("send"))
    sent = fill(form, {"name": "Q", "kind": "1", "ok": "true", "file": "text"}, form.submits[0])
    typed, selected, checked, uploaded, pressed = expand(sent)
    assert isinstance(typed, Type)
    assert isinstance(selected, Select)
    assert selected.label == "One"
    assert isinstance(checked, Check)
    assert checked.checked
    assert isinstance(uploaded, Upload)
    assert uploaded.content == "text"
    assert isinstance(pressed, Click)


def test_fields_without_a_value_stay_and_unknown_names_are_ignored() -> None:
    form = only(field("name"), field("note"), button("send"))
    sent = fill(form, {"note": "Q", "nonsense": "1"}, form.submits[0])
    assert [entered.name for entered in sent.fields] == ["note"]


def test_enter_is_pressed_where_the_last_field_is_not_typed_into() -> None:
    box = field("ok", editable=False, checkable=True, role="checkbox")
    form = only(field("name"), box)
    steps = expand(fill(form, {"name": "Q", "ok": "true"}, None))
    assert isinstance(steps[-1], Press)


def test_a_primitive_stands_for_itself() -> None:
    assert expand(Open(address="/")) == (Open(address="/"),)


def test_choosing_a_file_is_all_where_no_button_is_pressed() -> None:
    form = only(field("title"), field("file", kind="file"))
    assert [type(step) for step in expand(fill(form, {"title": "Q", "file": "text"}, None))] == [Type, Upload]
