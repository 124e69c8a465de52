"""An Order is what was asked for: the resolved Config, the Apps it names and the code that carries it out.

It lies in the run folder as ``order.json`` from the first moment on, so that every later command on the
folder continues the same work.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from crawlers.recipe import load as load_recipe
from crawlers.sites import site_app
from pipeline.config import Config
from pipeline.errors import ConfigError, DatasetError, ModelError
from pipeline.ledger import READERS, code_hash
from pipeline.models import files
from pipeline.models.embed import NAME as EMBEDDER
from pipeline.models.servers import ModelConfig
from schemas.app import App, Locus
from schemas.record import Record, digest
from schemas.run import ModelEntry

log = logging.getLogger(__name__)

NAME = "order.json"
WRITTEN = ("en", "zh-Hans")
"""Languages that the template writer has templates for."""


class Order(Record):
    """What a run folder is for."""

    config: Config
    apps: tuple[App, ...]
    loci: tuple[Locus, ...]
    writer: ModelEntry | None
    """Who writes instructions; None leaves it to the templates."""
    code: str
    """Hash of the sources that can change an outcome."""

    @property
    def models(self) -> tuple[ModelEntry, ...]:
        """All models that take part."""
        embedder = ModelEntry(role="embedder", name=EMBEDDER)
        return (self.writer, embedder) if self.writer else (embedder,)

    @property
    def run(self) -> str:
        """The run's id."""
        return digest(
            "rn", self.config.id, self.code, self.apps, [locus.id for locus in self.loci], self.writer
        )

    def app(self, name: str) -> App:
        """The App of that id."""
        return next(app for app in self.apps if app.id == name)

    def save(self, folder: Path) -> None:
        """Write it into the run folder, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{NAME}.part"
        part.write_text(self.model_dump_json(indent=1) + "\n", encoding="utf-8")
        part.replace(folder / NAME)


def place(config: Config) -> Order:
    """The Order for a Config, with today's code.

    Raises:
        RecipeError: an app that is not known or whose recipe is wrong.
        ConfigError: a language that an app cannot be crawled in; a public site without a contact.
    """
    apps = (*map(load_recipe, dict.fromkeys(config.app)), *_sites(config))
    if not apps:
        raise ConfigError("there is nothing to crawl; name an app (--app) or a public site (--site)")
    loci = tuple(Locus(app=app, lang=lang) for app in apps for lang in _langs(app, config.lang))
    return Order(config=config, apps=apps, loci=loci, writer=_writer(config.model), code=code_hash(*READERS))


def find(folder: Path) -> Order:
    """The Order of a run folder.

    Raises:
        DatasetError: when the folder holds none or it cannot be read.
    """
    path = folder / NAME
    try:
        return Order.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise DatasetError(f"{folder} is no run folder; begin one: groundsmith run --out {folder}") from None
    except (OSError, ValidationError) as error:
        raise DatasetError(f"{path} cannot be read ({type(error).__name__}); repeat the run") from None


def resume(folder: Path) -> Order:
    """The Order of a run folder, to be carried out by today's code: what older code made is made anew.

    Raises:
        DatasetError: as ``find``.
    """
    return find(folder).model_copy(update={"code": code_hash(*READERS)})


def _sites(config: Config) -> Iterator[App]:
    for domain in dict.fromkeys(config.site):
        try:
            yield site_app(domain, config.contact)
        except ValidationError:
            raise ConfigError(
                f"{domain} must be told whom to complain to: give --contact, a mail or web address of yours"
            ) from None


def _writer(wanted: ModelConfig) -> ModelEntry | None:
    """The model that is asked for; None where it is the embedded one and its file is not here."""
    match wanted.kind:
        case "none":
            return None
        case "embedded":
            return _embedded(wanted.model or files.DEFAULT)
        case "scripted":
            return ModelEntry(role="writer", name="scripted", sha256=_sha256(Path(wanted.model)))
        case _:
            return ModelEntry(role="writer", name=wanted.model, endpoint=wanted.base_url)


def _embedded(name: str) -> ModelEntry | None:
    try:
        files.find(name)
    except ModelError as error:
        log.warning("templates write the instructions: %s", error)
        return None
    return ModelEntry(role="writer", name=name, sha256=files.pinned(name).sha256)


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}); check model.model") from None


def _langs(app: App, wanted: tuple[str, ...]) -> Iterator[str]:
    for lang in dict.fromkeys(wanted):
        if lang not in app.languages:
            known = ", ".join(app.languages)
            raise ConfigError(f"{app.title} cannot be crawled in {lang!r}; choose from {known}")
        yield lang
    if not wanted:
        yield from [lang for lang in app.languages if lang in WRITTEN] or app.languages
