"""Every area's tables: imported where a database is opened, so that the metadata is whole when tables are created."""

from __future__ import annotations

import service.assets.schema
import service.crisis_templates.schema
import service.dynamic_locations.schema
import service.lookup_mappings.schema
import service.notification_categories.schema
import service.notification_events.schema
import service.shape_library.schema  # noqa: F401 (the tables register themselves)
