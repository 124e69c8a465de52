"""Debian packages that an App needs: looked for on the machine, and installed where we may."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from crawlers import cache
from crawlers.host import HostError

POLICY = Path("/usr/sbin/policy-rc.d")
"""While it exists and answers 101, Debian packages start no services when they are installed."""


def need(title: str, packages: Sequence[str]) -> None:
    """See to it that the packages are there, for the App that people call ``title``.

    Raises:
        HostError: some are missing and cannot be installed by us.
    """
    missing = [name for name in packages if not has(name)]
    if not missing:
        return
    command = f"apt-get install --no-install-recommends {' '.join(missing)}"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise HostError(f"{title} needs Debian packages that are missing; run as root: {command}")
    with cache.locked(cache.root() / "apt.lock"), _no_services():
        try:
            _install(title, missing)
        except HostError:
            _apt(title, ["apt-get", "update", "-qq"])
            _install(title, missing)


def has(name: str) -> bool:
    """Whether a package is installed."""
    if not shutil.which("dpkg-query"):
        return False
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    return answer.returncode == 0 and answer.stdout == "installed"


def _install(title: str, names: Sequence[str]) -> None:
    options = ["--yes", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    _apt(title, ["apt-get", "install", *options, *names])


def _apt(title: str, argv: Sequence[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise HostError(
            f"{title} could not be installed: {' '.join(argv[:3])} … failed"
            f" ({said[-1] if said else 'no output'})."
        )


@contextlib.contextmanager
def _no_services() -> Iterator[None]:
    """Keep newly installed servers from being started on all interfaces."""
    if POLICY.exists() or not POLICY.parent.is_dir():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n", encoding="ascii")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink(missing_ok=True)
