"""Lists as people paste them: lines, commas, semicolons or tabs between the items, quotes around what holds one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SEPARATORS: Final = re.compile(r"[,;\t\r\n]")
_ITEM: Final = re.compile(
    r"[^\S\t\r\n]*\"(?P<quoted>(?:[^\"]|\"\")*)\"[^\S\t\r\n]*(?=[,;\t\r\n]|\Z)|(?P<plain>[^,;\t\r\n]+)"
)
"""An item in quotes, in which a doubled quote is one; or whatever stands up to the next separator."""
_NEEDS_QUOTES: Final = re.compile(r"[,;\t\r\n\"]|^\s|\s$")


def paste_list(text: str) -> list[str]:
    """The items of a pasted text in their order, each once."""
    return list(dict.fromkeys(item for item in _split(text) if item))


def quoted(items: Iterable[str]) -> str:
    """Items as lines that `paste_list` reads back; quotes stand around those that hold a separator."""
    return "\n".join(
        f'"{item.replace(chr(34), chr(34) * 2)}"' if _NEEDS_QUOTES.search(item) else item for item in items
    )


def _split(text: str) -> list[str]:
    if '"' not in text:
        return [item.strip() for item in _SEPARATORS.split(text)]
    return [
        match["quoted"].replace('""', '"') if match["quoted"] is not None else match["plain"].strip()
        for match in _ITEM.finditer(text)
    ]
