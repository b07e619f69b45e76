"""The screens there are: their file, name, icon, address and place in the menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Screen:
    """One screen of the dashboard; `page` is its file as named from the frame, `url_path` is "" for the first one.

    `is_remembered` says that the menu leads back to what the screen showed last; where something is written, the screen
    itself lists what was begun and begins anew.
    """

    page: str
    title: str
    icon: str
    url_path: str
    section: str
    in_menu: bool = True
    is_remembered: bool = True


EXPECTED_LOCATIONS: Final = Screen(
    page="../../pages/travel/expected_locations.py",
    title="Expected locations",
    icon=":material/travel_explore:",
    url_path="",
    section="Travel",
)
FIND_TRIP: Final = Screen(
    page="../../pages/travel/find_trip.py",
    title="Find a trip",
    icon=":material/search:",
    url_path="find-trip",
    section="Travel",
)
TRIP: Final = Screen(
    page="../../pages/travel/trip.py",
    title="Trip",
    icon=":material/route:",
    url_path="trip",
    section="Travel",
    in_menu=False,
)
TRIP_EDITOR: Final = Screen(
    page="../../pages/travel/trip_editor.py",
    title="Add a trip",
    icon=":material/add_circle:",
    url_path="trip-editor",
    section="Travel",
    is_remembered=False,
)
TRIP_IMPORT: Final = Screen(
    page="../../pages/travel/trip_import.py",
    title="Import trips",
    icon=":material/upload_file:",
    url_path="import",
    section="Travel",
)
IMPORTS: Final = Screen(
    page="../../pages/travel/imports.py",
    title="Imports",
    icon=":material/fact_check:",
    url_path="imports",
    section="Travel",
)
CANCEL_TRIPS: Final = Screen(
    page="../../pages/travel/cancel_trips.py",
    title="Cancel trips",
    icon=":material/event_busy:",
    url_path="cancel-trips",
    section="Travel",
)
ROSTERS: Final = Screen(
    page="../../pages/travel/rosters.py",
    title="Rosters",
    icon=":material/format_list_bulleted:",
    url_path="rosters",
    section="Travel",
)
CONTACT_FILTERS: Final = Screen(
    page="../../pages/contacts/contact_filters.py",
    title="Contact filters",
    icon=":material/filter_alt:",
    url_path="contact-filters",
    section="Contacts",
)
CONTACT_FILTER: Final = Screen(
    page="../../pages/contacts/contact_filter.py",
    title="Contact filter",
    icon=":material/rule:",
    url_path="contact-filter",
    section="Contacts",
    in_menu=False,
)
LOOKUP_MAPPINGS: Final = Screen(
    page="../../pages/contacts/lookup_mappings.py",
    title="Lookup mappings",
    icon=":material/account_tree:",
    url_path="lookup-mappings",
    section="Contacts",
)
LOOKUP_MAPPING: Final = Screen(
    page="../../pages/contacts/lookup_mapping.py",
    title="Lookup mapping",
    icon=":material/rule_settings:",
    url_path="lookup-mapping",
    section="Contacts",
    in_menu=False,
    is_remembered=False,
)
PUBLIC_ALERT: Final = Screen(
    page="../../pages/messages/public_alert.py",
    title="Public alert",
    icon=":material/campaign:",
    url_path="public-alert",
    section="Messages",
    is_remembered=False,
)
PUBLIC_ALERT_APPROVAL: Final = Screen(
    page="../../pages/messages/public_alert_approval.py",
    title="Approve a public alert",
    icon=":material/approval:",
    url_path="public-alert-approval",
    section="Messages",
    in_menu=False,
)
READY_ALERTS: Final = Screen(
    page="../../pages/messages/ready_alerts.py",
    title="Ready alerts",
    icon=":material/bolt:",
    url_path="ready-alerts",
    section="Messages",
)
NOTIFICATIONS: Final = Screen(
    page="../../pages/messages/notifications.py",
    title="Sent notifications",
    icon=":material/outbox:",
    url_path="sent-notifications",
    section="Messages",
)
NOTIFICATION_EVENTS: Final = Screen(
    page="../../pages/messages/notification_events.py",
    title="Events",
    icon=":material/event_note:",
    url_path="notification-events",
    section="Messages",
)
NOTIFICATION_CATEGORIES: Final = Screen(
    page="../../pages/messages/notification_categories.py",
    title="Categories",
    icon=":material/category:",
    url_path="notification-categories",
    section="Messages",
)
ASSETS: Final = Screen(
    page="../../pages/places/assets.py",
    title="Assets",
    icon=":material/warehouse:",
    url_path="assets",
    section="Places",
)
SHAPE_LIBRARY: Final = Screen(
    page="../../pages/places/shape_library.py",
    title="Shape library",
    icon=":material/polyline:",
    url_path="shape-library",
    section="Places",
)
DYNAMIC_LOCATIONS: Final = Screen(
    page="../../pages/places/dynamic_locations.py",
    title="Dynamic locations",
    icon=":material/person_pin_circle:",
    url_path="dynamic-locations",
    section="Places",
)
CRISIS_TEMPLATES: Final = Screen(
    page="../../pages/crisis/crisis_templates.py",
    title="Task list templates",
    icon=":material/checklist:",
    url_path="task-list-templates",
    section="Crisis",
)
JOURNAL: Final = Screen(
    page="../../pages/desk/journal.py",
    title="Journal",
    icon=":material/history:",
    url_path="journal",
    section="Desk",
)
CONNECTION: Final = Screen(
    page="../../pages/desk/connection.py",
    title="Connection",
    icon=":material/lan:",
    url_path="connection",
    section="Desk",
)

ALL: Final = (
    EXPECTED_LOCATIONS,
    FIND_TRIP,
    TRIP,
    TRIP_EDITOR,
    TRIP_IMPORT,
    IMPORTS,
    CANCEL_TRIPS,
    ROSTERS,
    CONTACT_FILTERS,
    CONTACT_FILTER,
    LOOKUP_MAPPINGS,
    LOOKUP_MAPPING,
    PUBLIC_ALERT,
    PUBLIC_ALERT_APPROVAL,
    READY_ALERTS,
    NOTIFICATIONS,
    NOTIFICATION_EVENTS,
    NOTIFICATION_CATEGORIES,
    ASSETS,
    SHAPE_LIBRARY,
    DYNAMIC_LOCATIONS,
    CRISIS_TEMPLATES,
    JOURNAL,
    CONNECTION,
)
