import pytest

from pipeline.mining.inverse import collection_of, inverse_of
from schemas.capability import Capability, Level
from schemas.effect import EffectClass


def capability(signature: str, effect: EffectClass) -> Capability:
    return Capability(
        id=f"fn_{signature}",
        app="toy",
        lang="en",
        level=Level.ATOMIC,
        name="",
        effect=effect,
        signature=signature,
    )


ADD = capability("POST /demo/members/add", EffectClass.CREATE)
REMOVE = capability("POST /demo/members/{}/delete", EffectClass.DELETE)
REVIVE = capability("POST /demo/members/{}/reactivate", EffectClass.UPDATE)
BILL = capability("POST /demo/add", EffectClass.CREATE)
PIN = capability("POST /links/{}/pin", EffectClass.UPDATE)
UNPIN = capability("POST /links/{}/unpin", EffectClass.UPDATE)
EDIT = capability("POST /demo/edit/{}", EffectClass.UPDATE)
OPEN = capability("GET /demo/edit/{}", EffectClass.NAVIGATE)
ALL = (ADD, REMOVE, REVIVE, BILL, PIN, UNPIN, EDIT, OPEN)


def test_the_collection_is_what_the_route_names_besides_verbs() -> None:
    assert collection_of(ADD) == collection_of(REMOVE) == collection_of(REVIVE) == ("demo", "members")
    assert collection_of(BILL) == ("demo",)


@pytest.mark.parametrize(
    "one,other",
    [(ADD, REMOVE), (REMOVE, REVIVE), (REVIVE, REMOVE), (PIN, UNPIN), (UNPIN, PIN), (EDIT, EDIT)],
)
def test_each_is_taken_back_by_its_opposite(one: Capability, other: Capability) -> None:
    assert inverse_of(one, ALL) == other.id


def test_what_has_no_opposite_has_no_inverse() -> None:
    assert inverse_of(BILL, ALL) == ""
    assert inverse_of(OPEN, ALL) == ""
