"""What each choice of an alert means, in a phrase beside it, and whether wireless emergency alerts may take it up."""

from __future__ import annotations

from typing import Final

from client.vocabulary.public_alerts import (
    CATEGORIES,
    CERTAINTIES,
    EVENTS_BY_CATEGORY,
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
URGENCY: Final[dict[str, str]] = {
    IMMEDIATE: "People should act now, at once.",
    EXPECTED: "People should act soon, within the next hour.",
    FUTURE: "People should act before long; there is time to prepare.",
    PAST: "It is over: people need not act any more.",
    UNKNOWN_URGENCY: "It is not known how soon people must act.",
}
SEVERITY: Final[dict[str, str]] = {
    EXTREME: "An extraordinary threat to life or property.",
    SEVERE: "A significant threat to life or property.",
    MODERATE: "A possible threat to life or property.",
    MINOR: "Little or no known threat to life or property.",
    UNKNOWN_SEVERITY: "It is not known how bad it is.",
}
CERTAINTY: Final[dict[str, str]] = {
    OBSERVED: "It has happened, or is happening, and was seen or measured.",
    LIKELY: "More likely than not: above about 50%.",
    POSSIBLE: "It may happen, though likelier not: 50% or less.",
    UNLIKELY: "It is not expected to happen: close to 0%.",
    UNKNOWN_CERTAINTY: "It is not known how sure this is.",
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
CATEGORY: Final[dict[str, str]] = dict(
    zip(
        CATEGORIES,
        (
            "Chemical, biological, radiological, nuclear and explosive threats",
            "Pollution and other harm to the environment",
            "Fires, and the work of the fire service",
            "The earth and space: earthquakes, slides, tsunamis, solar storms",
            "Disease, food and drinking water",
            "Power, gas, water, telephones and buildings",
            "Weather, floods included",
            "Tests, and nothing else",
            "Search and rescue",
            "Emergencies and public safety in general",
            "Police, crime and missing people",
            "Roads, rail and travel",
        ),
        strict=True,
    )
)
IN_SHORT: Final[dict[str, dict[str, str]]] = {
    "category": dict(
        zip(
            CATEGORIES,
            (
                "chemical to nuclear",
                "pollution",
                "fires",
                "quakes, slides, waves",
                "disease, food, water",
                "power, phones, pipes",
                "weather, floods",
                "tests only",
                "search and rescue",
                "public safety",
                "police, crime",
                "roads, rail, travel",
            ),
            strict=True,
        )
    ),
    "urgency": {
        IMMEDIATE: "act now",
        EXPECTED: "within the hour",
        FUTURE: "time to prepare",
        PAST: "it is over",
        UNKNOWN_URGENCY: "not known",
    },
    "severity": {
        EXTREME: "extraordinary threat",
        SEVERE: "significant threat",
        MODERATE: "possible threat",
        MINOR: "little or no threat",
        UNKNOWN_SEVERITY: "not known",
    },
    "certainty": {
        OBSERVED: "seen or measured",
        LIKELY: "above about 50%",
        POSSIBLE: "50% or less",
        UNLIKELY: "close to 0%",
        UNKNOWN_CERTAINTY: "not known",
    },
}
"""The same by field, short enough to stand whole beside each choice in a pick list; the phrase follows the choice."""

_KINDS: Final = {
    "Warning": "Warning: it is happening or about to. People should act.",
    "Watch": "Watch: it may happen. People should get ready.",
    "Advisory": "Advisory: less serious than a warning; people should take care.",
    "Statement": "Statement: news of a warning that is already out.",
    "Rebroadcast": "Words of another office, passed on as they are.",
    "Test": "A test by its own name: the public is told that nothing happens.",
}
_MEANINGS: Final = {
    "Amber": "A child was abducted and is in danger.",
    "Blue": "Somebody killed, hurt or threatens a police officer and is at large.",
    "Silver": "An older or confused person is missing.",
    "Boil Order": "Tap water must be boiled before use.",
    "Mass Casualties": "More people are hurt than hospitals can easily take.",
    "Water Control Facilities": "Dams, levees, locks and pumps.",
    "Buildings and Equipment": "A building or a machine is damaged or unsafe.",
    "Radio Blackouts": "Radio fails for a while after a flare on the sun.",
    "Geomagnetic Storm": "A storm from the sun that can disturb power lines and GPS.",
    "Solar Radiation Storm": "Particles from the sun; they disturb satellites and flights.",
    "Travel Derailment": "A train has left the rails.",
    "Telecommunications Emergency": "Telephones, or the emergency number, do not work.",
    "Evacuation Immediate": "People must leave at once.",
    "High-Yield Explosive Threat": "Somebody threatens with a large bomb; none has gone off.",
    "High-Yield Explosive Attack": "A large bomb has gone off.",
}


def _of_event(event: str) -> str:
    for beginning, meaning in _MEANINGS.items():
        if event == beginning or event.startswith(f"{beginning} Alert"):
            return meaning
    return _KINDS.get(event.rpartition(" ")[2], "")


EVENT: Final[dict[str, str]] = {
    event: phrase for events in EVENTS_BY_CATEGORY.values() for event in events if (phrase := _of_event(event))
}
"""What an event means, where its name does not say."""

WIRELESS_URGENCIES: Final = frozenset({IMMEDIATE, EXPECTED})
WIRELESS_SEVERITIES: Final = frozenset({EXTREME, SEVERE})
WIRELESS_CERTAINTIES: Final = frozenset({OBSERVED, LIKELY})


def eligibility_hint(draft: AlertDraft) -> str | None:
    """Whether wireless emergency alerts may take this alert up, in words; None where it is too early to tell.

    United States rules ask for these three levels at least (47 CFR 10.400, imminent threat). What the service passes on
    is not shown in the interface, so this is a hint and no promise.
    """
    chosen = draft.urgency and draft.severity and draft.certainty
    if not chosen or draft.type != ALERT:
        return None
    short = [
        f"{word} is {value}, not {wanted}"
        for word, value, wanted, enough in (
            ("urgency", draft.urgency, f"{IMMEDIATE} or {EXPECTED}", draft.urgency in WIRELESS_URGENCIES),
            ("severity", draft.severity, f"{EXTREME} or {SEVERE}", draft.severity in WIRELESS_SEVERITIES),
            ("certainty", draft.certainty, f"{OBSERVED} or {LIKELY}", draft.certainty in WIRELESS_CERTAINTIES),
        )
        if not enough
    ]
    levels = f"{draft.urgency}, {draft.severity}, {draft.certainty}"
    if short and draft.is_test:
        return None
    if not short:
        return (
            f"{TYPES[ALERT]} with {levels}: in the United States these levels may qualify for wireless emergency "
            "alerts, the loud kind that reaches every phone in the area. Whether this service passes alerts on to "
            "them, the interface does not tell."
        )
    return (
        f"{TYPES[ALERT]} with {levels} would not qualify for wireless emergency alerts in the United States: "
        f"{'; '.join(short)}. Do not raise a level for that alone."
    )
