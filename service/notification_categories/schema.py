"""The table of notification categories."""

from __future__ import annotations

from service.named_records import named_table

notification_categories = named_table("notification_categories")
