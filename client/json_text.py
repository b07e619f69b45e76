"""Parse JSON that people type or upload, with a limit on nesting."""

import json
from typing import Any

DEEPEST = 64
"""The deepest nesting of lists and objects. Code that copies, writes, or redacts a value recurses once per level."""


class NestedTooDeeply(ValueError):
    """The text has more than `DEEPEST` levels of nested lists and objects."""


def parse_json(text: str, **options: Any) -> Any:
    """Parse like `json.loads`. Raises `NestedTooDeeply`, a ValueError, instead of a RecursionError."""
    try:
        value = json.loads(text, **options)
    except RecursionError as error:
        raise NestedTooDeeply from error
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return value
        level = [part for each in level for part in (each.values() if isinstance(each, dict) else each)]
    raise NestedTooDeeply
