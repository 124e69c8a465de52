"""The yardstick of speed: Playwright alone, one page, breadth first over links, nothing else."""

from __future__ import annotations

import time
from collections import deque
from urllib.parse import urldefrag

from job import SETTLED_LINKS, Job, Trip, given
from playwright.sync_api import Error, Page, sync_playwright


def main() -> None:
    """Follow links until enough pages were loaded or none is left."""
    job, target = given()
    trip = Trip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**job.launch)
        context = browser.new_context(**job.context, storage_state=job.storage)
        context.on(
            "response",
            lambda answer: trip.heard(answer.request.method, answer.status, answer.url, job.origin),
        )
        crawl(context.new_page(), job, trip)
        browser.close()
    trip.write(target)


def crawl(page: Page, job: Job, trip: Trip) -> None:
    """Load pages."""
    queue, seen = deque([job.entry]), {job.entry}
    deadline = time.monotonic() + job.seconds
    trip.begin()
    while queue and len(trip.visited) < job.loads and time.monotonic() < deadline:
        address = queue.popleft()
        try:
            page.goto(address)
            links = page.evaluate(SETTLED_LINKS)
        except Error:  # a download, or a page that leads elsewhere by itself
            trip.failed += 1
            continue
        trip.arrive(page.url)
        for link in (urldefrag(each).url for each in links):
            if link not in seen and job.may_follow(link):
                seen.add(link)
                queue.append(link)


if __name__ == "__main__":
    main()
