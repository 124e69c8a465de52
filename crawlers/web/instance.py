"""An Instance is one App on one Slot: its data folder, its commands and the process that serves it."""

from __future__ import annotations

import base64
import http.client
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode

from crawlers import clock
from crawlers.host import HostError
from crawlers.processes import LOOPBACK, Service
from crawlers.web import static
from crawlers.web.environment import environment, fill, placeholders
from crawlers.web.install import Toolbox
from crawlers.web.slot import Slot
from schemas.app import App, Seed

COMMAND_S = 300.0
"""Seconds that one set-up command may take."""


class Instance:
    """Runs an App in ``slot.folder / "data"``, which the caller fills and empties."""

    def __init__(  # noqa: PLR0913 - what an App needs to run
        self,
        app: App,
        lang: str,
        slot: Slot,
        tools: Toolbox,
        *,
        time: str,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Fill in the recipe's placeholders; ``time`` is what the App's clock shows, and ``variables`` are
        for the serving process alone, not for commands. Nothing runs yet.
        """
        self.app = app
        self.lang = lang
        self.data = slot.folder / "data"
        self.port = slot.port
        self.origin = f"http://{LOOPBACK}:{slot.port}"
        self.log = slot.folder / "serve.log"
        home = slot.folder / "home"
        home.mkdir()
        self._values = placeholders(app, lang, port=slot.port, data=self.data, tools=tools)
        self._environment = environment(app, self._values, home, time)
        serving = {name: self.fill(text) for name, text in (variables or {}).items()}
        self._service = Service(
            app.title, self._serve(), cwd=self.data, log=self.log, env=self._environment | serving
        )

    @property
    def alive(self) -> bool:
        """Whether the App's process is running."""
        return self._service.alive

    @property
    def memory(self) -> int:
        """Bytes that the App's processes hold."""
        return self._service.memory()

    def fill(self, text: str) -> str:
        """The text with its placeholders replaced."""
        return fill(text, self._values)

    def text(self, name: str) -> str:
        """What the recipe writes into the file of that name."""
        return self.fill(self.app.files[name])

    def write(self, names: Iterable[str], below: Path) -> None:
        """Write these files of the recipe below a folder."""
        for name in names:
            path = below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text(name), encoding="utf-8")

    def run(self, argv: Sequence[str]) -> str:
        """Run one of the recipe's commands in the data folder and return what it printed.

        Raises:
            HostError: it could not be run, failed or took too long.
        """
        command = [self.fill(part) for part in argv]
        try:
            done = subprocess.run(
                command,
                cwd=self.data,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=COMMAND_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HostError(
                f"{self.app.title}: the command {command[0]} could not be run ({error})."
            ) from error
        if done.returncode != 0:
            said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
            raise HostError(
                f"{self.app.title}: the command {' '.join(command[:3])} … failed with status"
                f" {done.returncode}: {said[-1].strip() if said else 'no output'}"
            )
        return done.stdout

    def start(self) -> None:
        """Serve, wait until ready, and make sure that only this machine can reach it.

        Raises:
            HostError: it died, never answered, or listens on more than loopback. It is stopped then.
        """
        self._service.start()
        try:
            self._service.wait_ready(self.port, self.app.ready, seconds=self.app.ready_s)
            self._service.check_loopback()
        except HostError:
            self.stop()
            raise

    def check(self) -> None:
        """Raise a HostError if the App has died."""
        self._service.check_alive()

    def stop(self) -> None:
        """Stop the App's whole process tree. Safe to call twice."""
        self._service.stop()
        clock.sweep()

    def send(self, seed: Seed) -> None:
        """Put one piece of sample data into the running App.

        Raises:
            HostError: the App refused it.
        """
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if seed.form else {}
        if seed.user:
            token = base64.b64encode(f"{seed.user}:{seed.password}".encode()).decode()
            headers["Authorization"] = f"Basic {token}"
        body = urlencode(seed.form, doseq=True) if seed.form else None
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=30)
        try:
            connection.request(seed.method, seed.path, body, headers)
            answer = connection.getresponse()
            said = answer.read(300).decode(errors="replace").strip()
        except (OSError, http.client.HTTPException) as error:
            raise HostError(
                f"{self.app.title}: seed {seed.method} {seed.path} got no answer ({error})."
            ) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise HostError(f"{self.app.title}: seed {seed.method} {seed.path} got {answer.status}: {said}")

    def _serve(self) -> list[str]:
        if self.app.serve:
            return [self.fill(part) for part in self.app.serve]
        if self.app.static:
            folder = self.fill(self.app.static)
            return [sys.executable, "-I", static.__file__, str(self.port), folder]
        raise HostError(f"{self.app.title} cannot be started: its recipe has neither serve nor static.")
