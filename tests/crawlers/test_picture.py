from crawlers.picture import TRIES, pictured
from crawlers.scripted import ScriptedHost, scripted_app
from schemas.record import image_id
from schemas.screen import Quality, State


class Changing:
    """A driver whose screen says something else at each of the first readings."""

    def __init__(self, changes: int) -> None:
        host = ScriptedHost(scripted_app(), "en")
        host.start()
        self.state = host.driver().observe()
        self.changes = changes
        self.shots = 0

    def observe(self) -> State:
        reading = min(self.shots, self.changes)
        return self.state.model_copy(update={"id": f"st_{reading}"})

    def screenshot(self) -> bytes:
        self.shots += 1
        return b"picture %d" % self.shots


def test_a_screen_that_stands_still_is_pictured_once() -> None:
    driver = Changing(0)
    kept = pictured(driver, driver.observe(), image_id)
    assert (driver.shots, kept.id, kept.image) == (1, "st_0", image_id(b"picture 1"))


def test_a_screen_that_changed_meanwhile_is_read_and_pictured_again() -> None:
    driver = Changing(1)
    kept = pictured(driver, driver.observe(), image_id)
    assert (kept.id, kept.image, kept.quality) == ("st_1", image_id(b"picture 2"), Quality.OK)


def test_a_screen_that_never_stands_still_says_so() -> None:
    driver = Changing(99)
    kept = pictured(driver, driver.observe(), image_id)
    assert (driver.shots, kept.quality) == (TRIES, Quality.UNSETTLED)
    assert kept.image == image_id(b"picture %d" % TRIES)
