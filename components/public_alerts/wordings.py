"""The wordings that are kept for an event: which fields they hold, and those that come with Muster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from components.public_alerts.draft import AlertDraft

FIELDS: Final = ("sms", "instructions", "title", "text")


def payload_of(draft: AlertDraft) -> dict[str, str]:
    """The texts of a draft, as they are kept."""
    return {name: getattr(draft, name) for name in FIELDS}


def fields_of(payload: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a kept wording, by field; what it does not hold is left as it is in the draft."""
    return {name: text for name in FIELDS if isinstance(text := payload.get(name), str) and text.strip()}


def has_text(draft: AlertDraft) -> bool:
    """Whether there is anything to keep."""
    return any(text.strip() for text in payload_of(draft).values())


def excerpt(text: str, length: int = 60) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def around(draft: AlertDraft) -> dict[str, str]:
    """Title and text of the notification around the alert, made of the alert's own words."""
    parts = [draft.sms.strip(), draft.instructions.strip()]
    return {"title": draft.event, "text": "\n\n".join(part for part in parts if part)}


def subject_of(draft: AlertDraft) -> str:
    """What a draft is about, as far as that is decided."""
    return draft.event or excerpt(draft.title) or "No event yet"


def title_of(draft: AlertDraft) -> str:
    """What a draft is called where it is named: what it is about and how its text begins."""
    begins = excerpt(draft.sms or draft.text, 40)
    return f"{subject_of(draft)}: {begins}" if begins else subject_of(draft)
