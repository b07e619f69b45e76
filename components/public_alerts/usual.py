"""What an event usually brings with it: its levels, the hours it lasts and its type, as a suggestion to begin with."""

from __future__ import annotations

from typing import Final, NamedTuple

from client.vocabulary.public_alerts import TYPES
from components.public_alerts.draft import AlertDraft
from components.public_alerts.levels import (
    ADVISORY,
    ALERT,
    COMMUNITY,
    EXPECTED,
    EXTREME,
    FUTURE,
    IMMEDIATE,
    LIKELY,
    MINOR,
    MODERATE,
    OBSERVED,
    PAST,
    POSSIBLE,
    SEVERE,
)
from components.widgets.number_text import count


class Usual(NamedTuple):
    """Levels, hours and type that fit most alerts about an event."""

    urgency: str
    severity: str
    certainty: str
    hours: int
    type: int

    @property
    def words(self) -> str:
        """In a line: "Immediate, Extreme, Likely, 1 hour, Alert"."""
        levels = (self.urgency, self.severity, self.certainty)
        return ", ".join((*levels, count(self.hours, "hour", "hours"), TYPES[self.type]))


# ASSUMPTION A450: the interface tells no levels of an event. Those of the weather are what the National Weather Service
# gives its products in CAP; the others follow the definitions in CAP 1.2, 3.2.2, with the hours such events last.
_TABLE: Final[dict[Usual, tuple[str, ...]]] = {
    Usual(IMMEDIATE, EXTREME, OBSERVED, 24, ALERT): (
        "Bioterrorism Attack",
        "Nuclear Attack",
        "Radiation Emergency",
        "Nuclear Power Plant Warning",
    ),
    Usual(IMMEDIATE, EXTREME, OBSERVED, 6, ALERT): (
        "Chemical Emergency",
        "High-Yield Explosive Attack",
        "Mass Casualties",
        "Volcanic Eruption",
    ),
    Usual(IMMEDIATE, EXTREME, OBSERVED, 4, ALERT): ("Campus Lockdown", "Campus Shooting", "School Hostage Situation"),
    Usual(IMMEDIATE, EXTREME, LIKELY, 12, ALERT): ("Evacuation Immediate", "Wildfire", "Forest Fire"),
    Usual(IMMEDIATE, EXTREME, LIKELY, 6, ALERT): ("Tsunami Warning", "Mudslide", "Landslide"),
    Usual(IMMEDIATE, EXTREME, LIKELY, 1, ALERT): ("Tornado Warning",),
    Usual(IMMEDIATE, SEVERE, POSSIBLE, 4, ALERT): ("High-Yield Explosive Threat", "Weapons on Campus"),
    Usual(IMMEDIATE, SEVERE, OBSERVED, 12, ALERT): (
        "Earthquake",
        "Amber Alert",
        "Kidnapping",
        "Blue Alert",
        "Water Pollution",
        "Toxic Waste",
        "Telecommunications Emergency",
    ),
    Usual(IMMEDIATE, SEVERE, OBSERVED, 6, ALERT): (
        "Structure Fire",
        "Industrial Fire",
        "Gas Leak",
        "Avalanche",
        "Travel Derailment",
        "Suspect Wanted",
        "Attempted Kidnapping",
        "Attempted Child Abduction",
        "Missing Child",
    ),
    Usual(IMMEDIATE, SEVERE, OBSERVED, 24, ALERT): ("Boil Order",),
    Usual(IMMEDIATE, SEVERE, LIKELY, 6, ALERT): ("Flash Flood Warning", "Water Control Facilities"),
    Usual(IMMEDIATE, SEVERE, LIKELY, 1, ALERT): ("Severe Thunderstorm Warning", "Severe Weather Warning"),
    Usual(EXPECTED, EXTREME, LIKELY, 24, ALERT): ("Hurricane Warning", "Blizzard Warning"),
    Usual(EXPECTED, SEVERE, LIKELY, 24, ALERT): (
        "Tropical Storm Warning",
        "Winter Storm Warning",
        "Excessive Heat Warning",
        "Flood Warning",
    ),
    Usual(EXPECTED, SEVERE, LIKELY, 12, ALERT): ("High Wind Warning",),
    Usual(FUTURE, EXTREME, POSSIBLE, 6, ALERT): ("Tornado Watch",),
    Usual(FUTURE, EXTREME, POSSIBLE, 24, ALERT): ("Hurricane Watch",),
    Usual(FUTURE, SEVERE, POSSIBLE, 6, ALERT): ("Tsunami Watch", "Severe Weather Watch", "Flash Flood Watch"),
    Usual(FUTURE, SEVERE, POSSIBLE, 24, ADVISORY): (
        "Winter Storm Watch",
        "Blizzard Watch",
        "Tropical Storm Watch",
        "Flood Watch",
        "Excessive Heat Watch",
        "High Wind Watch",
    ),
    Usual(FUTURE, MODERATE, POSSIBLE, 24, ADVISORY): ("Freeze Watch",),
    Usual(EXPECTED, MODERATE, LIKELY, 12, ADVISORY): (
        "Freeze Warning",
        "Dense Fog Advisory",
        "Air Pollution",
        "Acid Rain",
        "Snow Emergency",
        "Travel Warning",
    ),
    Usual(EXPECTED, MODERATE, LIKELY, 24, ADVISORY): (
        "Influenza Epidemic",
        "Virus or Contagious Disease Outbreak",
        "Foodborne Disease Outbreak",
    ),
    Usual(EXPECTED, MODERATE, OBSERVED, 6, ADVISORY): (
        "Severe Thunderstorm Statement",
        "NWS Rebroadcast",
        "NOAA Rebroadcast",
        "Rescue Operation",
        "Traffic Emergency",
        "Travel Emergency",
        "Police Activity",
        "Criminal Activity",
        "Ongoing Investigation",
        "Radio Blackouts",
        "Utility Emergency",
        "Buildings and Equipment",
        "Mountain Rescue",
        "Ground Search and Rescue",
        "Urban Search and Rescue",
        "Air-Sea Search and Rescue",
    ),
    Usual(EXPECTED, MODERATE, OBSERVED, 12, ADVISORY): (
        "Missing Person",
        "Silver Alert",
        "Wanted Person",
        "Power Outage",
        "Soil Contamination",
        "Geomagnetic Storm",
        "Solar Radiation Storm",
    ),
    Usual(EXPECTED, MINOR, LIKELY, 12, ADVISORY): ("Frost Advisory",),
    Usual(EXPECTED, MINOR, OBSERVED, 4, ADVISORY): ("Road Closure", "Vehicle Accident"),
    Usual(EXPECTED, MINOR, OBSERVED, 12, COMMUNITY): ("Debris Removal", "Noise Pollution"),
    Usual(PAST, MINOR, OBSERVED, 1, ADVISORY): ("Routine Monthly Test", "Routine Weekly Test"),
}
_USUAL: Final = {event: usual for usual, events in _TABLE.items() for event in events}


def usual_of(event: str) -> Usual | None:
    """What an event usually brings; None where it is none of the interface's."""
    return _USUAL.get(event)


def with_usual(draft: AlertDraft, *, before: str) -> AlertDraft:
    """The draft with what its event usually brings, where nothing was chosen or what the event `before` brought stands.

    What a person chose otherwise stays; without an event, what the one before brought goes with it.
    """
    was, brings = usual_of(before), usual_of(draft.event)
    empty = AlertDraft.model_fields
    changes = {
        name: getattr(brings, name) if brings is not None else empty[name].default
        for name in Usual._fields
        if getattr(draft, name) in (empty[name].default, getattr(was, name, empty[name].default))
    }
    return draft.model_copy(update=changes)


def suggestion_words(draft: AlertDraft) -> str:
    """What is usual for the event of the draft, in words, and that it was suggested for as long as it stands."""
    usual = usual_of(draft.event)
    if usual is None:
        return ""
    changed = [name for name in Usual._fields if getattr(draft, name) != getattr(usual, name)]
    if not changed:
        return f"Usual for {draft.event}: {usual.words}. Suggested with the event; change what does not fit."
    return f"Usual for {draft.event}: {usual.words}."
