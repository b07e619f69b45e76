"""Checks of who travels: is there anybody, will the service know them, is anybody in it twice."""

from client.models.itineraries import Itinerary, Passenger
from components.trips.findings import Finding, Severity


def people_findings(itinerary: Itinerary) -> list[Finding]:
    """Check the travellers of a trip."""
    travellers = itinerary.passengers or []
    if not travellers:
        return [
            Finding(
                Severity.WRONG,
                "Nobody travels",
                "The trip names no travellers, so nobody is expected anywhere.",
                rule="no-travellers",
            )
        ]
    found = []
    seen: dict[str, str] = {}
    for number, traveller in enumerate(travellers, start=1):
        name = traveller_name(traveller) or f"Traveller {number}"
        if not (traveller.employee_id or "").strip() and traveller.contact_id is None:
            found += _without_id(traveller, name)
        for key in _keys(traveller):
            if key in seen:
                who = name if name == seen[key] else f"{seen[key]} and {name}"
                found.append(
                    Finding(
                        Severity.LOOK,
                        f"{who} is in the trip twice" if name == seen[key] else f"{who} are the same traveller",
                        "They carry the same employee id, contact id or, without either, the same name.",
                        rule="traveller-twice",
                    )
                )
                break
        for key in _keys(traveller):
            seen.setdefault(key, name)
    return found


def traveller_name(traveller: Passenger) -> str:
    """Write a traveller's name as ``First Last``, or the employee id where there is no name; empty where neither is."""
    parts = ((traveller.first_name or "").strip(), (traveller.last_name or "").strip())
    return " ".join(part for part in parts if part) or (traveller.employee_id or "").strip()


def _without_id(traveller: Passenger, name: str) -> list[Finding]:
    if not traveller_name(traveller):
        title, severity = f"{name} has neither an employee id nor a name", Severity.LOOK
        detail = "The service matches travellers by the id, and makes a contact of whoever has a name; else of nobody."
    elif not any(address.strip() for address in traveller.email_addresses):
        title, severity = f"{name} is known by name alone", Severity.NOTE
        detail = "Without an employee id or e-mail address, others of the same name are taken for one person."
    else:
        return []
    return [Finding(severity, title, detail, rule="no-employee-id")]


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
