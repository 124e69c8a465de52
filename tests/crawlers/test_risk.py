import pytest

from crawlers.risk import may_try, off_app, risk_of
from crawlers.scripted import scripted_app
from schemas.graph import Risk
from schemas.screen import Element

APP = scripted_app()
FOREIGN = APP.model_copy(update={"serve": ()})


def link(name: str, href: str = "/somewhere") -> Element:
    return Element(key="k", template="k", role="link", name=name, href=href, clickable=True)


def button(name: str, **more: object) -> Element:
    given = {"key": "k", "template": "k", "role": "button", "name": name, "clickable": True}
    return Element.model_validate({**given, **more})


@pytest.mark.parametrize(
    "label",
    ["Log out", "Sign out", "Logout", "退出", "Abmelden", "Déconnexion", "ログアウト", "Cerrar sesión"],
)
def test_logout_ends_the_session_in_every_language(label: str) -> None:
    assert risk_of(link(label), APP) is Risk.ACCOUNT


@pytest.mark.parametrize(
    "label",
    ["Delete", "Remove item", "删除账单", "Löschen", "Supprimer", "削除する", "Eliminar", "Erase history"],
)
def test_destruction_is_irreversible(label: str) -> None:
    assert risk_of(button(label), APP) is Risk.IRREVERSIBLE


def test_icons_are_judged_by_where_they_lead() -> None:
    assert risk_of(link("", "/items/3/delete?token=1"), APP) is Risk.IRREVERSIBLE
    assert risk_of(link("×", "/exit"), APP) is Risk.ACCOUNT


def test_a_page_about_inviting_is_harmless_and_sending_invitations_is_not() -> None:
    assert risk_of(link("Invite people", "/demo/invite"), APP) is Risk.NONE
    assert (
        risk_of(button("Send the invitations", kind="submit", form="form=/demo/invite"), APP) is Risk.EXTERNAL
    )
    assert risk_of(button("邀请", kind="submit"), APP) is Risk.EXTERNAL


@pytest.mark.parametrize(
    "href", ["mailto:me@example.org", "https://example.org/x", "tel:123", "//cdn.example.org/"]
)
def test_what_leads_out_of_the_app_is_never_tried(href: str) -> None:
    assert off_app(link("Site", href))
    assert risk_of(link("Site", href), APP) is Risk.EXTERNAL
    assert not may_try(Risk.EXTERNAL, APP)


@pytest.mark.parametrize(
    "element",
    [
        link("Update", "/doku.php?do=extension&page=1"),
        button("Go", form="main/form=/doku.php?do=extension~1d"),
    ],
)
def test_what_the_recipe_excludes_is_told_by_path_and_query(element: Element) -> None:
    app = APP.model_copy(update={"never": ("^/doku.php.*do=extension",)})
    assert risk_of(element, app) is Risk.EXTERNAL
    assert risk_of(element, APP) is not Risk.EXTERNAL


@pytest.mark.parametrize("href", ["/a?u=https://example.org", "/", "", "#/signin", "?do=edit"])
def test_what_stays_inside_is(href: str) -> None:
    assert not off_app(link("Here", href))


def test_never_patterns_hold_for_links_and_forms() -> None:
    app = APP.model_copy(update={"never": ("^/lang/",)})
    assert risk_of(link("Deutsch", "/lang/de"), app) is Risk.EXTERNAL
    assert risk_of(link("Languages", "/languages"), app) is Risk.NONE
    assert risk_of(button("Go", kind="submit", form="main/form=/lang/set~1f"), app) is Risk.EXTERNAL


def test_an_app_that_cannot_be_put_back_is_only_looked_at() -> None:
    assert may_try(Risk.NONE, FOREIGN)
    for risk in (Risk.REVERSIBLE, Risk.IRREVERSIBLE, Risk.ACCOUNT, Risk.FINANCIAL):
        assert not may_try(risk, FOREIGN)
        assert may_try(risk, APP)


def test_sending_a_form_is_a_write_that_can_be_taken_back() -> None:
    assert risk_of(button("OK", kind="submit"), APP) is Risk.REVERSIBLE
    assert risk_of(button("Menu"), APP) is Risk.NONE
    assert risk_of(button("Pay now", kind="submit"), APP) is Risk.FINANCIAL


def test_words_inside_other_words_do_not_count() -> None:
    assert risk_of(link("Deleterious effects"), APP) is Risk.NONE
    assert risk_of(button("Exiting news"), APP) is Risk.NONE
