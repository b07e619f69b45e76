"""How record locators are compared: without regard to case."""

from __future__ import annotations


# ASSUMPTION A75: a record locator means the same in capitals and in small letters.
def normalize_locator(locator: str) -> str:
    """Return what two spellings of one record locator have in common: the capitals in which airlines print it."""
    return locator.strip().upper()


def locator_spellings(locator: str) -> tuple[str, ...]:
    """Return the spellings to search for where locators are stored as they were written: as given, upper, lower."""
    written = locator.strip()
    return tuple(dict.fromkeys((written, written.upper(), written.lower())))
