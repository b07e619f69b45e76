"""What keeps an alert from being sent, at the field where it is mended: the interface's rules, ours, and refusals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from client import FieldError, Invalid, ServiceError
from client.models.public_alert_rules import ALERT_PATH, Offered, notification_problems
from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME, TYPES
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import to_request
from components.public_alerts.starting_wordings import gaps, own_gaps

WHOLE: Final = ""
"""The slot of what is said of the alert as a whole."""

_SLOTS: Final = {
    "message": "text",
    "message.title": "title",
    "message.textMessage": "text",
    "notificationEventId": "notification_event_id",
    "categoryId": "category_id",
    f"{ALERT_PATH}.category": "category",
    f"{ALERT_PATH}.event": "event",
    f"{ALERT_PATH}.urgency": "urgency",
    f"{ALERT_PATH}.severity": "severity",
    f"{ALERT_PATH}.certainty": "certainty",
    f"{ALERT_PATH}.expire": "hours",
    f"{ALERT_PATH}.smsMessage": "sms",
    f"{ALERT_PATH}.instructions": "instructions",
    f"{ALERT_PATH}.type": "type",
    f"{ALERT_PATH}.applyZipCodeToEventGroups": "zip_to_groups",
    f"{ALERT_PATH}.eventGroups": "groups",
    f"{ALERT_PATH}.community.contactName": "contact_name",
    f"{ALERT_PATH}.community.contactEmail": "contact_email",
    f"{ALERT_PATH}.community.contactDivision": "contact_division",
    f"{ALERT_PATH}.community.contactPhone": "contact_phone",
    f"{ALERT_PATH}.community.jurisdictionType": "jurisdiction",
    f"{ALERT_PATH}.community.regionIds": "regions",
}
_CHOOSE_TYPE: Final = "Choose the type: {}, {} or {}.".format(*TYPES.values())
"""In words: the interface's rule speaks in its numbers."""
_EMAIL: Final = re.compile(r"[^@\s,;<>]+@[^@\s,;<>.]+(\.[^@\s,;<>.]+)+")
_INDEX: Final = re.compile(r"\[\d+\]")


class AlertProblems:
    """Problems by the field of the draft they stand at, in the order of the form."""

    def __init__(self) -> None:
        self._by_slot: defaultdict[str, list[str]] = defaultdict(list)
        self._at_review: set[str] = set()

    def add(self, slot: str, words: str, *, at_review: bool = False) -> None:
        """Put a problem at a field, once; `at_review`: it is no mistake, only unfinished."""
        if words not in self._by_slot[slot]:
            self._by_slot[slot].append(words)
            if at_review:
                self._at_review.add(words)

    def of(self, slot: str) -> list[str]:
        """The problems at a field."""
        return list(self._by_slot.get(slot, ()))

    def listed(self) -> list[tuple[str, str]]:
        """Every problem as (field, words), in the order of the form; the alert as a whole has the field ""."""
        order = {name: place for place, name in enumerate(AlertDraft.model_fields)}
        slots = sorted(self._by_slot, key=lambda slot: order.get(slot, -1))
        return [(slot, words) for slot in slots for words in self._by_slot[slot]]

    def is_for_review(self, words: str) -> bool:
        """Whether a problem is only that something is not finished yet."""
        return words in self._at_review

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(len(said) for said in self._by_slot.values())

    def __bool__(self) -> bool:
        return self.count > 0


def alert_problems(draft: AlertDraft, *, offered: Offered | None = None) -> AlertProblems:
    """Everything that keeps the draft from being sent, and what the service refused it for last.

    Where `offered` is given, groups and regions must be among what the lookups offer.
    """
    found = AlertProblems()
    request = to_request(draft)
    if draft.zip_to_groups and request.public_alert is not None:
        # Judged as it is ticked: the request leaves it out where it may not be.
        request.public_alert.apply_zip_code_to_event_groups = True
    ruled = notification_problems(request, offered=offered)
    _place((FieldError(each.field, _CHOOSE_TYPE) if slot_of(each.field) == "type" else each for each in ruled), found)
    _check_reach(draft, found)
    if draft.contact_email.strip() and not _EMAIL.fullmatch(draft.contact_email.strip()):
        # The interface takes any text; one that is no address is a slip.
        found.add("contact_email", "Write one e-mail address, with an @ and a domain.")
    for slot in ("title", "text", "sms", "instructions"):
        if left := [gap for gap in gaps(getattr(draft, slot)) if gap in own_gaps()]:
            found.add(slot, f"Fill in or take out {', '.join(left)}: people would read it like this.", at_review=True)
    # What the service refused is often known here too by now, in words of our own.
    wrong = {slot for slot, _ in found.listed()}
    refused = [FieldError(field=field, message=words) for field, words in draft.refused if slot_of(field) not in wrong]
    _place(refused, found)
    return found


def worth_showing(draft: AlertDraft, found: AlertProblems) -> AlertProblems:
    """The problems to point out now: all once the review was asked for, until then only those of what was typed."""
    if draft.checked:
        return found
    # Regions that are chosen and reach nobody are wrong at the jurisdiction, which is still empty.
    begun = {"jurisdiction"} if draft.regions else set()
    refused = {slot_of(field) for field, _ in draft.refused}
    shown = AlertProblems()
    for slot, words in found.listed():
        is_typed = bool(slot) and getattr(draft, slot, None) not in ("", None, [], False)
        if slot in refused | begun or (is_typed and not found.is_for_review(words)):
            shown.add(slot, words)
    return shown


def slot_of(path: str) -> str:
    """The field of the draft that a path of the interface is typed in; "" where it is none."""
    return _SLOTS.get(_INDEX.sub("", path), WHOLE)


def refusals(error: ServiceError) -> list[tuple[str, str]]:
    """What a refusal says, as (path of the interface, words), to be kept with the draft until it changes."""
    if isinstance(error, Invalid) and error.field_errors:
        return [(each.field, each.message) for each in error.field_errors]
    return [(WHOLE, error.message)]


def _place(errors: Iterable[FieldError], found: AlertProblems) -> None:
    for error in errors:
        found.add(slot_of(error.field), error.message)


def _check_reach(draft: AlertDraft, found: AlertProblems) -> None:
    # ASSUMPTION A88: what `all` with regions, `some` without, and regions without either reach is not shown. None of
    # them is sent: a message without its area has gone to millions.
    is_one = len(draft.regions) == 1
    count, them, these = (
        ("1 place is", "it", "it") if is_one else (f"{len(draft.regions):,} places are", "them", "these")
    )
    some = f"“{JURISDICTION_SOME.capitalize()} places”"
    if draft.jurisdiction == JURISDICTION_SOME and not draft.regions:
        found.add("regions", f"Choose at least one place. Without any, nobody knows whom {some} means.")
    elif draft.jurisdiction == JURISDICTION_ALL and draft.regions:
        found.add(
            "regions",
            f"{count} chosen, and the whole jurisdiction too. Take {them} out, or choose {some} to warn only {these}.",
        )
    elif not draft.jurisdiction and draft.regions:
        found.add("jurisdiction", f"{count} chosen: choose {some} to warn only {these}.")
    elif not draft.jurisdiction and not draft.groups:
        found.add(
            "jurisdiction",
            "This would reach nobody. Choose who is warned: places, all of the jurisdiction, or event groups.",
        )
