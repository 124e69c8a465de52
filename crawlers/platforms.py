"""From an App to its Host, whatever the platform; and the pool of Hosts that this process keeps running."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass

from crawlers.host import Host, HostError
from schemas.app import App, Platform
from schemas.graph import FunctionGraph

log = logging.getLogger(__name__)

_live: dict[tuple[int, str, str], Host] = {}
"""By process, App and language: a forked child must not stop its parent's Hosts."""
_guard = threading.Lock()


def open_host(app: App, lang: str) -> Host:
    """The Host for that App in that language, not started yet.

    Raises:
        HostError: the language or the platform is not supported.
    """
    if app.site is not None:
        from crawlers.web.site import SiteHost  # noqa: PLC0415 - a platform is loaded when it is used

        return SiteHost(app, app.site, lang)
    if app.platform is Platform.WEB:
        from crawlers.web.host import WebHost  # noqa: PLC0415 - a platform is loaded when it is used

        return WebHost(app, lang)
    if app.platform is Platform.DESKTOP:
        from crawlers.desktop.host import DesktopHost  # noqa: PLC0415 - as above

        return DesktopHost(app, lang)
    raise HostError(f"{app.title} is an {app.platform} app, and only web and desktop apps can be run so far.")


def counted(app: App, lang: str, crawl: Callable[[Host], FunctionGraph]) -> FunctionGraph | None:
    """What ``crawl`` observes on a Host of its own, with the lines of the App's own code that it ran; None,
    and nothing crawled, where they cannot be counted.

    Raises:
        HostError: the App could not be installed or started, or died again and again.
    """
    if app.platform is not Platform.WEB or app.site is not None:
        return None
    from crawlers.web.counted import counted as crawled  # noqa: PLC0415 - a platform is loaded when it is used

    return crawled(app, lang, crawl)


def listed(host: Host, graph: FunctionGraph) -> FunctionGraph:
    """The graph with how many of the routes that its App lists itself were reached; the graph as it is where
    the App lists none.
    """
    if not host.app.routes:
        return graph
    from crawlers.web.host import WebHost  # noqa: PLC0415 - as above
    from crawlers.web.rules import reach  # noqa: PLC0415 - as above

    try:
        table = host.routes() if isinstance(host, WebHost) else ""
    except HostError as error:
        log.warning("routes are not counted: %s", error)
        return graph
    found = reach(table, host.app.unlinked, graph.coverage.routes)
    if not found.known:
        return graph
    numbers = {"routes_reached": found.reached, "routes_known": found.known}
    return graph.model_copy(update={"coverage": graph.coverage.model_copy(update=numbers)})


@dataclass(frozen=True)
class HostPool:
    """Started Hosts, kept until the process ends. It holds nothing itself, so it can be pickled; every
    process has its own Hosts. Callers in several threads must not share one App and language.
    """

    def host(self, app: App, lang: str) -> Host:
        """The started Host for that App in that language.

        Raises:
            HostError: it could not be started.
        """
        key = (os.getpid(), app.id, lang)
        with _guard:
            if key not in _live:
                host = open_host(app, lang)
                host.start()
                _live[key] = host
            return _live[key]

    def close_all(self) -> None:
        """Stop every Host of this process."""
        with _guard:
            for key in [key for key in _live if key[0] == os.getpid()]:
                _live.pop(key).stop()


atexit.register(HostPool().close_all)
