"""The two lookups of public alerts: event groups and region IDs."""

from pydantic import TypeAdapter

from ..models.base import ReadableList
from ..models.public_alert_rules import Offered
from ..models.public_lookups import EventGroup, Regions
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import unwrapped

_GROUPS: TypeAdapter[list[EventGroup]] = TypeAdapter(ReadableList[EventGroup])
_REGION_KINDS = ("cities", "zipcodes", "counties")


class PublicLookups:
    """What public alerts of one organization may name (interface: Public-alert lookups)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._organization_id = organization_id

    def list_event_groups(self) -> list[EventGroup]:
        """Return the event groups."""
        call = Call("GET", f"/publicEventGroups/{self._organization_id}", Effect.READS)
        return self._transport.call(call, _read_groups)

    def list_regions(self) -> Regions:
        """Return the regions: cities, ZIP codes, and counties."""
        call = Call("GET", f"/publicRegionIds/{self._organization_id}", Effect.READS)
        return self._transport.call(call, _read_regions)

    def offered(self) -> Offered:
        """Read both lookups, and return their IDs to check an alert against."""
        groups = self.list_event_groups()
        return Offered(frozenset(group.id for group in groups), self.list_regions().ids)


def _read_groups(content: bytes) -> list[EventGroup]:
    """Read an array, or a single object in its place."""
    data = unwrapped(content)
    groups = _GROUPS.validate_python(data or [])
    if data and not groups:
        raise ValueError("the response has no event group that can be read")
    return groups


def _read_regions(content: bytes) -> Regions:
    data = unwrapped(content)
    if not isinstance(data, dict) or not any(kind in data for kind in _REGION_KINDS):
        raise ValueError("the response has no regions")
    regions = Regions.model_validate(data)
    if not regions.ids and any(data.get(kind) for kind in _REGION_KINDS):
        raise ValueError("the response has no region that can be read")
    return regions
