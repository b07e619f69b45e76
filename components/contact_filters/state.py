"""What the contact filter screens share in a browser session: the filter in hand."""

from __future__ import annotations

from typing import Final

from components.contact_filters.draft import FilterDraft
from components.shell.state import StateKey

DRAFT: Final = StateKey[FilterDraft | None]("contact_filters.draft", lambda: None)
