"""What each choice of an alert means, in a phrase beside it, and whether wireless emergency alerts may take it up."""

from __future__ import annotations

from typing import Final, NamedTuple

from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from components.public_alerts.draft import AlertDraft

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


MEANINGS: Final[dict[str, dict[str, Meaning]]] = {
    "category": dict(
        zip(
            CATEGORIES,
            (
                Meaning("chemical to nuclear", "Chemical, biological, radiological, nuclear and explosive threats"),
                Meaning("pollution", "Pollution and other harm to the environment"),
                Meaning("fires", "Fires, and the work of the fire service"),
                Meaning("quakes, slides, waves", "The earth and space: earthquakes, slides, tsunamis, solar storms"),
                Meaning("disease, food, water", "Disease, food and drinking water"),
                Meaning("power, phones, pipes", "Power, gas, water, telephones and buildings"),
                Meaning("weather, floods", "Weather, floods included"),
                Meaning("tests only", "Tests, and nothing else"),
                Meaning("search and rescue", "Search and rescue"),
                Meaning("public safety", "Emergencies and public safety in general"),
                Meaning("police, crime", "Police, crime and missing people"),
                Meaning("roads, rail, travel", "Roads, rail and travel"),
            ),
            strict=True,
        )
    ),
    "urgency": {
        IMMEDIATE: Meaning("act now", "People should act now, at once."),
        EXPECTED: Meaning("within the hour", "People should act soon, within the next hour."),
        FUTURE: Meaning("time to prepare", "People should act before long; there is time to prepare."),
        PAST: Meaning("it is over", "It is over: people need not act any more."),
        UNKNOWN_URGENCY: Meaning("not known", "It is not known how soon people must act."),
    },
    "severity": {
        EXTREME: Meaning("extraordinary threat", "An extraordinary threat to life or property."),
        SEVERE: Meaning("significant threat", "A significant threat to life or property."),
        MODERATE: Meaning("possible threat", "A possible threat to life or property."),
        MINOR: Meaning("little or no threat", "Little or no known threat to life or property."),
        UNKNOWN_SEVERITY: Meaning("not known", "It is not known how bad it is."),
    },
    "certainty": {
        OBSERVED: Meaning("seen or measured", "It has happened, or is happening, and was seen or measured."),
        LIKELY: Meaning("above about 50%", "More likely than not: above about 50%."),
        POSSIBLE: Meaning("50% or less", "It may happen, though likelier not: 50% or less."),
        UNLIKELY: Meaning("close to 0%", "It is not expected to happen: close to 0%."),
        UNKNOWN_CERTAINTY: Meaning("not known", "It is not known how sure this is."),
    },
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
