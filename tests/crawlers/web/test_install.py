import sys
from pathlib import Path

import pytest

from crawlers import recipe
from crawlers.host import HostError
from crawlers.web import install as module
from crawlers.web.install import install
from schemas.app import App, Install


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))


def app(**lists: tuple[str, ...]) -> App:
    return recipe.load("todomvc").model_copy(update={"install": Install(**lists)})


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    ran: list[tuple[list[str], dict[str, str]]] = []

    def record(argv: list[str], _app: App, _cwd: Path, extra: dict[str, str] | None = None) -> None:
        ran.append((argv, dict(extra or {})))

    monkeypatch.setattr(module, "_run", record)
    return ran


def test_python_packages_go_into_a_venv_of_the_apps_own(
    commands: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_uv", lambda: ["uv"])
    for name in ("UV_FIND_LINKS", "UV_DEFAULT_INDEX", "SSL_CERT_FILE", "PIP_INDEX_URL", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels file:///more")
    tools = install(app(pypi=("thing==1.0",)))
    (create, links), (fetch, _) = commands
    assert create[:2] == ["uv", "venv"]
    assert links == {"UV_FIND_LINKS": "/wheels,file:///more"}
    assert fetch[-1] == "thing==1.0"
    assert fetch[fetch.index("--python") + 1] == str(tools.bin / "python")


def test_without_uv_venv_and_pip_do_it(
    commands: list[tuple[list[str], dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_uv", list)
    tools = install(app(pypi=("thing==1.0",)))
    (create, _), (fetch, _) = commands
    assert create[:3] == [sys.executable, "-m", "venv"]
    assert fetch[:4] == [str(tools.bin / "python"), "-m", "pip", "install"]


def test_the_same_table_is_installed_once_and_another_one_apart(
    commands: list[tuple[list[str], dict[str, str]]],
) -> None:
    first = install(app(npm=("thing@1.0.0",)))
    assert install(app(npm=("thing@1.0.0",))) == first
    assert len(commands) == 1
    assert install(app(npm=("thing@1.0.1",))) != first


def test_a_failing_installer_is_named_with_its_last_line() -> None:
    with pytest.raises(HostError, match=r"could not be installed: .* failed \(the mirror is asleep\)"):
        module._run(
            [sys.executable, "-c", "import sys; sys.exit('no\\nthe mirror is asleep')"], app(), Path.cwd()
        )
