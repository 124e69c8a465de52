from pathlib import Path

import pytest

from crawlers import debian
from crawlers.host import HostError


def test_missing_packages_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "has", lambda name: name == "there")
    monkeypatch.setattr(debian.os, "geteuid", lambda: 1000)
    with pytest.raises(
        HostError, match=r"^Thing needs .* run as root: apt-get install --no-install-recommends one two$"
    ):
        debian.need("Thing", ("there", "one", "two"))


def test_root_installs_them_without_letting_services_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDSMITH_CACHE", str(tmp_path / "cache"))
    policy = tmp_path / "policy-rc.d"
    monkeypatch.setattr(debian, "POLICY", policy)
    monkeypatch.setattr(debian, "has", lambda _: False)
    monkeypatch.setattr(debian.os, "geteuid", lambda: 0)
    monkeypatch.setattr(debian.shutil, "which", lambda name: f"/usr/bin/{name}")
    guarded: list[str] = []
    monkeypatch.setattr(debian, "_apt", lambda *_: guarded.append(policy.read_text()))
    debian.need("Thing", ("one",))
    assert guarded == ["#!/bin/sh\nexit 101\n"]
    assert not policy.exists()
