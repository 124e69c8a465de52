"""A Session is one run of a program, or of several that share it: private buses, processes, and the screen
they draw on.
"""

from __future__ import annotations

import logging
import shutil
import socket
import time
from collections.abc import Sequence
from pathlib import Path

from crawlers.desktop import loop
from crawlers.desktop.growth import CAP_S, STEADY_S, Growth, bare
from crawlers.desktop.home import environment, session_bus
from crawlers.desktop.link import CallError, Link
from crawlers.desktop.raw import RawScreen
from crawlers.desktop.screen import Screen
from crawlers.desktop.views import Views
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.processes import Service
from schemas.app import App, Program

log = logging.getLogger(__name__)

PAUSE_S = 0.03
GRACE_S = 0.0
"""Programs that are asked to end write settings that nobody has changed, and the next start reads them."""
EXIT_S = 1.0


class Session:
    """Use ``begin``. Not thread-safe."""

    def __init__(self, app: App, lang: str, screen: Screen, *, home: Path, runtime: Path) -> None:
        """Nothing runs yet.

        Raises:
            HostError: the recipe is of no desktop program.
        """
        if app.desktop is None:
            raise HostError(f"The recipe of {app.title} has no table desktop; add one.")
        self.app = app
        self.desktop = app.desktop
        self.screen = screen
        self.home = home
        self._runtime = runtime
        self._lang = lang
        self._link: Link | None = None
        self._services: list[Service] = []
        self._programs: dict[str, Service] = {}
        """By their names, in order."""
        self._views: Views | None = None

    @property
    def link(self) -> Link:
        """The accessibility bus.

        Raises:
            DriverError: the session has ended.
        """
        if self._link is None:
            raise DriverError("crashed", f"The session of {self.app.title} has ended.")
        return self._link

    @property
    def over(self) -> bool:
        """Whether all programs have ended by themselves, in good order."""
        return bool(self._programs) and all(each.status == 0 for each in self._programs.values())

    @property
    def memory(self) -> int:
        """Bytes that the programs hold, what they share counted in shares."""
        return sum(program.memory() for program in self._programs.values())

    @property
    def pids(self) -> frozenset[int]:
        """Numbers of all processes of the session and its screen."""
        services = (*self._programs.values(), *self._services)
        return frozenset.union(self.screen.pids, *(service.pids for service in services))

    def begin(self) -> tuple[RawScreen, ...]:
        """Start buses and programs and wait until their trees have stopped growing.

        Raises:
            HostError: it died, hangs, or shows nothing that can be read.
        """
        self.end()
        # Sockets that an earlier session left behind would be taken for those of this one.
        shutil.rmtree(self._runtime, ignore_errors=True)
        self._runtime.mkdir(mode=0o700)
        env = environment(
            self.app, self._lang, home=self.home, runtime=self._runtime, display=self.screen.name
        )
        try:
            self._buses(env)
            for program in self.desktop.programs:
                self._launch(program, env)
            self._views = Views(self.link, self.screen, self.home, self._programs)
            if not self.desktop.also:
                return self._ready()
            self._ready()
            self.screen.tile([program.pids for program in self._programs.values()])
            return self._ready()
        except BaseException:
            self.end()
            raise

    def read(self) -> tuple[RawScreen, ...]:
        """What each program shows now, in order.

        Raises:
            DriverError: ``crashed`` where a program is gone, ``timeout`` where it does not answer.
        """
        if self._views is None:
            raise DriverError("crashed", f"The session of {self.app.title} has ended.")
        try:
            return loop.run(self._views.read())
        except CallError as error:
            raise self.failure(error) from error

    def check(self) -> None:
        """Raise a DriverError if a program has died. One that is about to end is waited for."""
        programs = self._programs.values()
        deadline = time.monotonic() + EXIT_S
        while time.monotonic() < deadline and all(program.alive for program in programs):
            time.sleep(PAUSE_S)
        for program in programs:
            if program.status:
                raise DriverError("crashed", f"{program.name} has died (exit status {program.status}).")

    def failure(self, error: CallError) -> DriverError:
        """What a failed call means for the session."""
        if error.kind == "gone":
            try:
                self.check()
            except DriverError as dead:
                return dead
        if error.kind == "late":
            return DriverError("timeout", f"{self.app.title} does not answer: {error}.")
        return DriverError("crashed", f"{self.app.title} cannot be read any more: {error}.")

    def end(self) -> None:
        """Stop every process of the session. Safe to call twice."""
        if self._link is not None:
            loop.run(_hang_up(self._link))
            self._link = self._views = None
        for service in (*self._programs.values(), *reversed(self._services)):
            service.stop()
        self._programs, self._services = {}, []

    def _buses(self, env: dict[str, str]) -> None:
        address = session_bus(self._runtime)
        path = str(self._runtime / "bus")
        argv = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}"]
        bus = self._service("The session bus", argv, env)
        self._services.append(bus)
        bus.start()
        while not _listens(path):
            bus.check_alive()
            time.sleep(0.002)
        try:
            self._link = loop.run(Link.open(address))
        except CallError as error:
            raise HostError(
                f"There is no accessibility bus ({error}); on Debian, as root: apt-get install at-spi2-core"
            ) from error

    def _launch(self, program: Program, env: dict[str, str]) -> None:
        argv = [part.replace("{home}", str(self.home)) for part in program.launch]
        title = program.name if self.desktop.also else self.app.title
        service = self._programs[program.name] = self._service(title, argv, env)
        service.start()

    def _service(self, name: str, argv: Sequence[str], env: dict[str, str]) -> Service:
        log = self._runtime / f"{Path(argv[0]).name}.log"
        return Service(name, argv, cwd=self.home, log=log, env=env, grace=GRACE_S)

    def _ready(self) -> tuple[RawScreen, ...]:
        """The first screens, once their trees have stopped growing."""
        began, growth = time.monotonic(), Growth()
        while True:
            for program in self._programs.values():
                program.check_alive()
            self._lull(began + CAP_S)
            screens, now = self._look(), time.monotonic()
            if not screens and now - began > self.app.ready_s:
                raise HostError(
                    f"{self.app.title} showed nothing that can be read within {self.app.ready_s:g} s;"
                    " give it more time (ready_s), or see whether its toolkit speaks AT-SPI."
                )
            size = sum(len(screen.nodes) for screen in screens)
            if screens and growth.whole(size, now=now, quiet_s=now - self.link.stirred):
                log.info("%s: %d objects after %d reads", self.app.title, size, growth.reads)
                for screen in screens:
                    check_accessible(self.app, screen)
                return tuple(screen.model_copy(update={"reads": growth.reads}) for screen in screens)
            time.sleep(PAUSE_S)

    def _lull(self, until: float) -> None:
        """Let a program finish what it has to say: one that is asked for everything while it starts is late,
        and what it answers is thrown away.
        """
        while time.monotonic() < min(until, self.link.stirred + STEADY_S):
            time.sleep(PAUSE_S)

    def _look(self) -> tuple[RawScreen, ...]:
        """What can be read while programs start; nothing as long as one of them has no window."""
        try:
            screens = loop.run(self._views.read()) if self._views else ()
        except CallError:
            return ()
        return screens if all(screen.nodes for screen in screens) else ()


def _listens(path: str) -> bool:
    """Whether somebody accepts connections there; the file alone comes a moment earlier."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


async def _hang_up(link: Link) -> None:
    link.close()


def check_accessible(app: App, screen: RawScreen) -> None:
    """Tell a program whose accessibility is turned off from one that offers nothing.

    Raises:
        HostError: it shows a window and nothing in it.
    """
    if not bare(len(screen.nodes)):
        return
    raise HostError(
        f"accessibility_not_enabled: {app.title} ({screen.toolkit or 'unknown toolkit'}) shows a window and"
        " nothing in it; start it with the flag or variable that turns accessibility on"
        " (--force-renderer-accessibility for Chromium and Electron)."
    )
