"""What the columns of a contact filter are called for people: group, label, help and how a sentence names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from client.vocabulary.contact_filters import COLUMNS, FilterColumn


@dataclass(frozen=True, slots=True)
class ColumnWords:
    """How people meet a column: `lead` and `noun` begin its part of a sentence ("whose" + "first name" + "is …").

    `search` holds further words it is found by. `single` tells that a person has one such value at most, so that two
    rules over it can rule each other out; `whole` that it holds ids.
    """

    key: str
    group: str
    label: str
    help: str
    lead: str
    noun: str
    search: str
    single: bool
    whole: bool


# A group and how the columns below it are keyed: group | key | lead | what their labels end with | one value a person.
# Each column: name | label | help | what else it is found by | its noun, where that is not the label. "-" is nothing.
_TABLE: Final = """
= Person | {}|SYSTEM| | whose | - | single
firstName | First name | The person's given name. | given forename
lastName | Last name | The person's family name. | surname family
middleInitial | Middle initial | The initial between first and last name. | name
suffix | Suffix | What follows the name, such as Jr. or PhD. | name title
externalId | External id | The id your own systems know the person by, such as an employee number. | \
employee staff number personnel
country | Country · person | The country on the person's own record, not that of an address or of a trip. | \
nation home | country of the person
recordTypeId | Record type | The id of the kind of record, such as employees or contractors. | kind contractor employee
registedEmail | Registered e-mail | The e-mail address registered with. | mail email
ssoIdentity | Single sign-on identity | What the person signs in as. | sso login
= Person | {}|SYSTEM| | who have | - | single
userId | User id | Whether the person has a user account. | account login | a user id
individualAccountId | Individual account | Whether the person has an individual account. | - | an individual account
smUserId | SM user id | Whether the person has an SM user id. | account | an SM user id
= Dates | {}|SYSTEM| | whose record was created | - | single
createdDate | Created | When the person's record was made. | date added new | -
= Dates | {}|SYSTEM| | who registered | - | single
registedDate | Registered | When the person registered. | date sign up joined | -
= Dates | {}|SYSTEM| | whose record was last changed | - | single
lastModifiedDate | Last changed | When the person's record was changed last. | date modified updated | -
= Dates | {}|SYSTEM| | whose record was | - | single
lastModifiedName | Last changed by | The name of who changed the person's record last. | modified updated editor | \
last changed by somebody whose name
= Groups and topics | {}|SYSTEM_ARRAY| | who belong to
groups | Groups | Ids of the groups that the person belongs to. | member membership team | group
= Groups and topics | {}|SYSTEM| | who follow
topics | Topics | Ids of the topics that the person follows. | subscription interest | topic
= Delivery paths | {}|SYSTEM_OBJECT|paths | with | · delivery path
pathId | Kind | Ids of the kinds of delivery path the person can be reached by, such as the one for mobile phones. | \
path id phone mobile sms e-mail email reach | delivery path
= Delivery paths | {}|SYSTEM_OBJECT|paths | with a delivery path whose | · delivery path
value | Value | The phone number or address itself. | phone mobile number sms e-mail email
systemRequirement | System requirement | What the service asks of the path, as it is set up. | required
= Addresses | {}|SYSTEM_OBJECT|address | with an address whose | · address
locationName | Location name | What the place is called. | site office building
streetAddress | Street | Street and number. | road
suite | Suite | Suite, flat or unit. | apartment flat unit
city | City | Town or city. | town
state | State | State, province or region. | province region
postalCode | Postal code | Postal or zip code. | zip postcode
country | Country | The country of an address on file. | nation
floorNo | Floor | The floor at an address on file. | storey level
gisLocation.lat | Latitude | Decimal degrees; north is positive. | coordinates map gps
gislocation.lon | Longitude | Decimal degrees; east is positive. | coordinates map gps
addressGeoCodingSource | Source of coordinates | Where the coordinates of the address came from, in \
the service's own words. | geocoding map placed
= Addresses | {}|SYSTEM_OBJECT| | with a location on file whose | · on file
locationId | Location id | The id of a location on file for the person. | site office building
= Addresses | {}|SYSTEM| | who have | on file | single
address.streetAddress | Street address | Whether any street address is known. | missing | a street address on file
address.gisLocation.lon | Coordinates | Whether any address is placed on the map. | \
map gps latitude longitude missing | coordinates on file
= Last known location | {}|SYSTEM_OBJECT|lastKnownLocation | with a last known location whose | \
· last known location | single
floorNo | Floor | The floor where the person was last. | storey level
= Schedule | {}|SYSTEM_SCHEDULING| | who are scheduled in
calendar | Calendar | The id of a calendar the person is scheduled in. | rota duty
= Schedule | {}|SYSTEM_SCHEDULING| | who work in
shift | Shift | The id of a shift the person works. | rota duty
= Schedule | {}|SYSTEM_SCHEDULING| | who are on shift
shiftDate | Shift date | When the person is on shift: now, or between two moments. | rota duty time working | -
= Expected location | {}|SYSTEM_EXPECTED_OBJECT| | who are expected somewhere
expectedDate | Expected date | When the person is expected somewhere: now, or between two moments. | \
travel itinerary trip time when | -
= Expected location | {}|SYSTEM_EXPECTED_OBJECT|address | with an expected location whose | · expected location
country | Country | The country that the person is expected in. | travel itinerary trip nation
city | City | The city that the person is expected in. | travel itinerary trip town
state | State | The state or province that the person is expected in. | travel itinerary trip province region
iata | Airport | The airport that the person is expected at. | travel itinerary trip iata code flight air
locationName | Location name | What the place is called. | travel itinerary trip hotel station site
locationId | Location id | The id of the place. | travel itinerary trip site
= Custom attributes | {} | whose | - | single
custom | Custom attribute | A field that your organization has added to its contacts. | own field additional information
= Custom attributes | {} | whose
custom_array | Custom attribute with several values | An added field that can hold more than one value for a person. | \
own field additional information list multiple | custom attribute
"""


def column_key(column: FilterColumn) -> str:
    """A short text that names one column: `country|SYSTEM_OBJECT|address`."""
    return f"{column.name}|{column.rule_type}|{column.embedded or ''}"


def _read() -> Iterator[ColumnWords]:
    ids = {column_key(each) for each in COLUMNS if each.data_type == "NUMBER" and "gis" not in each.name.lower()}
    section: list[str] = []
    for line in _TABLE.strip().splitlines():
        cells = ["" if cell == "-" else cell for cell in line.split(" | ")]
        if line.startswith("= "):
            section = [*cells, "", ""]
            continue
        group, key, lead, suffix, single = section[:5]
        name, label, says, search = [*cells, ""][:4]
        noun = cells[4] if len(cells) > 4 else label[0].lower() + label[1:]
        of = key.format(name)
        yield ColumnWords(of, group[2:], f"{label} {suffix}".strip(), says, lead, noun, search, bool(single), of in ids)


WORDS: Final = tuple(_read())
