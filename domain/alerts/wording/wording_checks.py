"""Check what an alert text says: sender, hazard, place, instructions, and end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domain.alerts.alert_events import placeholders_in
from domain.alerts.draft import SECOND_LANGUAGE, AlertDraft
from domain.alerts.wording import patterns
from domain.alerts.wording.end_time_in_text import find_end_times
from domain.alerts.wording.follow_ups import is_calm
from domain.alerts.wording.hazards_in_text import find_hazards, find_own_words, find_restored_services
from domain.alerts.wording.live_words import find_spanish_order
from domain.alerts.wording.orders_in_text import find_orders, says_over
from domain.alerts.wording.patterns import without_accents

SAYS_WHO: Final = "Sender"
SAYS_TEST: Final = "Test wording"
"""In a test, in place of the hazard."""
HAZARD: Final = "Hazard"
PLACE: Final = "Place"
WHAT_TO_DO: Final = "What to do"
UNTIL_WHEN: Final = "End time"
FINISHED: Final = "Complete"

_ENGLISH: Final = frozenset({HAZARD, WHAT_TO_DO, UNTIL_WHEN})
"""The checks that search for English words. Names, ZIP codes, and brackets are the same in every language."""
_OFFICES: Final = (patterns.NAMED_OFFICE, patterns.CITY)
_WORD: Final = re.compile(r"\w+")
_KIND_OF_REGION: Final = re.compile(r"\s+(?:county|parish|borough|city)$", re.I)


@dataclass(frozen=True)
class Check:
    """One check. `words` is what was found, or what to write if it is missing."""

    name: str
    ok: bool
    words: str

    @property
    def hint(self) -> str:
        """The hint about what is missing, as one line."""
        return self.words if self.name == FINISHED else f"Missing: {self.name.lower()}. {self.words}"


def wording_checks(
    draft: AlertDraft, places: Sequence[str] = (), *, is_elsewhere: bool = False, end: str = ""
) -> list[Check]:
    """Return what the SMS text says and lacks, in the order of a good message. `places` are names of the recipients'
    places.

    `is_elsewhere` if the text names a place that the alert does not go to. `end` is the end of the alert as a text
    states it, if it is known. The checks are hints, made to rarely report
    a complete text. Only the SMS text counts, because it is all that many people see.
    """
    text = " ".join(draft.sms.split())
    checks = _checks(draft, text, places, is_elsewhere, end)
    if draft.follow_up != SECOND_LANGUAGE:
        return list(checks)
    unread = "Muster does not check this in other languages."
    return [Check(each.name, ok=True, words=unread) if each.name in _ENGLISH else each for each in checks]


def _checks(draft: AlertDraft, text: str, places: Sequence[str], is_elsewhere: bool, end: str) -> Iterator[Check]:
    sender = _sender(text, draft)
    yield _check(SAYS_WHO, sender, "Name the sender, preferably at the start: “City of Flint: …”.")
    if draft.is_test:
        tested = patterns.TEST_WORD.search(text)
        yield _check(SAYS_TEST, tested and tested.group(), "Say that this is a test: “TEST. There is no emergency.”")
        yield Check(PLACE, ok=True, words="Tests need no place.")
    else:
        yield _check(
            HAZARD,
            _hazard(text.replace(sender or "\0", " "), draft),
            "Name the hazard in plain words: “Gas leak”, “Flash flood”.",
        )
        # "Casper: heavy snow" names the place too, unlike "City of Casper: …".
        found = None if is_elsewhere else _place(_without_senders(text, sender), places) or _head_place(sender, places)
        wanted = "Name the place that receives the alert." if is_elsewhere else "Name the place."
        yield _check(PLACE, found, f"{wanted}{_example(places)}")
    # A text may be an all clear although it follows no alert.
    is_over = not draft.is_test and (is_calm(draft) or says_over(text))
    yield _check(WHAT_TO_DO, _what_to_do(text, is_over=is_over), _example_to_do(draft, is_over=is_over))
    if draft.is_test:
        yield Check(UNTIL_WHEN, ok=True, words="Tests need no end time.")
    elif is_calm(draft):
        yield Check(UNTIL_WHEN, ok=True, words="An all clear needs no end time.")
    else:
        until = patterns.UNTIL.search(text)
        ends = find_end_times(text, draft.written_at, None)
        yield _check(
            UNTIL_WHEN,
            _trimmed(text[until.start() :]) if until else ends[0].words if ends else None,
            f"Give the end time: “Until {end or '6 PM'}.”",
        )
    open_gaps = placeholders_in(draft.title, draft.text, draft.sms, draft.instructions)
    yield Check(
        FINISHED,
        ok=not open_gaps,
        words=f"Fill in the placeholders: {', '.join(open_gaps)}." if open_gaps else "No placeholders left.",
    )


def without_senders(draft: AlertDraft) -> str:
    """Return the SMS text without the names of senders, because some are named after a place."""
    text = " ".join(draft.sms.split())
    return _without_senders(text, _sender(text, draft))


def _check(name: str, found: str | None, wanted: str) -> Check:
    return Check(name, ok=bool(found), words=f"“{found.strip(' ,;:.!-–—')}”" if found else wanted)


def _sender(text: str, draft: AlertDraft) -> str | None:
    body, contacts = text, (draft.contact_division.strip(), draft.contact_name.strip())
    while (head := patterns.HEAD.match(body)) is not None:
        name, body = head.group(1), body[head.end() :]
        # "TEST: …" and "Tornado Warning: …" name the kind of message and no sender.
        if name not in contacts and patterns.is_fire(name, body, draft.event):
            text = body
        elif _is_name(name, draft):
            return name
    for given in contacts:
        if given and given.casefold() in text.casefold():
            return given
    if (named := patterns.FROM.search(text)) is not None:
        return named.group(1) or named.group(2)
    if (signed := patterns.SIGNED.search(text)) is not None:
        return signed.group().strip()
    rest = patterns.TO_CALL.sub(" ", text)
    office = patterns.NAMED_OFFICE.search(rest) or patterns.CITY.search(rest)
    return office.group() if office is not None else None


def _is_name(head: str, draft: AlertDraft) -> bool:
    if patterns.OFFICE_WORD.search(head):
        return True
    if patterns.ADDRESSED.search(head) or patterns.ACTION.match(head):
        return False
    known = {*patterns.GENERIC_HEADS, *re.findall(r"\w+", draft.event.casefold())}
    words = re.findall(r"[\w'’]+", head)
    others = [word for word in words if word.casefold() not in known and not patterns.HAZARD.fullmatch(word)]
    return bool(others) and others[0][:1].isupper() and len(words) <= 6


def _hazard(text: str, draft: AlertDraft) -> str | None:
    for word in re.findall(r"[a-z]+", draft.event.casefold()):
        if len(word) > 3 and word not in patterns.EVENT_KINDS:
            found = re.search(rf"\b{word[: max(4, len(word) - 3)]}\w*", text, re.I)
            if found:
                return found.group()
    if draft.follow_up and draft.event and draft.event.casefold() in text.casefold():
        # It follows an alert that it names by its event.
        return draft.event
    found = patterns.HAZARD.search(text)
    if found is not None:
        return found.group()
    # Also in Spanish. The end of an alert may name what it was about: "The girl was found safe."
    spanish = next((hazard.words for hazard in find_hazards(text)), None)
    if spanish is not None or not is_calm(draft):
        return spanish
    return find_own_words(draft.event, text) or next(iter(_restored(text)), None)


def _without_senders(text: str, sender: str | None) -> str:
    # "Los Angeles County Fire Department" is an office and no place in danger.
    # "The City of Rochester has declared" is both.
    for office in (sender, *(match.group() for match in patterns.NAMED_OFFICE.finditer(text))):
        if office and (f"{office}:" in text or not patterns.CITY.fullmatch(office)):
            text = text.replace(office, " ~ ", 1)
    return patterns.NO_PLACE.sub(" ", text)


def _place(text: str, places: Sequence[str]) -> str | None:
    found = patterns.PLACE_NAMED.search(text)
    return _known_place(text, places) or (found.group() if found else None)


def _known_place(text: str, places: Sequence[str]) -> str | None:
    known, longest = _by_words(tuple(places))
    words = _WORD.findall(text.casefold())
    for at in range(len(words)):
        for size in range(min(longest, len(words) - at), 0, -1):
            if name := known.get(tuple(words[at : at + size])):
                return name
    return None


def _head_place(sender: str | None, places: Sequence[str]) -> str | None:
    """Return the place that the words before the colon name, unless they name an office.

    "Casper: heavy snow" and "All clear, Casper: …" name the place, unlike "City of Casper: …" and "Casper Police: …".
    """
    if sender is None or any(each.search(sender) for each in (patterns.OFFICE_WORD, *_OFFICES)):
        return None
    return _known_place(sender, places)


@lru_cache(maxsize=16)
def _by_words(places: tuple[str, ...]) -> tuple[Mapping[tuple[str, ...], str], int]:
    """Return the names by their words, and the length of the longest in words. There may be thousands, and checks
    run during typing.
    """
    names = (_KIND_OF_REGION.sub("", place.strip()) for place in places)
    known = {tuple(_WORD.findall(name.casefold())): name for name in names if name}
    known.pop((), None)
    return known, max(map(len, known), default=0)


def _what_to_do(text: str, *, is_over: bool) -> str | None:
    action = patterns.NOTHING_TO_DO.search(text) or patterns.ACTION.search(text)
    if action is not None:
        return _trimmed(text[_start(action) :])
    # An all clear may only permit: "You may return home."
    return find_spanish_order(text) or _first_order(text) or (_permission(text) if is_over else None)


def _permission(text: str) -> str | None:
    permitted = patterns.PERMITS.search(without_accents(text))
    return permitted.group() if permitted is not None else next(iter(_restored(text)), None)


def _restored(text: str) -> list[str]:
    return [each.words for each in find_restored_services(text)]


def _example_to_do(draft: AlertDraft, *, is_over: bool) -> str:
    if draft.is_test:
        return "Say that no action is needed."
    if is_over:
        return "Say what people can now do again, or that no action is needed."
    return "Say what people should do: “Go inside now.”"


def _first_order(text: str) -> str | None:
    return next((order.words for order in find_orders(text)), None)


def _start(action: re.Match[str]) -> int:
    group = next((name for name in ("does", "does_then") if name in action.re.groupindex and action[name]), 0)
    return action.start(group)


def _example(places: Sequence[str]) -> str:
    first = next((place for place in places if place.strip()), None)
    return f" You selected {first}." if first is not None else ""


def _trimmed(text: str) -> str:
    phrase = text.lstrip(" ,;:.!?•–—-\n")
    end = re.search(r"[.!?;]", phrase)
    phrase = phrase[: end.start()] if end else phrase
    return phrase if len(phrase) <= 40 else f"{phrase[:39].rsplit(' ', 1)[0]}…"
