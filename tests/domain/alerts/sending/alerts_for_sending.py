"""Valid alerts, workspaces to send them from, and counts of what reached the service, for the tests of sending."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from client import Connection, ServiceClient
from domain.alerts.alert_events import starting_wording
from domain.alerts.draft import AlertDraft, WrittenEnd
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.edits.edit_draft import StoredDraft
from domain.runtime.workspace import Workspace
from journal import Actor
from tests.prepared_journal import new_journal
from tests.running_service import RunningService
from tests.sent_drafts import send_draft

TEXT = "Boulder Fire: wildfire near Boulder. Leave now by Highway 36 to the north. Until 18:00."
LOST_AFTER = {"kind": "drop", "when": "after", "methods": ["POST"], "path": "/notifications", "times": 1}
LOST_BEFORE = LOST_AFTER | {"when": "before"}


def an_alert(**fields: Any) -> AlertDraft:
    """Return a valid live alert to two ZIP codes of Boulder, Colorado."""
    values: dict[str, Any] = {
        "category": "Fire",
        "event": "Wildfire",
        "urgency": "Immediate",
        "severity": "Extreme",
        "certainty": "Observed",
        "hours": 4,
        "sms": TEXT,
        "instructions": "Take your animals with you.",
        "type": 2,
        "jurisdiction": "some",
        "regions": [80301, 80302],
        "contact_name": "Boulder Fire",
        "contact_phone": "911",
        "stage": "review",
        "checked": True,
    }
    return AlertDraft(**(values | fields))


def a_test(**fields: Any) -> AlertDraft:
    """Return a valid routine test with the text of its outline."""
    levels = {"category": "Other", "event": "Routine Weekly Test", "urgency": "Unknown", "severity": "Unknown"}
    skeleton = starting_wording("Routine Weekly Test")
    assert skeleton is not None
    place = "80301 and 80302, CO" if 80302 in fields.get("regions", [80302]) else "80301, CO"
    who = fields.get("contact_name", "Boulder Fire")
    text = skeleton.sms.replace("[who]", who).replace("[place]", place).replace("[time]", "6 pm")
    written = {"inserted_place": place, "end_written": WrittenEnd("6 pm", 4, "America/Denver")}
    rest = {"certainty": "Unknown", "type": 3, "sms": text, "title": "", "text": "", "instructions": ""}
    return an_alert(**({**levels, **rest, **written} | fields))


def open_workspace(service: RunningService, folder: Path, username: str = "ana", **options: Any) -> Workspace:
    """Return a workspace at this service. Two in one folder share the journal."""
    connection = Connection(service.url, service.organization_id, service.username, service.password)
    return Workspace(
        client=ServiceClient.connect(connection, **options),
        connection=connection,
        journal=new_journal(folder / "journal.sqlite"),
        actor=Actor(service.url, service.organization_id, username),
        service_name=service.url,
        is_demo=False,
    )


def close(workspace: Workspace) -> None:
    """Close the connections of a workspace."""
    workspace.client.close()
    workspace.journal.close()


def save_draft(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Save the draft as the composer does."""
    stored = stored_drafts.load(workspace, ALERT_EDIT, draft.uid)
    assert stored_drafts.save(workspace, ALERT_EDIT, draft, seen=None if stored is None else stored.version)
    return draft


def send(workspace: Workspace, draft: AlertDraft) -> int | None:
    """Send a saved draft. Return the notification ID, or None if its sending was already started."""
    return send_draft(workspace, ALERT_EDIT, draft)


def load_alert(workspace: Workspace, uid: str) -> StoredDraft[AlertDraft]:
    """Return a draft or sent alert with its status."""
    stored = stored_drafts.find_draft(workspace, ALERT_EDIT, uid)
    assert stored is not None
    return stored


def count_alerts(service: RunningService, text: str | None = None) -> int:
    """Return how many notifications reached the service, counted in its own database."""
    with closing(sqlite3.connect(service.database_url.removeprefix("sqlite:///"))) as database:
        rows = [row[0] for row in database.execute("SELECT document FROM notifications")]
    return sum(text is None or text in row for row in rows)


def expire_leases(workspace: Workspace) -> None:
    """Let the lease of every entry expire, as two minutes after its process died."""
    with workspace.journal.audit._database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE audit_entries SET lease_until = '2000-01-01 00:00:00.000000' WHERE state = 'started'"
        )
