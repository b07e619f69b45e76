"""Checks of who travels: is there anybody, will the service know them, is anybody in it twice."""

from collections.abc import Iterator

from client.models.itineraries import Itinerary, Passenger
from components.trips.findings import Finding, Severity


def people_findings(itinerary: Itinerary) -> Iterator[Finding]:
    """Check the travellers of a trip."""
    if not itinerary.passengers:
        detail = "The trip names no travellers, so nobody is expected anywhere."
        yield Finding(Severity.WRONG, "Nobody travels", detail, rule="no-travellers")
    seen: dict[str, str] = {}
    for number, traveller in enumerate(itinerary.passengers or [], start=1):
        name, keys = traveller_name(traveller) or f"Traveller {number}", _keys(traveller)
        if not (traveller.employee_id or "").strip() and traveller.contact_id is None:
            yield from _without_id(traveller, name)
        if (known := next((seen[key] for key in keys if key in seen), None)) is not None:
            same = f"{name} is in the trip twice" if name == known else f"{known} and {name} are the same traveller"
            detail = "They carry the same employee id, contact id or, without either, the same name."
            yield Finding(Severity.LOOK, same, detail, rule="traveller-twice")
        seen = dict.fromkeys(keys, name) | seen


def traveller_name(traveller: Passenger) -> str:
    """Write a traveller's name as ``First Last``, or the employee id where there is no name; empty where neither is."""
    parts = ((traveller.first_name or "").strip(), (traveller.last_name or "").strip())
    return " ".join(part for part in parts if part) or (traveller.employee_id or "").strip()


def _without_id(traveller: Passenger, name: str) -> Iterator[Finding]:
    if not traveller_name(traveller):
        detail = "The service matches travellers by the id, and makes a contact of whoever has a name; else of nobody."
        title = f"{name} has neither an employee id nor a name"
        yield Finding(Severity.LOOK, title, detail, rule="no-employee-id")
    elif not any(address.strip() for address in traveller.email_addresses):
        detail = "Without an employee id or e-mail address, others of the same name are taken for one person."
        yield Finding(Severity.NOTE, f"{name} is known by name alone", detail, rule="no-employee-id")


def _keys(traveller: Passenger) -> list[str]:
    # An e-mail address as employee id may be matched without regard to case; other ids are compared as written.
    employee_id = (traveller.employee_id or "").strip()
    keys = []
    if employee_id:
        keys.append(f"employee {employee_id.casefold() if '@' in employee_id else employee_id}")
    if traveller.contact_id:
        keys.append(f"contact {traveller.contact_id}")
    if not keys and traveller_name(traveller):
        keys.append(f"name {traveller_name(traveller).casefold()}")
    return keys
