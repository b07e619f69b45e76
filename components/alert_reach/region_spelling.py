"""How names of places and states are written and typed: shortened, run together, or with a slip of the hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from rapidfuzz.distance import OSA

from components.alert_reach.us_states import STATE_NAMES, state_code
from components.geography.folding import fold

FEWEST_LETTERS: Final = 4
"""Names with fewer letters are too near to too many others."""
_LETTERS_FOR_TWO: Final = 8
_WRITTEN_SHORT: Final = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
_COMPASS: Final = {"n": "north", "s": "south", "e": "east", "w": "west"}
_ENDS_COUNTIES: Final = ("county", "parish", "borough", "area", "municipality", "municipio", "city", "island")


def written_out(key: str) -> str:
    """Write out what is shortened: "st louis" becomes "saint louis"."""
    return " ".join(_WRITTEN_SHORT.get(word, word) for word in key.split())


def other_ways(key: str) -> tuple[str, ...]:
    """The other ways in which the folded name of a city may be typed."""
    return tuple(sorted({written_out(key)} - {key}))


def other_ways_of_county(key: str) -> tuple[str, ...]:
    """The other ways in which the folded name of a county may be typed: some lookups leave out the word."""
    ways = {written_out(key)}
    if not key.endswith(_ENDS_COUNTIES):
        ways |= {f"{way} county" for way in (key, *ways)}
    return tuple(sorted(ways - {key}))


def state_letters(text: str) -> str:
    """A folded text as a state may be written: letters that stand apart are put together, "d c" becomes "dc"."""
    words = text.split()
    return "".join(words) if all(len(word) == 1 for word in words) else text


def state_words(states: Collection[str]) -> dict[str, frozenset[str]]:
    """What names a state, folded, and as what the lookup writes that state: by letters, by name, or both."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for state in states:
        code = state_code(state)
        for word in (state, code, STATE_NAMES.get(code, state)):
            words[fold(word)].add(state)
    return {word: frozenset(named) for word, named in words.items() if word}


def nearly_alike(name: str, keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Every key that a folded name may have meant, by its place, with a rank: the lower, the nearer.

    0: the same but for blanks and marks ("ofallon", "prince georges county"); 1: begins so; then the number of slips
    and one. A slip is a letter that is wrong, missing or too much, or two that are swapped. The first letter is right.
    """
    wanted = "".join(_COMPASS.get(word, word) for word in written_out(name).split())
    if len(wanted) < FEWEST_LETTERS or wanted.isdigit():
        return
    most = 2 if len(wanted) >= _LETTERS_FOR_TWO else 1
    for at, key in enumerate(keys):
        if key[:1] != wanted[0]:
            continue
        joined = written_out(key).replace(" ", "")
        if joined.startswith(wanted):
            yield at, int(joined != wanted)
        elif abs(len(joined) - len(wanted)) <= most:
            number = OSA.distance(wanted, joined, score_cutoff=most)
            if number <= most:
                yield at, number + 1
