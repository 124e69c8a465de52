from pathlib import Path

from crawlers.web.install import Toolbox
from crawlers.web.lines import gained, own_packages
from schemas.app import App, Install


def test_lines_of_the_start_are_nobodys_gain() -> None:
    assert gained({"a.py": frozenset({1, 2, 3}), "b.py": frozenset({1})}, {"a.py": frozenset({1, 2})}) == 2


def test_an_apps_own_packages_are_those_of_its_first_requirement(tmp_path: Path) -> None:
    tools = Toolbox(tmp_path)
    for name in ("Some_App", "other"):
        info = tools.package / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        info.joinpath("RECORD").write_text(f"{name.lower()}/__init__.py,,\n../../bin/run.py,,\n")
    app = App(
        name="some",
        title="Some",
        platform="web",
        licence="MIT",
        install=Install(pypi=("some-app==1.0", "other==1.0")),
        locale={"via": "browser"},
    )
    assert own_packages(app, tools) == (tools.package / "some_app",)
