"""States and provinces by the letters that the post uses, where addresses are written with them, and by their names."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from domain.geography.folding import fold, letters_together

STATES: Final[dict[str, dict[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Their names by their letters, by the two-letter code of the country."""


@lru_cache(maxsize=1024)
def state_code(state: str, country: str = "US") -> str:
    """Return the letters of a state told by them, by its name or as "US-IL"; what is given where it names none."""
    said = letters_together(fold(state).removeprefix(f"{country.casefold()} "))
    return _codes(country).get(said, state.strip())


def state_name(state: str) -> str:
    """Return the name of a state of the United States; what is given where it is none, and words for nothing."""
    return STATES["US"].get(state.strip().upper(), state.strip()) or "no state given"


@cache
def _codes(country: str) -> dict[str, str]:
    states = STATES.get(country, {})
    return {fold(word): code for code, name in states.items() for word in (code, name)}
