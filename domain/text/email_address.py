"""Email addresses: whether a text is one, and the first one in a longer text."""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = re.compile(r"(?<![^@\s,;<>·])[^@\s,;<>·]+@[^@\s,;<>·.]+(?:\.[^@\s,;<>·.]+)+")


def is_email_address(text: str) -> bool:
    """Return whether the whole text is an email address: a name, an @, and a domain with a dot."""
    return _ADDRESS.fullmatch(text) is not None


def find_email_address(text: str) -> str | None:
    """Return the first email address in a text."""
    found = _ADDRESS.search(text)
    return None if found is None else found[0]
