"""The skeleton of an alert: who says it, the hazard, the place, what to do, until when, with gaps to be filled in."""

from __future__ import annotations

from typing import Final

from components.public_alerts.draft import AlertDraft
from components.public_alerts.starting_wordings import (
    MORE_TO_DO,
    PLACE,
    TIME,
    TO_DO_NOW,
    WHAT_HAPPENS,
    WHO,
    StartingWording,
    starting_wording,
)

_ANY_EVENT: Final = StartingWording(
    event="",
    title=f"{WHAT_HAPPENS}: {PLACE}",
    sms=f"{WHO}: {WHAT_HAPPENS} in {PLACE}. {TO_DO_NOW} Until {TIME}.",
    instructions=f"{MORE_TO_DO} Questions: [number].",
)


def skeleton_text(draft: AlertDraft, place: str = "", until: str = "") -> str:
    """The SMS text to begin with for the draft's event, with sender, place and end filled in where they are known."""
    return skeleton_of(draft, place, until).sms


def skeleton_of(draft: AlertDraft, place: str = "", until: str = "") -> StartingWording:
    """Title, SMS text and instructions to begin with for the draft's event; without an event, for any."""
    begun = starting_wording(draft.event) or _ANY_EVENT
    known = {WHO: sender_of(draft), PLACE: place.strip(), TIME: until.strip()}

    def filled(text: str) -> str:
        for gap, words in known.items():
            text = text.replace(gap, words or gap)
        return text

    return StartingWording(begun.event, filled(begun.title), filled(begun.sms), filled(begun.instructions))


def sender_of(draft: AlertDraft) -> str:
    """Who speaks, as the contact tells it: the division, else the name; "" where neither is given."""
    return draft.contact_division.strip() or draft.contact_name.strip()
