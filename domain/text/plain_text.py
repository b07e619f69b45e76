"""Text for people: counts, lists of names, IDs, and text that is escaped for Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeVar

from client.vocabulary.limits import LONG_MAX

NOT_AN_ID: Final = f"An ID is a whole number above 0 with at most {len(str(LONG_MAX))} digits."
MAX_ID_LENGTH: Final = 40
LONGEST_NAME: Final = 60
"""The maximum length of a person's name in a list."""

K = TypeVar("K")

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=])")
_ACTIVE: Final = re.compile(r"([\\`*_\[\]<>#~$|^]|:(?=\w))")
_STREAMLIT_SYNTAX: Final = re.compile(
    r"(:(?=material/|streamlit:|//|[\w+-]+:)|@(?=\w)|www(?=\.)|(?<!\S)<-?(?=[->=])|(?<!\S)[->~](?=[->=](?!\S)))", re.I
)
"""What Streamlit turns into icons, links, and arrows after it has read Markdown, where escaping does not help."""
_SEPARATED: Final = "\\1\u2060"
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters written from right to left, and characters that change the direction of text."""
_DIRECTION_CONTROL: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ISOLATED: Final = re.compile("(\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069)")
_QUOTED: Final = re.compile("(?<=“)[^“”]+(?=”)")


def count(number: int, one: str, many: str) -> str:
    """Return a number with its noun: "1 person", "1,612 people"."""
    return f"{number:,} {one if number == 1 else many}"


def names(items: list[str], *, at_most: int = 5, last: str = "and") -> str:
    """List names with a serial comma, and count those left out: "A, B, and C", "A, B, and 10 more", "A or B"."""
    items = [isolated(item) for item in items]
    if len(items) > at_most:
        shown = max(1, at_most - 1)
        items, last = [*items[:shown], f"{len(items) - shown:,} more"], "and"
    if len(items) <= 2:
        return f" {last} ".join(items)
    return f"{', '.join(items[:-1])}, {last} {items[-1]}"


def isolated(text: str) -> str:
    """Isolate the direction of text from people or the service, so that it cannot reorder Muster's text.

    Its invisible direction controls are removed, and text from right to left is isolated.
    """
    parts = _ISOLATED.split(text)
    # Every second part is isolated already.
    parts[::2] = [_DIRECTION_CONTROL.sub("", part) for part in parts[::2]]
    shown = "".join(parts)
    return f"\u2068{shown}\u2069" if any(map(_RIGHT_TO_LEFT.search, parts[::2])) else shown


def make_unique(names_by_id: Mapping[K, str]) -> dict[K, str]:
    """Return names by ID in the same order, with the ID added to equal names."""
    times = Counter(names_by_id.values())
    if len(times) == len(names_by_id):
        return dict(names_by_id)
    return make_unique({each: f"{name} (ID {each})" if times[name] > 1 else name for each, name in names_by_id.items()})


def plain(text: str) -> str:
    """Escape text so that Markdown and Streamlit read every character as itself.

    Isolated or quoted parts and the whole keep their own direction.
    """
    shown = isolated(_QUOTED.sub(lambda found: isolated(found[0]), text))
    separated = _STREAMLIT_SYNTAX.sub(_SEPARATED, " ".join(shown.split()))
    return _SPECIAL.sub(r"\\\1", separated)


def plain_label(text: str) -> str:
    """Escape the label of a field like `plain`, but only what Markdown would change.

    Its accessible name is the text with its backslashes.
    """
    return _ACTIVE.sub(r"\\\1", isolated(" ".join(text.split())))


def in_short(text: str, most: int = 120) -> str:
    """Shorten text for a heading or a row with an ellipsis. The text is not escaped."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def id_in(text: str) -> int | None:
    """Return the ID in a text, exactly, or None if it is not one. Spaces around it are allowed."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0")
    # Python refuses to read digits by the thousand.
    if not 0 < len(digits) <= len(str(LONG_MAX)):
        return None
    number = int(digits)
    return number if number <= LONG_MAX else None


def quoted_id(text: str) -> str:
    """Return a text that was entered as an ID, shortened and in quotation marks."""
    entered = text.strip()
    return f"“{entered if len(entered) <= MAX_ID_LENGTH else entered[: MAX_ID_LENGTH - 1] + '…'}”"
