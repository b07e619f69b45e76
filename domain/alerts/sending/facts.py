"""The content of an alert as plain text for a review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from client.vocabulary.public_alerts import JURISDICTION_SOME
from domain.alerts.alert_events import placeholders_in
from domain.alerts.alert_form import LABELS
from domain.alerts.alert_templates import is_unchanged_test
from domain.alerts.draft import CONTACT, SECOND_LANGUAGE, AlertDraft
from domain.alerts.expiry import ends_at
from domain.alerts.levels import meaning
from domain.alerts.recipients.place_contradictions import describe_smaller_area, find_smaller_area
from domain.alerts.recipients.place_names import People, estimate_people
from domain.alerts.recipients.reach import Reach
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.wording.contradictions import looks_live
from domain.alerts.wording.follow_ups import KINDS, is_calm
from domain.alerts.wording.sms import measure
from domain.geography.folding import fold
from domain.runtime.settings import settings
from domain.text.place_clock import on_clocks
from domain.text.plain_text import count, names

CANNOT_RECALL: Final = "A sent alert cannot be changed or recalled."
_NAMED: Final = 6


class Fact(NamedTuple):
    """A value of the alert, and its meaning if the interface defines the value."""

    label: str
    value: str
    meaning: str = ""


def event_facts(
    draft: AlertDraft, *, now: datetime, zone: str | None, desk: str | None = None, is_sent: bool = False
) -> list[Fact]:
    """Return event, category, levels, and end. The end is counted from now, or from the sending if `is_sent`."""
    ending = ends_at(draft.hours, now, zone)
    ends = ""
    if ending is not None:
        end = (
            on_clocks(ending.utc, zone, user_zone=desk, now=now)
            if is_sent
            else ending.words + ending.in_user_zone(desk)
        )
        ends = f"{end} ({count(draft.hours or 0, 'hour', 'hours')})"
    facts = [
        Fact("Event", draft.event),
        *(
            Fact(name.capitalize(), getattr(draft, name), meaning(name, getattr(draft, name)))
            for name in ("category", "urgency", "severity", "certainty")
        ),
        Fact("Ends", ends, "" if is_sent else "if sent now"),
    ]
    return [fact for fact in facts if fact.value]


def around(draft: AlertDraft, filed: Mapping[str, Mapping[int, str]] | None = None) -> list[Fact]:
    """Return the title and text of the notification, and its event and category, by name if known."""
    names = filed or {}
    facts = [Fact("Title", draft.title.strip()), Fact("Notification text", draft.text.strip())]
    for field, label in (
        ("notification_event_id", "Notification event"),
        ("category_id", "Notification category"),
    ):
        number = getattr(draft, field)
        if number is not None:
            facts.append(Fact(label, names.get(field, {}).get(number) or f"ID {number}"))
    return [fact for fact in facts if fact.value]


def sender(draft: AlertDraft) -> list[Fact]:
    """Return the sender's contact."""
    return [Fact(LABELS[name], value) for name in CONTACT if (value := getattr(draft, name).strip())]


def levels_of(draft: AlertDraft) -> str:
    """Return the levels in one line, as far as they are set."""
    return " · ".join(level for level in (draft.urgency, draft.severity, draft.certainty) if level)


def length_words(draft: AlertDraft) -> str:
    """Return the length of the text: "152 characters · 1 message part (SMS)"."""
    meter = measure(draft.sms)
    return (
        f"{count(len(draft.sms), 'character', 'characters')} · "
        f"{count(meter.segments, 'message part', 'message parts')} (SMS)"
    )


def name_of(draft: AlertDraft) -> str:
    """Return the name of an alert in a title: "Wildfire", "All clear (Wildfire)", "Wildfire in another language"."""
    name = draft.event or "Public alert"
    if draft.follow_up == SECOND_LANGUAGE:
        return f"{name} in another language"
    return f"{KINDS[draft.follow_up].title} ({name})" if draft.follow_up else name


def title_of(draft: AlertDraft) -> str:
    """Return the name of a sent alert: "Wildfire alert", "Routine Weekly Test", "Amber Alert"."""
    named = draft.is_test or draft.follow_up or not draft.event or draft.event.endswith("Alert")
    return name_of(draft) if named else f"{draft.event} alert"


class Look(NamedTuple):
    """The color, icon, and words that show the kind of alert."""

    colour: str
    icon: str
    words: str

    @property
    def badge(self) -> str:
        """The badge."""
        return f":{self.colour}-badge[{self.icon} **{self.words}**]"


def look_of(draft: AlertDraft) -> Look:
    """Return the look of a routine test, a message that no one needs to act, a live alert, or an undecided one."""
    if draft.is_test:
        return Look("violet", ":material/science:", "TEST")
    if is_calm(draft):
        kind = KINDS[draft.follow_up]
        return Look(kind.colour, kind.icon, kind.title)
    if draft.event:
        return Look("red", ":material/campaign:", "LIVE ALERT")
    return Look("gray", ":material/edit:", "No event yet")


def confirmation_reason(draft: AlertDraft, reach: Reach, kept_texts: Iterable[Mapping[str, str]]) -> str:
    """Return why a routine test must be confirmed like a live alert, or "" if it need not be.

    `kept_texts` are the organization's texts of the test. Any other text must be confirmed.
    """
    why = [
        *(
            ["its text isn’t a saved text or template of your organization"]
            if not is_unchanged_test(draft, kept_texts)
            else []
        ),
        *(["people could take its text or levels for a live alert"] if looks_live(draft) else []),
        *([f"it goes to {reach.whom}"] if reach.is_wide else []),
    ]
    return names(why)


def questions_before_sending(draft: AlertDraft, catalog: RegionCatalog | None) -> list[str]:
    """Return why the sender is asked once more: words in brackets, very many residents, or a text about a smaller area.

    Words in brackets may be meant. The placeholders of outlines and templates are errors.
    """
    gaps = placeholders_in(draft.title, draft.text, draft.sms, draft.instructions)
    unfilled = [f"The text still has {names(gaps, at_most=_NAMED)}."] if gaps else []
    if catalog is None:
        return unfilled
    chosen = draft.regions if draft.jurisdiction == JURISDICTION_SOME else []
    people, most = catalog.cached(_estimate, chosen), settings().alert_many_people
    many = [f"{people.words}. That is more than {most:,}."] if people.number > most else []
    words = find_smaller_area(draft, catalog)
    return [*unfilled, *many, *([describe_smaller_area(draft, catalog, words)] if words else [])]


def _estimate(catalog: RegionCatalog, ids: tuple[int, ...]) -> People:
    return estimate_people(ids, catalog)


def matches_place(typed: str, place: str) -> bool:
    """Return whether the typed place is the requested one, ignoring case, accents, spaces, and commas."""
    return bool(place.strip()) and _as_typed(typed) == _as_typed(place)


def _as_typed(text: str) -> str:
    # The name of an event group may consist of signs only.
    return fold(text).replace(" ", "") or text.strip()
