"""The table of notification events."""

from __future__ import annotations

from service.named_records import named_table

notification_events = named_table("notification_events")
