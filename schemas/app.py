"""An App is one target: how to install, start, reset and enter it. It is data, read from a TOML file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from schemas.record import Record, digest


class Platform(StrEnum):
    """Where an App runs."""

    WEB = "web"
    ANDROID = "android"
    DESKTOP = "desktop"


class Install(Record):
    """What must be on the machine before the App can start; each list goes to its own installer."""

    pypi: tuple[str, ...] = ()
    """Requirements for a virtual environment of the App's own, with exact versions."""
    npm: tuple[str, ...] = ()
    """npm packages, with exact versions, for a ``node_modules`` of the App's own."""
    debian: tuple[str, ...] = ()
    """Debian packages that the machine must have."""


class Seed(Record):
    """One HTTP request that puts sample data into the App before its pristine copy is taken."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    path: str
    """Path and query below the App's origin."""
    form: dict[str, str | list[str]] = {}
    """Fields sent as a form; a list repeats the field."""
    user: str = ""
    """User for basic authentication; empty for none."""
    password: str = ""


class Site(Record):
    """A public site. It is not ours, so it is only read, slowly, and only when the user asks for it."""

    origin: str = Field(pattern=r"^https?://[^/@?#]+$")
    """Scheme and host: ``https://www.example.org``."""
    contact: str = Field(pattern=r"^\S+[.@:]\S+$")
    """Mail or web address of whoever crawls; the site is told it with every request."""
    delay_s: float = Field(default=1.0, gt=0)
    """Seconds between two pages; more where the site's robots.txt asks for more."""

    @property
    def domain(self) -> str:
        """What a crawl of the site never leaves."""
        return (urlsplit(self.origin).hostname or "").removeprefix("www.")


class Step(Record):
    """One step that the recipe has done in a session: open, type, enter (type, then press Enter), select,
    click, or press (click, then press keys).
    """

    do: Literal["open", "type", "enter", "select", "click", "press"]
    at: str
    """A path for ``open``, else a CSS selector that one element matches, or the key of a desktop program's
    element.
    """
    text: str = ""
    """What is typed; the value of the option that is selected; the keys that are pressed (``Control+s``)."""


class Trial(Record):
    """Something that can be written, for ``doctor`` to see that it is kept and that a reset takes it back."""

    steps: tuple[Step, ...] = Field(min_length=1)
    """Done in a fresh session, from the entry on."""
    shows: str = Field(min_length=1)
    """Text on the screen that they lead to, and on no screen before."""


class Locale(Record):
    """How the App is told which language to speak."""

    via: Literal["header", "open", "query", "setup", "browser", "environment"]
    """``header`` Accept-Language alone; ``open`` a path opened at login; ``query`` a parameter on every
    entry; ``setup`` a placeholder ``{locale}`` in files, set-up and start commands; ``browser`` nothing
    but the browser's own language (single-page apps); ``environment`` the variables LANG and LANGUAGE."""
    at: str = ""
    """The path or query for ``open`` and ``query``, holding ``{locale}``."""
    codes: dict[str, str] = {}
    """BCP-47 tag → the App's own code, for every language the App may be crawled in."""


Toolkit = Literal["gtk2", "gtk3", "gtk4", "qt5", "qt6", "vcl"]
"""What draws a desktop program's controls."""


class Program(Record):
    """One of several desktop programs that share a session."""

    name: str = Field(pattern=r"^[\w.+-]+$")
    """What the keys of its controls begin with."""
    toolkit: Toolkit
    launch: tuple[str, ...] = Field(min_length=1)
    """The command, with ``{home}`` for the home folder."""


class Desktop(Record):
    """How a desktop program is run."""

    toolkit: Toolkit
    launch: tuple[str, ...] = Field(min_length=1)
    """The command, with ``{home}`` for its home folder."""
    also: tuple[Program, ...] = ()
    """Further programs that share screen, buses, home folder and clipboard. They stand side by side, the
    first one on the left.
    """
    width: int = 1280
    height: int = 800
    """Size of its screen in pixels."""
    noise: tuple[str, ...] = ()
    """Regular expressions of signatures (``setting …``, ``file …``) that it writes by itself: sizes of
    windows, dates of last use."""

    @property
    def programs(self) -> tuple[Program, ...]:
        """All of them, from left to right; the first is named after its command."""
        name = PurePosixPath(self.launch[0]).name
        return (Program(name=name, toolkit=self.toolkit, launch=self.launch), *self.also)

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        names = [program.name for program in self.programs] if self.also else []
        if len(set(names)) < len(names):
            message = "give each program of a session a name of its own"
            raise ValueError(message)
        return self


class Help(Record):
    """Help that the App brings along, as a Debian package puts it on the machine."""

    at: str
    """Folder or file, with ``{lang}`` for the language's folder."""
    format: Literal["mallard", "docbook", "html", "man", "text"]
    langs: tuple[str, ...]
    """The language folders that there are."""
    licence: str
    """SPDX identifier of the help's own licence."""
    package: str = ""
    """Debian package that holds it, where it is none of ``install.debian``."""


class App(Record):
    """One target, as its recipe describes it. Commands are argv lists; ``{port} {data} {bin} {node}
    {origin} {locale} {package}`` are filled in by the Host.
    """

    name: str
    title: str
    """What people call it."""
    platform: Platform
    licence: str
    """SPDX identifier of the App's own licence."""
    homepage: str = ""
    version: str = ""
    category: str = "other"
    description: str = ""
    install: Install = Install()
    files: dict[str, str] = {}
    """Files written below ``{data}`` before set-up: relative path → text with placeholders."""
    setup: tuple[tuple[str, ...], ...] = ()
    """Commands run once, in ``{data}``, to make the pristine data folder."""
    seed: tuple[Seed, ...] = ()
    """Requests sent to the first start, after which the pristine copy is taken."""
    serve: tuple[str, ...] = ()
    """The command that serves the App in the foreground on ``127.0.0.1:{port}``."""
    static: str = ""
    """Instead of ``serve``: a folder (placeholders allowed) that is served as it is."""
    site: Site | None = None
    """Instead of both: a public site."""
    env: dict[str, str] = {}
    ready: str = "/"
    """Path that answers once the App is up."""
    ready_s: float = 60.0
    """Seconds to wait for it."""
    origins: tuple[str, ...] = ()
    """Further origins that belong to the App (``http://127.0.0.1:5046``), such as one that its frames come
    from; all others are out of reach."""
    entry: str = "/"
    """Path where every crawl and every task starts, after login."""
    login: tuple[Step, ...] = ()
    """Steps that turn a fresh session into a user who may work."""
    locale: Locale
    trial: Trial | None = None
    """None where nothing can be written."""
    restart: bool = True
    """Whether a reset must restart the process, because it keeps state outside ``{data}``."""
    consent: Literal["reject", "accept"] = "reject"
    """How banners that ask for consent to cookies are answered; they are no part of the App."""
    never: tuple[str, ...] = ()
    """Regular expressions of addresses (path and query) that are not tried: mail, shutdown, other people's
    services."""
    secrets: dict[str, str] = {}
    """Field name → value typed there (a project's access code, say); masked in everything written."""
    clock: str = "2027-02-01 09:00:00"
    """The frozen wall clock that App and browser see, so that a screen is the same on every run; it lies
    ahead of the real one because cookies must not arrive expired. Empty: the real clock."""
    routes: tuple[str, ...] = ()
    """Command that lists the App's own server routes as ``flask routes`` does, where it has one (used by the
    coverage report)."""
    unlinked: tuple[str, ...] = ()
    """Regular expressions of names in that list whose routes no screen of a logged-in user leads to: those
    for programs, monitors and administrators, and those that are only linked in mails."""
    desktop: Desktop | None = None
    """How it is run, for a desktop program; its ``files`` lie in a fresh home folder."""
    help: tuple[Help, ...] = ()

    @property
    def id(self) -> str:
        """The App's content id: name, platform and version, not the wording of the recipe."""
        return digest("ap", self.name, self.platform, self.version)

    @property
    def languages(self) -> tuple[str, ...]:
        """The BCP-47 tags that the App can be crawled in."""
        return tuple(self.locale.codes)

    @property
    def resettable(self) -> bool:
        """Whether the App is ours to start and to put back, which is what risky actions require."""
        return bool(self.serve or self.static or self.desktop)

    @model_validator(mode="after")
    def _one_way_to_serve(self) -> Self:
        if sum(map(bool, (self.serve, self.static, self.site))) > 1:
            message = "give one of serve, static and site"
            raise ValueError(message)
        if (self.platform is Platform.DESKTOP) != (self.desktop is not None):
            message = "the table desktop is for apps of the platform desktop, and needed there"
            raise ValueError(message)
        return self


class Locus(Record):
    """One App in one language: what is crawled, mined and composed as a unit."""

    app: App
    lang: str = Field(min_length=2)
    """BCP-47 tag."""

    @property
    def id(self) -> str:
        """Content id of this App in this language."""
        return digest("lo", self.app.id, self.lang)
