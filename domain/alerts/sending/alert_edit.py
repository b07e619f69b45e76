"""Sending a public alert: its checks, its request, and how its status is found after a lost response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from client import Invalid
from client.models.notifications import Notification, NotificationRequest
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_problems import alert_problems, refusals
from domain.alerts.alert_templates import texts_of
from domain.alerts.draft import KIND, SEND, AlertDraft, excerpt
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import draft_from_sent, to_request, zip_flag_is_offered
from domain.alerts.sending import approval, countdown, lost_answer
from domain.alerts.sending.alert_chain import followed_by, journal_links
from domain.alerts.sending.facts import name_of, title_of
from domain.alerts.sending.known_recipients import describe_recipients, zone_for_alert
from domain.edits.edit import Edit, Reconciliation
from domain.edits.edit_draft import StoredDraft
from domain.runtime.problems import NotSentError
from domain.runtime.screens import NOTIFICATIONS, PUBLIC_ALERT, Screen
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.place_clock import on_clocks

if TYPE_CHECKING:
    from client import ModificationResult
    from journal import Entry


class AlertEdit(Edit[AlertDraft, NotificationRequest]):
    """Sending a public alert."""

    kind = KIND
    draft_kind = KIND
    key = ALERT_FORM.name
    draft_model = AlertDraft
    noun = "alert"
    screen = PUBLIC_ALERT
    confirms_resend = True

    def action(self, draft: AlertDraft) -> str:
        """Return the action of the journal entry."""
        del draft
        return SEND

    def problems(self, draft: AlertDraft) -> Sequence[str]:
        """Return the errors that prevent sending."""
        return ALERT_FORM.describe_problems(draft, alert_problems(draft))

    def payload(self, draft: AlertDraft) -> NotificationRequest:
        """Build the notification that is sent."""
        return to_request(draft)

    def journal_payload(self, draft: AlertDraft, payload: NotificationRequest) -> Mapping[str, Any]:
        """Return the notification as the journal stores it."""
        del draft
        return {"notification": payload.to_wire()}

    def journal_name(self, workspace: Workspace, draft: AlertDraft) -> str:
        """Return the title and the recipients."""
        return f"{self.title(draft)} · {describe_recipients(workspace, draft)['to']}"

    def journal_context(self, workspace: Workspace, draft: AlertDraft) -> Mapping[str, Any]:
        """Return the recipients, the people who wrote, approved and sent the alert, and the alert that it follows."""
        author = workspace.actor.username
        approved_by = approval.approval_of(workspace, draft).approved_by if approval.is_required() else None
        return {
            **describe_recipients(workspace, draft),
            "written_by": author,
            **({"approved_by": approved_by} if approved_by else {}),
            "sent_by": author,
            **journal_links(draft),
        }

    def field_errors(self, error: Exception) -> list[tuple[str, str]]:
        """Return the errors of single fields. Other refusals stay in the review: no field can be corrected."""
        return refusals(error) if isinstance(error, Invalid) else []

    def check(self, workspace: Workspace, draft: AlertDraft) -> None:
        """Use the approval of the alert and end its countdown. Raises `NotSentError`."""
        if problems := alert_problems(draft).of(draft.uid):
            raise NotSentError("The alert was not sent. " + " ".join(words for _, words in problems))
        approval.use_approval(workspace, draft)
        countdown.clear_mark(workspace, draft.uid)

    def send(self, workspace: Workspace, draft: AlertDraft, payload: NotificationRequest) -> ModificationResult:
        """Create the notification, which sends the alert."""
        del draft
        return workspace.client.notifications.create(payload)

    def reconcile(self, workspace: Workspace, stored: StoredDraft[AlertDraft]) -> Reconciliation:
        """Find the alert in the list of sent notifications."""
        return lost_answer.reconcile(workspace, stored.draft, since=stored.begun_at or datetime.now(UTC))

    def nothing_found(self, draft: AlertDraft) -> str:
        """Say that the alert is not in the list."""
        del draft
        return "No matching notification. The alert was not sent, or it is not in the list yet."

    def resend_risk(self, result: Reconciliation | Exception) -> str:
        """Say whether the public may receive the alert twice."""
        return lost_answer.resend_risk(result)

    def redirect_target(self, stored: StoredDraft[AlertDraft]) -> tuple[Screen, Mapping[str, Any]]:
        """Return the list of sent notifications with this one selected."""
        return NOTIFICATIONS, {"notification": stored.sent_id}

    def finish(self, workspace: Workspace, draft: AlertDraft, subject_id: Any) -> list[str]:
        """Return the message about the sent alert."""
        del workspace, subject_id
        return ["The routine test was sent." if draft.is_test else "The alert was sent."]

    def invalidate_reads(self) -> None:
        """Discard the list of sent notifications that was read before."""
        server().reads.invalidate("notifications")

    def normalize(self, previous: AlertDraft, draft: AlertDraft) -> AlertDraft:
        """Update when the texts were written, and clear a ZIP code option that no longer applies."""
        if draft.zip_to_groups and not zip_flag_is_offered(draft):
            draft = draft.model_copy(update={"zip_to_groups": False})
        has_same_texts = texts_of(draft) == texts_of(previous) and not previous.is_untouched
        return draft if has_same_texts else draft.model_copy(update={"written_at": datetime.now(UTC)})

    def title(self, draft: AlertDraft) -> str:
        """Return the event and the kind of follow-up, else what the alert is about."""
        return name_of(draft) if draft.event else draft.subject

    def heading(self, draft: AlertDraft) -> str:
        """Return the kind of alert and its event."""
        return title_of(draft)

    def excerpt(self, draft: AlertDraft) -> str:
        """Return the beginning of the text, and whether it is a routine test."""
        parts = (excerpt(draft.sms or draft.text), "routine test" if draft.is_test else "")
        return " · ".join(part for part in parts if part)

    def query(self, draft: AlertDraft) -> Mapping[str, Any]:
        """Return the query parameter that opens the draft."""
        return {"draft": draft.uid}

    def format_time(self, workspace: Workspace, draft: AlertDraft, at: datetime, user_zone: str | None) -> str:
        """Write a time, local to the places of the alert and to the person."""
        catalog = region_lookups(workspace).regions.value
        return on_clocks(at, zone_for_alert(draft, catalog, user_zone, datetime.now(UTC)), user_zone=user_zone)

    def draft_from_journal(self, entry: Entry) -> AlertDraft:
        """Rebuild the alert from the journal entry of its sending."""
        request = entry.request or {}
        draft = draft_from_sent(Notification.from_wire(request.get("notification") or {}))
        kind, follows = followed_by(request, {})
        update = {"follow_up": kind if follows else "", "follows": follows, "written_at": entry.at}
        return draft.model_copy(update=update)


ALERT_EDIT: Final = AlertEdit()
