"""The values that the modules of the components declare: every edit, record list, and file import."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

PROJECT = Path(__file__).resolve().parents[1]
T = TypeVar("T")


def list_declared(kind: type[T]) -> list[T]:
    """Return every value of this type that a module of the components has, once."""
    return list({id(value): value for value in _values() if isinstance(value, kind)}.values())


@cache
def _values() -> list[Any]:
    names = [
        ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        for path in sorted((PROJECT / "components").rglob("*.py"))
        # The frame draws as soon as it is imported.
        if path.name not in {"__init__.py", "frame.py"}
    ]
    return [value for name in names for value in vars(importlib.import_module(name)).values()]
