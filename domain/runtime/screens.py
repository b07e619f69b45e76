"""The screens: their file, title, icon, address, and place in the menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Screen:
    """A screen of the dashboard.

    Attributes:
        section: The section of the menu. The screen's file is in the folder of that name below `pages/`.
        file: The name of the file, without the folder. The address is the same name with hyphens.
        title: The heading of the screen, and its entry in the menu.
        symbol: The name of a Material icon.
        address: The address, if it isn't made from `file`; "" for the first screen.
        parent: The screen of the menu that this one belongs to; None for the screens of the menu.
        tab: The name of the tab, for screens that share a heading and an entry of the menu.
        is_remembered: Whether the menu leads back to what the screen showed last. Screens for writing list what was
            begun instead.
    """

    section: str
    file: str
    title: str
    symbol: str
    address: str | None = None
    parent: Screen | None = None
    tab: str = ""
    is_remembered: bool = True

    @property
    def page(self) -> str:
        """The path of its file, relative to the frame."""
        return f"../../pages/{self.section.lower()}/{self.file}.py"

    @property
    def url_path(self) -> str:
        """Its path in the address."""
        return self.file.replace("_", "-") if self.address is None else self.address

    @property
    def icon(self) -> str:
        """Its icon as Streamlit draws it."""
        return f":material/{self.symbol}:"

    @property
    def menu_screen(self) -> Screen:
        """The screen whose entry of the menu is marked while this one is open."""
        return self.parent or self

    @property
    def heading(self) -> str:
        """The title at the top of the screen; tabs share that of their entry in the menu."""
        return self.menu_screen.title if self.tab else self.title


ACCOUNT: Final = "Account"
"""The section that is a menu of its own below the others."""

PUBLIC_ALERT: Final = Screen("Alerts", "public_alert", "Public alert", "campaign", is_remembered=False)
"""The primary button above the menu."""
PUBLIC_ALERT_APPROVAL: Final = Screen(
    "Alerts", "public_alert_approval", "Approve a public alert", "approval", parent=PUBLIC_ALERT, is_remembered=False
)

EXPECTED_LOCATIONS: Final = Screen("Travel", "expected_locations", "Map", "travel_explore", "")
WHO_IS_AFFECTED: Final = Screen("Travel", "who_is_affected", "Who is affected", "crisis_alert")
FIND_TRIP: Final = Screen("Travel", "find_trip", "Trips", "luggage", tab="Find")
TRIP_EDITOR: Final = Screen(
    "Travel", "trip_editor", "Add a trip", "add_circle", parent=FIND_TRIP, tab="Add", is_remembered=False
)
CANCEL_TRIPS: Final = Screen("Travel", "cancel_trips", "Cancel trips", "event_busy", parent=FIND_TRIP, tab="Cancel")
TRIP: Final = Screen("Travel", "trip", "Trip", "route", parent=FIND_TRIP, is_remembered=False)
IMPORTS: Final = Screen("Travel", "imports", "Imports", "fact_check")
TRIP_IMPORT: Final = Screen("Travel", "trip_import", "Import trips", "upload_file", "import", parent=IMPORTS)
ROSTERS: Final = Screen("Travel", "rosters", "Rosters", "format_list_bulleted")

CONTACT_FILTERS: Final = Screen("People", "contact_filters", "Filters", "filter_alt")
CONTACT_FILTER: Final = Screen(
    "People", "contact_filter", "Filter", "rule", parent=CONTACT_FILTERS, is_remembered=False
)
LOOKUP_MAPPINGS: Final = Screen("People", "lookup_mappings", "Mappings", "account_tree")
LOOKUP_MAPPING: Final = Screen(
    "People", "lookup_mapping", "Mapping", "rule_settings", parent=LOOKUP_MAPPINGS, is_remembered=False
)
ID_NAMES: Final = Screen("People", "id_names", "IDs and names", "label")

ALERT_TEMPLATES: Final = Screen("Alerts", "alert_templates", "Templates", "bolt", "templates")
NOTIFICATIONS: Final = Screen("Alerts", "notifications", "Sent", "outbox", "sent-notifications")
NOTIFICATION_EVENTS: Final = Screen(
    "Alerts", "notification_events", "Events and categories", "event_note", tab="Events"
)
NOTIFICATION_CATEGORIES: Final = Screen(
    "Alerts", "notification_categories", "Categories", "category", parent=NOTIFICATION_EVENTS, tab="Categories"
)

CRISIS_TEMPLATES: Final = Screen("Preparedness", "crisis_templates", "Task lists", "checklist", "task-list-templates")
ASSETS: Final = Screen("Preparedness", "assets", "Assets", "warehouse")
SHAPE_LIBRARY: Final = Screen("Preparedness", "shape_library", "Shapes", "polyline")
DYNAMIC_LOCATIONS: Final = Screen("Preparedness", "dynamic_locations", "Live locations", "person_pin_circle")

JOURNAL: Final = Screen(ACCOUNT, "journal", "Journal", "history")
CONNECTION: Final = Screen(ACCOUNT, "connection", "Connection", "lan")

ALL: Final = tuple(each for each in list(globals().values()) if isinstance(each, Screen))
"""Every screen, in the order of the menu."""
ALIASES: Final = {"ready-alerts": ALERT_TEMPLATES} | {
    alias: each
    for each in ALL
    if each.parent is None and (alias := each.title.lower().replace(" ", "-")) not in {every.url_path for every in ALL}
}
"""Further addresses that lead to a screen: its entry in the menu, and an earlier address."""


def tabs_of(screen: Screen) -> list[Screen]:
    """Return the screens that share its entry in the menu as tabs, or none if it isn't one of them."""
    return [each for each in ALL if each.tab and each.menu_screen == screen.menu_screen] if screen.tab else []
