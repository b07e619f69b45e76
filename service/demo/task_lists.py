"""The crisis task list templates of the demo organization."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.crisis_templates import repository
from service.crisis_templates.models import template_row
from service.epoch import to_ms

_FOLDERS = {"natural": "Natural hazards", "security": "Security", "sites": "Sites", "travel": "Travel", "it": None}

# Name, title, event type, folder, days since the last change, task lists, whether an incident has used it.
_TEMPLATES: tuple[tuple[str, str, str, str, int, int, bool], ...] = (
    ("Earthquake near an office", "Account for people, check the building", "Earthquake", "natural", 3, 4, True),
    ("Hurricane approaching", "Seventy-two hours before landfall", "Hurricane", "natural", 12, 6, False),
    ("Flood warning", "Ground floors, cars, data center", "Flood", "natural", 40, 3, False),
    ("Wildfire smoke", "Air quality and remote work", "Wildfire", "natural", 75, 2, False),
    ("Demonstration on the route", "Reroute, postpone or stay", "Civil unrest", "security", 6, 3, True),
    ("Attack in a city we travel to", "First hour", "Attack", "security", 9, 5, False),
    ("Employee missing abroad", "Find, assist, inform", "Missing person", "security", 30, 4, False),
    ("Building evacuation", "Wardens and assembly points", "Evacuation", "sites", 2, 4, True),
    ("Power outage at a plant", "Shut down in order", "Utility failure", "sites", 55, 3, False),
    ("Gas leak", "Leave, close, call", "Utility failure", "sites", 90, 2, False),
    ("Airline strike", "Rebook and lodge", "Travel disruption", "travel", 15, 3, False),
    ("Border closed", "Who is beyond it", "Travel disruption", "travel", 120, 2, False),
    ("Medical case on a trip", "Insurance, clinic, family", "Medical", "travel", 21, 3, False),
    ("Loss of the phone system", "Other channels", "IT outage", "it", 64, 2, False),
)
_TASKS = ("Take stock", "Inform", "Decide", "Care for people", "Follow up", "Close")
_INCIDENT_DAYS = 5


def ensure(connection: Connection, caller: Caller, today: date) -> None:
    """Store the initial templates of the demo."""
    midnight = datetime.combine(today, time(), UTC)
    repository.add_if_absent(
        connection, [_row(caller, midnight, number, template) for number, template in enumerate(_TEMPLATES)]
    )


def _row(caller: Caller, midnight: datetime, number: int, template: tuple[str, str, str, str, int, int, bool]) -> Any:
    name, title, event_type, folder, days, tasks, is_used = template
    changed = midnight - timedelta(days=days, minutes=17 * number)
    task_lists = [
        {
            "id": _identity(caller, f"task list {number} {task}"),
            "performedDate": to_ms(changed - timedelta(hours=task)),
            "performedById": caller.user_id,
            "performedByName": caller.display_name,
            "enableAutoLaunch": task == 0,
        }
        for task in range(min(tasks, len(_TASKS)))
    ]
    incident = {
        "id": _identity(caller, f"incident {number}"),
        "name": f"{name} (exercise)",
        "status": "Closed",
        "createdDate": to_ms(midnight - timedelta(days=_INCIDENT_DAYS)),
    }
    return template_row(
        caller,
        identity=_identity(caller, f"template {number}"),
        name=name,
        title=title,
        description=f"{title}. Steps: {', '.join(_TASKS[:tasks])}.",
        event_type=event_type,
        folder=(f"folder-{folder}", _FOLDERS[folder]),
        created_at=to_ms(changed - timedelta(days=200)),
        modified_at=to_ms(changed),
        enable_auto_launch=number % 5 == 0,
        owner_name=caller.display_name if number % 3 else None,
        task_list_templates=task_lists,
        task_list_temp_ids=[task["id"] for task in task_lists] if number % 2 else None,
        dashboard_template_ids=[_identity(caller, f"dashboard {number}")] if number % 4 == 0 else None,
        crisis_incidents=[incident] if is_used else [],
        is_used=is_used,
    )


def _identity(caller: Caller, what: str) -> str:
    return sha256(f"{what} of {caller.organization_id}".encode()).hexdigest()[:24]
