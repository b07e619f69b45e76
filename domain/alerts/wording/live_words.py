"""Find what a test text says as if the test were live: instructions to people, and reports of hazards.

find_live_words("TEST: Boil your water until Friday.") -> "Boil your water until Friday"
find_live_words("TEST. No action is required.")        -> None
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Final

from domain.alerts.wording.hazards_in_text import Certainty, find_hazards, without_offices, without_speaker
from domain.alerts.wording.patterns import pattern, sentence_after, sentence_before, without_accents

_TABLE: Final = Path(__file__).with_suffix(".toml")
_SENTENCE: Final = re.compile(r"[^.!?;\n]+(?:\.(?=\w)[^.!?;\n]*)*[.!?;\n]?")
_TEST: Final = r"(?:tests?|drill|exercise|prueba|simulacro|ejercicio)"
_MARK: Final = pattern(
    r"""
    ^\W*(?:(?:(?:this|it|esto|esta|este) (?:is|es) )?(?:only |just |solo |solamente |unicamente )?(?:an? |una? )?
    <test>\b(?! (?:of|for|de|del|to|on|at|will|is|message|alert|mensaje)\b)(?:\W*<test>\b)*\W+)
    """,
    test=_TEST,
)
"""What marks a text as a test before its content: "TEST TEST:", "Drill -"."""
_REHEARSED: Final = pattern(r"\b(?:<test>|testing|checks?) (?:of|for|del?)\s+(?:[\w'’-]+\s+){0,3}$", test=_TEST)
"""What comes before the name of something that is tested: "test of the boil water notice"."""
_WITHIN: Final = 40
_MOST_MARKS: Final = 5
_LONGEST_SHOWN: Final = 40
_CLAUSE_START: Final = re.compile(r"[:,–—]|\b(?:but|and|then|pero|y)\b")


def find_live_words(text: str) -> str | None:
    """Return the words that tell people to act, or report a hazard, as if the test were live. None if there are
    none.
    """
    for sentence in _SENTENCE.findall(text):
        body = without_speaker(_without_mark(sentence))
        plain = without_accents(body)
        if _listed("supposed").search(plain):
            continue
        order = _order(plain, "orders") or _order(plain, "reports")
        if order is not None:
            rest = re.split(r"[.!?;,\n]", body[order.end() : order.end() + _LONGEST_SHOWN * 2])[0]
            return shorten(f"{body[order.start() : order.end()]}{rest}".strip(" ,.!"), _LONGEST_SHOWN, placeholder="…")
        if (report := _report(body, plain)) is not None:
            return report
    return None


def find_spanish_order(text: str) -> str | None:
    """What a Spanish text tells people to do; None where it tells them nothing.

    find_spanish_order("Tornado cerca de Boulder. Busque refugio ahora.") -> "Busque refugio"
    """
    order = _spanish_orders().search(without_accents(text))
    return text[order.start() : order.end()] if order else None


def _without_mark(sentence: str) -> str:
    body = sentence
    for _ in range(_MOST_MARKS):
        mark = _MARK.match(without_accents(body))
        if mark is None:
            break
        body = body[mark.end() :]
    return body


def _order(plain: str, name: str) -> re.Match[str] | None:
    for order in _listed(name).finditer(plain):
        clause = sentence_before(plain, order.start(), _CLAUSE_START)
        if not re.match(r"no\b|do\b|don|never", order.group(), re.I) and _listed("denied").search(clause[-_WITHIN:]):
            continue
        if _REHEARSED.search(sentence_before(plain, order.start())):
            continue
        return order
    return None


def _report(body: str, plain: str) -> str | None:
    for hazard in find_hazards(without_offices(body)):
        before = sentence_before(plain, hazard.start)
        after = sentence_after(plain, hazard.start + len(hazard.words))
        is_rehearsed = re.search(
            rf"\b(?:{_alternatives('rehearsed', 'before')})\W+(?:[\w'’-]+\W+){{0,4}}$", before, re.I
        )
        names_system = re.match(rf"\W*(?:{_alternatives('rehearsed', 'after')})\b", after, re.I)
        if hazard.certainty == Certainty.STATED and not is_rehearsed and not names_system:
            return hazard.words
    return None


@cache
def _listed(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_alternatives(name, 'en', 'es')})(?!\w)", re.I)


@cache
def _spanish_orders() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_alternatives('orders', 'es')})(?!\w)", re.I)


@cache
def _alternatives(name: str, *keys: str) -> str:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))[name]
    expressions: Iterable[str] = (each for key in keys for each in table[key])
    return "|".join(f"(?:{each})" for each in expressions)
