import hashlib
from collections.abc import Sequence

import pytest

from crawlers.explore import Budget, explore
from crawlers.replay import replay
from crawlers.scripted import ScriptedHost, scripted_app
from pipeline.mining.signature import LIGHT
from pipeline.stages.compose import Compose
from pipeline.stages.mine import Mine
from pipeline.verdicts.verify import verify
from schemas.action import Open, Type
from schemas.capability import CapabilityTree
from schemas.effect import EffectClass
from schemas.rejection import Rejection
from schemas.task import Carried, ElementIs, Forbidden, Happened, Shown, TaskPlan, Visited
from schemas.trajectory import Policy
from schemas.verdict import Decision, Rule


def image(png: bytes) -> str:
    return hashlib.sha256(png).hexdigest()


def tree_of(lang: str) -> CapabilityTree:
    with ScriptedHost(scripted_app(), lang) as host:
        graph = explore(host, budget=Budget(actions=400), seed=0, images=image)
    (tree,) = (out for out in Mine()(graph) if isinstance(out, CapabilityTree))
    return tree


def plans_of(tree: CapabilityTree, *, per: int = 3, share: float = 0.25, limit: int = 40) -> list[TaskPlan]:
    compose = Compose(per_capability=per, navigation_share=share, limit=limit, seed=3)
    return [out for out in compose(tree) if isinstance(out, TaskPlan)]


@pytest.fixture(scope="module")
def english() -> CapabilityTree:
    return tree_of("en")


@pytest.fixture(scope="module")
def chinese() -> CapabilityTree:
    return tree_of("zh-Hans")


@pytest.fixture(scope="module")
def plans(english: CapabilityTree) -> Sequence[TaskPlan]:
    return plans_of(english)


def of(plans: Sequence[TaskPlan], effect: EffectClass) -> list[TaskPlan]:
    return [plan for plan in plans if plan.effect is effect]


def verdict(host: ScriptedHost, plan: TaskPlan, path: Sequence[object]) -> Decision:
    done = replay(host, path, task=plan.id, policy=Policy.REFERENCE)  # type: ignore[arg-type]
    return verify(plan.keypoints, done, Rule()).decision


def test_every_reference_path_passes_and_every_near_miss_fails(plans: Sequence[TaskPlan]) -> None:
    with ScriptedHost(scripted_app(), "en") as host:
        for plan in plans:
            assert verdict(host, plan, plan.path) is Decision.PASS, plan.name
            assert verdict(host, plan, ()) is not Decision.PASS, plan.name
            for miss in plan.near_misses:
                assert verdict(host, plan, miss.path) is not Decision.PASS, (plan.name, miss.kind)


def test_no_step_of_a_reference_path_can_be_left_out(plans: Sequence[TaskPlan]) -> None:
    with ScriptedHost(scripted_app(), "en") as host:
        for plan in plans:
            for step in range(len(plan.path)):
                rest = (*plan.path[:step], *plan.path[step + 1 :])
                assert verdict(host, plan, rest) is not Decision.PASS, (plan.name, step)


def test_groups_are_the_same_in_both_languages_and_plans_are_not(
    plans: Sequence[TaskPlan], chinese: CapabilityTree
) -> None:
    others = plans_of(chinese)
    assert [plan.group for plan in plans] == [plan.group for plan in others]
    assert not {plan.id for plan in plans} & {plan.id for plan in others}
    for plan, other in zip(plans, others, strict=True):
        assert [value.name for value in plan.values] == [value.name for value in other.values]
        assert [a.kind for a in plan.path] == [a.kind for a in other.path]


def test_composing_twice_says_the_same(english: CapabilityTree, plans: Sequence[TaskPlan]) -> None:
    assert plans_of(english) == list(plans)
    assert len({plan.id for plan in plans}) == len({plan.group for plan in plans}) == len(plans)


def test_plans_differ_in_entity_and_values(plans: Sequence[TaskPlan]) -> None:
    assert [plan.entity for plan in of(plans, EffectClass.DELETE)] == ["Apples", "Hammer", "Rice"]
    created = [plan.values for plan in of(plans, EffectClass.CREATE)]
    assert len({values[0].value for values in created}) == len(created) == 3
    assert {len(values) for values in created} == {2, 3}


def test_only_the_named_values_are_entered(plans: Sequence[TaskPlan]) -> None:
    for plan in plans:
        entered = [action for action in plan.path if action.kind in {"type", "select"}]
        assert len(entered) == sum(value.kind != "flag" for value in plan.values)
        assert {slot.parameter for slot in plan.slots} == {value.name for value in plan.values}
        for slot in plan.slots:
            action = plan.path[slot.step]
            value = next(value for value in plan.values if value.name == slot.parameter)
            assert not isinstance(action, Type) or action.text == value.value
        assert not any(isinstance(action, Open) for action in plan.path)


def test_what_is_required_is_always_named(plans: Sequence[TaskPlan]) -> None:
    for plan in of(plans, EffectClass.CREATE):
        assert {"name", "amount"} <= {value.name for value in plan.values}


def test_keypoints_ask_behind_the_screen_and_on_it(plans: Sequence[TaskPlan]) -> None:
    for plan in of(plans, EffectClass.CREATE):
        kinds = {type(keypoint) for keypoint in plan.keypoints}
        assert {Happened, Carried, Shown, Forbidden} <= kinds
    for plan in of(plans, EffectClass.DELETE):
        called = next(k for k in plan.keypoints if isinstance(k, Happened))
        assert called.path.endswith("/delete")
        assert any(isinstance(k, Shown) and not k.present and k.text == plan.entity for k in plan.keypoints)
    for plan in of(plans, EffectClass.TOGGLE):
        assert any(isinstance(k, ElementIs) and k.attribute == "checked" for k in plan.keypoints)
    for plan in of(plans, EffectClass.NAVIGATE):
        assert any(isinstance(k, Visited) and k.final for k in plan.keypoints)
    for plan in plans:
        assert sum(isinstance(k, Forbidden) for k in plan.keypoints) == 1
        assert len({k.id for k in plan.keypoints}) == len(plan.keypoints)


def test_a_plan_has_near_misses_of_its_own_kind(plans: Sequence[TaskPlan]) -> None:
    kinds = {plan.id: {miss.kind for miss in plan.near_misses} for plan in plans}
    for plan in of(plans, EffectClass.DELETE):
        assert "wrong_entity" in kinds[plan.id]
    for plan in of(plans, EffectClass.CREATE):
        assert {"wrong_parameter", "half_done", "done_twice"} <= kinds[plan.id]
    for plan in of(plans, EffectClass.NAVIGATE):
        assert {"undone", "side_effect"} <= kinds[plan.id]


@pytest.mark.parametrize("share, limit", [(0.0, 20), (0.25, 12), (0.5, 10), (1.0, 4)])
def test_the_share_of_mere_navigation_is_kept(english: CapabilityTree, share: float, limit: int) -> None:
    made = plans_of(english, per=2, share=share, limit=limit)
    light = [plan for plan in made if plan.effect in {EffectClass.NAVIGATE, EffectClass.OPEN}]
    assert len(made) <= limit
    assert len(light) <= share * len(made)


def test_every_capability_has_a_first_plan_before_any_has_a_second(english: CapabilityTree) -> None:
    made = plans_of(english, per=3, share=0.0, limit=7)
    assert len({plan.capabilities for plan in made}) == len(made) == 7


def test_what_no_task_can_be_made_of_is_rejected(english: CapabilityTree) -> None:
    create = next(node for node in english.atomic if node.effect is EffectClass.CREATE)
    toggle = next(node for node in english.atomic if node.effect is EffectClass.TOGGLE)
    steps = tuple(
        action.model_copy(update={"text": "{secret:code}"}) if isinstance(action, Type) else action
        for action in create.variants[0].path
    )
    secret = create.variants[0].model_copy(update={"path": steps})
    blind = toggle.variants[0].model_copy(update={"target_path": "", "flips": ()})
    changed = {
        create.id: create.model_copy(update={"variants": (secret,)}),
        toggle.id: toggle.model_copy(update={"variants": (blind,)}),
    }
    nodes = tuple(changed.get(node.id, node) for node in english.nodes)
    outs = list(Compose(1, 0.2, 30, 0)(english.model_copy(update={"nodes": nodes})))
    reasons = {out.item: out.reason for out in outs if isinstance(out, Rejection)}
    clicks = {
        node.id: "trivial" for node in nodes if node.effect in LIGHT and len(node.variants[0].path) == 1
    }
    assert clicks
    assert reasons == {create.id: "needs_secret", toggle.id: "no_keypoint", **clicks}
