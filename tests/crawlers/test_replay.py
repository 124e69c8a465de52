from collections.abc import Callable

import pytest

from crawlers.driver import DriverError
from crawlers.forms import fill, forms_of
from crawlers.host import HostError
from crawlers.replay import replay
from crawlers.scripted import ScriptedHost, scripted_app
from crawlers.scripted_driver import ScriptedDriver
from schemas.action import Action, Click, Finish, Open, Submit, Target
from schemas.effect import EffectClass, Evidence
from schemas.record import image_id
from schemas.trajectory import Policy, Trajectory


@pytest.fixture
def host() -> ScriptedHost:
    host = ScriptedHost(scripted_app(), "en")
    host.start()
    return host


def run(host: ScriptedHost, *actions: Action, **more: object) -> Trajectory:
    return replay(host, actions, task="tk", policy=Policy.REFERENCE, **more)


def adding(host: ScriptedHost) -> tuple[Action, Submit]:
    driver = host.driver()
    link = next(each for each in driver.observe().elements if each.label == "Add item")
    press = Click(target=Target.of(link))
    driver.perform(press)
    form = forms_of(driver.observe())[0]
    return press, fill(form, {"name": "Quill", "amount": "17"}, form.submits[0])


def test_n_steps_have_one_more_observation_and_the_last_step_finishes(host: ScriptedHost) -> None:
    trajectory = run(host, *adding(host), answer="17")
    kinds = [step.action.kind for step in trajectory.steps]
    assert kinds == ["click", "type", "type", "click", "finish"]
    assert len(trajectory.observations) == len(trajectory.steps) + 1
    assert [step.index for step in trajectory.steps] == [0, 1, 2, 3, 4]
    assert trajectory.steps[-1].action == Finish(answer="17")
    assert trajectory.observations[-1] == trajectory.observations[-2]
    assert trajectory.end == "finished"
    assert trajectory.steps[3].effect.main is EffectClass.CREATE
    assert "Quill" in trajectory.last.texts()


def test_doing_nothing_is_a_trajectory(host: ScriptedHost) -> None:
    trajectory = run(host)
    assert [step.action.kind for step in trajectory.steps] == ["finish"]
    assert trajectory.first.id == trajectory.last.id


def test_every_replay_starts_from_the_pristine_state_and_is_the_same(host: ScriptedHost) -> None:
    path = adding(host)
    first, second = run(host, *path), run(host, *path)
    assert first.id == second.id
    assert [each.id for each in first.observations] == [each.id for each in second.observations]
    assert run(host, *path, attempt=1).id != first.id


def test_screens_are_pictured_only_on_demand(host: ScriptedHost) -> None:
    assert {each.image for each in run(host, Open(address="/about")).observations} == {None}
    pictured = run(host, Open(address="/about"), images=image_id)
    assert all(each.image for each in pictured.observations)


def test_a_missing_target_ends_the_episode(host: ScriptedHost) -> None:
    press, submit = adding(host)
    trajectory = run(host, submit, press)
    assert trajectory.end == "target_missing"
    assert [step.status for step in trajectory.steps] == ["failed", "ok"]
    assert trajectory.steps[0].error
    assert trajectory.steps[-1].action == Finish(status="failure")
    assert len(trajectory.observations) == len(trajectory.steps) + 1


class Dying(ScriptedHost):
    """A host whose sessions crash at the second action, for so many sessions."""

    crashes = 1
    starts = 0

    def start(self) -> None:
        self.starts += 1
        super().start()

    def driver(self) -> ScriptedDriver:
        driver = super().driver()
        if self.crashes:
            self.crashes -= 1
            driver.perform = _crash_after(driver.perform, 1)  # type: ignore[method-assign]
        return driver


def _crash_after(perform: Callable[[Action], Evidence], good: int) -> Callable[[Action], Evidence]:
    left = [good]

    def crashing(action: Action) -> Evidence:
        if not left[0]:
            raise DriverError("crashed", "The browser is gone.")
        left[0] -= 1
        return perform(action)

    return crashing


def test_a_crash_is_replayed_once_on_a_restarted_app(host: ScriptedHost) -> None:
    path = adding(host)
    dying = Dying(scripted_app(), "en")
    dying.start()
    trajectory = run(dying, *path)
    assert trajectory.end == "finished"
    assert dying.starts == 2
    assert trajectory.id == run(host, *path).id


def test_a_second_crash_is_the_environments_fault(host: ScriptedHost) -> None:
    dying = Dying(scripted_app(), "en")
    dying.crashes = 2
    dying.start()
    trajectory = run(dying, *adding(host))
    assert trajectory.end == "environment"
    assert "gone" in trajectory.steps[1].error


def test_an_app_that_cannot_be_brought_up_is_an_error(
    host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dead() -> None:
        raise HostError("The app is dead; install it again.")

    monkeypatch.setattr(host, "restore", dead)
    with pytest.raises(HostError, match="dead"):
        run(host)
