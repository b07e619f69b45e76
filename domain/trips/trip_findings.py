"""Findings of trip checks: their rules, severities, and order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

KINDS: Final[Mapping[str, str]] = {
    "no-segments": "No segments",
    "no-travelers": "No travelers",
    "ends-before-start": "Ends before it begins",
    "overlap": "Overlapping segments",
    "segment-twice": "Duplicate segment",
    "time-missing": "No time",
    "time-unreadable": "Unreadable time",
    "local-time-skipped": "Local time that does not exist",
    "place-missing": "No place",
    "kind": "Unknown segment type",
    "zone-unknown": "Unknown time zone",
    "zone-disagrees": "Local time and UTC disagree",
    "zone-missing": "No time zone",
    "way-broken": "Missing connection",
    "connection-short": "Short connection",
    "airport-unknown": "Unknown airport",
    "airport-elsewhere": "Airport doesn’t match the address",
    "coordinates-elsewhere": "Coordinates don’t match the place",
    "zone-elsewhere": "Time zone doesn’t match the place",
    "goes-nowhere": "Same start and end",
    "too-fast": "Too fast",
    "too-long": "Too long",
    "no-duration": "No duration",
    "local-time-twice": "Local time that happens twice",
    "traveler-twice": "Duplicate traveler",
    "no-employee-id": "Traveler without an ID or a name",
    "two-hotels": "Two hotels in one night",
    "hotel-far": "Hotel far away",
    "hotel-during-journey": "Hotel during a flight or train ride",
    "car-during-journey": "Car during a flight or train ride",
    "no-coordinates": "No coordinates",
    "no-hotel": "Night without a hotel",
    "no-return": "No return",
    "in-the-past": "In the past",
}
"""The label of each rule, in the order of importance."""
_WEIGHTS: Final = {rule: place for place, rule in enumerate(KINDS)}


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # cannot be right, or someone would not be found
    WARNING = "warning"  # may be intended, but someone should check it
    NOTE = "note"  # for information; not counted as a problem


_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True)
class Finding:
    """A result of a check.

    `segment` is an index in `itinerary.segments`; None for the whole trip. `rule` identifies the check. `side` is the
    end of the segment, or "" for both.
    """

    severity: Severity
    title: str
    detail: str
    segment: int | None = None
    rule: str = ""
    side: Literal["", "start", "end"] = ""

    @property
    def is_problem(self) -> bool:
        """Return whether someone should look at it."""
        return self.severity is not Severity.NOTE


def severity_rank(finding: Finding) -> tuple[int, int]:
    """Return the sort key by importance, for findings of several trips."""
    return _ORDER[finding.severity], _WEIGHTS[finding.rule]


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by severity, then by segment. Findings about the whole trip come first."""
    return sorted(findings, key=lambda found: (_ORDER[found.severity], -1 if found.segment is None else found.segment))


def summary(findings: Iterable[Finding]) -> str:
    """Summarize the number of problems."""
    number = sum(found.is_problem for found in findings)
    if number == 0:
        return "No problems"
    return "1 problem" if number == 1 else f"{number:,} problems"
