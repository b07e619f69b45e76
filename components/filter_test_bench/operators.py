"""The operators of the interface under names that say what they ask, taken from the vocabulary's own sets."""

from __future__ import annotations

from typing import Final

from client.vocabulary.contact_filters import COMPARED, DATED, LISTED, SET_OR_NOT, TEXT

STARTS, ENDS, IS, IS_NOT, CONTAINS, CONTAINS_NOT = TEXT
_IS, _IS_NOT, BELOW, UP_TO, ABOVE, FROM_ON = COMPARED
WITHIN: Final = DATED[0]
ONE_OF, NONE_OF = LISTED
NOT_SET, IS_SET = SET_OR_NOT

OPPOSITES: Final = {IS_NOT: IS, CONTAINS_NOT: CONTAINS, NONE_OF: ONE_OF}
"""What says no, by what it says no to: nobody is in both, and everybody is in one of them."""
KNOWN: Final = frozenset({*TEXT, *COMPARED, *DATED, *LISTED, *SET_OR_NOT})
"""Every operator that can be judged."""
TEXT_ONLY: Final = frozenset({STARTS, ENDS, CONTAINS, CONTAINS_NOT})
"""Operators that look at the letters of a value, whatever its data type."""
