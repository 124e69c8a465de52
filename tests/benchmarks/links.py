"""The yardstick: a plain crawl that opens pages breadth first and follows links, nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from crawlers.driver import DriverError
from crawlers.host import Host
from crawlers.risk import may_try, risk_of
from schemas.action import Open
from schemas.screen import State


def follow_links(host: Host, page_loads: int) -> tuple[str, ...]:
    """``METHOD /path`` of every request of so many page loads, sorted. Links that end the session are
    left out, which does it a favour: it would otherwise see nothing but the login page.
    """
    host.restore()
    driver = host.driver()
    requests: set[str] = set()
    try:
        queue = deque([host.app.entry, *_links(driver.observe(), host)])
        seen = set(queue)
        for _ in range(page_loads):
            if not queue:
                break
            try:
                evidence = driver.perform(Open(address=queue.popleft()))
                fresh = [link for link in _links(driver.observe(), host) if link not in seen]
            except DriverError:
                continue
            requests.update(f"{request.method} {request.path}" for request in evidence.requests)
            seen.update(fresh)
            queue.extend(dict.fromkeys(fresh))
    finally:
        driver.close()
    return tuple(sorted(requests))


def _links(state: State, host: Host) -> Iterator[str]:
    for element in state.elements:
        address = element.href.partition("#")[0]
        if address.startswith("/") and may_try(risk_of(element, host.app), host.app):
            yield address
