"""The list of areas: every package of the service is in it."""

from __future__ import annotations

from pathlib import Path

from service import areas

SERVICE = Path(areas.__file__).parent


def test_every_package_with_tables_or_routes_is_in_the_list() -> None:
    """A new area is one more name."""
    found = {path.parent.name for name in ("schema.py", "routes.py") for path in SERVICE.glob(f"*/{name}")}
    assert found == set(areas.AREAS)
