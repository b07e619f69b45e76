"""Regular expressions that are long enough to be written over several lines."""

from __future__ import annotations

import re


def over_lines(text: str, **parts: str) -> str:
    """One expression from a text of several lines, whose breaks and indents do not count.

    `<name>` stands for a part that is given by this name.
    """
    joined = re.sub(r"\s*\n\s*", "", text.strip())
    for name, part in parts.items():
        joined = joined.replace(f"<{name}>", f"(?:{part})")
    return joined


def pattern(text: str, **parts: str) -> re.Pattern[str]:
    """The expression compiled, upper and lower case alike."""
    return re.compile(over_lines(text, **parts), re.I)


def cased(text: str, **parts: str) -> re.Pattern[str]:
    """The expression compiled, telling upper from lower case."""
    return re.compile(over_lines(text, **parts))
