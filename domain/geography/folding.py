"""Fold texts for comparison: without accents, case, or punctuation, so that "sao paulo" finds "São Paulo"."""

import re
import unicodedata

# Letters that Unicode does not decompose into a plain letter and an accent.
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
)
_NOT_A_WORD = re.compile(r"[\W_]+")
_LETTERS_APART = re.compile(r"\b([a-z]) (?=[a-z]\b)")


def fold(text: str) -> str:
    """Return the words of a text in lower case, without accents, separated by single spaces."""
    if text.isascii():
        return _NOT_A_WORD.sub(" ", text.lower()).strip()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_UNDECOMPOSED))
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _NOT_A_WORD.sub(" ", plain).strip()


def letters_together(text: str) -> str:
    """Return a folded text with separate letters joined: "l a county" becomes "la county"."""
    return _LETTERS_APART.sub(r"\1", text)
