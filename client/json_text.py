"""JSON that people type or upload, read so that nothing after it can fail on how deep it goes."""

import json
from typing import Any

DEEPEST = 64
"""Levels of lists and objects within each other; what copies, writes, or redacts a value recurses once per level."""


class NestedTooDeeply(ValueError):
    """The text has more than `DEEPEST` levels of lists and objects within each other."""


def parse_json(text: str, **options: Any) -> Any:
    """Parse as `json.loads` does; raises `NestedTooDeeply`, a ValueError, instead of RecursionError now or later."""
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
