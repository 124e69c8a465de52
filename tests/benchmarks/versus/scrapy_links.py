"""scrapy-playwright as its manual shows it: a spider that follows the links of every page, two pages at a
time (on two cores more pages only wait for each other).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from job import Job, Trip, given
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.http.response.html import HtmlResponse

PAGES = 2


class Links(scrapy.Spider):
    """Follows links until enough pages were asked for."""

    name = "links"

    def __init__(self, job: Job, trip: Trip) -> None:
        """Take the job."""
        super().__init__()
        self.job = job
        self.trip = trip
        self.seen: set[str] = set()

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Begin at the entry."""
        for request in self.ask([self.job.entry]):
            yield request

    def ask(self, urls: list[str]) -> Iterator[scrapy.Request]:
        """Requests for the pages among these that were not asked for yet."""
        for url in urls:
            if len(self.seen) < self.job.loads and url not in self.seen and self.job.may_follow(url):
                self.seen.add(url)
                yield scrapy.Request(url, meta=self.meta, errback=self.fail, dont_filter=True)

    @property
    def meta(self) -> dict[str, Any]:
        """How a page is loaded."""
        return {
            "playwright": True,
            "playwright_page_init_callback": self.began,
            "playwright_page_event_handlers": {"response": self.heard},
            "handle_httpstatus_all": True,
        }

    async def began(self, _page: object, _request: object) -> None:
        """A page is about to be used."""
        self.trip.begin()

    async def heard(self, answer: Any) -> None:
        """An answer of the App's server."""
        self.trip.heard(answer.request.method, answer.status, answer.url, self.job.origin)

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        """Deal with a page."""
        self.trip.arrive(response.url)
        if isinstance(response, HtmlResponse):
            links = [response.urljoin(href) for href in response.css("a::attr(href)").getall()]
            yield from self.ask([link.partition("#")[0] for link in links])

    def fail(self, _failure: object) -> None:
        """A page could not be loaded; another one may be asked for instead."""
        self.trip.failed += 1
        self.job = self.job.one_more()


def main() -> None:
    """Run the spider."""
    job, target = given()
    trip = Trip()
    profile = {**job.context, "storage_state": job.storage}
    process = CrawlerProcess(
        {
            "DOWNLOAD_HANDLERS": {"http": "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "PLAYWRIGHT_LAUNCH_OPTIONS": job.launch,
            "PLAYWRIGHT_CONTEXTS": {"default": profile},
            "PLAYWRIGHT_PROCESS_REQUEST_HEADERS": None,
            "CONCURRENT_REQUESTS": PAGES,
            "CLOSESPIDER_TIMEOUT": job.seconds,
            "ROBOTSTXT_OBEY": False,
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        }
    )
    process.crawl(Links, job=job, trip=trip)
    process.start()
    trip.write(target)


if __name__ == "__main__":
    main()
