import re
from pathlib import Path

import pytest

from crawlers import recipe
from crawlers.recipe import RecipeError
from schemas.app import Platform

MINIMAL = """
name = "tiny"
title = "Tiny"
platform = "web"
licence = "MIT"
static = "{data}"
[locale]
via = "browser"
codes = { en = "en" }
"""


def written(folder: Path, text: str, name: str = "tiny.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", recipe.available())
def test_every_shipped_recipe_is_valid_and_named_after_its_file(name: str) -> None:
    app = recipe.load(name)
    assert app.name == name
    assert app.licence
    assert app.languages


@pytest.mark.parametrize("name", recipe.available())
def test_every_shipped_recipe_says_what_it_installs_to_the_last_digit(name: str) -> None:
    app = recipe.load(name)
    assert app.homepage.startswith("https://")
    assert app.version
    assert app.category != "other"
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", requirement) for requirement in app.install.pypi)
    assert all(re.fullmatch(r"(@[\w-]+/)?[\w.-]+@\d+\.\d+\.\d+", package) for package in app.install.npm)


WEB = tuple(name for name in recipe.available() if recipe.load(name).platform is Platform.WEB)


@pytest.mark.parametrize("name", WEB)
def test_every_shipped_web_recipe_has_a_trial_that_doctor_can_do(name: str) -> None:
    trial = recipe.load(name).trial
    assert trial is not None
    assert trial.steps[-1].do != "type", "something must send what was typed"


def test_the_pool_is_broad_and_much_of_it_speaks_chinese() -> None:
    apps = [recipe.load(name) for name in WEB]
    assert len(apps) >= 18
    assert len([app for app in apps if {"en", "zh-Hans"} <= set(app.languages)]) >= 10
    assert len({app.category for app in apps}) >= 8


def test_the_shipped_web_recipes_are_found() -> None:
    assert {"dokuwiki", "ihatemoney", "shaarli", "todomvc", "trac"} <= set(recipe.available())


def test_a_recipe_of_ones_own_is_read_from_its_path(tmp_path: Path) -> None:
    app = recipe.load(written(tmp_path, MINIMAL))
    assert (app.name, app.platform) == ("tiny", Platform.WEB)


def test_an_unknown_name_lists_what_there_is_and_the_closest_name() -> None:
    with pytest.raises(RecipeError, match=r"'ihatemony': did you mean ihatemoney\? Known apps: .*trac"):
        recipe.load("ihatemony")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(RecipeError, match=r"no recipe file nowhere/tiny\.toml"):
        recipe.load("nowhere/tiny.toml")


def test_broken_toml_names_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'name = "tiny"\ntitle = oops\n')
    with pytest.raises(RecipeError, match=r"tiny\.toml is not valid TOML: .*line 2"):
        recipe.load(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(RecipeError, match="not UTF-8"):
        recipe.load(path)


@pytest.mark.parametrize(
    "line,complaint",
    [
        ("readyy = '/'", r"readyy: .*did you mean ready\?"),
        ("restart = 'perhaps'", "restart: .*bool"),
        ("serve = ['x']", "give one of serve, static and site"),
        ("clock = 'tomorrow'", "write clock as"),
        ("never = ['^/out', '(']", r"'\(' in never is no regular expression"),
        ("unlinked = ['*']", r"'\*' in unlinked is no regular expression"),
    ],
)
def test_a_wrong_field_is_named_with_the_reason(tmp_path: Path, line: str, complaint: str) -> None:
    path = written(tmp_path, f"{line}\n{MINIMAL}")
    with pytest.raises(RecipeError, match=complaint):
        recipe.load(path)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, MINIMAL.replace('licence = "MIT"\n', ""))
    with pytest.raises(RecipeError, match="licence: field required"):
        recipe.load(path)


def test_the_name_must_be_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, MINIMAL, "other.toml")
    with pytest.raises(RecipeError, match=r"called 'tiny'.*tiny\.toml"):
        recipe.load(path)


def test_desktop_recipes_name_their_help_their_packages_and_five_languages() -> None:
    apps = [app for app in map(recipe.load, recipe.available()) if app.platform is Platform.DESKTOP]
    assert len(apps) >= 15
    assert {app.desktop.toolkit for app in apps if app.desktop} >= {"gtk3", "gtk4", "qt5", "vcl"}
    for app in apps:
        assert app.install.debian
        assert {"en", "zh-Hans", "de", "ja", "ar"} <= set(app.languages)
    assert sum(bool(app.help) for app in apps) >= 10


def test_editors_have_trials_that_save_what_was_typed() -> None:
    apps = [recipe.load(name) for name in recipe.available()]
    editors = [app for app in apps if app.category == "text_editor" and app.desktop]
    assert len(editors) >= 6
    for app in editors:
        assert app.trial is not None, app.name
        typed, saved = app.trial.steps[-2:]
        assert app.trial.shows == typed.text
        assert (saved.do, saved.text) == ("press", "Control+s")


def test_the_table_desktop_belongs_to_the_platform(tmp_path: Path) -> None:
    path = tmp_path / "thing.toml"
    path.write_text(
        'name="thing"\ntitle="T"\nplatform="desktop"\nlicence="MIT"\nlocale={via="environment"}\n'
    )
    with pytest.raises(RecipeError, match="the table desktop is for apps of the platform desktop"):
        recipe.load(path)


def test_programs_of_one_session_are_told_apart_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'name="two"\ntitle="T"\nplatform="desktop"\nlicence="MIT"\nlocale={via="environment"}\n'
        '[desktop]\ntoolkit="gtk3"\nlaunch=["/usr/bin/pad"]\n'
        '[[desktop.also]]\nname="pad"\ntoolkit="gtk3"\nlaunch=["pad"]\n'
    )
    with pytest.raises(RecipeError, match="give each program of a session a name of its own"):
        recipe.load(path)
