"""What an organization stores for new alerts: alert templates, wordings of events, and the last sender.

An alert template is a complete alert under a name, with placeholders.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from domain.alerts.alert_events import (
    PLACE,
    TIME,
    WHO,
    is_outline,
    placeholders_in,
    sender_of,
    starting_wording,
    with_usual_levels,
)
from domain.alerts.draft import CONTACT, AlertDraft
from domain.runtime.workspace import Workspace
from journal import JournalError, NameTaken, RecordVersion

KIND: Final = "ready_alert"
TEXTS: Final = ("sms", "instructions", "title", "text")
_SENDER: Final = "alert_sender"
MOST_PINNED: Final = 8
"""How many templates an organization pins. Each has a number key in the composer."""
_PINS: Final = "alert_template_pins"
_DEMO_PINS: Final = (
    *("Tornado: take shelter", "Evacuate: wildfire west of Boulder", "Boil water: Boulder"),
    *("Missing child", "Weekly test"),
)
_DEMO: Final = Path(__file__).with_name("demo_alert_templates.toml")
# The state of an editor, and links to other alerts, do not belong in a template.
_OF_ONE_DRAFT: Final = {
    *(
        "uid",
        "stage",
        "checked",
        "refused",
        "written_at",
        "follows",
        "follow_up",
        "translation_of",
        "template",
        "placeholders",
        "not_imported",
    ),
    *("end_written", "extends_until", "source", "template_saved_at"),
    *("sent_texts", "sent_event", "sent_regions"),
}


def alert_templates(workspace: Workspace) -> list[RecordVersion]:
    """Return the organization's alert templates by name, each in its latest version."""
    seed_demo(workspace, KIND, lambda: {name: payload_of(draft) for name, draft in demo_templates().items()})
    return workspace.journal.versioned_records.list(workspace.actor, KIND)


def pinned_names(workspace: Workspace) -> list[str]:
    """Return the names of the organization's pinned alert templates, in the order of their number keys."""
    seed_demo(workspace, _PINS, lambda: {_PINS: {"names": _DEMO_PINS}})
    stored = workspace.journal.versioned_records.list(workspace.actor, _PINS)
    return [str(name) for each in stored for name in each.payload.get("names", ())]


def pin_template(workspace: Workspace, name: str, *, is_pinned: bool) -> None:
    """Pin an alert template as the last one, or remove its pin. Raises `JournalError` if the keys are used up."""
    existing = {each.name for each in alert_templates(workspace)}
    others = [each for each in pinned_names(workspace) if each != name and each in existing]
    if is_pinned and len(others) >= MOST_PINNED:
        raise JournalError(f"{MOST_PINNED} alert templates are pinned. Unpin one first.")
    pinned = {"names": [*others, name] if is_pinned else others}
    workspace.journal.versioned_records.save(workspace.actor, _PINS, _PINS, pinned, over=None)


def versions(workspace: Workspace, name: str) -> list[RecordVersion]:
    """Return every version of an alert template, the latest first."""
    return workspace.journal.versioned_records.versions(workspace.actor, KIND, name)


def save_template(workspace: Workspace, draft: AlertDraft, name: str) -> int:
    """Save a draft as an alert template, as the next version if it has the name of the draft's template.

    Raises `NameTaken` if another template has the name, or if someone changed the template since the draft was started
    from it.
    """
    if not draft.event:
        raise JournalError("Select an event first. An alert template is for one event.")
    over = draft.template[1] if draft.template is not None and same_name(draft.template[0], name) else 0
    return workspace.journal.versioned_records.save(workspace.actor, KIND, name, payload_of(draft), over=over)


def delete_template(workspace: Workspace, version: RecordVersion) -> None:
    """Delete an alert template with its versions. Raises `JournalError` if it is not the latest version."""
    workspace.journal.versioned_records.delete(workspace.actor, KIND, version.name, over=version.version)


def payload_of(draft: AlertDraft) -> dict[str, Any]:
    """Return what a template stores of a draft."""
    return draft.model_dump(mode="json", exclude=_OF_ONE_DRAFT)


def start_from_template(template: RecordVersion, *, version: int | None = None) -> AlertDraft:
    """Return a new draft from a template. A changed draft can be saved over `version`, the latest one.

    Raises `JournalError` if this version of Muster cannot read it.
    """
    try:
        draft = AlertDraft.model_validate(template.payload)
    except ValidationError as error:
        message = f"This version of Muster cannot read the alert template “{template.name}”."
        raise JournalError(message) from error
    begun = {
        "template": (template.name, version or template.version),
        "template_saved_at": template.saved_at,
        "placeholders": open_placeholders(draft),
    }
    return draft.model_copy(update=begun)


def open_placeholders(draft: AlertDraft) -> list[str]:
    """Return the placeholders in all texts of a draft, each once."""
    return placeholders_in(*texts_of(draft).values())


def placeholder_key(draft: AlertDraft, blank: str) -> str:
    """Return the key of the field of a placeholder."""
    return f"public_alert.blank/{draft.uid}/{blank}"


def words_after(draft: AlertDraft, blank: str) -> list[str]:
    """Return the words right after a placeholder that would form one name with its text."""
    after = re.compile(rf"{re.escape(blank)} ([A-Z][a-z]\w*)")
    return [word for text in texts_of(draft).values() for word in after.findall(text)]


def fill_placeholders(draft: AlertDraft, words: dict[str, str], *, earlier_texts: Sequence[str] = ()) -> AlertDraft:
    """Return the draft with texts in place of its placeholders. Blank texts are ignored.

    Other texts can be replaced too, but not as part of a longer name: "Colorado" leaves "Colorado Springs" unchanged. A
    longer name does not include a word in capitals such as "NOW", words after a state, or words in `earlier_texts`. Of
    texts with the same beginning, the longest is replaced.
    """
    given = {blank: text.strip() for blank, text in words.items() if text.strip()}
    if not given:
        return draft
    own = "".join(rf"|(?= {re.escape(word)}\b)" for word in earlier_texts)
    part_of_none = rf"(?!\w)(?:(?<=, [A-Z]{{2}})|(?! [A-Z][a-z]){own})"
    any_of = re.compile(
        "|".join(
            re.escape(each) if each.startswith("[") else rf"(?<!\w){re.escape(each)}{part_of_none}"
            for each in sorted(given, key=len, reverse=True)
        )
    )
    changes = {
        name: any_of.sub(lambda found: given[found.group()], text) for name in TEXTS if (text := getattr(draft, name))
    }
    return draft.model_copy(update={name: text for name, text in changes.items() if text != getattr(draft, name)})


def same_name(one: str, other: str) -> bool:
    """Return whether one name would replace the other."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def seed_demo(workspace: Workspace, kind: str, first: Callable[[], Mapping[str, Mapping[str, Any]]]) -> None:
    """Store the demo organization's first items of a kind, once. Deleted items stay deleted."""
    actor, store, seeded = workspace.actor, workspace.journal.versioned_records, f"{kind}_demo"
    if not workspace.is_demo or store.list(actor, seeded):
        return
    # If the name is taken, another tab has done it.
    with suppress(NameTaken):
        store.save(actor, seeded, "made", {})
        for name, payload in first().items():
            store.save(actor, kind, name, payload)


@cache
def demo_templates() -> dict[str, AlertDraft]:
    """Return the demo organization's alert templates. What they omit comes from their event: usual levels and
    outline.
    """
    table = tomllib.loads(_DEMO.read_text(encoding="utf-8"))
    found = {}
    for name, own in table.items():
        wording = starting_wording(own["event"])
        texts = {} if wording is None else {"sms": wording.sms, "instructions": wording.instructions}
        found[name] = with_usual_levels(AlertDraft.model_validate({**texts, **own}), previous_event="")
    return found


def wordings(workspace: Workspace, event: str) -> list[RecordVersion]:
    """Return the organization's wordings for an event, by name."""
    return workspace.journal.versioned_records.list(workspace.actor, _wording(event))


def keep_wording(workspace: Workspace, draft: AlertDraft, name: str, *, over: int = 0) -> None:
    """Save the texts of a draft as a wording of its event. Raises `NameTaken` if `over` is not the latest version."""
    if not any(text.strip() for text in texts_of(draft).values()):
        raise JournalError("Enter the text of the alert first.")
    workspace.journal.versioned_records.save(workspace.actor, _wording(draft.event), name, texts_of(draft), over=over)


def delete_wording(workspace: Workspace, event: str, wording: RecordVersion) -> None:
    """Delete a wording with its versions. Raises `JournalError` if it is not the latest version."""
    workspace.journal.versioned_records.delete(workspace.actor, _wording(event), wording.name, over=wording.version)


def saved_test_texts(workspace: Workspace, event: str) -> list[Mapping[str, str]]:
    """Return the approved texts of a routine test: the outline, and the organization's templates and wordings."""
    skeleton = starting_wording(event)
    saved = [
        *(each for each in alert_templates(workspace) if each.payload.get("event") == event),
        *wordings(workspace, event),
    ]
    return [*([skeleton._asdict()] if skeleton is not None else []), *(texts_in(each.payload) for each in saved)]


def is_unchanged_test(draft: AlertDraft, kept_texts: Iterable[Mapping[str, str]]) -> bool:
    """Return whether the texts of a routine test are approved ones in which only Muster filled in sender, place, and
    end.
    """
    end = draft.end_written.text if draft.end_written is not None else ""
    known = {WHO: sender_of(draft), PLACE: draft.inserted_place, TIME: end}
    whole = "\n\n".join(part for each in (draft.sms, draft.instructions) if (part := each.strip()))

    def is_kept(texts: Mapping[str, str], name: str, *others: str) -> bool:
        written = getattr(draft, name).strip()
        return written in others or is_outline(written, texts.get(name, ""), known)

    return any(
        is_kept(texts, "sms")
        and is_kept(texts, "instructions", "")
        and is_kept(texts, "title", "", draft.event)
        and is_kept(texts, "text", "", whole)
        for texts in kept_texts
    )


def _wording(event: str) -> str:
    return f"wording/{event}"


def texts_of(draft: AlertDraft) -> dict[str, str]:
    """Return the texts of a draft that a wording stores."""
    return {name: getattr(draft, name) for name in TEXTS}


def texts_in(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a stored wording, by field. Missing fields leave the draft unchanged."""
    return {name: text for name in TEXTS if isinstance(text := payload.get(name), str) and text.strip()}


def with_sender(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Return the draft with the sender that this user named last, or a colleague did, unless it has a sender."""
    if any(getattr(draft, name).strip() for name in CONTACT):
        return draft
    actor = workspace.actor
    senders = workspace.journal.versioned_records.list(actor, _SENDER)
    if not senders:
        return draft
    last = max(senders, key=lambda each: (each.saved_by == actor.username, each.saved_at))
    return draft.model_copy(update={name: str(last.payload.get(name) or "") for name in CONTACT})


def remember_sender(workspace: Workspace, draft: AlertDraft) -> None:
    """Store the sender of a draft for this user's next alert."""
    contact, actor = {name: getattr(draft, name).strip() for name in CONTACT}, workspace.actor
    if not any(contact.values()):
        return
    store = workspace.journal.versioned_records
    known = store.versions(actor, _SENDER, actor.username)
    if known and known[0].payload == contact:
        return
    # If the name is taken, another tab of the user has done it.
    with suppress(NameTaken):
        store.save(actor, _SENDER, actor.username, contact, over=known[0].version if known else 0)
