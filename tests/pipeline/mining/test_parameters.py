import pytest

from pipeline.mining.parameters import kind_of
from schemas.capability import ParameterKind
from schemas.screen import Element, Option


def field(**more: object) -> Element:
    return Element.model_validate({"key": "k", "template": "k", "role": "textbox", "editable": True, **more})


@pytest.mark.parametrize(
    "element,kind",
    [
        (field(kind="text", field="amount"), ParameterKind.AMOUNT),
        (field(kind="number", field="amount"), ParameterKind.NUMBER),
        (field(kind="text", field="contact_email"), ParameterKind.EMAIL),
        (field(kind="email"), ParameterKind.EMAIL),
        (field(kind="url", field="external_link"), ParameterKind.URL),
        (field(kind="date", field="when"), ParameterKind.DATE),
        (field(kind="password", password=True, field="name"), ParameterKind.PASSWORD),
        (field(role="searchbox", kind="text"), ParameterKind.QUERY),
        (field(kind="text", field="search"), ParameterKind.QUERY),
        (field(tag="textarea", field="text"), ParameterKind.LONG_TEXT),
        (field(kind="text", field="name"), ParameterKind.NAME),
        (field(kind="text", field="what"), ParameterKind.TEXT),
        (field(kind="file"), ParameterKind.FILE),
        (field(role="combobox", options=(Option(value="1", label="One"),)), ParameterKind.CHOICE),
        (field(role="checkbox", checkable=True, editable=False), ParameterKind.FLAG),
        (field(role="radio", checkable=True, editable=False, kind="radio"), ParameterKind.CHOICE),
    ],
)
def test_fields_are_typed_by_what_they_look_like(element: Element, kind: ParameterKind) -> None:
    assert kind_of(element) is kind
