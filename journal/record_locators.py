"""Comparison of record locators, without case."""

from __future__ import annotations


# ASSUMPTION A75: a record locator means the same in capitals and in small letters.
def normalize_locator(locator: str) -> str:
    """Return a record locator in capital letters, as airlines print it."""
    return locator.strip().upper()


def locator_spellings(locator: str) -> tuple[str, ...]:
    """Return the spellings to search for where locators are stored as entered: unchanged, upper case, lower case."""
    written = locator.strip()
    return tuple(dict.fromkeys((written, written.upper(), written.lower())))
