"""All hints about an alert: what contradicts what, which places are doubtful, and what the text lacks.

The composer, the review, and `python -m muster check-alert` give the same hints.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from domain.alerts.draft import AlertDraft
from domain.alerts.expiry import ends_at
from domain.alerts.recipients.place_contradictions import (
    followed_place_advice,
    place_advice,
    smaller_area_advice,
    unnamed_place_advice,
)
from domain.alerts.recipients.place_names import place_names
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.wording.contradictions import Advice, advice
from domain.alerts.wording.wording_checks import Check, wording_checks


class Hints(NamedTuple):
    """The hints about a draft."""

    about_text: tuple[Advice, ...]
    """What the text contradicts: event, levels, hours, the followed alert, recipients."""
    about_recipients: tuple[Advice, ...]
    """Recipients that may be a mistake."""
    checks: tuple[Check, ...]
    """What the text says and lacks."""

    @property
    def advice(self) -> tuple[Advice, ...]:
        """All advice."""
        return self.about_text + self.about_recipients

    @property
    def missing(self) -> tuple[Check, ...]:
        """What the text lacks."""
        return tuple(each for each in self.checks if not each.ok)


def find_hints(draft: AlertDraft, catalog: RegionCatalog | None, *, now: datetime, zone: str | None) -> Hints:
    """Return the hints about a draft, as of `now`.

    `zone` is the time zone of the recipients. If it is not known (None), clock times in the text are not checked.
    """
    elsewhere = place_advice(draft, catalog)
    ending = ends_at(draft.hours, now, zone) if zone is not None else None
    return Hints(
        (*advice(draft, now=now if zone is not None else None, zone=zone), *elsewhere),
        (
            *unnamed_place_advice(draft, catalog),
            *smaller_area_advice(draft, catalog),
            *followed_place_advice(draft, catalog),
        ),
        tuple(
            wording_checks(
                draft,
                place_names(draft, catalog),
                is_elsewhere=bool(elsewhere),
                end=ending.in_text if ending is not None else "",
            )
        ),
    )
