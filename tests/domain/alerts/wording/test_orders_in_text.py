"""What a text tells people to do, compared with the alert: contradictions are found, and usual texts are quiet."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from domain.alerts.alert_events import with_usual_levels
from domain.alerts.draft import AlertDraft, FollowUp
from domain.alerts.wording.contradictions import advice
from domain.alerts.wording.follow_ups import follow_up
from domain.alerts.wording.orders_in_text import find_orders

TEXTS = tomllib.loads(Path(__file__).with_name("order_texts.toml").read_text(encoding="utf-8"))
NOW = datetime(2026, 11, 20, 21, 5, tzinfo=UTC)
SENT = {
    "Flash Flood Warning": "Lyons OEM: Flash flood on the St. Vrain. Move to higher ground now.",
    "Chemical Emergency": "Greeley Fire: Ammonia leak at Cargill. Shelter in place.",
    "Evacuation Immediate": "Larimer County: Wildfire near Lyons. Leave now.",
    "Tornado Warning": "City of Moore: Tornado near Moore. Take shelter now.",
    "Boil Order": "City of Flint: Boil water before drinking.",
}


def draft_of(event: str, kind: str, title: str, text: str) -> AlertDraft:
    """Return an alert with the usual levels, or a follow-up to the alert in SENT."""
    first = with_usual_levels(AlertDraft(event=event, sms=SENT.get(event, ""), written_at=NOW), previous_event="")
    draft = follow_up(cast("FollowUp", kind), first, now=NOW) if kind else first
    return draft.model_copy(update={"title": title, "sms": text, "text": "", "written_at": NOW})


def hints(case: list[str]) -> list[str]:
    """Return the hints about a case, without those about its end."""
    return [each.words for each in advice(draft_of(*case)) if "lasts" not in each.words]


@pytest.mark.parametrize("case", TEXTS["contradictory"], ids=lambda case: " · ".join(case))
def test_an_order_or_hazard_that_contradicts_the_alert_is_reported(case: list[str]) -> None:
    assert hints(case)


@pytest.mark.parametrize("case", TEXTS["quiet"], ids=lambda case: " · ".join(case))
def test_usual_texts_are_not_reported(case: list[str]) -> None:
    assert hints(case) == []


def test_orders_are_read_in_both_languages_without_denied_and_conditional_ones() -> None:
    text = "Evacuate now. Zone B: get ready to leave. Do not leave pets. If you cannot leave, shelter in place."
    assert [each.kind for each in find_orders(text)] == ["leave", "get ready", "forbidden"]
    assert [each.kind for each in find_orders("Evacúe ahora. No es necesario hervir el agua.")] == ["leave", "use"]


def test_an_extension_or_end_with_another_event_than_its_alert_is_reported() -> None:
    clear = draft_of(
        "Boil Order", "all clear", "", "ALL CLEAR: The boil water order is lifted. Water is safe to drink."
    )
    (found,) = advice(clear.model_copy(update={"event": "Wildfire"}))
    assert found.words.startswith("The event is Wildfire, but this alert follows the alert “Boil Order”.")
