"""A trip's travellers as a table."""

import pandas as pd

from client.models.itineraries import Itinerary
from components.geography.countries import country_name
from components.trips.checks_of_people import traveller_name


def travellers_table(itinerary: Itinerary) -> pd.DataFrame:
    """One row a traveller, then whoever arranged the trip; columns where nobody has anything are left out."""
    people = [(each, "travels") for each in itinerary.passengers]
    if itinerary.travel_arranger is not None:
        people.append((itinerary.travel_arranger, "arranged it"))
    table = pd.DataFrame(
        [
            {
                "Name": traveller_name(each) or "unnamed",
                "Role": role,
                "Employee id": (each.employee_id or "").strip(),
                "Contact id": str(each.contact_id) if each.contact_id else "",
                "E-mail": ", ".join(each.email_addresses),
                "Telephone": ", ".join(
                    " ".join(part for part in (number.phone_number, _in(number.country_name)) if part)
                    for number in each.phone_numbers
                ),
            }
            for each, role in people
        ],
        columns=["Name", "Role", "Employee id", "Contact id", "E-mail", "Telephone"],
        dtype="str",
    )
    if itinerary.travel_arranger is None:
        table = table.drop(columns="Role")
    kept = [name for name in table.columns if name in {"Name", "Employee id"} or (table[name] != "").any()]
    return table[kept]


def _in(country: str | None) -> str:
    return f"({country_name(country)})" if country else ""
