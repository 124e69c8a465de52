import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from crawlers.host import HostError
from crawlers.processes import Service, busy, free_port

REPOSITORY = Path(__file__).resolve().parents[2]
SERVER = """
import http.server, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(500 if self.path == "/broken" else 200)
        self.end_headers()
    def log_request(self, *args):
        pass
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print("ready", flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("on", flush=True)
time.sleep(600)
"""
TIDY = """
import signal, sys, time
from pathlib import Path
def end(*_):
    Path("settings").touch()
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("on", flush=True)
time.sleep(600)
"""


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def gone(pids: list[int]) -> bool:
    return not any(map(alive, pids))


def alive(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):  # it may go while it is looked at
        return psutil.Process(pid).status() != "zombie"
    return False


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    made: list[Service] = []

    def service(code: str, *args: object, grace: float = 3.0) -> Service:
        argv = [sys.executable, "-c", code, *map(str, args)]
        made.append(Service("Tiny", argv, cwd=tmp_path, log=tmp_path / "log", grace=grace))
        return made[-1]

    yield service
    for service_ in made:
        service_.stop()


def test_a_free_port_can_be_bound_and_the_preferred_one_is_given() -> None:
    port = free_port()
    assert free_port(port) == port
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert free_port(port) != port


def test_stopping_ends_the_server_its_children_and_those_that_left_its_session(
    make: Callable[..., Service],
) -> None:
    port = free_port()
    service = make(SERVER, port, grace=0.5)
    service.start()
    service.wait_ready(port)
    assert service.listens() == (("127.0.0.1", port),)
    tree = [process.pid for process in service._tree()]
    assert len(tree) == 3
    service.stop()
    assert gone(tree)
    assert not service.alive
    service.stop()


def test_it_can_be_started_again(make: Callable[..., Service]) -> None:
    port = free_port()
    service = make(SERVER, port, grace=0.2)
    for _ in range(2):
        service.start()
        service.wait_ready(port)
        service.stop()


def test_a_server_that_ignores_the_polite_signal_is_killed(make: Callable[..., Service]) -> None:
    service = make(STUBBORN, grace=0.2)
    service.start()
    assert eventually(lambda: service._last_line() == "on")
    tree = [process.pid for process in service._tree()]
    service.stop()
    assert gone(tree)


@pytest.mark.parametrize("grace", [0.0, 2.0])
def test_without_grace_nothing_is_written_on_the_way_out(
    make: Callable[..., Service], tmp_path: Path, grace: float
) -> None:
    service = make(TIDY, grace=grace)
    service.start()
    assert eventually(lambda: "on" in service.log.read_text())
    service.stop()
    assert (tmp_path / "settings").exists() is (grace > 0)


def test_a_server_that_dies_is_reported_with_its_last_line(make: Callable[..., Service]) -> None:
    service = make("import sys; sys.exit('the disk is on fire')")
    service.start()
    with pytest.raises(HostError, match=r"Tiny has died \(exit status 1\): the disk is on fire"):
        service.wait_ready(free_port())


def test_a_command_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    service = Service("Tiny", ["no-such-program"], cwd=tmp_path, log=tmp_path / "log")
    service.start()
    with pytest.raises(HostError, match="no-such-program: No such file"):
        service.wait_ready(free_port())
    service.stop()


def test_a_port_that_somebody_else_answers_on_is_not_taken_for_ours(make: Callable[..., Service]) -> None:
    port = free_port()
    other = make(SERVER, port, grace=0.2)
    other.start()
    other.wait_ready(port)
    ours = make(SERVER, port, grace=0.2)
    ours.start()
    with pytest.raises(HostError, match=r"has died.*in use"):
        ours.wait_ready(port)


def test_a_server_error_is_not_ready(make: Callable[..., Service]) -> None:
    port = free_port()
    service = make(SERVER, port, grace=0.2)
    service.start()
    service.wait_ready(port)
    with pytest.raises(HostError, match=r"did not answer on /broken within 0\.2 s"):
        service.wait_ready(port, "/broken", seconds=0.2)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.7", "::ffff:10.0.0.1"])
def test_an_app_that_others_can_reach_is_refused(
    make: Callable[..., Service], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    service = make("import time; time.sleep(600)", grace=0.1)
    monkeypatch.setattr(service, "listens", lambda: (("127.0.0.1", 80), (address, 8080)))
    with pytest.raises(HostError, match=rf"Tiny listens on {address} port 8080"):
        service.check_loopback()


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_fine(
    make: Callable[..., Service], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    service = make("import time; time.sleep(600)", grace=0.1)
    monkeypatch.setattr(service, "listens", lambda: ((address, 8080),))
    service.check_loopback()


def test_everything_dies_with_us_even_when_we_are_killed_outright(tmp_path: Path) -> None:
    port = free_port()
    owner = dedent(f"""
        import sys, time
        from pathlib import Path
        from crawlers.processes import Service
        here = Path({str(tmp_path)!r})
        argv = [sys.executable, "-c", {SERVER!r}, "{port}"]
        service = Service("Tiny", argv, cwd=here, log=here / "log", grace=0.2)
        service.start()
        service.wait_ready({port})
        print(*[process.pid for process in service._tree()], service._watcher.pid, flush=True)
        time.sleep(600)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", owner], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    ) as us:
        assert us.stdout is not None
        pids = [int(pid) for pid in us.stdout.readline().split()]
        assert len(pids) == 4
        assert not gone(pids)
        os.kill(us.pid, signal.SIGKILL)
    assert eventually(lambda: gone(pids))


def test_a_process_is_busy_while_it_works_and_not_while_it_waits(make: Callable[..., Service]) -> None:
    waits, works = make("import time; time.sleep(600)"), make("while True: pass")
    for service in (waits, works):
        service.start()
    assert eventually(lambda: len(waits.pids) == len(works.pids) == 1)
    assert eventually(lambda: busy(works.pids))
    assert eventually(lambda: not busy(waits.pids))
    assert not busy({2**22 + 1})
