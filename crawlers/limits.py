"""Limits: what a field says that it takes."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.screen import Element


def limits_of(field: Element) -> Mapping[str, str]:
    """A field's limits by name."""
    return dict(limit.split("=", 1) for limit in field.limits.split(";") if "=" in limit)
