"""What a row of a file says of where somebody is: its columns, what is wrong with it, and how it is sent.

External id, Arrives, Expires, Latitude, Longitude
E10001, 2026-11-20 08:00, 2026-11-21, 47.38, 8.54
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from client.vocabulary.dynamic_locations import COLUMNS as WIRE
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Decimal, Moment, Text
from domain.file_import.positions import Position
from domain.file_import.row_problems import Offer, Problem, Rows
from domain.file_import.row_sending import MAX_NAMES, Outgoing
from domain.file_import.traveller_cells import strip_decimal_zero
from domain.preparedness.assets.asset_rows import KINDS as ASSET_KINDS
from domain.preparedness.assets.asset_rows import known_of
from domain.text.plain_text import count, names

if TYPE_CHECKING:
    from domain.file_import.column_types import Mask
    from domain.runtime.workspace import Workspace

KIND: Final = "dynamic_location"
SOON: Final = 15 * 60 * 1000
"""In milliseconds: what expires so soon may have expired once the service comes to read it."""
ASKED_FOR: Final = 60 * 1000
"""In milliseconds: so long what has expired is asked about as of one moment, then anew."""
ADDRESS: Final = ("street", "suite", "city", "state", "postalCode", "country")
DROP_EXPIRED: Final = "Skip {} that expired"
EXPIRED: Final = "This location has expired. Sending it removes the person’s current location from this source."
EXPIRES_SOON: Final = (
    "This location expires within 15 minutes. If the service reads it later, it removes the person’s current location "
    "from this source."
)
REFUSED: Final = "The service had no contact with this ID at the last upload."
NO_ASSET: Final = "No asset that was added in Muster has this ID or external ID. The service may not have it either."

POSITION: Final = Position("lat", "lon", "country", "city")
ARRIVES: Final = (
    *("arrive", "arrival", "arrival date", "start", "start date", "from", "valid from", "since", "begins"),
    *("badge time", "badge in", "badged at", "swipe time", "check in", "checked in", "time", "timestamp", "seen at"),
)
EXPIRES: Final = (
    *("expire", "expiry", "expiry date", "expiration date", "expires at", "expires on", "end", "end date", "until"),
    *("to", "valid until", "valid to", "valid thru", "badge out", "check out", "checked out"),
)
COLUMNS: Final = (
    Column(
        "externalId",
        "External ID",
        Text(longest=255, spelling=strip_decimal_zero),
        aliases=(
            *("employee id", "employee", "employee number", "employee no", "emp id", "emp no", "personnel number"),
            *("person id", "contact external id", "staff id", "staff number", "badge id"),
        ),
        required=True,
        help="The external ID of the person’s contact.",
    ),
    Column(
        "arriveDate",
        "Arrives",
        Moment(),
        aliases=ARRIVES,
    ),
    Column(
        "expireDate",
        "Expires",
        Moment(is_end=True),
        aliases=EXPIRES,
        required=True,
        help="When the person leaves. A date without a time means the end of that day.",
    ),
    Column(
        "locationId",
        "Location ID",
        Text(),
        aliases=("location", "site", "site id", "building", "building id", "office", "asset", "asset id"),
        help="The ID or external ID of an asset.",
    ),
    Column("lat", "Latitude", Decimal(-90, 90), aliases=("y",)),
    Column("lon", "Longitude", Decimal(-180, 180), aliases=("lng", "long", "x")),
    Column(
        "source",
        "Source",
        Text(longest=255),
        aliases=("system", "origin"),
        help="Each source has one current location per person.",
    ),
    Column("street", "Street", aliases=("street address", "address", "address line 1")),
    Column("suite", "Suite", aliases=("address line 2",)),
    Column("city", "City", aliases=("town",)),
    Column("state", "State", aliases=("province", "region")),
    Column("postalCode", "Postal code", aliases=("zip", "ZIP code", "postcode")),
    Column("country", "Country", aliases=("country code",)),
    Column("floorNo", "Floor", aliases=("floor number", "level")),
    Column("roomNo", "Room", aliases=("room number",)),
    Column("referenceId", "Reference", aliases=("reference number", "record id")),
)


@dataclass(frozen=True)
class Known:
    """What this desk knows of the ids that rows name, `at` a moment: the service lists neither people nor assets.

    `people` are names by external id, `taken` and `refused` the ids of earlier uploads, `assets` ids and external ids.
    `last_upload` is the greatest number by which the service called an upload of this desk.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    assets: frozenset[str] = frozenset()
    last_upload: int = 0
    at: int = field(default_factory=lambda: now_ms())

    def as_of_now(self) -> Known:
        """The same, of a moment that is still good."""
        return self if now_ms() - self.at < ASKED_FOR else replace(self, at=now_ms())

    def coverage(self, texts: pd.DataFrame) -> str:
        """What of the ids in the rows could be held against something, and what could not, in a sentence or two."""
        ids = texts["externalId"]
        people = set(ids[ids != ""])
        known = len(people & (self.taken | self.people.keys()))
        words = f"Muster knows {known:,} of {count(len(people), 'person', 'people')} from trips or earlier uploads."
        words += "" if known == len(people) else " The service checks the others when it receives the file."
        named = set(texts["locationId"]) - {""}
        if named and not self.assets:
            words += " Muster cannot check location IDs, because no asset was added in Muster."
        return words

    def rule(self, rows: Rows) -> Iterator[Problem]:
        """Ids that the service may not know, as far as this desk can tell."""
        people, places = rows.texts["externalId"], rows.texts["locationId"]
        yield Problem(people.isin(self.refused).to_numpy(dtype=bool), "externalId", REFUSED, is_error=False)
        if self.assets:
            unknown = (places != "") & ~places.isin(self.assets)
            yield Problem(unknown.to_numpy(dtype=bool), "locationId", NO_ASSET, is_error=False)

    def asks(self, rows: Rows) -> list[str]:
        """What a person has to agree to: the current locations that would be removed, with whose they are."""
        gone = expired(rows, self.at)
        soon = expired(rows, self.at + SOON) & ~gone
        asked = (
            (gone, "row has expired and removes", "rows have expired and remove"),
            (
                soon,
                "row expires within 15 minutes and, if read later, removes",
                "rows expire within 15 minutes and, if read later, remove",
            ),
        )
        lines = []
        for which, one, many in asked:
            people = list(dict.fromkeys(rows.texts["externalId"][which]))
            called = [f"{self.people[each]} ({each})" if each in self.people else each for each in people]
            what, whose = count(int(which.sum()), one, many), count(len(people), "person", "people")
            lines += [f"{what} the current location of {whose}: {names(called, at_most=MAX_NAMES)}."] if people else []
        return lines


def read_known(workspace: Workspace) -> Known:
    """Read what this desk knows. Raises JournalError."""
    journal, actor = workspace.journal, workspace.actor
    fates = journal.ledger_history.last_results(actor, KIND)
    numbers = [int(fate.result_id) for fate in fates.values() if fate.result_id and fate.result_id.isdecimal()]
    assets = known_of(journal.ledger_history.list_done(actor, ASSET_KINDS))
    return Known(
        people=journal.travellers.names(actor.service, actor.organization_id),
        taken=frozenset(label for label, fate in fates.items() if fate.state == "done"),
        refused=frozenset(label for label, fate in fates.items() if "externalId" in fate.reasons),
        assets=frozenset(str(each) for asset in assets for each in (asset.id, asset.wire.get("externalId")) if each),
        last_upload=max(numbers, default=0),
    )


def expired(rows: Rows, by: int) -> Mask:
    """Which rows have expired by a moment, in epoch milliseconds."""
    return np.asarray((rows.values["expireDate"] <= by).fillna(value=False), dtype=bool)


def now_ms() -> int:
    """The time, in epoch milliseconds."""
    return int(time.time() * 1000)


def expiry_rule(rows: Rows) -> Iterator[Problem]:
    """What has expired, and what is about to."""
    now = now_ms()
    gone = expired(rows, now)
    yield Problem(gone, "expireDate", EXPIRED, is_error=False, offer=Offer(DROP_EXPIRED))
    yield Problem(expired(rows, now + SOON) & ~gone, "expireDate", EXPIRES_SOON, is_error=False)


def place_rule(rows: Rows) -> Iterator[Problem]:
    """Rows that do not say where: one that has expired need not."""
    says = np.zeros(len(rows), dtype=bool)
    for name in ("lat", "lon", "locationId", *ADDRESS):
        says |= (rows.texts[name] != "").to_numpy(dtype=bool)
    words = "Enter latitude and longitude, a location ID, or an address."
    yield Problem(~says & ~expired(rows, now_ms()), "", words)


def items(rows: Rows, *, asked_at: int = 0) -> Iterator[Outgoing]:
    """An item a row, in the words of the interface; what was asked about at a moment is marked as agreed to."""
    wire = {name: rows.texts[name] for name in WIRE if (rows.texts[name] != "").any()}
    for name in wire.keys() & {"arriveDate", "expireDate"}:
        wire[name] = _utc(rows, name)
    for name in wire.keys() & {"lat", "lon"}:
        degrees = rows.values[name].astype("float64")
        wire[name] = degrees.map(lambda each: f"{each:.9f}".rstrip("0").rstrip("."), "ignore")
    agreed = expired(rows, asked_at + SOON)
    columns = {name: texts.astype(object).where(texts.notna(), "").tolist() for name, texts in wire.items()}
    for place, cells in enumerate(zip(*columns.values(), strict=True)):
        row = {name: cell for name, cell in zip(columns, cells, strict=True) if cell}
        yield Outgoing([place], {"row": row, "removes": bool(agreed[place])}, row["externalId"])


def _utc(rows: Rows, name: str) -> Any:
    moments = rows.values[name]
    there = moments.notna()
    texts = np.datetime_as_string(moments[there].to_numpy(dtype="int64").astype("datetime64[ms]"), unit="s")
    written = rows.texts[name].astype(object).mask(there, None)
    written[there] = [f"{text}Z" for text in texts]
    return written


def has_expired_since(payload: Mapping[str, Any]) -> bool:
    """Whether a row would remove where somebody is though nobody agreed to that."""
    ends = np.datetime64(payload["row"]["expireDate"].removesuffix("Z"), "ms").astype("int64")
    return not payload["removes"] and int(ends) <= now_ms()


def csv_of(payloads: Sequence[Mapping[str, Any]], headings: Mapping[str, str] | None = None) -> bytes:
    """The file that is sent, its headings as the interface has them, or as some are spelled otherwise."""
    sink = io.StringIO()
    writer = csv.DictWriter(sink, WIRE, restval="", lineterminator="\n")
    writer.writerow({name: (headings or {}).get(name, name) for name in WIRE})
    writer.writerows(payload["row"] for payload in payloads)
    return sink.getvalue().encode()
