import pytest

from crawlers.files import IMAGE, TABLE, asks_for_image, file_name
from schemas.screen import Element


def field(accept: str) -> Element:
    limits = f"accept={accept}" if accept else ""
    return Element(key="k", template="k", role="button", field="photo", kind="file", limits=limits)


@pytest.mark.parametrize("accept", ["image/*", "image/png, image/jpeg", ".png,.gif", "IMAGE/PNG"])
def test_a_field_for_pictures_is_told_by_what_it_takes(accept: str) -> None:
    assert asks_for_image(field(accept))


@pytest.mark.parametrize("accept", ["", ".csv,.tsv", "text/plain", "image/svg+xml"])
def test_other_fields_take_text(accept: str) -> None:
    assert not asks_for_image(field(accept))


def test_a_file_has_an_ending_that_the_field_takes() -> None:
    assert file_name(field("image/*"), IMAGE) == "photo.gif"
    assert file_name(field("text/csv, .csv"), TABLE) == "photo.csv"
    assert file_name(field(""), TABLE) == "photo.txt"
