"""What the writing help says about a text, in words."""

from __future__ import annotations

from collections import Counter

from components.alert_wording.sms_encoding import GSM_7, PART, SINGLE
from components.alert_wording.sms_meter import Costly, SmsMeter
from components.widgets.number_text import names

_NAMED = 4


def meter_words(meter: SmsMeter) -> str:
    """In a line: "152 of 160 · 1 message · plain text"."""
    kind = "plain text" if meter.encoding == GSM_7 else "costly characters"
    return f"{meter.words} · {kind}"


def costly_words(meter: SmsMeter) -> str:
    """Which characters make the text expensive, and what that means."""
    room = f"{SINGLE[meter.encoding]} characters instead of {SINGLE[GSM_7]} in a message"
    if meter.segments > 1:
        room = f"{PART[meter.encoding]} characters instead of {PART[GSM_7]} in each message"
    return f"{_called(meter.costly)} {'leaves' if _kinds(meter.costly) == 1 else 'leave'} {room}."


def doubled_words(meter: SmsMeter) -> str:
    """Which characters of a plain text count twice."""
    return f"{_called(meter.doubled)} {'counts' if _kinds(meter.doubled) == 1 else 'count'} twice."


def _kinds(found: list[Costly]) -> int:
    return len({each.character for each in found})


def _called(found: list[Costly]) -> str:
    first: dict[str, Costly] = {}
    for each in found:
        first.setdefault(each.character, each)
    times = Counter(each.character for each in found)
    called = [_sign(each, times[each.character]) for each in first.values()]
    return names(called, at_most=_NAMED)


def _sign(each: Costly, times: int) -> str:
    where = f"{each.name}, at {each.position}"
    if times > 1:
        where += f" and {times - 1} more"
    # What joins the parts of one emoji is seen by nobody, the emoji is.
    visible = each.character.strip() and each.character[0].isprintable()
    return f"{each.character} ({where})" if visible else f"{where.replace(', at', ' (at')})"
