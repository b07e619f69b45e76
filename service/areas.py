"""The areas of the service. Routes and tables are built from this list."""

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
    """Return the module `schema` or `routes` of each area that has it."""
    paths = (f"service.{area}.{name}" for area in AREAS)
    return [import_module(path) for path in paths if find_spec(path) is not None]
