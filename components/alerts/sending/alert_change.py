"""What a public alert's change is: how it is sent, what the journal keeps of it, how it is looked for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import streamlit as st

from client import Invalid
from client.models.notifications import Notification
from components.alerts.sending import approval, countdown
from components.alerts.sending.whom import told_at, written_down
from components.edits.draft_editor import Editor
from components.forms.on_screen import take_up
from components.shell.address import go_to
from components.shell.state import StateKey
from domain.alerts.alert_form import ALERT_FORM, LABELS
from domain.alerts.alert_problems import alert_problems, refusals
from domain.alerts.draft import KIND, SEND, AlertDraft, excerpt
from domain.alerts.ready_alerts import blank_key, filled, open_blanks, texts_of
from domain.alerts.request import draft_from_sent, to_request, zip_flag_is_offered
from domain.alerts.sending import lost_answer
from domain.alerts.sending.alert_chain import followed_by, linked
from domain.alerts.sending.facts import name_of, title_of
from domain.edits import stored_drafts
from domain.edits.edit import Change, Reconciliation, Words
from domain.edits.stored_drafts import StoredDraft
from domain.runtime.problems import NotSentError
from domain.runtime.screens import NOTIFICATIONS, PUBLIC_ALERT
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from journal import Entry

TOGETHER: Final = (("category", "event"), ("jurisdiction", "regions", "areas"))
"""Fields of which one says little without the other."""


def _called(draft: AlertDraft) -> str:
    return name_of(draft) if draft.event else draft.subject


def _known(workspace: Workspace, draft: AlertDraft) -> dict[str, Any]:
    author = workspace.actor.username
    approved_by = approval.approval_of(workspace, draft).approved_by if approval.is_required() else None
    return {
        **written_down(workspace, draft),
        "written_by": author,
        **({"approved_by": approved_by} if approved_by else {}),
        "sent_by": author,
        **linked(draft),
    }


def _told(entry: Entry) -> AlertDraft:
    """The draft as the journal's entry of its sending tells it."""
    request = entry.request or {}
    draft = draft_from_sent(Notification.from_wire(request.get("notification") or {}))
    kind, follows = followed_by(request, {})
    return draft.model_copy(update={"follow_up": kind if follows else "", "follows": follows, "written_at": entry.at})


def _before(workspace: Workspace, draft: AlertDraft) -> None:
    """Take the approval it is sent with; a countdown has come to its end by this. Raises `NotSentError`."""
    if problems := alert_problems(draft).of(draft.uid):
        raise NotSentError("The alert was not sent. " + " ".join(words for _, words in problems))
    approval.take_for_sending(workspace, draft)
    countdown.clear_mark(workspace, draft.uid)


def _look(workspace: Workspace, kept: StoredDraft[AlertDraft]) -> Reconciliation:
    return lost_answer.look(workspace, kept.draft, since=kept.begun_at or datetime.now(UTC))


def _settle(before: AlertDraft, draft: AlertDraft) -> AlertDraft:
    """The draft with the age of its words, and without a zip flag that no longer applies."""
    if draft.zip_to_groups and not zip_flag_is_offered(draft):
        draft = draft.model_copy(update={"zip_to_groups": False})
    is_as_old = texts_of(draft) == texts_of(before) and not before.is_untouched
    return draft if is_as_old else draft.model_copy(update={"written_at": datetime.now(UTC)})


ALERT: Final = Change[AlertDraft](
    kind=KIND,
    kept_as=KIND,
    key=ALERT_FORM.name,
    model=AlertDraft,
    words=Words(
        noun="alert",
        titled=title_of,
        did=lambda _: "sent out",
        nothing_found=lambda _: "No matching notification. The alert was not sent, or it is not in the list yet.",
        not_done="Mark as not sent and go to review",
        risk=lost_answer.risk,
    ),
    action=lambda _: SEND,
    wire=to_request,
    request=lambda _, notification: {"notification": notification.to_wire()},
    known=_known,
    told=_told,
    before=_before,
    call=lambda workspace, _, notification: workspace.client.notifications.create(notification),
    look=_look,
    problems=lambda draft: ALERT_FORM.listed(draft, alert_problems(draft)),
    # What is refused as a whole (no permission, a wrong password) stays in the review: nothing in it can be mended.
    refusals=lambda error: refusals(error) if isinstance(error, Invalid) else [],
    screen=PUBLIC_ALERT,
    query=lambda draft: {"draft": draft.uid},
    landing=lambda kept: (NOTIFICATIONS, {"notification": kept.sent_id}),
    follow_up=lambda _, draft, __: ["The routine test was sent." if draft.is_test else "The alert was sent."],
    forget=lambda: server().reads.outdate("notifications"),
    called=_called,
    excerpt=lambda draft: " · ".join(
        part for part in (excerpt(draft.sms or draft.text), "routine test" if draft.is_test else "") if part
    ),
    part=lambda part: LABELS.get(part, part),
    name=lambda workspace, draft: f"{_called(draft)} · {written_down(workspace, draft)['to']}",
    told_at=told_at,
    settle=_settle,
    together=TOGETHER,
)


def _take_up(held: StateKey[AlertDraft | None]) -> AlertDraft | None:
    draft = take_up(ALERT_FORM, held)
    if draft is None:
        return None
    words = {blank: str(st.session_state.get(blank_key(draft, blank)) or "") for blank in open_blanks(draft)}
    with_words = filled(draft, words)
    if with_words is not draft:
        held.set(with_words)
    return with_words


ALERT_EDITOR: Final = Editor(ALERT, take_up=_take_up)


def open_new(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep a new draft, and go to it."""
    stored_drafts.save(workspace, ALERT, draft, seen=None)
    go_to(PUBLIC_ALERT, draft=draft.uid)


def open_begun(draft: AlertDraft) -> None:
    """Go to a draft that was only begun: nothing is kept of it until something is typed."""
    ALERT_EDITOR.show(draft)
    ALERT_EDITOR.linked.clear()
    go_to(PUBLIC_ALERT)
