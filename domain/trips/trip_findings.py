"""What checks find in a trip: the rule, how grave it is, and in which order findings are shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

KINDS: Final[Mapping[str, str]] = {
    "no-segments": "No segments",
    "no-travellers": "No travelers",
    "ends-before-start": "Ends before it begins",
    "overlap": "Two at once",
    "segment-twice": "A segment twice",
    "time-missing": "No time",
    "time-unreadable": "A time that cannot be read",
    "local-time-skipped": "A time that clocks leave out",
    "place-missing": "No place",
    "kind": "An unknown kind of segment",
    "zone-unknown": "An unknown time zone",
    "zone-disagrees": "Clock and zone disagree",
    "zone-missing": "No time zone",
    "way-broken": "A gap on the way",
    "connection-short": "A short connection",
    "airport-unknown": "An unknown airport",
    "airport-elsewhere": "The airport is elsewhere",
    "coordinates-elsewhere": "The coordinates are elsewhere",
    "zone-elsewhere": "The time zone is another place's",
    "goes-nowhere": "Arrives where it left",
    "too-fast": "Faster than can be",
    "too-long": "Longer than can be",
    "no-duration": "Takes no time",
    "local-time-twice": "A time that clocks show twice",
    "traveller-twice": "A traveler twice",
    "no-employee-id": "A traveler without an ID or a name",
    "two-hotels": "Two hotels in one night",
    "hotel-far": "A hotel far from the way",
    "hotel-while-travelling": "A hotel while under way",
    "car-while-travelling": "A car while under way",
    "no-coordinates": "No coordinates",
    "no-hotel": "A night without a hotel",
    "no-return": "No way back",
    "in-the-past": "It is over",
}
"""What the findings of each rule are called together, those first that matter most."""
_WEIGHTS: Final = {rule: place for place, rule in enumerate(KINDS)}


class Severity(StrEnum):
    """How much a finding matters."""

    WRONG = "wrong"  # it cannot be as it stands, or somebody will not be found
    LOOK = "look"  # it may be meant, but a person should look
    NOTE = "note"  # good to know; not counted as a thing that looks wrong


_ORDER = {Severity.WRONG: 0, Severity.LOOK: 1, Severity.NOTE: 2}


@dataclass(frozen=True)
class Finding:
    """One thing found by a check.

    `segment` is the index into `itinerary.segments`, None where the finding is about the whole trip.
    `rule` names the check, so that code and tests need not compare words. `side` is the end of the segment it is
    about, "" where it is about both.
    """

    severity: Severity
    title: str
    detail: str
    segment: int | None = None
    rule: str = ""
    side: Literal["", "start", "end"] = ""

    @property
    def looks_wrong(self) -> bool:
        """True for what a person should look at, False for a mere note."""
        return self.severity is not Severity.NOTE


def by_weight(finding: Finding) -> tuple[int, int]:
    """What puts findings in order of how much they matter, whatever trip they are of."""
    return _ORDER[finding.severity], _WEIGHTS[finding.rule]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Put the worst first, then by segment, the whole trip before its parts; otherwise as they came."""
    return sorted(findings, key=lambda found: (_ORDER[found.severity], -1 if found.segment is None else found.segment))


def summary(findings: Iterable[Finding]) -> str:
    """Say in one line how many things look wrong."""
    number = sum(found.looks_wrong for found in findings)
    if number == 0:
        return "Nothing looks wrong"
    return "1 thing looks wrong" if number == 1 else f"{number:,} things look wrong"
