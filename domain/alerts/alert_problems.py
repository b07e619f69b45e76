"""The errors of an alert, by field: the interface's rules, Muster's rules, and refusals of the service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from client import FieldError, Invalid, ServiceError
from client.models.public_alert_rules import Offered, notification_problems
from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME, TYPES
from domain.alerts.alert_events import own_placeholders, placeholders_in
from domain.alerts.alert_form import ALERT_FORM, MAX_LENGTHS
from domain.alerts.draft import AlertDraft
from domain.alerts.request import to_request
from domain.forms.form import Problems
from domain.text.email_address import is_email_address
from domain.text.plain_text import count

_CHOOSE_TYPE: Final = "Select the type: {}, {}, or {}.".format(*TYPES.values())
"""The same rule in plain words: the interface's error has only its numbers."""


def alert_problems(draft: AlertDraft, *, offered: Offered | None = None) -> Problems:
    """Return every error that prevents sending, and the errors of the last refusal.

    With `offered`, event groups and places must be available in the lookups.
    """
    found = Problems()
    request = to_request(draft)
    if draft.zip_to_groups and request.public_alert is not None:
        # Checked against the draft as it is: the request omits the option if it may not be set.
        request.public_alert.apply_zip_code_to_event_groups = True
    ruled = notification_problems(request, offered=offered)
    worded = [FieldError(each.field, _CHOOSE_TYPE) if field_of_path(each.field) == "type" else each for each in ruled]
    ALERT_FORM.place_errors(draft, worded, found)
    _check_reach(draft, found)
    _check_extension(draft, found)
    if draft.contact_email.strip() and not is_email_address(draft.contact_email.strip()):
        # The interface accepts any text, but text that is no address is a mistake.
        found.add(draft.uid, "contact_email", "Enter a valid email address.")
    for slot, most in MAX_LENGTHS.items():
        if (length := len(getattr(draft, slot))) > most:
            found.add(draft.uid, slot, f"This text has {length:,} characters. Shorten it to {most:,}.")
    for slot in ("title", "text", "sms", "instructions"):
        if left := [
            gap
            for gap in placeholders_in(getattr(draft, slot))
            if gap in own_placeholders() or gap in draft.placeholders
        ]:
            words = f"Fill in or remove {', '.join(left)}."
            found.add(draft.uid, slot, words, unfinished=True)
    # Muster may report the same error in its own words.
    wrong = {slot for slot, _ in found.of(draft.uid)}
    refused = [
        FieldError(field=field, message=words) for field, words in draft.refused if field_of_path(field) not in wrong
    ]
    return ALERT_FORM.place_errors(draft, refused, found)


def problems_to_show(draft: AlertDraft, problems: Problems) -> Problems:
    """Return the errors to show now: all errors after a review was requested, before that only those of filled
    fields.
    """
    if draft.checked:
        return problems
    refused = {field_of_path(field) for field, _ in draft.refused}
    # Selected places without recipients are an error of the jurisdiction, which is still empty.
    return ALERT_FORM.started_problems(draft, problems, always={*refused, *(["jurisdiction"] if draft.regions else [])})


def field_of_path(path: str) -> str:
    """Return the field of the draft that has the value of a path in the request, or ""."""
    return ALERT_FORM.root.place_of(path)


def refusals(error: ServiceError) -> list[tuple[str, str]]:
    """Return the errors in a refusal as pairs of path and message. They are stored with the draft until it changes."""
    if isinstance(error, Invalid) and error.field_errors:
        return [(each.field, each.message) for each in error.field_errors]
    return [("", error.message)]


def _check_extension(draft: AlertDraft, found: Problems) -> None:
    now = datetime.now(UTC)
    if draft.extends_until is None or draft.hours is None or now + timedelta(hours=draft.hours) >= draft.extends_until:
        return
    needed = -((now - draft.extends_until) // timedelta(hours=1))
    words = f"This extension ends before the alert that it extends. Select {count(needed, 'hour', 'hours')} or more."
    found.add(draft.uid, "hours", words)


def _check_reach(draft: AlertDraft, found: Problems) -> None:
    # ASSUMPTION A88: what `all` with regions, `some` without, and regions without either reach is not shown. None of
    # them is sent: a message without its area has gone to millions.
    selected = count(len(draft.regions), "selected place", "selected places")
    if draft.jurisdiction == JURISDICTION_SOME and not draft.regions:
        found.add(draft.uid, "regions", "Select at least one place.")
    elif draft.jurisdiction == JURISDICTION_ALL and draft.regions:
        found.add(
            draft.uid,
            "regions",
            f"You selected the entire jurisdiction and {selected}. Remove the places, or select “Selected places”.",
        )
    elif not draft.jurisdiction and draft.regions:
        found.add(draft.uid, "jurisdiction", f"You have {selected}. To alert them, select “Selected places”.")
    elif not draft.jurisdiction and not draft.groups:
        found.add(
            draft.uid,
            "jurisdiction",
            "This alert has no recipients. Select places, the entire jurisdiction, or event groups.",
        )
