"""States and provinces by postal abbreviation and by name."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from domain.geography.folding import fold, letters_together

STATES: Final[dict[str, dict[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Names by abbreviation, by the two-letter code of the country."""


@lru_cache(maxsize=1024)
def state_code(state: str, country: str = "US") -> str:
    """Return the abbreviation of a state given by abbreviation, name, or as "US-IL"; an unknown text is returned
    unchanged.
    """
    folded = letters_together(fold(state).removeprefix(f"{country.casefold()} "))
    return _codes(country).get(folded, state.strip())


def state_name(state: str) -> str:
    """Return the name of a state of the United States; an unknown text is returned unchanged, and an empty one gives
    words for it.
    """
    return STATES["US"].get(state.strip().upper(), state.strip()) or "no state given"


@cache
def _codes(country: str) -> dict[str, str]:
    states = STATES.get(country, {})
    return {fold(word): code for code, name in states.items() for word in (code, name)}
