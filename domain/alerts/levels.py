"""What each choice of an alert means, in a phrase beside it, and whether wireless emergency alerts may take it up."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from client.vocabulary.public_alerts import CERTAINTIES, SEVERITIES, TYPES, URGENCIES
from domain.alerts.draft import AlertDraft

IMMEDIATE, EXPECTED, FUTURE, PAST, UNKNOWN_URGENCY = URGENCIES
EXTREME, SEVERE, MODERATE, MINOR, UNKNOWN_SEVERITY = SEVERITIES
OBSERVED, LIKELY, POSSIBLE, UNLIKELY, UNKNOWN_CERTAINTY = CERTAINTIES
ALERT, ADVISORY, COMMUNITY = TYPES


# ASSUMPTION A90: the interface lists these words and does not define them. Their meaning is that of the Common Alerting
# Protocol 1.2 (3.2.2), whose words they are; of the types it is what similar services tell in public.
class Meaning(NamedTuple):
    """What a choice means: short enough to stand whole beside it in a pick list, and as a sentence below it."""

    short: str
    whole: str


_TABLE: Final = Path(__file__).with_name("meanings.toml")
MEANINGS: Final[dict[str, dict[str, Meaning]]] = {
    field: {word: Meaning(*row) for word, row in words.items()}
    for field, words in tomllib.loads(_TABLE.read_text(encoding="utf-8")).items()
}
TYPE: Final[dict[int, str]] = {
    ALERT: (
        "For what cannot wait: a threat to life, health or property. Services of this kind send it to every subscriber "
        "in reach, as a text message too."
    ),
    ADVISORY: (
        "Good to know soon, and nobody is in danger. Services of this kind send it to subscribers who did not turn "
        "advisories off, often by e-mail instead of a text message."
    ),
    COMMUNITY: (
        "Local news and everyday information. Services of this kind send it only to those who asked for it, mostly by "
        "e-mail: do not warn with it."
    ),
}
WHO_RECEIVES_A_TYPE: Final = (
    "The interface does not tell who receives which type. Ask those who run the service before you rely on it."
)
_WIRELESS: Final = {
    "urgency": (IMMEDIATE, EXPECTED),
    "severity": (EXTREME, SEVERE),
    "certainty": (OBSERVED, LIKELY),
}


def meaning(field: str, word: str) -> str:
    """What a choice in this field means, as a sentence; "" for a word that is none of the interface's."""
    found = MEANINGS[field].get(word)
    return "" if found is None else found.whole


def eligibility_hint(draft: AlertDraft) -> str | None:
    """Whether wireless emergency alerts may take this alert up, in words; None where it is too early to tell.

    United States rules ask for these three levels at least (47 CFR 10.400, imminent threat). What the service passes on
    is not shown in the interface, so this is a hint and no promise.
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
    levels = f"{TYPES[ALERT]} with {', '.join(chosen.values())}"
    if not short:
        return (
            f"{levels}: in the United States these levels may qualify for wireless emergency alerts, the loud kind "
            "that reaches every phone in the area. Whether this service passes alerts on to them, the interface does "
            "not tell."
        )
    return (
        f"{levels} would not qualify for wireless emergency alerts in the United States: {'; '.join(short)}. Do not "
        "raise a level for that alone."
    )
