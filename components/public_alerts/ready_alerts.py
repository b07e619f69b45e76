"""Ready alerts: whole alerts that an organization keeps by name, with blanks to fill, to begin from in a hurry."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from components.public_alerts.alert_events import gaps, starting_wording, with_usual
from components.public_alerts.draft import AlertDraft
from components.shell.workspace import Workspace
from journal import JournalError, KeptVersion, NameTaken

KIND: Final = "ready_alert"
TEXTS: Final = ("sms", "instructions", "title", "text")
_SEEDED: Final = "ready_alert_demo"
_DEMO: Final = Path(__file__).with_name("demo_ready_alerts.toml")
# Where somebody stands with a draft, and what it is to others, is not kept with the next one begun from it.
_OF_ONE_DRAFT: Final = {
    *("uid", "stage", "checked", "refused", "written_at", "follows", "follow_up", "beside", "ready", "blanks", "lost"),
}


def ready_alerts(workspace: Workspace) -> list[KeptVersion]:
    """The organization's ready alerts by name, each in its latest version."""
    actor = workspace.actor
    if workspace.is_demo:
        _seed(workspace)
    return workspace.journal.kept_by_name.list(actor.service, actor.organization_id, KIND)


def versions(workspace: Workspace, name: str) -> list[KeptVersion]:
    """Every version of a ready alert, the latest first."""
    actor = workspace.actor
    return workspace.journal.kept_by_name.versions(actor.service, actor.organization_id, KIND, name)


def keep_ready(workspace: Workspace, draft: AlertDraft, name: str) -> int:
    """Keep a draft as a ready alert, as the next version of the one it was begun with where the name is the same.

    Raises `NameTaken` where another is kept under the name, or somebody changed it since this draft was begun with it.
    """
    if not draft.event:
        raise JournalError("Choose an event first: a ready alert is one for an event.")
    over = draft.ready[1] if draft.ready is not None and _same(draft.ready[0], name) else 0
    return workspace.journal.kept_by_name.save(workspace.actor, KIND, name, payload_of(draft), over=over)


def forget(workspace: Workspace, name: str) -> None:
    """Delete a ready alert with its versions."""
    workspace.journal.kept_by_name.delete(workspace.actor, KIND, name)


def payload_of(draft: AlertDraft) -> dict[str, Any]:
    """What of a draft is kept."""
    return draft.model_dump(mode="json", exclude=_OF_ONE_DRAFT)


def begun_with(kept: KeptVersion, *, version: int | None = None) -> AlertDraft:
    """A new draft with everything a ready alert holds; `version` is the latest, over which a change of it is kept."""
    draft = AlertDraft.model_validate(kept.payload)
    return draft.model_copy(update={"ready": (kept.name, version or kept.version), "blanks": open_blanks(draft)})


def open_blanks(draft: AlertDraft) -> list[str]:
    """What still stands in [brackets] in any of the texts, each once."""
    return gaps(*(getattr(draft, name) for name in TEXTS))


def blank_key(draft: AlertDraft, blank: str) -> str:
    """The key of the field that a blank of the texts is filled in."""
    return f"public_alert.blank/{draft.uid}/{blank}"


def filled(draft: AlertDraft, words: dict[str, str]) -> AlertDraft:
    """The draft with words in place of its blanks, wherever they stand; blank words fill nothing."""
    given = {blank: text.strip() for blank, text in words.items() if text.strip()}
    if not given:
        return draft
    any_of = re.compile("|".join(re.escape(blank) for blank in given))
    changes = {
        name: any_of.sub(lambda found: given[found.group()], text) for name in TEXTS if (text := getattr(draft, name))
    }
    return draft.model_copy(update={name: text for name, text in changes.items() if text != getattr(draft, name)})


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _seed(workspace: Workspace) -> None:
    """Give the demo organization its first ones, once: what is deleted stays deleted."""
    actor, kept = workspace.actor, workspace.journal.kept_by_name
    if kept.list(actor.service, actor.organization_id, _SEEDED):
        return
    try:
        kept.save(actor, _SEEDED, "made", {})
        for name, draft in demo_ready_alerts().items():
            kept.save(actor, KIND, name, payload_of(draft))
    except NameTaken:
        # Another tab was first.
        return


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
