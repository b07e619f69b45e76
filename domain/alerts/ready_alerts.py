"""What an organization keeps to begin alerts from: ready alerts, the texts of wordings, and who spoke last.

A ready alert is a whole alert kept by name, with blanks to fill, to begin from in a hurry.
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
    gaps,
    is_wording_of,
    sender_of,
    starting_wording,
    with_usual,
)
from domain.alerts.draft import CONTACT, AlertDraft
from domain.runtime.workspace import Workspace
from journal import JournalError, KeptVersion, NameTaken

KIND: Final = "ready_alert"
TEXTS: Final = ("sms", "instructions", "title", "text")
_SENDER: Final = "alert_sender"
_DEMO: Final = Path(__file__).with_name("demo_ready_alerts.toml")
# Where somebody stands with a draft, and what it is to others, is not kept with the next one begun from it.
_OF_ONE_DRAFT: Final = {
    *("uid", "stage", "checked", "refused", "written_at", "follows", "follow_up", "beside", "ready", "blanks", "lost"),
    *("end_written", "extends_until", "source", "sent_texts", "ready_at"),
}


def ready_alerts(workspace: Workspace) -> list[KeptVersion]:
    """The organization's ready alerts by name, each in its latest version."""
    seed_demo(workspace, KIND, lambda: {name: payload_of(draft) for name, draft in demo_ready_alerts().items()})
    return workspace.journal.kept_by_name.list(workspace.actor, KIND)


def versions(workspace: Workspace, name: str) -> list[KeptVersion]:
    """Every version of a ready alert, the latest first."""
    return workspace.journal.kept_by_name.versions(workspace.actor, KIND, name)


def keep_ready(workspace: Workspace, draft: AlertDraft, name: str) -> int:
    """Keep a draft as a ready alert, as the next version of the one it was begun with where the name is the same.

    Raises `NameTaken` where another is kept under the name, or somebody changed it since this draft was begun with it.
    """
    if not draft.event:
        raise JournalError("Select an event first. An alert template is for one event.")
    over = draft.ready[1] if draft.ready is not None and same_name(draft.ready[0], name) else 0
    return workspace.journal.kept_by_name.save(workspace.actor, KIND, name, payload_of(draft), over=over)


def delete_template(workspace: Workspace, version: KeptVersion) -> None:
    """Delete a ready alert with its versions; raises `JournalError` where it is not the latest any more."""
    workspace.journal.kept_by_name.delete(workspace.actor, KIND, version.name, over=version.version)


def payload_of(draft: AlertDraft) -> dict[str, Any]:
    """What of a draft is kept."""
    return draft.model_dump(mode="json", exclude=_OF_ONE_DRAFT)


def start_from_template(template: KeptVersion, *, version: int | None = None) -> AlertDraft:
    """A new draft with everything a ready alert holds; `version` is the latest, over which a change of it is kept.

    Raises `JournalError` where this version of Muster cannot read it.
    """
    try:
        draft = AlertDraft.model_validate(template.payload)
    except ValidationError as error:
        message = f"This version of Muster cannot read the alert template “{template.name}”."
        raise JournalError(message) from error
    begun = {
        "ready": (template.name, version or template.version),
        "ready_at": template.saved_at,
        "blanks": open_blanks(draft),
    }
    return draft.model_copy(update=begun)


def open_blanks(draft: AlertDraft) -> list[str]:
    """What still stands in [brackets] in any of the texts, each once."""
    return gaps(*texts_of(draft).values())


def blank_key(draft: AlertDraft, blank: str) -> str:
    """The key of the field that a blank of the texts is filled in."""
    return f"public_alert.blank/{draft.uid}/{blank}"


def words_after(draft: AlertDraft, blank: str) -> list[str]:
    """The words that come right after a blank and would make one name with what stands in its place."""
    after = re.compile(rf"{re.escape(blank)} ([A-Z][a-z]\w*)")
    return [word for text in texts_of(draft).values() for word in after.findall(text)]


def filled(draft: AlertDraft, words: dict[str, str], *, before: Sequence[str] = ()) -> AlertDraft:
    """The draft with words in place of its blanks, wherever they stand; blank words fill nothing.

    In place of other words, too, but not of a part of a longer name: "Colorado" leaves "Colorado Springs" alone. A word
    in capitals, such as "NOW", is part of none, nor is what comes after a state, nor a word that they are known to
    stand `before`. Of words that begin alike the longest are meant.
    """
    given = {blank: text.strip() for blank, text in words.items() if text.strip()}
    if not given:
        return draft
    own = "".join(rf"|(?= {re.escape(word)}\b)" for word in before)
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
    """Whether what is kept under one name is kept under the other."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def seed_demo(workspace: Workspace, kind: str, first: Callable[[], Mapping[str, Mapping[str, Any]]]) -> None:
    """Give the demo organization its first ones of a kind, once: what is deleted stays deleted."""
    actor, store, seeded = workspace.actor, workspace.journal.kept_by_name, f"{kind}_demo"
    if not workspace.is_demo or store.list(actor, seeded):
        return
    # Where the name is taken, another tab was first.
    with suppress(NameTaken):
        store.save(actor, seeded, "made", {})
        for name, payload in first().items():
            store.save(actor, kind, name, payload)


@cache
def demo_ready_alerts() -> dict[str, AlertDraft]:
    """The demo organization's, by name: for what they do not say, what is usual for the event and how it begins."""
    table = tomllib.loads(_DEMO.read_text(encoding="utf-8"))
    found = {}
    for name, own in table.items():
        wording = starting_wording(own["event"])
        texts = {} if wording is None else {"sms": wording.sms, "instructions": wording.instructions}
        found[name] = with_usual(AlertDraft.model_validate({**texts, **own}), before="")
    return found


def wordings(workspace: Workspace, event: str) -> list[KeptVersion]:
    """The wordings that the organization keeps for an event, by name."""
    return workspace.journal.kept_by_name.list(workspace.actor, _wording(event))


def keep_wording(workspace: Workspace, draft: AlertDraft, name: str, *, over: int = 0) -> None:
    """Keep the texts of a draft for its event; raises `NameTaken` where `over` is not the latest under the name."""
    if not any(text.strip() for text in texts_of(draft).values()):
        raise JournalError("Enter a text first.")
    workspace.journal.kept_by_name.save(workspace.actor, _wording(draft.event), name, texts_of(draft), over=over)


def forget_wording(workspace: Workspace, event: str, wording: KeptVersion) -> None:
    """Delete a wording of an event with its versions; raises `JournalError` where it is not the latest any more."""
    workspace.journal.kept_by_name.delete(workspace.actor, _wording(event), wording.name, over=wording.version)


def kept_test_texts(workspace: Workspace, event: str) -> list[Mapping[str, str]]:
    """The texts that the organization keeps for a routine test: the skeleton, ready alerts, and wordings of it."""
    skeleton = starting_wording(event)
    saved = [
        *(each for each in ready_alerts(workspace) if each.payload.get("event") == event),
        *wordings(workspace, event),
    ]
    return [*([skeleton._asdict()] if skeleton is not None else []), *(texts_in(each.payload) for each in saved)]


def is_unchanged_test(draft: AlertDraft, kept_texts: Iterable[Mapping[str, str]]) -> bool:
    """Whether the texts of a routine test are kept ones, in which Muster alone filled in who, where and until when."""
    end = draft.end_written.text if draft.end_written is not None else ""
    known = {WHO: sender_of(draft), PLACE: draft.place_said, TIME: end}
    whole = "\n\n".join(part for each in (draft.sms, draft.instructions) if (part := each.strip()))

    def is_kept(texts: Mapping[str, str], name: str, *others: str) -> bool:
        written = getattr(draft, name).strip()
        return written in others or is_wording_of(written, texts.get(name, ""), known)

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
    """The texts of a draft, as a wording keeps them."""
    return {name: getattr(draft, name) for name in TEXTS}


def texts_in(payload: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a kept wording, by field; what it does not hold is left as it is in the draft."""
    return {name: text for name in TEXTS if isinstance(text := payload.get(name), str) and text.strip()}


def with_sender(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """The draft with the contact this person named last, else a colleague did; unless it names one."""
    if any(getattr(draft, name).strip() for name in CONTACT):
        return draft
    actor = workspace.actor
    senders = workspace.journal.kept_by_name.list(actor, _SENDER)
    if not senders:
        return draft
    last = max(senders, key=lambda each: (each.saved_by == actor.username, each.saved_at))
    return draft.model_copy(update={name: str(last.payload.get(name) or "") for name in CONTACT})


def remember_sender(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep the contact that a draft names, for this person's next one."""
    contact, actor = {name: getattr(draft, name).strip() for name in CONTACT}, workspace.actor
    if not any(contact.values()):
        return
    store = workspace.journal.kept_by_name
    known = store.versions(actor, _SENDER, actor.username)
    if known and known[0].payload == contact:
        return
    # Where the name is taken, another tab of the same person was first.
    with suppress(NameTaken):
        store.save(actor, _SENDER, actor.username, contact, over=known[0].version if known else 0)
