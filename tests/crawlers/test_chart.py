import pytest

from crawlers.chart import Chart, Mark, step
from crawlers.identity import state_of
from schemas.action import Click, Target
from schemas.effect import Effect, EffectClass, Evidence, Outcome, Request, StorageWrite
from schemas.graph import Risk
from schemas.screen import Element, State

GO = Element(key="go", template="go", role="button", name="Go", clickable=True)
GET = {"method": "GET", "path": "/list", "route": "/list", "document": True}


def at(address: str) -> State:
    return state_of(
        app="a", lang="en", address=address, route=address, title=address, elements=(GO,), width=1, height=1
    )


def went(to: State, evidence: Evidence) -> tuple[Chart, Mark | None]:
    chart, start = Chart(), at("/")
    chart.root(start)
    effect = Effect(classes=(EffectClass.NAVIGATE,), outcome=Outcome.NAVIGATED, evidence=evidence)
    mark = chart.record(step(start, Click(target=Target.of(GO)), to, effect, Risk.NONE), to, ())
    return chart, mark


@pytest.mark.parametrize("address, openable", [("/list", True), ("dialog~1f2e", False)])
def test_only_what_has_an_address_can_be_opened_again(address: str, openable: bool) -> None:  # noqa: FBT001
    there = at(address)
    chart, _ = went(there, Evidence())
    assert chart.nodes[there.id].openable is openable


@pytest.mark.parametrize("area, restored", [("file", True), ("setting", True), ("local", False)])
def test_files_and_settings_outlive_the_session(area: str, restored: bool) -> None:  # noqa: FBT001
    write = StorageWrite.model_validate({"area": area, "key": "x"})
    _, mark = went(at("/list"), Evidence(storage=(write,)))
    assert mark is not None
    assert mark.server is restored


def test_a_redirect_may_have_left_something_and_a_cookie_has() -> None:
    _, elsewhere = went(
        at("/list"), Evidence(requests=(Request(**GET, status=302), Request(**GET, status=200)))
    )
    assert elsewhere is not None
    assert (elsewhere.server, elsewhere.data, elsewhere.sure) == (False, False, False)
    _, folded = went(at("/list"), Evidence(storage=(StorageWrite(area="cookie", key="folded"),)))
    assert folded is not None
    assert (folded.server, folded.data, folded.sure) == (False, False, True)
    _, followed = went(at("/list"), Evidence(requests=(Request(**GET, status=200),)))
    assert followed is None


def test_what_two_screens_have_in_common_is_kept_once() -> None:
    there = at("/list")
    there = there.model_copy(update={"elements": (GO.model_copy(),)})
    chart, _ = went(there, Evidence())
    assert chart.nodes[there.id].state == there
    assert there.elements[0] is not GO
    assert chart.nodes[there.id].state.elements[0] is GO
