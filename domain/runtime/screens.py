"""The screens there are: their file, name, icon, address and place in the menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Screen:
    """One screen of the dashboard; its file lies in the folder of its section.

    It stands in the address under the name of its file, or as `address`, which is "" for the first one. `is_remembered`
    says that the menu leads back to what the screen showed last; where something is written, the screen itself lists
    what was begun and begins anew.
    """

    section: str
    file: str
    title: str
    symbol: str
    address: str | None = None
    in_menu: bool = True
    is_remembered: bool = True

    @property
    def page(self) -> str:
        """Its file as named from the frame."""
        return f"../../pages/{self.section.lower()}/{self.file}.py"

    @property
    def url_path(self) -> str:
        """What it is called in the address."""
        return self.file.replace("_", "-") if self.address is None else self.address

    @property
    def icon(self) -> str:
        """Its symbol as Streamlit draws it."""
        return f":material/{self.symbol}:"


EXPECTED_LOCATIONS: Final = Screen("Travel", "expected_locations", "Expected locations", "travel_explore", "")
FIND_TRIP: Final = Screen("Travel", "find_trip", "Find a trip", "search")
TRIP: Final = Screen("Travel", "trip", "Trip", "route", in_menu=False)
TRIP_EDITOR: Final = Screen("Travel", "trip_editor", "Add a trip", "add_circle", is_remembered=False)
TRIP_IMPORT: Final = Screen("Travel", "trip_import", "Import trips", "upload_file", "import")
IMPORTS: Final = Screen("Travel", "imports", "Imports", "fact_check")
CANCEL_TRIPS: Final = Screen("Travel", "cancel_trips", "Cancel trips", "event_busy")
ROSTERS: Final = Screen("Travel", "rosters", "Rosters", "format_list_bulleted")

CONTACT_FILTERS: Final = Screen("Contacts", "contact_filters", "Contact filters", "filter_alt")
CONTACT_FILTER: Final = Screen("Contacts", "contact_filter", "Contact filter", "rule", in_menu=False)
LOOKUP_MAPPINGS: Final = Screen("Contacts", "lookup_mappings", "Lookup mappings", "account_tree")
LOOKUP_MAPPING: Final = Screen(
    "Contacts", "lookup_mapping", "Lookup mapping", "rule_settings", in_menu=False, is_remembered=False
)

PUBLIC_ALERT: Final = Screen("Messages", "public_alert", "Public alert", "campaign", is_remembered=False)
PUBLIC_ALERT_APPROVAL: Final = Screen(
    "Messages", "public_alert_approval", "Approve a public alert", "approval", in_menu=False
)
READY_ALERTS: Final = Screen("Messages", "ready_alerts", "Ready alerts", "bolt")
NOTIFICATIONS: Final = Screen("Messages", "notifications", "Sent notifications", "outbox", "sent-notifications")
NOTIFICATION_EVENTS: Final = Screen("Messages", "notification_events", "Events", "event_note")
NOTIFICATION_CATEGORIES: Final = Screen("Messages", "notification_categories", "Categories", "category")

ASSETS: Final = Screen("Places", "assets", "Assets", "warehouse")
SHAPE_LIBRARY: Final = Screen("Places", "shape_library", "Shape library", "polyline")
DYNAMIC_LOCATIONS: Final = Screen("Places", "dynamic_locations", "Dynamic locations", "person_pin_circle")

CRISIS_TEMPLATES: Final = Screen(
    "Crisis", "crisis_templates", "Task list templates", "checklist", "task-list-templates"
)

JOURNAL: Final = Screen("Desk", "journal", "Journal", "history")
CONNECTION: Final = Screen("Desk", "connection", "Connection", "lan")

ALL: Final = tuple(each for each in list(globals().values()) if isinstance(each, Screen))
"""Every screen, in the order of the menu."""
