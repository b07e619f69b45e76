"""What a check says about a trip: how bad, in which words, about which segment."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
    `rule` names the check, so that code and tests need not compare words.
    """

    severity: Severity
    title: str
    detail: str
    segment: int | None = None
    rule: str = ""

    @property
    def looks_wrong(self) -> bool:
        """True for what a person should look at, False for a mere note."""
        return self.severity is not Severity.NOTE


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Put the worst first, then by segment, the whole trip before its parts; otherwise as they came."""
    return sorted(findings, key=lambda found: (_ORDER[found.severity], -1 if found.segment is None else found.segment))


def summary(findings: Iterable[Finding]) -> str:
    """Say in one line how many things look wrong."""
    number = sum(found.looks_wrong for found in findings)
    if number == 0:
        return "Nothing looks wrong"
    return "1 thing looks wrong" if number == 1 else f"{number:,} things look wrong"
