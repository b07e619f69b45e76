"""The areas of the service: the one list that routes and tables are made from."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

AREAS = (
    "accounts",
    "itineraries",
    "contact_filters",
    "notifications",
    "public_lookups",
    "notification_events",
    "notification_categories",
    "lookup_mappings",
    "assets",
    "shape_library",
    "crisis_templates",
    "dynamic_locations",
)


def modules_of_areas(name: str) -> list[ModuleType]:
    """The module of a name, `schema` or `routes`, of each area that has one."""
    paths = (f"service.{area}.{name}" for area in AREAS)
    return [import_module(path) for path in paths if find_spec(path) is not None]
