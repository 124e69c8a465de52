"""Which errors a user can do something about, and what they are told."""

from __future__ import annotations

import errno

from crawlers.host import HostError
from crawlers.recipe import RecipeError
from pipeline.errors import GroundsmithError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR})


def explained(error: Exception) -> tuple[int, str]:
    """Exit code and sentence of an error that a user can do something about; no sentence for a bug."""
    if isinstance(error, GroundsmithError):
        return error.exit_code, str(error)
    if isinstance(error, (HostError, RecipeError)):
        return 2, str(error)
    if isinstance(error, OSError) and error.errno in FULL:
        return 2, "the disk is full; make room and repeat the command: finished work is kept"
    if isinstance(error, OSError) and error.errno in CLOSED:
        return 2, f"{error.filename or 'a file'} cannot be used ({error.strerror}); check its permissions"
    return 1, ""
