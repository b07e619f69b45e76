"""Who spoke last: the contact a person names in an alert is there in their next one, to be changed freely."""

from __future__ import annotations

from typing import Final

from components.public_alerts.alert_form import CONTACT
from components.public_alerts.draft import AlertDraft
from components.shell.workspace import Workspace
from journal import NameTaken

KIND: Final = "alert_sender"


def with_sender(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """The draft with the contact this person named last, else a colleague did; unless it names one."""
    if any(getattr(draft, name).strip() for name in CONTACT):
        return draft
    actor = workspace.actor
    kept = workspace.journal.kept_by_name.list(actor.service, actor.organization_id, KIND)
    if not kept:
        return draft
    last = max(kept, key=lambda each: (each.saved_by == actor.username, each.saved_at))
    return draft.model_copy(update={name: str(last.payload.get(name) or "") for name in CONTACT})


def remember_sender(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep the contact that a draft names, for this person's next one."""
    contact, actor = {name: getattr(draft, name).strip() for name in CONTACT}, workspace.actor
    if not any(contact.values()):
        return
    store = workspace.journal.kept_by_name
    known = store.versions(actor.service, actor.organization_id, KIND, actor.username)
    if known and known[0].payload == contact:
        return
    try:
        store.save(actor, KIND, actor.username, contact, over=known[0].version if known else 0)
    except NameTaken:
        # Another tab of the same person was first.
        return
