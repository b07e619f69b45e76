"""Find the language of an alert text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

ENGLISH: Final = "en-US"
UNKNOWN: Final = "und"
"""The code of ISO 639 for an undetermined language."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_PLACEHOLDER: Final = re.compile(r"\[[^\[\]\n]{0,60}\]")
# Short words that are frequent in one of these languages and rare in the others. Not "el", "los", and "las", with which
# names of places begin.
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: "the and or of to at for now not is are be your you this until by with from near stay take do leave",
        "es-US": "y en del una por para con hasta ahora está están su sus ya hay es desde esto esta usted muy agua hoy",
        "fr-US": "le les des et une dans pour avec votre vous jusqu maintenant est sont aux sur ne pas du cette",
        "pt-US": "e da do das dos em uma não para com até agora está são você sua seu as os ao pela",
        "ht-US": "nan ak pou yo ou pa se kounye nou lan sou epi gen fè tout konsa",
        "vi-US": "và của là không hãy ngay đến trong cho tại từ các có này",
        "tl-US": "ang ng sa mga na ay at ngayon huwag hanggang ito po kayo inyong",
    }.items()
}


def find_language(text: str) -> str:
    """Return the language of a text as a code such as "es-US", or "und" if it is written in no Latin letters.

    A text without a frequent word, such as "Gas leak", counts as English.
    """
    words = _WORD.findall(_PLACEHOLDER.sub(" ", text).casefold())
    if words and not any("a" <= letter <= "z" for word in words for letter in word):
        return UNKNOWN
    number = {language: sum(word in frequent for word in words) for language, frequent in _WORDS.items()}
    return max(number, key=lambda language: number[language])  # The first of equals, which is English.
