"""The lookup mappings of the demo organization: groups by office, department, and role."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from service.accounts.models import Caller
from service.demo.demo_travelers import BASES
from service.demo.world import cities
from service.epoch import to_ms
from service.lookup_mappings import repository
from service.lookup_mappings.models import Mapping

_DEPARTMENTS = ("Engineering", "Field service", "Finance", "Legal", "Sales", "Travel desk")
_TRAVELLING = {7001: "Traveling employees"}
_SECURITY = {7002: "Security on call"}


def ensure(connection: Connection, caller: Caller, today: date) -> None:
    """Store the initial mappings of the demo, one hour apart."""
    midnight = datetime.combine(today, time(), UTC)
    mappings = list(_mappings())
    for number, mapping in enumerate(mappings):
        repository.add(
            connection,
            caller.organization_id,
            mapping,
            caller.username,
            mapping_id=sha256(f"mapping {caller.organization_id} {number}".encode()).hexdigest()[:24],
            modified_at=to_ms(midnight - timedelta(hours=len(mappings) - number)),
        )


def _mappings() -> Iterator[Mapping]:
    for number, base in enumerate(sorted(BASES)):
        city = cities()[base]
        yield _mapping({7100 + number: f"{city.name} office"}, ("city", [city.name]), ("country", [city.country]))
    for number, department in enumerate(_DEPARTMENTS):
        yield _mapping({7200 + number: department} | _TRAVELLING, ("department", [department]))
    # The same attribute twice: either role, together with either shift.
    roles = ("role", ["Duty officer", "Site warden"]), ("role", ["First aider"])
    yield _mapping(_SECURITY, *roles, ("shift", ["Night", "Weekend"]))


def _mapping(groups: dict[int, str], *attributes: tuple[str, list[str]]) -> Mapping:
    return Mapping.model_validate(
        {
            "targetGroups": [{"id": number, "name": name} for number, name in groups.items()],
            "attributes": [{"name": name, "values": values} for name, values in attributes],
        }
    )
