"""Check the texts of alerts in a file: the drafts that the file describes, and the hints about each.

Each draft of the file becomes a draft of the composer, and gets the hints that the composer gives.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, ValidationError

from client.vocabulary.public_alerts import (
    CERTAINTIES,
    EXPIRE_HOURS,
    JURISDICTION_ALL,
    JURISDICTION_SOME,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from domain.alerts.alert_events import with_usual_levels
from domain.alerts.alert_form import EVENTS, categories_of
from domain.alerts.draft import CORRECTION, AlertDraft, FollowUp, excerpt
from domain.alerts.recipients.bundled_places import bundled_catalog
from domain.alerts.recipients.place_names import place_words
from domain.alerts.recipients.region_paste import read_pasted
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.sending.hints import Hints, find_hints
from domain.alerts.sending.known_recipients import zone_in_text
from domain.alerts.wording.follow_ups import follow_up
from domain.geography.time_zones import available_timezones_cached
from domain.text.place_clock import clock
from domain.text.plain_text import names
from muster.file_errors import explain_read_error
from muster.run import CommandError, Exit

Kind: TypeAlias = Literal["upgrade", "extension", "all clear", "correction", "false alarm", "second language", "update"]
ZIP_DIGITS: Final = 5
_UPDATE: Final = "update"
"""Another name for a correction: both replace what was said before."""
_LEVELS: Final = {"urgency": URGENCIES, "severity": SEVERITIES, "certainty": CERTAINTIES}


_VALUES: Final = {
    "string": "text in quotation marks",
    "int": "a whole number",
    "bool": "true or false",
    "datetime": "a time in ISO 8601, such as 2026-11-20T14:05",
    "literal": "one of the values in docs/commands.md",
    "list": "a list in brackets",
    "model": "an object in braces",
}
"""What a value must be, by the beginning of the type of pydantic’s error."""


class DraftEntry(BaseModel):
    """A draft in the file. Levels and hours that are left out are the usual ones of the event."""

    model_config = ConfigDict(extra="forbid")

    event: str
    title: str = ""
    text: str = ""
    sms: str = ""
    instructions: str = ""
    places: list[str | int] | Literal["all"] | None = None
    """Names or ZIP codes; "all" for the entire jurisdiction."""
    hours: int | None = None
    urgency: str | None = None
    severity: str | None = None
    certainty: str | None = None
    type: int | None = None
    sender: str = ""
    zone: str | None = None
    """The time zone of the texts if no places give it."""
    now: datetime | None = None
    """When it is or was sent; the current time if it is left out."""
    live: bool | None = None
    """Whether it is meant to be live. The event must agree."""
    follows: FollowedEntry | None = None


class FollowedEntry(DraftEntry):
    """The sent alert that a draft follows, with the kind of follow-up."""

    kind: Kind


@dataclass(frozen=True)
class CheckedDraft:
    """A draft of the file with its hints."""

    number: int
    draft: AlertDraft
    hints: Hints

    @property
    def lines(self) -> list[str]:
        """The hints and what is missing, one line each."""
        missing = [each.hint for each in self.hints.missing]
        return [*(each.words for each in self.hints.advice), *missing]

    def as_text(self) -> str:
        """Write it for people."""
        head = f"{self.number}. {self.draft.event}: {excerpt(self.draft.sms or self.draft.title) or 'no text'}"
        return "\n".join([head, *(f"   - {line}" for line in self.lines or ["No hints."])])

    def as_json(self) -> str:
        """Write it as one line of JSON."""
        document = {
            "draft": self.number,
            "event": self.draft.event,
            "sms": self.draft.sms,
            "hints": [
                {"message": each.words, "fixes": [fix.label for fix in each.fixes]} for each in self.hints.advice
            ],
            "missing": [each.name for each in self.hints.missing],
        }
        return json.dumps(document, ensure_ascii=False)


@dataclass(frozen=True)
class UncheckedDraft:
    """An entry of the file that is no draft: it has an unknown key, event, or place."""

    number: int
    error: str

    @property
    def lines(self) -> list[str]:
        """The error."""
        return [self.error]

    def as_text(self) -> str:
        """Write it for people."""
        return f"{self.number}. Not checked: {self.error}"

    def as_json(self) -> str:
        """Write it as one line of JSON."""
        return json.dumps({"draft": self.number, "error": self.error}, ensure_ascii=False)


def check_alerts(path: Path) -> list[CheckedDraft | UncheckedDraft]:
    """Read the drafts of a file, and return each with its hints or its error. Raises CommandError."""
    catalog = bundled_catalog()
    return [_check(number, entry, catalog) for number, entry in enumerate(_read(path), start=1)]


def exit_code(checked: Sequence[CheckedDraft | UncheckedDraft]) -> Exit:
    """Return the exit code: whether there were drafts, and whether there are hints or errors."""
    if not checked:
        return Exit.NOTHING
    return Exit.REFUSED if any(each.lines for each in checked) else Exit.DONE


def _read(path: Path) -> list[object]:
    try:
        document: object = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(explain_read_error(path, error)) from error
    except ValueError as error:
        raise CommandError(f"{path} is not JSON in UTF-8. Check its brackets and quotation marks.") from error
    return document if isinstance(document, list) else [document]


def _check(number: int, entry: object, catalog: RegionCatalog) -> CheckedDraft | UncheckedDraft:
    try:
        written = DraftEntry.model_validate(entry)
        draft = _draft_of(written, catalog)
        now = draft.written_at
        zone = _zone_of(written, draft, catalog, now)
    except ValidationError as error:
        return UncheckedDraft(number, _explain(error))
    except ValueError as error:
        return UncheckedDraft(number, str(error))
    return CheckedDraft(number, draft, find_hints(draft, catalog, now=now, zone=zone))


def _explain(error: ValidationError) -> str:
    """Return what to change in an entry that is no draft."""
    first = error.errors()[0]
    keys = [each for each in first["loc"] if each in FollowedEntry.model_fields]
    key = " of ".join(f"“{each}”" for each in reversed(keys))
    match first["type"]:
        case "missing":
            return f"The draft has no “{first['loc'][-1]}”. Add the key."
        case "extra_forbidden":
            return f"“{first['loc'][-1]}” is not a key of a draft. Remove it, or correct its spelling."
    needed = next((words for name, words in _VALUES.items() if first["type"].startswith(name)), "another value")
    return f"{key} needs {needed}." if key else "The entry is not a draft. Write an object in braces: {…}."


def _draft_of(entry: DraftEntry, catalog: RegionCatalog) -> AlertDraft:
    """Return the draft of an entry. Raises ValueError with a message for the user."""
    followed = entry.follows
    first = AlertDraft() if followed is None else _draft_of(followed, catalog)
    places = _places_of(entry, catalog) if entry.places is not None else {}
    now = _moment_of(entry, first.model_copy(update=places), catalog)
    draft = AlertDraft(**{name: _checked_choice(entry, name) for name in ("event",)})
    draft.category = next(iter(categories_of(draft.event)))
    draft = with_usual_levels(draft, previous_event="")
    if followed is not None:
        draft = _begin_follow_up(followed, first, catalog, now)
        draft.event = entry.event
    given = {name: value for name in (*_LEVELS, "hours", "type") if (value := _checked_choice(entry, name)) is not None}
    texts = {name: getattr(entry, name) for name in ("title", "text", "sms", "instructions")}
    sender = {"contact_division": entry.sender} if entry.sender else {}
    # The file says what the texts say, so nothing that Muster wrote stays.
    own: dict[str, Any] = {"placeholders": [], "end_written": None, "written_at": now}
    draft = draft.model_copy(update={**given, **texts, **sender, **own, **places})
    if entry.live is not None and entry.live == draft.is_test:
        event = f"{draft.event} is a routine test" if draft.is_test else f"{draft.event} is a live event"
        raise ValueError(f"“live” is {str(entry.live).lower()}, but {event}.")
    return draft


def _begin_follow_up(followed: FollowedEntry, first: AlertDraft, catalog: RegionCatalog, now: datetime) -> AlertDraft:
    kind: FollowUp = CORRECTION if followed.kind == _UPDATE else followed.kind
    at = first.written_at if followed.now is not None else None
    zone = _zone_of(followed, first, catalog, now)
    sent_at = clock(at.astimezone(ZoneInfo(zone))) if at is not None and zone is not None else ""
    place = place_words(first, catalog)
    return follow_up(kind, first, follows=0, at=at, sent_at=sent_at, place=place, now=now, zone=zone)


def _checked_choice(entry: DraftEntry, name: str) -> Any:
    value = getattr(entry, name)
    allowed: dict[str, Any] = {"event": EVENTS, "hours": EXPIRE_HOURS, "type": TYPES, **_LEVELS}
    if value is not None and value not in allowed[name]:
        known = f": {names([str(each) for each in allowed[name]])}" if name != "event" else ""
        raise ValueError(f"“{value}” is not one of the values of “{name}”{known}.")
    return value


def _places_of(entry: DraftEntry, catalog: RegionCatalog) -> dict[str, Any]:
    if entry.places == "all" or entry.places is None:
        return {"jurisdiction": JURISDICTION_ALL, "regions": []}
    written = [str(each).zfill(ZIP_DIGITS) if isinstance(each, int) else each for each in entry.places]
    read = read_pasted(catalog, "\n".join(written), kind="city")
    for each in read.unclear:
        raise ValueError(f"“{each.entry}” {each.words}.")
    if read.not_found:
        raise ValueError(f"No place is called {names([f'“{each}”' for each in read.not_found])}.")
    return {"jurisdiction": JURISDICTION_SOME, "regions": [place.id for place in read.found]}


def _zone_of(entry: DraftEntry, draft: AlertDraft, catalog: RegionCatalog, now: datetime) -> str | None:
    if entry.zone is not None and entry.zone not in available_timezones_cached():
        raise ValueError(f"“{entry.zone}” is not a time zone. Use a name such as America/Denver.")
    return zone_in_text(draft, catalog, entry.zone, now) or entry.zone


def _moment_of(entry: DraftEntry, draft: AlertDraft, catalog: RegionCatalog) -> datetime:
    """Return when the draft is sent. A time without an offset is local."""
    now = entry.now or datetime.now(UTC)
    if now.tzinfo is not None:
        return now
    zone = _zone_of(entry, draft, catalog, now.replace(tzinfo=UTC))
    return now.replace(tzinfo=ZoneInfo(zone or "UTC"))
