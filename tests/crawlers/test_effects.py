import pytest

from crawlers.effects import delta_of, read
from crawlers.forms import fill, forms_of
from crawlers.identity import state_of
from crawlers.scripted import ScriptedHost, scripted_app
from crawlers.scripted_driver import ScriptedDriver
from schemas.action import Action, Check, Click, Respond, Select, Target, Type
from schemas.effect import Download, Effect, EffectClass, Evidence, Outcome, Request, StorageWrite
from schemas.screen import Dialog, Element, Option, State

GO = Element(key="go", template="go", role="button", name="Go", clickable=True)
PRESS = Click(target=Target.of(GO))


def on(*elements: Element, address: str = "/", dialog: Dialog | None = None) -> State:
    return state_of(
        app="a",
        lang="en",
        address=address,
        route=address.partition("?")[0],
        title="",
        elements=(GO, *elements),
        width=1,
        height=1,
        dialog=dialog,
    )


def text(line: str) -> Element:
    return Element(key=f"t{line}", template="t", role="text", text=line)


def row(name: str) -> Element:
    return Element(key=f"row {name}", template="row[]", role="row", name=name, item=name)


def post(route: str, status: int = 302, method: str = "POST") -> Request:
    return Request(method=method, path=route, route=route, status=status)


def kinds(effect: Effect) -> list[str]:
    return [kind.value for kind in effect.classes]


def seen(before: State, after: State, action: Action = PRESS, **evidence: object) -> Effect:
    return read(before, action, after, Evidence.model_validate(evidence))


def test_nothing_is_none() -> None:
    effect = seen(on(), on())
    assert effect.classes == (EffectClass.NONE,)
    assert effect.outcome is Outcome.UNCHANGED


def test_another_route_is_navigation() -> None:
    effect = seen(
        on(), on(address="/b"), requests=[{**post("/b", 200, "GET").model_dump(), "document": True}]
    )
    assert kinds(effect) == ["navigate"]
    assert effect.outcome is Outcome.NAVIGATED


@pytest.mark.parametrize(
    "route,method,kind",
    [
        ("/items/{}", "DELETE", "delete"),
        ("/items/{}/delete", "POST", "delete"),
        ("/items/{}", "PUT", "update"),
        ("/items/{}", "PATCH", "update"),
        ("/items/add", "POST", "create"),
        ("/items/{}/edit", "POST", "update"),
        ("/save", "POST", "update"),
    ],
)
def test_method_and_route_tell_the_writes_apart(route: str, method: str, kind: str) -> None:
    assert kinds(seen(on(), on(address="/b"), requests=[post(route, 302, method)]))[0] == kind


def test_what_happened_to_the_list_counts_more_than_words() -> None:
    few, many = on(row("a"), row("b")), on(row("a"), row("b"), row("c"))
    assert kinds(seen(few, many, requests=[post("/rpc")]))[0] == "create"
    assert kinds(seen(many, few, requests=[post("/rpc")]))[0] == "delete"
    assert kinds(seen(many, few, requests=[post("/settle")]))[0] == "update"


def test_a_form_that_was_empty_creates_and_one_that_was_filled_in_updates() -> None:
    def form(value: str) -> tuple[State, Action]:
        field = Element(
            key="f", template="f", role="textbox", form="x", field="name", editable=True, value=value
        )
        state = on(field, address="/things")
        return state, fill(forms_of(state)[0], {"name": "Q"}, None)

    for value, kind in (("", "create"), ("old", "update")):
        before, action = form(value)
        assert kinds(seen(before, on(address="/b"), action, requests=[post("/things")]))[0] == kind


def test_a_refused_write_is_a_validation_error() -> None:
    assert kinds(seen(on(), on(text("no")), requests=[post("/add", 422)])) == ["validate_error"]
    assert seen(on(), on(text("no")), requests=[post("/add", 422)]).writes == ()


def test_the_screen_that_asks_first_opens_and_refusing_closes() -> None:
    ask = Dialog(kind="confirm", message="Sure?")
    opened = seen(on(), on(dialog=ask), dialog=ask)
    assert kinds(opened) == ["open"]
    assert opened.outcome is Outcome.DIALOG
    assert kinds(seen(on(dialog=ask), on(), Respond(accept=False))) == ["close"]


def test_panels_open_and_close() -> None:
    panel = Element(key="p", template="p", role="dialog")
    assert kinds(seen(on(), on(panel))) == ["open"]
    assert kinds(seen(on(panel), on())) == ["close"]


def test_a_query_is_a_search_a_sort_or_a_filter() -> None:
    field = Element(
        key="q", template="q", role="searchbox", form="s", field="q", editable=True, kind="search"
    )
    before = on(field)
    search = fill(forms_of(before)[0], {"q": "a"}, None)
    assert kinds(seen(before, on(field, address="/?q=a"), search)) == ["search"]
    assert kinds(seen(before, on(address="/results?q=a"), search)) == ["search", "navigate"]
    assert kinds(seen(on(row("a")), on(row("a"), address="/?sort=name"))) == ["sort"]
    assert kinds(seen(on(row("a"), row("b")), on(row("a"), address="/?tag=x"))) == ["filter"]


def test_an_address_that_changes_alone_is_no_change() -> None:
    for address in ("/#/active", "/elsewhere"):
        effect = seen(on(row("a")), on(row("a"), address=address))
        assert (kinds(effect), effect.outcome) == (["none"], Outcome.UNCHANGED)
    effect = seen(on(row("a"), row("b")), on(row("a"), address="/#/active"))
    assert (kinds(effect), effect.outcome) == (["filter"], Outcome.NAVIGATED)


def test_boxes_toggle_and_fields_are_set() -> None:
    box = Element(key="b", template="b", role="checkbox", checkable=True)
    ticked = box.model_copy(update={"checked": True})
    assert kinds(seen(on(box), on(ticked), Check(target=Target.of(box), checked=True))) == ["toggle"]
    field = Element(key="f", template="f", role="textbox", editable=True)
    typed = field.model_copy(update={"value": "x"})
    assert kinds(seen(on(field), on(typed), Type(target=Target.of(field), text="x"))) == ["set"]
    choice = Element(key="c", template="c", role="combobox", options=(Option(value="1", label="1"),))
    chosen = choice.model_copy(update={"options": (Option(value="1", label="1", selected=True),)})
    action = Select(target=Target.of(choice), value="1", label="1")
    assert kinds(seen(on(choice), on(chosen), action)) == ["set"]


def test_storage_alone_is_a_write_told_by_the_list() -> None:
    write = StorageWrite(area="local", key="todos", value="[]")
    assert kinds(seen(on(), on(row("a")), storage=[write]))[0] == "create"
    assert kinds(seen(on(row("a"), row("b")), on(row("a")), storage=[write]))[0] == "delete"
    box = Element(key="b", template="b", role="checkbox", checkable=True)
    ticked = box.model_copy(update={"checked": True})
    action = Check(target=Target.of(box), checked=True)
    assert kinds(seen(on(box), on(ticked), action, storage=[write])) == ["toggle", "update"]


def test_what_was_stored_tells_more_than_the_list_that_is_displayed() -> None:
    """An item that is done may leave the list of open ones, and what is deleted need not be in sight."""

    def kept(grown: int) -> StorageWrite:
        return StorageWrite(area="local", key="todos", value="[]", grown=grown)

    assert kinds(seen(on(row("a"), row("b")), on(row("a")), storage=[kept(0)]))[0] == "update"
    assert kinds(seen(on(row("a")), on(row("a")), storage=[kept(-1)]))[0] == "delete"
    assert kinds(seen(on(row("a")), on(row("a")), storage=[kept(1)]))[0] == "create"
    box = Element(key="b", template="b", role="checkbox", checkable=True)
    gone = seen(on(box, row("a")), on(), Check(target=Target.of(box), checked=True), storage=[kept(0)])
    assert kinds(gone)[:2] == ["toggle", "update"]
    unseen = seen(on(box), on(box), Check(target=Target.of(box), checked=True), storage=[kept(0)])
    assert kinds(unseen)[:2] == ["toggle", "update"], "its mark may be drawn by other means"


def test_a_setting_that_is_on_or_off_was_switched() -> None:
    on_off = {"area": "setting", "key": "view/wrap", "value": "true"}
    assert kinds(seen(on(), on(), storage=[on_off])) == ["toggle", "update"]
    assert kinds(seen(on(), on(), storage=[{**on_off, "value": "'Mono 12'"}])) == ["update"]


def test_enter_in_a_text_of_several_lines_sends_nothing_that_could_be_refused() -> None:
    def written(tag: str) -> Effect:
        empty = Element(key="body", template="body", role="textbox", tag=tag, editable=True)
        before, after = on(empty), on(empty.model_copy(update={"value": "Quill0"}))
        return seen(before, after, fill(forms_of(before)[0], {"body": "Quill0"}, None))

    assert kinds(written("textarea")) == ["set"]
    assert kinds(written("input")) == ["validate_error"]


def test_what_lets_one_choose_a_file_is_there_to_choose_the_next_too() -> None:
    file = Element(key="file", template="file", role="button", kind="file", form="f", editable=True)
    before, after = on(file), on(file, text("Please describe it"))
    chosen = fill(forms_of(before)[0], {"file": "Quill0"}, None)
    assert "validate_error" not in kinds(seen(before, after, chosen, requests=[post("/add", 200)]))
    assert kinds(seen(before, after, chosen, requests=[post("/add", 422)])) == ["validate_error"]
    assert "validate_error" not in kinds(seen(before, before, chosen))


def test_cookies_alone_write_nothing() -> None:
    write = StorageWrite(area="cookie", key="session", value="x")
    assert kinds(seen(on(), on(), storage=[write])) == ["none"]


def test_a_file_is_a_download() -> None:
    effect = seen(on(), on(), downloads=[Download(name="a.csv", route="/export")])
    assert kinds(effect) == ["download"]
    assert effect.outcome is Outcome.DOWNLOAD


def test_a_link_that_was_refused_leaves_the_app() -> None:
    away = Element(
        key="x", template="x", role="link", name="Site", href="https://example.org/", clickable=True
    )
    effect = seen(on(away), on(away), Click(target=Target.of(away)), blocked=["https://example.org"])
    assert effect.outcome is Outcome.APP_LEFT


def test_the_delta_counts_lines_and_ignores_clocks() -> None:
    before = on(text("a"), text("b"), text("12:00:01"))
    after = on(text("a"), text("c"), text("12:00:09"))
    delta = delta_of(before, after)
    assert delta.appeared == ("c",)
    assert delta.vanished == ("b",)


def test_of_equal_lines_the_last_ones_are_the_new_ones() -> None:
    twice = [Element(key=f"{place}", template="t", role="text", text="same") for place in range(2)]
    assert delta_of(on(twice[0]), on(*twice)).appeared == ("same",)


@pytest.fixture
def driver() -> ScriptedDriver:
    host = ScriptedHost(scripted_app(), "en")
    host.start()
    return host.driver()


def do(driver: ScriptedDriver, action: Action) -> Effect:
    before = driver.observe()
    evidence = driver.perform(action)
    return read(before, action, driver.observe(), evidence)


def press(driver: ScriptedDriver, label: str) -> Effect:
    element = next(each for each in driver.observe().elements if each.clickable and each.label == label)
    return do(driver, Click(target=Target.of(element)))


def send(driver: ScriptedDriver, **values: str) -> Effect:
    form = forms_of(driver.observe())[0]
    return do(driver, fill(form, values, form.submits[0]))


def test_a_whole_visit_reads_as_what_it_was(driver: ScriptedDriver) -> None:
    story = [
        press(driver, "Add item"),
        send(driver),
        send(driver, name="Quill", amount="5000"),
        send(driver, name="Quill", amount="17"),
        press(driver, "Delete"),
        do(driver, Respond(accept=True)),
        press(driver, "Done"),
        press(driver, "Export"),
        press(driver, "Sort by amount"),
        send(driver, q="Qu"),
        press(driver, "Settings"),
        send(driver, per_page="17"),
        press(driver, "Log out"),
        send(driver, code="{secret:code}"),
    ]
    assert [effect.main.value for effect in story] == [
        *("navigate", "validate_error", "validate_error", "create", "open", "delete", "update"),
        *("download", "sort", "search", "navigate", "update", "logout", "login"),
    ]
    assert "Item saved." in story[3].delta.appeared
    assert "Apples" in story[3].delta.appeared


def test_a_feed_in_the_same_order_is_another_page_and_no_sorted_one() -> None:
    feed = state_of(
        app="a",
        lang="en",
        address="/?sort=name&format=rss",
        route="/",
        title="",
        elements=(text("<rss>"),),
        width=1,
        height=1,
    )
    assert kinds(seen(on(row("a")), feed)) == ["navigate"]


def test_a_form_that_leads_to_the_page_of_one_item_has_made_it() -> None:
    filled = Element(key="f", template="f", role="textbox", field="f", value="x", form="s", editable=True)
    page = state_of(
        app="a", lang="en", address="/ticket/7", route="/ticket/{}", title="", elements=(), width=1, height=1
    )
    assert kinds(seen(on(filled), page, requests=(post("/newticket"),)))[0] == "create"
    assert kinds(seen(on(filled), page, requests=(post("/ticket/{}"),)))[0] == "update"
