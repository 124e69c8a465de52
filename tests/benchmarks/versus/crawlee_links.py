"""crawlee's PlaywrightCrawler as its manual shows it: handle a page, enqueue its links.

Its fingerprints, retries and sessions are switched off, and what makes it wait on a busy machine, which does
it a favour: there is nobody to hide from, an error page costs one load instead of several, and everybody else
does not wait either.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from crawlee import ConcurrencySettings, Request
from crawlee.configuration import Configuration
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext, PlaywrightPreNavCrawlingContext
from crawlee.storage_clients import MemoryStorageClient
from job import Job, Trip, given

PAGES = 2
"""At a time; on two cores more only wait for each other."""


async def main() -> None:
    """Follow links until enough pages were loaded or none is left."""
    job, target = given()
    trip = Trip()
    crawler = _crawler(job)
    crawler.pre_navigation_hook(lambda context: _log_in(context, job, trip))

    @crawler.router.default_handler
    async def handle(context: PlaywrightCrawlingContext) -> None:
        trip.arrive(context.page.url)
        await context.enqueue_links(
            strategy="same-origin",
            transform_request_function=lambda options: options if job.may_follow(options["url"]) else "skip",
        )

    await crawler.run([Request.from_url(job.entry)])
    trip.failed = crawler.statistics.state.requests_failed
    trip.write(target)


def _crawler(job: Job) -> PlaywrightCrawler:
    return PlaywrightCrawler(
        browser_launch_options=job.launch,
        browser_new_context_options=job.context,
        configuration=Configuration(max_used_cpu_ratio=1.0, max_event_loop_delay=timedelta(minutes=1)),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(desired_concurrency=1, max_concurrency=PAGES),
        fingerprint_generator=None,
        headless=True,
        max_request_retries=0,
        max_requests_per_crawl=job.loads,
        navigation_timeout=timedelta(seconds=20),
        retry_on_blocked=False,
        use_session_pool=False,
        configure_logging=False,
    )


_ready: set[object] = set()
"""Contexts that were logged in."""


async def _log_in(context: PlaywrightPreNavCrawlingContext, job: Job, trip: Trip) -> None:
    profile = context.page.context
    if profile not in _ready:
        _ready.add(profile)
        await profile.add_cookies(job.storage.get("cookies", []))
        await profile.add_init_script(job.storing)
        profile.on(
            "response",
            lambda answer: trip.heard(answer.request.method, answer.status, answer.url, job.origin),
        )
    trip.begin()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(main())
