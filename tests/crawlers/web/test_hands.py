"""What a page cannot be made to do is refused by name, before it is touched."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from crawlers.driver import DriverError
from crawlers.web.hands import Hands
from schemas.action import Drag, Target


def test_nothing_is_dragged_on_a_page() -> None:
    untouched: Any = None
    target = Target(key="a", template="a", role="button", label="A")
    hands = Hands(tab=untouched, finder=untouched, secrets={}, scale=1.0)
    with pytest.raises(DriverError, match="dragged") as refused:
        asyncio.run(hands.do(Drag(target=target, onto=target)))
    assert refused.value.kind == "blocked"
