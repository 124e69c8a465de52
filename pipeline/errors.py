"""The errors that end a command. An item that fails is a Rejection and never one of these.

GroundsmithError        one clear sentence that says what to do; the command line prints it
├── ConfigError         the command line, a config or a recipe is wrong          exit 2
├── ModelError          a model cannot be loaded or reached                      exit 2
├── DatasetError        a run or a shard cannot be read or written               exit 2
└── Interrupted         SIGTERM or SIGINT came; finished work is kept            exit 75
"""

from __future__ import annotations


class GroundsmithError(Exception):
    """One clear sentence that says what to do."""

    exit_code = 2


class ConfigError(GroundsmithError):
    """The command line, a config or a recipe is wrong."""


class ModelError(GroundsmithError):
    """A model cannot be loaded or reached."""


class DatasetError(GroundsmithError):
    """A run or a shard cannot be read or written."""


class Interrupted(GroundsmithError):  # noqa: N818 - it is no fault of anyone
    """SIGTERM or SIGINT came; finished work is kept and the same command goes on from there."""

    exit_code = 75
