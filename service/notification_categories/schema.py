"""The table of notification categories."""

from __future__ import annotations

from service.records_by_name import named_table

notification_categories = named_table("notification_categories")
