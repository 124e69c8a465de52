import subprocess
from typing import Any

import pytest

from crawlers.desktop import setup
from crawlers.host import HostError
from schemas.app import App


@pytest.fixture(autouse=True)
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.debian, "need", lambda *_: None)


def test_a_locale_that_is_there_is_left_alone(notes: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "_locales", lambda: frozenset({"zh_cn.utf8"}))
    monkeypatch.setattr(setup, "_generate", lambda *_: pytest.fail("it was made again"))
    setup.need(notes, ["zh-Hans"])


def test_a_locale_that_cannot_be_made_is_named_with_the_command(
    notes: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(argv: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(argv, 1, "", "")

    monkeypatch.setattr(setup.subprocess, "run", refused)
    with pytest.raises(HostError, match=r"^Notes needs the locale zh_CN.UTF-8; as root: localedef -i zh_CN"):
        setup.need(notes, ["zh-Hans"])
