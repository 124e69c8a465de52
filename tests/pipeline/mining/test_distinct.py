from pipeline.mining.distinct import distinct
from schemas.capability import Capability, Level
from schemas.effect import EffectClass


def leaf(key: str, name: str, effect: EffectClass = EffectClass.DOWNLOAD, **more: object) -> Capability:
    data = {"id": key, "app": "toy", "lang": "en", "level": Level.ATOMIC, "name": name, "effect": effect}
    return Capability.model_validate({**data, **more})


def names(*leaves: Capability) -> list[str]:
    return list(distinct({each.id: each for each in leaves}).values())


def test_a_name_that_nothing_shares_stays() -> None:
    assert names(leaf("a", "Save", object="Bills"), leaf("b", "Plain Text")) == ["Save", "Plain Text"]


def test_one_button_on_two_pages_is_told_by_the_pages_where_all_else_is_shared() -> None:
    files = [
        leaf(page, "Plain Text", object="Get", title="Wiki", page=page) for page in ("Panel", "Checklist")
    ]
    assert names(*files) == ["Plain Text (Panel)", "Plain Text (Checklist)"]


def test_what_it_is_about_comes_before_where_it_is() -> None:
    made = [leaf("a", "Add", object="Bill", page="Home"), leaf("b", "ADD", object="Member", page="People")]
    assert names(*made) == ["Add (Bill)", "ADD (Member)"]


def test_a_page_and_what_is_done_on_it_may_share_a_name() -> None:
    page = leaf("a", "Settings", EffectClass.NAVIGATE, object="x")
    assert names(page, leaf("b", "Settings", EffectClass.UPDATE, object="y")) == ["Settings", "Settings"]
