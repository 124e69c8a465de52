import io

import pytest
from PIL import Image

from crawlers.driver import DriverError
from crawlers.forms import fill, forms_of
from crawlers.host import HostError
from crawlers.scripted import ScriptedHost, scripted_app
from crawlers.scripted_driver import ScriptedDriver
from schemas.action import Action, Back, Click, Open, Respond, Select, Target, Type
from schemas.effect import Evidence
from schemas.screen import Element, Quality, State


@pytest.fixture
def host() -> ScriptedHost:
    host = ScriptedHost(scripted_app(), "en")
    host.start()
    return host


@pytest.fixture
def driver(host: ScriptedHost) -> ScriptedDriver:
    return host.driver()


def labelled(state: State, label: str, item: str = "") -> Element:
    return next(
        each for each in state.elements if each.clickable and each.label == label and item in each.item
    )


def click(driver: ScriptedDriver, label: str, item: str = "") -> Evidence:
    return driver.perform(Click(target=Target.of(labelled(driver.observe(), label, item))))


def names(host: ScriptedHost) -> list[str]:
    return [item.name for item in host.data.items]


def test_an_item_is_added_and_gone_after_restoring(host: ScriptedHost, driver: ScriptedDriver) -> None:
    before = driver.observe()
    click(driver, "Add item")
    form = forms_of(driver.observe())[0]
    seen = driver.perform(fill(form, {"name": "Quill", "amount": "17"}, form.submits[0]))
    assert [(each.signature, each.status) for each in seen.requests] == [
        ("POST /items/add", 302),
        ("GET /", 200),
    ]
    assert ("name", "Quill") in seen.requests[0].fields
    assert names(host)[-1] == "Quill"
    host.restore()
    assert host.driver().observe().id == before.id
    assert "Quill" not in names(host)


def test_deleting_asks_first(host: ScriptedHost, driver: ScriptedDriver) -> None:
    seen = click(driver, "Delete", "Hammer")
    assert seen.dialog is not None
    assert seen.requests == ()
    with pytest.raises(DriverError) as caught:
        driver.perform(Open(address="/about"))
    assert caught.value.kind == "blocked"
    driver.perform(Respond(accept=False))
    assert "Hammer" in names(host)
    click(driver, "Delete", "Hammer")
    driver.perform(Respond(accept=True))
    assert "Hammer" not in names(host)


def test_an_item_is_found_again_where_it_moved_to(driver: ScriptedDriver) -> None:
    rice = Target.of(labelled(driver.observe(), "Edit", "Rice"))
    click(driver, "Delete", "Apples")
    driver.perform(Respond(accept=True))
    driver.perform(Click(target=rice))
    assert driver.observe().address == "/items/3/edit"


def test_what_is_gone_is_missing(driver: ScriptedDriver) -> None:
    apples = Target.of(labelled(driver.observe(), "Edit", "Apples"))
    click(driver, "Delete", "Apples")
    driver.perform(Respond(accept=True))
    with pytest.raises(DriverError) as caught:
        driver.perform(Click(target=apples))
    assert caught.value.kind == "target_missing"


def test_the_browser_keeps_back_an_empty_form_and_the_server_refuses_a_wrong_one(
    host: ScriptedHost, driver: ScriptedDriver
) -> None:
    click(driver, "Add item")
    form = forms_of(driver.observe())[0]
    assert driver.perform(fill(form, {}, form.submits[0])).requests == ()
    seen = driver.perform(fill(form, {"name": "Q", "amount": "1001"}, form.submits[0]))
    assert [each.status for each in seen.requests] == [200]
    assert "Amount must be between 1 and 1000." in driver.observe().texts()
    assert len(names(host)) == 3


def test_both_languages_have_the_same_structure(host: ScriptedHost) -> None:
    chinese = ScriptedHost(scripted_app(), "zh-Hans")
    chinese.start()
    english, other = host.driver().observe(), chinese.driver().observe()
    assert english.structure == other.structure
    assert [each.key for each in english.elements] == [each.key for each in other.elements]
    assert "添加物品" in other.texts()


def test_logging_out_shuts_every_page_until_the_access_code_is_given(driver: ScriptedDriver) -> None:
    seen = click(driver, "Log out")
    assert any(write.area == "cookie" and write.removed for write in seen.storage)
    driver.perform(Open(address="/settings"))
    assert driver.observe().address == "/login"
    form = forms_of(driver.observe())[0]
    wrong = driver.perform(fill(form, {"code": "guess"}, form.submits[0]))
    assert driver.observe().address == "/login"
    right = driver.perform(fill(form, {"code": "{secret:code}"}, form.submits[0]))
    assert driver.observe().address == "/"
    assert {value for each in (wrong, right) for request in each.requests for _, value in request.fields} == {
        "***"
    }


def test_downloads_toggles_and_the_help_panel(host: ScriptedHost, driver: ScriptedDriver) -> None:
    assert [each.name for each in click(driver, "Export").downloads] == ["items.csv"]
    before = driver.observe()
    click(driver, "Help")
    assert driver.observe().structure != before.structure
    assert driver.observe().address == before.address
    click(driver, "Done", "Rice")
    assert host.data.items[2].done


def test_typing_and_selecting_show_before_they_are_sent(driver: ScriptedDriver) -> None:
    driver.perform(Open(address="/items/add"))
    state = driver.observe()
    name = next(each for each in state.elements if each.field == "name")
    category = next(each for each in state.elements if each.field == "category")
    actions: list[Action] = [
        Type(target=Target.of(name), text="Q" * 50),
        Select(target=Target.of(category), value="tools", label="Tools"),
    ]
    for action in actions:
        driver.perform(action)
    shown = driver.observe()
    assert shown.find(name.key).value == "Q" * 40
    assert [option.value for option in shown.find(category.key).options if option.selected] == ["tools"]
    with pytest.raises(DriverError):
        driver.perform(Select(target=Target.of(category), value="none", label="None"))


def test_going_back_and_pages_that_do_not_exist(driver: ScriptedDriver) -> None:
    driver.perform(Open(address="/nowhere"))
    assert driver.observe().quality is Quality.ERROR
    driver.perform(Back())
    assert driver.observe().address == "/"
    assert driver.observe().quality is Quality.OK


def test_the_screenshot_has_the_size_that_the_state_gives(driver: ScriptedDriver) -> None:
    state = driver.observe()
    assert Image.open(io.BytesIO(driver.screenshot())).size == (state.width, state.height)
    assert driver.screenshot() == driver.screenshot()


def test_a_closed_session_and_a_stopped_host_say_so(host: ScriptedHost, driver: ScriptedDriver) -> None:
    driver.close()
    driver.close()
    with pytest.raises(DriverError, match="closed"):
        driver.observe()
    host.stop()
    host.stop()
    with pytest.raises(HostError, match="start"):
        host.driver()
