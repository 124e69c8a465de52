"""Names that only the browser knows: what its accessibility tree calls controls that the walk could not."""

from __future__ import annotations

import asyncio

from crawlers.web.pane import Pane
from crawlers.web.raw import RawPage
from crawlers.web.snapshot import nameless

MOST = 40
"""Controls asked about in one walk; a page with more of them has simply not named its controls."""


async def complete(page: RawPage, pane: Pane) -> None:
    """Fill in the missing names of a fresh walk. Asks per control, all at once: a few partial trees are
    cheaper than the full one, and need no join. Costs nothing where every control has a name.
    """
    missing = nameless(page)[:MOST]
    if not missing:
        return
    names = await asyncio.gather(*map(pane.accessible_name, missing))
    for number, name in zip(missing, names, strict=True):
        if name:
            page["nodes"][number]["name"] = name
