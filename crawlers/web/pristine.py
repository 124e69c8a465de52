"""A Pristine is an App's data as every crawl and every execution finds it: set up, seeded and logged in.

It is made once per recipe and language and kept in the cache. Files that the recipe writes are written
again for each Instance, since they may hold its folder and port; what set-up commands make must therefore
hold neither.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from pydantic import JsonValue

from crawlers import cache, clock
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.steps import action_of
from crawlers.web.install import Toolbox
from crawlers.web.instance import Instance
from crawlers.web.records import Records
from crawlers.web.slot import Slot
from crawlers.web.visitor import Visitor
from schemas.action import Open
from schemas.app import App, Step
from schemas.effect import DataChange
from schemas.record import Record, digest

DATA = "data"
ABOUT = "about.json"

Storage = dict[str, JsonValue]
"""Cookies and local storage of a browser session, as Playwright writes them down."""


class Pristine(Record):
    """What is known of one pristine data folder."""

    origin: str
    """Where the App was served when it was made."""
    rendered: tuple[str, ...]
    """Files of the recipe that neither set-up nor App has touched."""
    storage: Storage | None
    """A logged-in session; None where the App needs none."""
    noise: tuple[DataChange, ...] = ()
    """What logging in and looking around changes."""

    def storage_at(self, origin: str) -> Storage | None:
        """The session, for the same App served elsewhere."""
        if self.storage is None:
            return None
        moved: Storage = json.loads(json.dumps(self.storage).replace(self.origin, origin))
        return moved

    def copy_to(self, folder: Path, source: Path, instance: Instance) -> None:
        """Put the data in ``source`` into ``folder``, as they are to be for that Instance. Files are hard
        links to those in the cache, but for the ones that are written anew: nobody may write to them.
        """
        shutil.copytree(source / DATA, folder, symlinks=True, copy_function=_link)
        for name in self.rendered:
            (folder / name).unlink()
        instance.write(self.rendered, folder)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # not every file system has hard links
        shutil.copy2(source, target, follow_symlinks=False)


def pristine(app: App, lang: str, tools: Toolbox) -> tuple[Pristine, Path]:
    """The pristine data and the folder they are in, made now if they are not there.

    Raises:
        HostError: set-up, seeding or login failed.
    """
    known = sorted(Pristine.model_fields)
    key = digest("pr", app, lang, clock.variables(app.clock), known).removeprefix("pr_")
    folder = cache.once(
        cache.root() / "pristine" / f"{app.name}-{lang}-{key}", lambda empty: _make(empty, app, lang, tools)
    )
    return Pristine.model_validate_json((folder / ABOUT).read_bytes()), folder


def _make(folder: Path, app: App, lang: str, tools: Toolbox) -> None:
    slot = Slot.take(app.id, lang)
    try:
        instance = Instance(app, lang, slot, tools, time=clock.before(app.clock))
        about = _furnish(instance)
        shutil.copytree(instance.data, folder / DATA, symlinks=True)
        if not app.static:
            about = about.model_copy(update={"noise": _noise(instance, about.storage)})
    finally:
        slot.release()
    (folder / ABOUT).write_text(about.model_dump_json(indent=1), encoding="utf-8")


def _furnish(instance: Instance) -> Pristine:
    """Set up, seed, log in and stop, so that everything is on disk."""
    app = instance.app
    instance.data.mkdir()
    instance.write(app.files, instance.data)
    for command in app.setup:
        instance.run(command)
    storage = None
    if app.seed or app.login or app.locale.via == "open":
        instance.start()
        try:
            for seed in app.seed:
                instance.send(seed)
            storage = _log_in(instance)
        finally:
            instance.stop()
    rendered = tuple(name for name in app.files if _untouched(instance, name))
    return Pristine(origin=instance.origin, rendered=rendered, storage=storage)


def _noise(instance: Instance, storage: Storage | None) -> tuple[DataChange, ...]:
    """What changes in the data although nobody does anything: two look around, and one more logs in."""
    records = Records(instance.data)
    instance.start()
    try:
        for _ in range(2):
            Visitor(instance.app, instance.origin, storage).look(instance.app.entry)
        _log_in(instance)
    finally:
        instance.stop()
    return records.changes()


def _untouched(instance: Instance, name: str) -> bool:
    path = instance.data / name
    return path.is_file() and path.read_bytes() == instance.text(name).encode()


def _log_in(instance: Instance) -> Storage | None:
    """Log in and choose the language, in this order, since a login may start a new session."""
    app = instance.app
    steps = app.login
    if app.locale.via == "open":
        steps += (Step(do="open", at=instance.fill(app.locale.at)),)
    if not steps:
        return None
    from crawlers.web.browser import session  # noqa: PLC0415 - an App without login needs no browser here

    try:
        driver = session(app=app, lang=instance.lang, origin=instance.origin, storage=None)
        try:
            for step in steps:
                driver.perform(action_of(step))
            driver.perform(Open())
            status = driver.observe().status
            storage = driver.storage_state()
        finally:
            driver.close()
    except DriverError as error:
        raise HostError(f"{app.title}: the login of its recipe failed: {error}") from error
    if status >= 400:
        raise HostError(f"{app.title}: its entry answers {status} after login; check its recipe.")
    return storage
