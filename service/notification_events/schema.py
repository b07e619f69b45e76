"""The table of notification events."""

from __future__ import annotations

from service.records_by_name import named_table

notification_events = named_table("notification_events")
