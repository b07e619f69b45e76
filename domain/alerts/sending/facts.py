"""What an alert says and how it is filed, as lines to be read over once more: plain text, nothing drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from domain.alerts.alert_form import LABELS
from domain.alerts.draft import CONTACT, SECOND_LANGUAGE, AlertDraft
from domain.alerts.expiry import ends_at
from domain.alerts.levels import meaning
from domain.alerts.ready_alerts import is_unchanged_test
from domain.alerts.recipients.reach import Reach
from domain.alerts.wording.contradictions import taken_for_real
from domain.alerts.wording.follow_ups import KINDS, is_calm
from domain.alerts.wording.sms import measure
from domain.geography.folding import fold
from domain.text.place_clock import on_clocks
from domain.text.plain_text import count, names

CANNOT_RECALL: Final = "A sent alert cannot be changed or recalled."


class Fact(NamedTuple):
    """One thing that was chosen or written, and what it means where it is a word of the interface."""

    label: str
    value: str
    meaning: str = ""


def happening(
    draft: AlertDraft, *, now: datetime, zone: str | None, desk: str | None = None, is_sent: bool = False
) -> list[Fact]:
    """What happens: event, category, levels, and when it ends if it leaves now, or left then where it `is_sent`."""
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
    """The notification around the alert: its title and text, and what it is filed under, by name where it is known."""
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
    """Who is named as the sender."""
    return [Fact(LABELS[name], value) for name in CONTACT if (value := getattr(draft, name).strip())]


def levels_of(draft: AlertDraft) -> str:
    """Its levels in a line, as far as they are given."""
    return " · ".join(level for level in (draft.urgency, draft.severity, draft.certainty) if level)


def length_words(draft: AlertDraft) -> str:
    """How long the text is: "152 characters · 1 message"."""
    meter = measure(draft.sms)
    return (
        f"{count(len(draft.sms), 'character', 'characters')} · "
        f"{count(meter.segments, 'message part', 'message parts')} (SMS)"
    )


def name_of(draft: AlertDraft) -> str:
    """What an alert is called in a title: "Wildfire", "All clear (Wildfire)", "Wildfire in another language"."""
    name = draft.event or "Public alert"
    if draft.follow_up == SECOND_LANGUAGE:
        return f"{name} in another language"
    return f"{KINDS[draft.follow_up].title} ({name})" if draft.follow_up else name


def title_of(draft: AlertDraft) -> str:
    """What a title calls an alert that was sent: "Wildfire alert", "Routine Weekly Test", "Amber Alert"."""
    named = draft.is_test or draft.follow_up or not draft.event or draft.event.endswith("Alert")
    return name_of(draft) if named else f"{draft.event} alert"


class Look(NamedTuple):
    """How it is seen at once what kind of alert it is: colour, sign and words."""

    colour: str
    icon: str
    words: str

    @property
    def badge(self) -> str:
        """It, as a badge."""
        return f":{self.colour}-badge[{self.icon} **{self.words}**]"


def look_of(draft: AlertDraft) -> Look:
    """A routine test, what says that nobody need act, a live alert, or not decided yet."""
    if draft.is_test:
        return Look("violet", ":material/science:", "TEST")
    if is_calm(draft):
        kind = KINDS[draft.follow_up]
        return Look(kind.colour, kind.icon, kind.title)
    if draft.event:
        return Look("red", ":material/campaign:", "LIVE ALERT")
    return Look("gray", ":material/edit:", "No event yet")


def care_words(draft: AlertDraft, reach: Reach, kept_texts: Iterable[Mapping[str, str]]) -> str:
    """Why a routine test takes the care of a live alert: by its text, levels and reach; "" where it need not.

    `kept_texts` are those that the organization keeps for the test: any other text is sent with care, whatever it says.
    """
    why = [
        *(
            ["its text isn't a saved text or template of your organization"]
            if not is_unchanged_test(draft, kept_texts)
            else []
        ),
        *(["people could take its text or levels for a live alert"] if taken_for_real(draft) else []),
        *([f"it goes to {reach.whom}"] if reach.is_wide else []),
    ]
    return names(why)


def typed_right(typed: str, wanted: str) -> bool:
    """Whether the place that was typed is the place asked for; capitals, accents, spaces and commas do not count."""
    return bool(wanted.strip()) and _as_typed(typed) == _as_typed(wanted)


def _as_typed(text: str) -> str:
    # The name of an event group may be nothing but signs.
    return fold(text).replace(" ", "") or text.strip()
