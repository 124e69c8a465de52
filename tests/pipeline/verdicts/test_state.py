from typing import Any

import pytest

from pipeline.verdicts.state import StateJudge
from schemas.effect import Download, Evidence, Request, StorageWrite
from schemas.task import Carried, Forbidden, Happened, Keypoint, Shown
from schemas.trajectory import Trajectory

ADDED = Happened(id="k1", signature="POST /add")


def voted(keypoint: Keypoint, done: Trajectory) -> bool | None:
    return StateJudge()(keypoint, done).met


@pytest.fixture
def after(make: Any) -> Any:
    """A trajectory in which these evidences were seen, one a step."""

    def build(*evidence: Evidence) -> Trajectory:
        return make.film([make.screen("x")] * (len(evidence) + 1), evidence)

    return build


def test_a_change_must_happen_exactly_as_often_as_wanted(make: Any, after: Any) -> None:
    assert voted(ADDED, after(make.post())) is True
    assert voted(ADDED, after()) is False
    assert voted(ADDED, after(make.post(), make.post())) is False
    assert voted(ADDED.model_copy(update={"count": 2}), after(make.post(), make.post())) is True


def test_a_refused_request_changed_nothing(make: Any, after: Any) -> None:
    for status in (0, 400, 404, 500):
        assert voted(ADDED, after(make.post(status=status))) is False


def test_the_entity_is_told_by_the_concrete_path(make: Any, after: Any) -> None:
    removed = Happened(id="k", signature="POST /delete/{}", path="/delete/3")
    assert voted(removed, after(make.post("/delete/3", route="/delete/{}"))) is True
    ballot = StateJudge()(removed, after(make.post("/delete/4", route="/delete/{}")))
    assert ballot.met is False
    assert "/delete/4" in ballot.reason


def test_a_file_is_told_by_where_it_came_from(after: Any) -> None:
    saved = Happened(id="k", signature="download /report/{}", path="/report/1")
    one, two = (Download(name="a.csv", route="/report/{}", path=f"/report/{n}") for n in (1, 2))
    assert voted(saved, after(Evidence(downloads=(one,)))) is True
    assert voted(saved, after(Evidence(downloads=(two,)))) is False


def test_a_get_counts_where_a_keypoint_names_it(after: Any) -> None:
    call = Request(method="GET", path="/lang/fr", route="/lang/{}", status=302)
    assert voted(Happened(id="k", signature="GET /lang/{}"), after(Evidence(requests=(call,)))) is True


def test_storage_and_downloads_happen_too(after: Any) -> None:
    stored = Evidence(
        storage=(StorageWrite(area="local", key="todos", value='[{"title":"Buy \\"milk\\""}]'),)
    )
    file = Evidence(downloads=(Download(name="a.csv", route="/export"),))
    assert voted(Happened(id="k", signature="local todos"), after(stored)) is True
    assert voted(Happened(id="k", signature="download /export"), after(file)) is True
    assert voted(Happened(id="k", signature="download /export"), after(stored)) is False
    carried = Carried(id="k", signature="local todos", field="title", value='Buy "milk"')
    assert voted(carried, after(stored)) is True
    assert voted(carried.model_copy(update={"value": "Buy"}), after(stored)) is True
    assert voted(carried.model_copy(update={"value": "Bu"}), after(stored)) is False


def test_a_parameter_must_be_in_the_request_that_made_the_change(make: Any, after: Any) -> None:
    wanted = Carried(id="k", signature="POST /add", field="amount", value="10")
    assert voted(wanted, after(make.post(amount="10.00"))) is True
    assert voted(wanted, after(make.post(amount="11"))) is False
    assert voted(wanted, after(make.post(price="10"))) is False
    assert voted(wanted, after(make.post("/edit", amount="10"))) is False
    assert voted(wanted, after(make.post(status=400, amount="10"))) is False


def test_a_repeated_field_carries_each_of_its_values(after: Any) -> None:
    fields = (("who", "1"), ("who", "2"))
    both = Request(method="POST", path="/add", route="/add", status=302, fields=fields)
    done = after(Evidence(requests=(both,)))
    for value, met in (("1", True), ("2", True), ("3", False)):
        wanted = Carried(id="k", signature="POST /add", field="who", value=value)
        assert voted(wanted, done) is met


def test_a_masked_value_is_not_taken_for_the_right_one(make: Any, after: Any) -> None:
    wanted = Carried(id="k", signature="POST /add", field="code", value="open sesame")
    assert voted(wanted, after(make.post(code="***"))) is None


def test_the_budget_allows_nothing_beyond_it(make: Any, after: Any) -> None:
    budget = Forbidden(id="k", allowed=("POST /add",))
    assert voted(budget, after(make.post())) is True
    assert voted(budget, after()) is True
    twice = StateJudge()(budget, after(make.post(), make.post()))
    assert twice.met is False
    assert "POST /add" in twice.reason
    assert voted(budget, after(make.post(), make.post("/settings"))) is False
    stored = Evidence(storage=(StorageWrite(area="local", key="theme"),))
    assert voted(budget, after(make.post(), stored)) is False


def test_cookies_alone_are_no_write(after: Any) -> None:
    cookie = Evidence(storage=(StorageWrite(area="cookie", key="seen"),))
    assert voted(Forbidden(id="k", allowed=()), after(cookie)) is True


def test_it_abstains_on_what_is_on_the_screen(after: Any) -> None:
    assert voted(Shown(id="k", text="x"), after()) is None


def test_it_dates_what_it_sees(make: Any, after: Any) -> None:
    done = after(Evidence(), make.post(amount="1"))
    assert StateJudge().moment(ADDED, done) == 1
    assert StateJudge().moment(Carried(id="k", signature="POST /add", field="amount", value="1"), done) == 1
    assert StateJudge().moment(Shown(id="k", text="x"), done) is None
