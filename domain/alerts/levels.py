"""The meaning of each level and type, and whether wireless emergency alerts can carry an alert."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from client.vocabulary.public_alerts import CERTAINTIES, SEVERITIES, TYPES, URGENCIES
from domain.alerts.draft import AlertDraft
from domain.text.plain_text import names

IMMEDIATE, EXPECTED, FUTURE, PAST, UNKNOWN_URGENCY = URGENCIES
EXTREME, SEVERE, MODERATE, MINOR, UNKNOWN_SEVERITY = SEVERITIES
OBSERVED, LIKELY, POSSIBLE, UNLIKELY, UNKNOWN_CERTAINTY = CERTAINTIES
ALERT, ADVISORY, COMMUNITY = TYPES


# ASSUMPTION A90: the interface lists these words and does not define them. Their meaning is that of the Common Alerting
# Protocol 1.2 (3.2.2), whose words they are; of the types it is what similar services tell in public.
class Meaning(NamedTuple):
    """The meaning of a choice: a short form for the pick list, and a sentence."""

    short: str
    whole: str


_TABLE: Final = Path(__file__).with_name("meanings.toml")
MEANINGS: Final[dict[str, dict[str, Meaning]]] = {
    field: {word: Meaning(*row) for word, row in words.items()}
    for field, words in tomllib.loads(_TABLE.read_text(encoding="utf-8")).items()
}
TYPE: Final[dict[int, str]] = {
    ALERT: (
        "For an urgent threat to life, health, or property. Services like this one usually send it to every "
        "subscriber in the "
        "area, also as a text message."
    ),
    ADVISORY: (
        "For timely information when no one is in danger. Services like this one usually send it to subscribers who "
        "have not "
        "turned advisories off, often by email."
    ),
    COMMUNITY: (
        "For local news. Services like this one usually send it only to people who asked for it, mostly by email. Do "
        "not use it "
        "for warnings."
    ),
}
WHO_RECEIVES_A_TYPE: Final = (
    "The service’s documentation does not say who receives which type. Ask the administrator of the service."
)
_WIRELESS: Final = {
    "urgency": (IMMEDIATE, EXPECTED),
    "severity": (EXTREME, SEVERE),
    "certainty": (OBSERVED, LIKELY),
}


def meaning(field: str, word: str) -> str:
    """Return the meaning of a value of this field as a sentence, or "" if the interface does not define the value."""
    found = MEANINGS[field].get(word)
    return "" if found is None else found.whole


def eligibility_hint(draft: AlertDraft) -> str | None:
    """Say whether wireless emergency alerts can carry this alert. None if levels are missing.

    The rules of the United States require these three levels or higher (47 CFR 10.400, imminent threat). The interface
    does not say what the service passes on, so this is only a hint.
    """
    chosen = {name: getattr(draft, name) for name in _WIRELESS}
    if not all(chosen.values()) or draft.type != ALERT:
        return None
    short = [
        f"{name} is {value}, not {' or '.join(_WIRELESS[name])}"
        for name, value in chosen.items()
        if value not in _WIRELESS[name]
    ]
    if short and draft.is_test:
        return None
    levels = f"an alert with the levels {names([*chosen.values()])}"
    if not short:
        return (
            f"In the United States, {levels} may qualify for Wireless Emergency Alerts, which reach most cell phones "
            "in the area. The service’s documentation does not say if the service sends them."
        )
    return (
        f"In the United States, {levels} does not qualify for Wireless Emergency Alerts because {names(short)}. Do not "
        "raise a level only for that reason."
    )
