"""A Session is one run of a program: its private buses, its processes, and the screen they draw on."""

from __future__ import annotations

import logging
import shutil
import socket
import time
from collections.abc import Sequence
from pathlib import Path

from crawlers.desktop import loop, reader
from crawlers.desktop.growth import CAP_S, STEADY_S, Growth, bare
from crawlers.desktop.home import environment, session_bus
from crawlers.desktop.link import ROOT, CallError, Link
from crawlers.desktop.quirks import quirks_of
from crawlers.desktop.raw import RawNode, RawScreen
from crawlers.desktop.screen import Screen
from crawlers.driver import DriverError
from crawlers.host import HostError
from crawlers.processes import Service
from schemas.app import App

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
        self._programs: list[Service] = []

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
        """Whether the program has ended by itself, in good order."""
        return bool(self._programs) and all(each.status == 0 for each in self._programs)

    @property
    def memory(self) -> int:
        """Bytes that the programs hold, what they share counted in shares."""
        return sum(program.memory() for program in self._programs)

    @property
    def pids(self) -> frozenset[int]:
        """Numbers of all processes of the session and its screen."""
        services = (*self._programs, *self._services)
        return frozenset.union(self.screen.pids, *(service.pids for service in services))

    def begin(self) -> RawScreen:
        """Start buses and programs and wait until the tree has stopped growing.

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
            for command in (self.desktop.launch, *self.desktop.also):
                self._launch(command, env)
            first = self._ready()
            if len(self._programs) == 1:
                return first
            self.screen.tile([program.pids for program in self._programs])
            return self._ready()
        except BaseException:
            self.end()
            raise

    def read(self) -> RawScreen:
        """Everything on the screen now.

        Raises:
            DriverError: ``crashed`` where the program is gone, ``timeout`` where it does not answer.
        """
        try:
            return loop.run(self._read())
        except CallError as error:
            raise self.failure(error) from error

    def check(self) -> None:
        """Raise a DriverError if a program has died. One that is about to end is waited for."""
        deadline = time.monotonic() + EXIT_S
        while time.monotonic() < deadline and any(program.alive for program in self._programs):
            time.sleep(PAUSE_S)
        for program in self._programs:
            if program.status:
                raise DriverError("crashed", f"{self.app.title} has died (exit status {program.status}).")

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
            self._link = None
        for service in (*self._programs, *reversed(self._services)):
            service.stop()
        self._programs, self._services = [], []

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

    def _launch(self, command: Sequence[str], env: dict[str, str]) -> None:
        argv = [part.replace("{home}", str(self.home)) for part in command]
        program = self._service(self.app.title, argv, env)
        self._programs.append(program)
        program.start()

    def _service(self, name: str, argv: Sequence[str], env: dict[str, str]) -> Service:
        log = self._runtime / f"{Path(argv[0]).name}.log"
        return Service(name, argv, cwd=self.home, log=log, env=env, grace=GRACE_S)

    def _ready(self) -> RawScreen:
        """The first screen, once its tree has stopped growing."""
        began, growth = time.monotonic(), Growth()
        while True:
            for program in self._programs:
                program.check_alive()
            self._lull(began + CAP_S)
            screen, now = self._look(), time.monotonic()
            if screen is None and now - began > self.app.ready_s:
                raise HostError(
                    f"{self.app.title} showed nothing that can be read within {self.app.ready_s:g} s;"
                    " give it more time (ready_s), or see whether its toolkit speaks AT-SPI."
                )
            size = len(screen.nodes) if screen else 0
            if screen and growth.whole(size, now=now, quiet_s=now - self.link.stirred):
                log.info("%s: %d objects after %d reads", self.app.title, size, growth.reads)
                check_accessible(self.app, screen)
                return screen.model_copy(update={"reads": growth.reads})
            time.sleep(PAUSE_S)

    def _lull(self, until: float) -> None:
        """Let a program finish what it has to say: one that is asked for everything while it starts is late,
        and what it answers is thrown away.
        """
        while time.monotonic() < min(until, self.link.stirred + STEADY_S):
            time.sleep(PAUSE_S)

    def _look(self) -> RawScreen | None:
        """What can be read while the program starts; None where that is nothing."""
        try:
            screen = loop.run(self._read())
        except CallError:
            return None
        return screen if screen.nodes and self._shown(screen) else None

    def _shown(self, screen: RawScreen) -> bool:
        """Whether every program has a window."""
        owners = {node.owner for node in screen.nodes}
        return len(owners) >= len(self._programs)

    async def _read(self) -> RawScreen:
        trees: list[tuple[str, str, reader.Tree]] = []
        for name in await self.link.programs():
            try:
                trees.append(await _tree(self.link, name))
            except CallError as error:
                if error.kind != "gone":  # the registry may still list a program that is gone
                    raise
        nodes: list[RawNode] = []
        for _, _, tree in trees:
            nodes += [self._at_home(node) for node in _moved(tree.nodes, len(nodes))]
        return RawScreen(
            toolkit=trees[0][0] if trees else "",
            version=trees[0][1] if trees else "",
            nodes=tuple(nodes),
            windows=self.screen.windows(),
            width=self.screen.width,
            height=self.screen.height,
            partial=any(tree.partial for _, _, tree in trees),
        )

    def _at_home(self, node: RawNode) -> RawNode:
        """The node without the path of the home folder, which is another one on every machine."""
        home = str(self.home)
        told = {"name": node.name, "description": node.description, "text": node.text or ""}
        changed = {part: said.replace(home, "~") for part, said in told.items() if home in said}
        return node.model_copy(update=changed) if changed else node


async def _tree(link: Link, name: str) -> tuple[str, str, reader.Tree]:
    """Toolkit, version and tree of one program."""
    toolkit = str(await link.get(name, ROOT, "Application", "ToolkitName"))
    version = str(await link.get(name, ROOT, "Application", "Version"))
    return toolkit, version, await reader.read(link, name, quirks_of(toolkit, version))


def _listens(path: str) -> bool:
    """Whether somebody accepts connections there; the file alone comes a moment earlier."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def _moved(nodes: list[RawNode], by: int) -> list[RawNode]:
    """Nodes that now stand behind so many others."""
    if not by:
        return nodes
    return [
        node if node.parent < 0 else node.model_copy(update={"parent": node.parent + by}) for node in nodes
    ]


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
