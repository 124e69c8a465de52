"""The Config: every number that a user may turn, one frozen part per stage, with the default run's values.

A value is taken from the command line, else from the environment (``GROUNDSMITH_SEED``,
``GROUNDSMITH_CRAWL__ACTIONS``), else from a TOML file, else from the defaults below.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from crawlers.explore import Budget
from pipeline.errors import ConfigError
from pipeline.models.servers import ModelConfig
from schemas.record import Record, digest
from schemas.verdict import Rule

PREFIX = "GROUNDSMITH_"


class CrawlConfig(Budget):
    """How an App is explored."""

    lines: bool = False
    """Whether lines of the App's own code that run are counted, where it is a Python program that was
    installed for it. It is slower."""


class ComposeConfig(Record):
    """How many tasks are planned, per App and language."""

    per_capability: int = Field(default=3, ge=1)
    """Tasks planned from one capability."""
    navigation_share: float = Field(default=0.25, ge=0, le=1)
    """Largest share of tasks that only go somewhere and change nothing."""
    limit: int = Field(default=30, ge=1)
    """Tasks planned altogether."""


class InstructConfig(Record):
    """How instructions are written."""

    tries: int = Field(default=2, ge=1)
    """Answers asked of the model before the template writes."""


class PublishConfig(Record):
    """When a finished run is good enough."""

    min_yield: float = Field(default=0.1, ge=0, le=1)
    """Share of planned tasks that must end up proven; below it the command ends with exit code 3."""


class Config(Record):
    """All of it."""

    app: tuple[str, ...] = ("ihatemoney",)
    """Names of shipped recipes, or paths of TOML files."""
    site: tuple[str, ...] = ()
    """Domains of public sites from the pool: read, never written to, and only when they are named here."""
    contact: str = ""
    """Mail or web address that public sites are told to complain to; needed where one is named."""
    lang: tuple[str, ...] = ()
    """BCP-47 tags; empty for English and Chinese as far as each app speaks them."""
    seed: int = 0
    runner: Literal["memory", "beam"] = "memory"
    workers: int = Field(default=2, ge=1)
    """Apps and languages that are worked on at once."""
    crawl: CrawlConfig = CrawlConfig()
    compose: ComposeConfig = ComposeConfig()
    instruct: InstructConfig = InstructConfig()
    model: ModelConfig = ModelConfig()
    judge: Rule = Rule()
    publish: PublishConfig = PublishConfig()

    @property
    def id(self) -> str:
        """Hash of what can change the corpus; where it is computed cannot."""
        return digest("cf", self.model_dump(mode="json", exclude={"runner", "workers"}))


def load(file: Path | None, given: Mapping[str, Any]) -> Config:
    """The resolved Config. ``given`` is what the command line says, nested like the Config.

    Raises:
        ConfigError: a file that cannot be read, a key that does not exist or a value that does not fit.
    """
    from pydantic_settings import (  # noqa: PLC0415 - 0.2 s that --help must not pay
        BaseSettings,
        InitSettingsSource,
        PydanticBaseSettingsSource,
        SettingsConfigDict,
    )
    from pydantic_settings.exceptions import SettingsError  # noqa: PLC0415

    table = _table(file) if file else {}

    class Resolved(BaseSettings, Config):
        model_config = SettingsConfigDict(
            env_prefix=PREFIX,
            env_nested_delimiter="__",
            nested_model_default_partial_update=True,
            extra="forbid",
        )

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, table)

    try:
        return Config.model_validate(Resolved(**given).model_dump())
    except ValidationError as error:
        raise ConfigError("; ".join(_fault(fault) for fault in error.errors()[:3])) from None
    except SettingsError as error:
        raise ConfigError(f"{error} (lists are written as JSON there)") from None


def _table(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror}); check --config") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML ({error}); correct it") from None


def _fault(fault: Any) -> str:
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"there is no setting {key}; {_known(fault['loc'])}"
    return f"{key} = {fault['input']!r} does not do: {fault['msg'][:1].lower()}{fault['msg'][1:]}"


def _known(where: tuple[str | int, ...]) -> str:
    part: Any = Config
    for name in where[:-1]:
        part = part.model_fields[name].annotation
    return f"known are {', '.join(part.model_fields)}"
