from collections import Counter

import pytest

from crawlers.recipe import RecipeError, available
from crawlers.sites import sample, site_app, sites
from schemas.app import Site


def test_the_pool_is_broad_and_names_each_site_once() -> None:
    pool = sites()
    assert len({site.domain for site in pool}) == len(pool) > 8000
    assert len({site.category for site in pool}) == 30
    assert len({site.lang for site in pool}) >= 47
    assert all(site.title and site.source for site in pool)


def test_a_sample_is_the_same_for_the_same_seed_and_begins_a_larger_one() -> None:
    assert sample(40, seed=1) == sample(40, seed=1)
    assert sample(40, seed=1) != sample(40, seed=2)
    assert sample(60, seed=1)[:40] == sample(40, seed=1)


def test_categories_and_languages_take_turns() -> None:
    drawn = sample(300, seed=7)
    assert max(Counter(site.stratum for site in drawn).values()) == 1
    assert len({site.tag for site in drawn}) > 30


def test_a_sample_can_be_narrowed() -> None:
    drawn = sample(30, seed=0, categories=["news", "weather"], langs=["zh-Hans", "en"])
    assert {site.category for site in drawn} == {"news", "weather"}
    assert {site.tag for site in drawn} == {"zh-Hans", "en"}
    few = sample(10_000, seed=0, categories=["weather"], langs=["zh-Hans"])
    assert 0 < len(few) < 100


def test_a_site_becomes_an_app_that_is_only_read() -> None:
    site = next(site for site in sites() if site.lang == "zh-CN")
    app = site_app(site.domain, "crawler@example.org")
    assert app.site == Site(origin=f"https://{site.domain}", contact="crawler@example.org")
    assert app.languages == ("zh-Hans",)
    assert not app.resettable
    assert app.name not in available()


def test_other_sites_are_not_crawled_by_name() -> None:
    with pytest.raises(
        RecipeError, match=r"'wikipedia\.orq' is not in the pool .* did you mean wikipedia\.org"
    ):
        site_app("wikipedia.orq", "crawler@example.org")


@pytest.mark.parametrize(
    "origin", ["example.org", "ftp://example.org", "https://me@example.org", "https://a.org/x"]
)
def test_a_site_is_named_by_its_origin(origin: str) -> None:
    with pytest.raises(ValueError, match="origin"):
        Site(origin=origin, contact="crawler@example.org")
