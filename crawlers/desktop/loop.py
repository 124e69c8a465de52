"""The event loop that all accessibility buses of this process are read on, in a thread of its own, so that
the sync Driver contract may be called from any thread.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_loops: dict[int, asyncio.AbstractEventLoop] = {}
"""By process: a forked child has no thread of its parent's."""
_guard = threading.Lock()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, which the loop works on."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


def _loop() -> asyncio.AbstractEventLoop:
    with _guard:
        if os.getpid() not in _loops:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="accessibility", daemon=True).start()
            _loops[os.getpid()] = loop
        return _loops[os.getpid()]
