"""Numbers as people read them."""

from __future__ import annotations


def count(number: int, one: str, many: str) -> str:
    """Write how many there are: "1 person", "1,612 people"."""
    return f"{number:,} {one if number == 1 else many}"


def names(items: list[str], *, at_most: int = 5, last: str = "and") -> str:
    """List names as in speech, and count those left out: "A, B and C", "A, B and 10 more"; `last` joins the last."""
    if len(items) > at_most:
        kept = max(1, at_most - 1)
        return f"{', '.join(items[:kept])} and {len(items) - kept:,} more"
    return f" {last} ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)
