"""What a text tells people to do, in English and Spanish, and which orders contradict each other or the alert.

find_orders("Evacuate now. Zone B: get ready to leave.") -> [Order("leave", …), Order("get ready", …)]

An order that is denied, permitted, lifted, or only for some case ("if you cannot leave, shelter in place") is left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from domain.alerts.draft import ALL_CLEAR, CORRECTION, FALSE_ALARM, AlertDraft
from domain.alerts.levels import PAST
from domain.alerts.wording import patterns
from domain.alerts.wording.patterns import pattern, sentence_after, sentence_before, without_accents

_TABLE: Final = Path(__file__).with_name("orders.toml")
LEAVE: Final = "leave"
GET_READY: Final = "get ready"
STAY: Final = "stay"
AVOID: Final = "avoid"
RETURN: Final = "return"
BOIL: Final = "boil"
DO_NOT_USE: Final = "do not use"
USE: Final = "use"
GO_THERE: Final = "go there"
CALL: Final = "call"
DO_NOT_CALL: Final = "do not call"
_MOVE: Final = "move"
"""Leave, or move away a little and stay there: "go uphill", "head east"."""
_FORBIDDEN: Final = "forbidden"
"""Any other order not to do something."""
_OVER: Final = "over"
"""No order: words that say that an emergency or an order is over."""
_EVACUATION: Final = "Evacuation Immediate"
_SHELTER_EVENTS: Final = frozenset(
    {"Tornado Warning", "Campus Lockdown", "Blizzard Warning", "Severe Thunderstorm Warning"}
)
"""The events in which people who leave their houses are in danger."""
_KINDS: Final = (
    LEAVE,
    GET_READY,
    STAY,
    AVOID,
    RETURN,
    BOIL,
    DO_NOT_USE,
    USE,
    GO_THERE,
    CALL,
    DO_NOT_CALL,
    _MOVE,
    _FORBIDDEN,
)
_OPPOSITES: Final = (
    *((LEAVE, STAY), (BOIL, DO_NOT_USE), (BOIL, USE), (LEAVE, RETURN)),
    *((AVOID, GO_THERE), (DO_NOT_CALL, CALL)),
)
_CALM: Final = frozenset({ALL_CLEAR, FALSE_ALARM})
_IS_OVER: Final = (RETURN, USE)
_NOT_IN_ALL_CLEAR: Final = (LEAVE, GET_READY, STAY, AVOID, BOIL, DO_NOT_USE)
_WEAK: Final = pattern(
    r"(?:go|get) (?:in|indoors|inside)\b.*|(?:lock|entre|take shelter)\b.*|leave the beach|salgan? de las?|"
    r"abandonen? (?:la|el)|boil(?:ed)?"
)
"""Orders that others may follow: "leave the beach and go inside"."""
_AT_HOME: Final = pattern(
    r"\b(?:(?:close|shut)\b.{0,20}\bwindows|cierren?\b.{0,20}\bventanas|stay in|limit (?:your )?time|conserve|ahorren?)"
    r"\b"
)
_DENIED: Final = pattern(
    r"\b(?:not|never|no longer|don['’]t|doesn['’]t|needn['’]t|no need to|without|nobody|no|ni|sin|ya no|nadie)"
    r"(?:\s(?:have to|need to|has to|must|should|es necesario|hay que|tiene que|tienen que|necesita|hace falta))?\s*$"
)
_PERMITTED: Final = pattern(
    r"\b(?:may|can|could|free to|safe to|able to|allowed to|stop|puede|pueden|podra|podran|seguro)(?: now| ya)?\s*$"
)
_IN_SOME_CASE: Final = pattern(
    r"""
    \b(?:if|unless|until|till|when|once|before|in case|whether|should you|where|who|would|how to|plan|learn|
    si|cuando|hasta que|en caso|a menos|una vez|antes de|como|donde|quienes no)\b[^.!?;\n]{0,80}$
    """
)
_ONLY_IF: Final = pattern(r"\s*,?\s*(?:only )?(?:if|when|once|in case|unless|solo si|si|cuando|en caso)\b")
_LIFTED: Final = pattern(
    r"""
    (?:(?!\b(?:until|till|hasta)\b)[^.!?;,\n]){0,60}\b(?:lifted|over|canceled|cancelled|ended|ends|expired|
    no longer|downgraded|reduced|not (?:needed|
    necessary|required)|levantad[oa]|cancelad[oa]|terminad[oa]|termino|finaliz\w+|sin efecto|ya no)\b
    """
)
_LIFTS: Final = pattern(
    r"\b(?:lift(?:s|ed|ing)?|cancel(?:s|ed|ing)?|ends?|ended|rescind\w*|levant\w+|cancel\w+|termin\w+|suspend\w+)"
    r"(?:\s\w+){0,3}\s*$"
)
_CLAUSE_END: Final = pattern(r"[,:(]|\b(?:but|except|however|pero|excepto|salvo)\b")
_BOILING: Final = pattern(r"\b(?:un)?boil|\bh(?:ie|e)rv")
_NOT_TO_DRINK: Final = pattern(
    r"\b(?:do not|don.t|never) (?:drink|use|consume)(?: \w+){0,3} water\b|"
    r"\bno (?:beban?|tomen?|usen?|consuman?)(?: \w+){0,3} agua\b"
)
_TO_WASH: Final = pattern(
    r"\b(?:bath\w*|shower\w*|laundry|wash\w*|clean\w*|dishes|flush\w*|toilets?|water(?:ing)? (?:plants|lawns|gardens)|"
    r"ban(?:o|ar\w*)|duch\w*|lav(?:ar|ado|e)\w*|limpi\w*|ropa|inodoros?|regar|riego)\b"
)
_TO_DRINK: Final = pattern(r"\b(?:drink\w*|cook\w*|any (?:use|purpose)|beb\w+|tom(?:ar|e)\w*|cocin\w+|consum\w+)\b")
_FOR_SOME: Final = pattern(
    r"""
    \b(?:zones?|residents (?:of|in|on|near|within|north|south|east|west)|(?:north|south|east|west) of|within|outside|
    people (?:in|on|near|with)|those|between|level [123]|
    zonas?(?! (?:ahora|ya|inmediatamente|de inmediato|y|hasta|por)\b)(?= \w)|vecinos de|residentes de|
    al (?:norte|sur|este|oeste) de|
    dentro de un|fuera de|entre|nivel [123])\b
    """
)
_FOR_OTHERS: Final = pattern(
    r"\b(?:others?|everyone else|all other|else|remaining|if you cannot|cannot leave|demas|otros|otras|resto)\b|"
    r"(?:^|[,;:])\s*(?:otherwise|de lo contrario)\s*,"
)


class Order(NamedTuple):
    """An order in a text, with its words."""

    kind: str
    words: str
    is_weak: bool
    is_for_some: bool
    is_for_others: bool

    def contradicts(self, other: Order) -> bool:
        """Return whether the same people cannot follow both."""
        is_pair = (self.kind, other.kind) in _OPPOSITES or (other.kind, self.kind) in _OPPOSITES
        is_divided = (self.is_for_some and other.is_for_some) or self.is_for_others or other.is_for_others
        return is_pair and not is_divided and not self.is_weak and not other.is_weak


def find_orders(text: str) -> list[Order]:
    """Return the orders in a text."""
    plain = without_accents(text)
    # Of two that overlap, the one that begins first is meant: "do not leave", "get ready to leave".
    found = sorted(
        ((match.start(), -match.end(), kind, match) for kind in _KINDS for match in _any_of(kind).finditer(plain)),
        key=lambda each: each[:2],
    )
    orders: list[Order] = []
    last = 0
    for start, _, kind, match in found:
        if start < last:
            continue
        last = match.end()
        before, after = sentence_before(plain, start), sentence_after(plain, match.end())
        if _is_given(kind, before, after) and not (kind == USE and _is_to_wash(before, match.group(), after)):
            # Not in the order itself: "avoid the zone" is for everyone.
            rest = f"{before} {after}"
            orders.append(
                Order(
                    kind,
                    " ".join(text[start : match.end()].split()).strip(" .,:;"),
                    bool(_WEAK.fullmatch(match.group().strip())),
                    bool(_FOR_SOME.search(rest)),
                    bool(_FOR_OTHERS.search(rest)),
                )
            )
    return orders


def _is_given(kind: str, before: str, after: str) -> bool:
    if kind == _FORBIDDEN and not _IN_SOME_CASE.search(before):
        return True  # "No travel unless it is essential."
    if _IN_SOME_CASE.search(before) or _ONLY_IF.match(after):
        return False
    if kind in _IS_OVER:
        return not re.search(r"\b(?:not|no)\s*$", before, re.I)
    return not (_DENIED.search(before) or _PERMITTED.search(before) or _LIFTS.search(before) or _LIFTED.match(after))


def _is_to_wash(before: str, words: str, after: str) -> bool:
    """Return whether water is permitted for washing only, which a boil-water notice may say."""
    clause = f"{_CLAUSE_END.split(before)[-1]}{words}{_CLAUSE_END.split(after, maxsplit=1)[0]}"
    return bool(_TO_WASH.search(clause)) and not _TO_DRINK.search(clause)


def says_over(text: str, *, with_water: bool = True) -> bool:
    """Return whether a text says that an emergency or an order is over, or that people may return or use the water.

    Without `with_water`, the water does not count.
    """
    if any(order.kind in _IS_OVER and (with_water or order.kind != USE) for order in find_orders(text)):
        return True
    plain = without_accents(text)
    found = (*_any_of(_OVER).finditer(plain), *patterns.ALL_CLEAR.finditer(plain))
    return any(
        not (patterns.NOT_YET.search(before) or _IN_SOME_CASE.search(before))
        for before in (sentence_before(plain, match.start()) for match in found)
    )


def answers_orders(text: str, earlier: str) -> bool:
    """Return whether a text lets people do again what an earlier text kept them from: return home, or use the water."""
    kinds, earlier_kinds = ({order.kind for order in find_orders(each)} for each in (text, earlier))
    is_about_water = not earlier_kinds.isdisjoint((BOIL, DO_NOT_USE))
    kept_from_home = not earlier_kinds.isdisjoint((LEAVE, GET_READY, STAY, AVOID)) or not earlier_kinds
    return (USE in kinds and is_about_water) or (RETURN in kinds and kept_from_home)


def tells_to_leave(text: str) -> bool:
    """Return whether a text tells people to leave, to get ready for it, or to move."""
    return any(order.kind in (LEAVE, GET_READY, _MOVE) for order in find_orders(text))


def tells_to_stay(text: str) -> bool:
    """Return whether a text tells people what to do at home: stay inside, close windows, boil or save water."""
    is_ordered = any(order.kind in (STAY, BOIL, DO_NOT_USE) for order in find_orders(text))
    return is_ordered or _AT_HOME.search(without_accents(text)) is not None


def has_opposite_orders(text: str, earlier: str) -> bool:
    """Return whether a text orders what contradicts an order of an earlier text."""
    others = _first_of_kinds(find_orders(earlier))
    return any(order.contradicts(other) for order in find_orders(text) for other in others)


def find_contradicting_orders(draft: AlertDraft, texts: Sequence[str]) -> Iterator[str]:
    """Yield a message for each order in the texts of a live alert that contradicts another order, or the alert."""
    orders = [order for text in texts for order in find_orders(text)]
    by_kind: dict[str, Order] = {}
    for order in sorted(orders, key=lambda order: order.is_weak):
        by_kind.setdefault(order.kind, order)
    pair = next(((one, other) for one in orders for other in _first_of_kinds(orders) if one.contradicts(other)), None)
    if pair is not None:
        one, other = sorted(pair, key=orders.index)
        yield f"The text says “{one.words}” and “{other.words}”. People cannot do both. Remove one of them."
        return
    yield from _of_event(draft, by_kind, without_accents("\n".join(texts)))
    yield from _of_kind(draft, by_kind, "\n".join(texts))


def _first_of_kinds(orders: Sequence[Order]) -> list[Order]:
    """Return the first order of each kind that is not weak, so that comparing all orders takes linear time."""
    strong: dict[tuple[str, bool, bool], Order] = {}
    for order in orders:
        if not order.is_weak:
            strong.setdefault((order.kind, order.is_for_some, order.is_for_others), order)
    return list(strong.values())


def _of_event(draft: AlertDraft, by_kind: Mapping[str, Order], plain: str) -> Iterator[str]:
    if draft.follow_up in _CALM:
        return
    wrong: Order | re.Match[str] | None = None
    if draft.event == _EVACUATION and LEAVE not in by_kind and _MOVE not in by_kind:
        # Also "be ready to leave if told", which is no order yet.
        wrong = by_kind.get(STAY) or by_kind.get(GET_READY) or _any_of(GET_READY).search(plain)
    elif draft.event in _SHELTER_EVENTS and STAY not in by_kind:
        leave = by_kind.get(LEAVE)
        wrong = leave if leave is not None and not leave.is_weak else None
    elif draft.event == "Boil Order" and BOIL not in by_kind:
        wrong = by_kind.get(DO_NOT_USE) or (None if _BOILING.search(plain) else _NOT_TO_DRINK.search(plain))
    if wrong is not None:
        words = wrong.words if isinstance(wrong, Order) else wrong.group()
        yield f"The text says “{words}”, but the event is {draft.event}. Change the text or the event."


def _of_kind(draft: AlertDraft, by_kind: Mapping[str, Order], text: str) -> Iterator[str]:
    if draft.follow_up in _CALM:
        kept_away = by_kind.get(AVOID)
        # "Zone A may return. Zone B: do not return yet."
        is_divided = kept_away is not None and kept_away.is_for_some and RETURN in by_kind
        kinds = [kind for kind in _NOT_IN_ALL_CLEAR if kind in by_kind and not (kind == AVOID and is_divided)]
        wrong = by_kind[kinds[0]] if kinds else None
        if wrong is not None:
            yield f"The text says “{wrong.words}”, but this alert says that people need not act. Change the text."
        return
    over = next((by_kind[kind] for kind in _IS_OVER if kind in by_kind), None)
    # An alert that says by its urgency that all is over may follow one that another office sent.
    # A correction may let some people return, and tell others to leave.
    is_divided = draft.follow_up == CORRECTION and not by_kind.keys().isdisjoint(_NOT_IN_ALL_CLEAR)
    is_meant = is_divided or draft.urgency in ("", PAST)
    # The words of an all clear in English are compared with the urgency, but not those of a correction.
    is_reported = draft.follow_up != CORRECTION and patterns.ALL_CLEAR.search(text) is not None
    if over is not None and not (is_meant or is_reported):
        yield f"The text says “{over.words}”, but this alert is not an all clear. Change the text."


@cache
def _table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


@cache
def _any_of(kind: str) -> re.Pattern[str]:
    row = _table()[kind]
    alternatives = "|".join(f"(?:{each})" for each in (*row["en"], *row["es"]))
    return re.compile(rf"(?<![\w-])(?:{alternatives})", re.I)
