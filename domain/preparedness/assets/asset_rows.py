"""What a row says of an asset, what is sent of it in batches, and the assets that this desk knows by those it sent.

Name, External id, Asset type, Geometry (GeoJSON), Starts, Properties
Depot, D-1, depot, "{""type"": ""Point"", ""coordinates"": [8.5, 47.4]}", 2026-11-20, "{""Floors"": 3}"
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from unicodedata import is_normalized

import numpy as np
import shapely

from client import ServiceClient
from client.json_text import parse_json
from client.models.asset_rules import geometry_problems
from client.models.assets import Asset, AssetBatchOutcome, AssetFailure, AssetProperty
from client.vocabulary.assets import EARLIEST_MOMENT, LATEST_MOMENT, LENGTHS
from client.vocabulary.limits import ASSET_BATCH
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Decimal, Moment, Parsed, Text
from domain.file_import.import_declaration import Intake
from domain.file_import.job import build_statuses, treat_missing_as_done
from domain.file_import.positions import Position
from domain.file_import.row_problems import Offer, Problem, Rows, Rule, find_repeats
from domain.file_import.row_sending import MAX_NAMES, JournalContext, Outgoing, Sending, build_each_row, name_all_rows
from domain.geography.place_conflicts import FIX_LABELS, FIXES, REASONS, TURNS, find_conflicts
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count, in_short, names
from journal import Done, Fate, Item

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TEXTS: Final = ("id", "name", "externalId", "assetTypeId", "category", "iconId", "notes")
_ADDRESS: Final = ("streetAddress1", "streetAddress2", "postalCode", "city", "state", "country")
NAMED_LENGTH: Final = 40
_OF_PROPERTY: Final = frozenset({"name", "propertyId", "value"})
PROPERTIES_HELP: Final = (
    'An object of names and values, {"Floors": 3}, or a list of [{"name": …, "propertyId": …, "value": …}]. '
    "A value can be any JSON."
)


def _geometry(text: str) -> str:
    """GeoJSON as it is sent; of a feature its geometry is taken. Raises ValueError, in words."""
    if '"Feature"' in text:
        found = _json(text, "Enter the geometry as GeoJSON.")
        if isinstance(found, dict) and found.get("type") == "Feature":
            text = json.dumps(found.get("geometry"))
    problems = geometry_problems(text)
    if problems:
        raise ValueError(problems[0])
    return text


def _properties(text: str) -> list[AssetProperty]:
    """Properties out of a list of name, id and value, or an object of names and values. Raises ValueError, in words."""
    found = _json(text, "Enter the properties as JSON.")
    if isinstance(found, dict):
        is_one = "value" in found and set(found) <= _OF_PROPERTY and len(found) > 1
        found = [found] if is_one else [{"name": name, "value": value} for name, value in found.items()]
    if not isinstance(found, list):
        raise ValueError("Properties must be an object of names and values, or a list.")  # noqa: TRY004 (a cell)
    for each in found:
        if not isinstance(each, dict) or not set(each) <= _OF_PROPERTY:
            raise ValueError("A property can have a name, a propertyId, and a value.")
        named = [each[name] for name in ("name", "propertyId") if each.get(name) is not None]
        if not all(isinstance(name, str) for name in named) or not any(name.strip() for name in named):
            raise ValueError("Each property needs a name or a propertyId, in quotation marks.")
    return [AssetProperty(**each) for each in found]


def _json(text: str, words: str) -> Any:
    try:
        found = parse_json(text)
        json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
    except ValueError as error:
        raise ValueError(words) from error
    return found


def _text(name: str) -> Text:
    return Text(longest=LENGTHS.get(name, LENGTHS.get(f"address.{name}")))


POSITION: Final = Position("latitude", "longitude", "country", "city")
ID: Final = Column("id", "Asset ID", Text(), aliases=("asset ids", "ids"), required=True)
COLUMNS: Final = (
    Column("name", "Name", _text("name"), aliases=("asset name", "title"), required=True),
    Column(
        "externalId",
        "External ID",
        _text("externalId"),
        aliases=("asset external id", "reference", "external reference"),
        required=True,
    ),
    Column("assetTypeId", "Asset type", Text(), aliases=("type", "type id", "asset type name", "kind"), required=True),
    Column("category", "Category", _text("category"), aliases=("asset category",)),
    Column("iconId", "Icon", Text(), aliases=("icon name", "symbol")),
    Column("notes", "Notes", _text("notes"), aliases=("note", "description", "remarks", "comment", "comments")),
    Column("streetAddress1", "Street", _text("streetAddress1"), aliases=("street 1", "address", "address line 1")),
    Column("streetAddress2", "Street, second line", _text("streetAddress2"), aliases=("street 2", "address line 2")),
    Column("postalCode", "Postal code", _text("postalCode"), aliases=("zip", "ZIP code", "postcode")),
    Column("city", "City", _text("city"), aliases=("town",)),
    Column("state", "State", _text("state"), aliases=("province", "region")),
    Column("country", "Country", _text("country"), aliases=("country code",)),
    Column(
        "geometry",
        "Geometry (GeoJSON)",
        Parsed(_geometry),
        aliases=("geojson", "shape"),
        help="A point, lines, or polygons as GeoJSON, with longitude first.",
    ),
    Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",)),
    Column("longitude", "Longitude", Decimal(-180, 180), aliases=("lon", "lng", "long")),
    Column("startTimestamp", "Starts", Moment(), aliases=("start", "start date", "from", "valid from", "begins")),
    Column("endTimestamp", "Ends", Moment(is_end=True), aliases=("end", "end date", "until", "to", "valid until")),
    Column(
        "properties", "Properties", Parsed(_properties), aliases=("custom fields", "attributes"), help=PROPERTIES_HELP
    ),
)


def place_rule(rows: Rows) -> Iterator[Problem]:
    """A place that is told twice."""
    has = {name: (rows.texts[name] != "").to_numpy(dtype=bool) for name in ("geometry", "latitude", "longitude")}
    twice = has["geometry"] & (has["latitude"] | has["longitude"])
    yield Problem(twice, "geometry", "Enter a geometry, or latitude and longitude, not both.")


def geometry_rule(rows: Rows) -> Iterator[Problem]:
    """Geometries that contradict the country or the city of their asset, by their center."""
    texts = rows.values["geometry"].astype(object)
    here = np.flatnonzero(texts.notna().to_numpy(dtype=bool))
    if not len(here):
        return
    shapes = shapely.from_geojson(texts.iloc[here].tolist(), on_invalid="ignore")
    centers = shapely.centroid(shapes)
    y, x = np.full((2, len(rows)), np.nan)
    y[here], x[here] = shapely.get_y(centers), shapely.get_x(centers)
    stated = POSITION.stated(rows)
    found = find_conflicts(y, x, stated)

    def told(row: int) -> str:
        return stated.message(row, REASONS[found.reason[row]])

    for number in np.unique(found.fix[found.reason >= 0]).tolist():
        is_here = (found.reason >= 0) & (found.fix == number)
        offer = None
        if turn := TURNS.get(FIXES[number]) if number >= 0 else None:
            cells = rows.texts["geometry"].copy()
            turned = shapely.to_geojson(shapely.transform(shapes[is_here[here]], turn))
            cells.iloc[np.flatnonzero(is_here)] = turned
            offer = Offer(f"{FIX_LABELS[FIXES[number]]} of the geometry in {{}}", {"geometry": cells})
        yield Problem(is_here, "geometry", "", row_message=told, offer=offer)


def span_rule(start: str, end: str) -> Rule:
    """Moments that nobody can mean, and an end before the start, in the columns of these names."""

    def rule(rows: Rows) -> Iterator[Problem]:
        starts, ends = rows.values[start], rows.values[end]
        for name, moments in ((start, starts), (end, ends)):
            beyond = ((moments < EARLIEST_MOMENT) | (moments > LATEST_MOMENT)).fillna(False).to_numpy(dtype=bool)
            yield Problem(beyond, name, "Enter a time in the years 1 to 9999.")
        yield Problem((ends < starts).fillna(False).to_numpy(dtype=bool), end, "The end is before the start.")

    return rule


time_rule: Final = span_rule("startTimestamp", "endTimestamp")


def wire_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """A row's values, by the columns' names, as the asset that is sent."""
    wire = {name: record[name] for name in (*_TEXTS, "startTimestamp", "endTimestamp", "geometry") if name in record}
    if "geometry" not in wire and "latitude" in record and "longitude" in record:
        wire["geometry"] = json.dumps({"type": "Point", "coordinates": [record["longitude"], record["latitude"]]})
    address = {name: record[name] for name in _ADDRESS if name in record}
    if address:
        wire["address"] = address
    if record.get("properties"):
        wire["properties"] = [each.to_wire() for each in record["properties"]]
    return wire


def row_of(asset: Asset) -> dict[str, str]:
    """The cells of an asset, by the columns' names; "" for what it has not."""
    wire = asset.to_wire()
    cells = {name: str(wire.get(name, "")) for name in (*_TEXTS, "geometry")}
    cells |= {name: str(wire.get("address", {}).get(name, "")) for name in _ADDRESS}
    cells |= {name: iso_moment(wire[name]) if name in wire else "" for name in ("startTimestamp", "endTimestamp")}
    properties = wire.get("properties")
    written = json.dumps(properties, ensure_ascii=False) if properties else ""
    # Files are read with accents in one spelling; a value that has them in another is to stay as it is.
    return cells | {"properties": written if is_normalized("NFC", written) else json.dumps(properties)}


def at(milliseconds: int) -> datetime:
    """An asset's moment, in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def iso_moment(milliseconds: int) -> str:
    """An asset's moment as files have it: ISO 8601, in UTC."""
    return at(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def column_of(path: str) -> str:
    """The column that a field of the interface stands in; "" where none does."""
    name = path.partition("[")[0].rpartition(".")[2]
    return name if name in {ID.name, *(column.name for column in COLUMNS)} else ""


_PLACEHOLDER: Final = "Name;External ID;Asset type;Latitude;Longitude\nZurich depot;D-1;depot;47.38;8.54"


def _reasons(failure: AssetFailure) -> dict[str, str]:
    """Why a row was refused, by the column that is to be mended."""
    reasons: dict[str, str] = {}
    for error in failure.field_errors:
        name = column_of(error.field)
        reasons[name] = f"{reasons[name]} {error.message}" if name in reasons else error.message
    return reasons or {"": failure.message}


def _send(
    call: Callable[[ServiceClient, Sequence[Item]], AssetBatchOutcome],
) -> Callable[[ServiceClient, Sequence[Item]], Sequence[Fate]]:
    return lambda client, items: build_statuses(call(client, items), len(items), _reasons)


_delete: Final = _send(lambda client, items: client.assets.delete_batch([item.payload["id"] for item in items]))


def _is_there(fate: Fate) -> bool:
    # ASSUMPTION A139
    return any("exist" in words.casefold() or "duplicate" in words.casefold() for words in fate.reasons.values())


def _names_of(desk: JournalContext, ids: Collection[str]) -> dict[str, str]:
    return {
        each.id: each.name
        for each in known_of(desk.journal.ledger_history.list_done(desk.actor, KINDS))
        if each.id in ids
    }


def _differences(rows: Rows, desk: JournalContext) -> list[str]:
    """What each row would change of the asset as Muster sent it last."""
    known = {each.id: each for each in known_of(desk.journal.ledger_history.list_done(desk.actor, KINDS))}
    examples, unknown, same = [], [], 0
    totals: Counter[tuple[str, str]] = Counter()
    for record in rows.records():
        before = known.get(record["id"])
        if before is None:
            unknown.append(f"“{record['name']}”")
            continue
        was, now = row_of(before.asset), row_of(Asset.model_validate(wire_of(record)))
        changes = []
        for column in COLUMNS:
            old, new = (in_short(row.get(column.name, ""), NAMED_LENGTH) for row in (was, now))
            if was.get(column.name, "") != now.get(column.name, ""):
                totals[column.label, "changes" if new else "is cleared"] += 1
                changes.append(
                    f"{column.label} from “{old}” to “{new}”" if new else f"{column.label} “{old}” is cleared"
                )
        same += not changes
        examples += [f"“{before.name}”: {', '.join(changes)}."] if changes else []
    lines = [
        f"{label} {verb} in {count(number, 'asset', 'assets')}."
        for (label, verb), number in totals.items()
        if len(examples) > MAX_NAMES
    ]
    if unknown:
        who = names(unknown, at_most=MAX_NAMES)
        lines.append(f"Not sent from Muster before. All of their values will be overwritten: {who}.")
    lines += examples[:MAX_NAMES]
    if len(examples) > MAX_NAMES:
        lines.append(f"{count(len(examples) - MAX_NAMES, 'more asset is', 'more assets are')} edited.")
    return [*lines, *([f"{count(same, 'asset stays', 'assets stay')} as Muster sent it last."] if same else [])]


def _deleted(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        yield Outgoing([place], {"id": record["id"]}, record.get("name") or record["id"])


ADD: Final = Intake(
    kind="asset_add",
    noun=("asset", "assets"),
    columns=COLUMNS,
    rules=(
        place_rule,
        geometry_rule,
        time_rule,
        # ASSUMPTION A139
        find_repeats(
            "externalId", words="Another row has the same external ID. The service may reject the row.", is_error=False
        ),
    ),
    sending=Sending(
        verb="Add",
        done="added",
        items=build_each_row(wire_of, label="name"),
        send=_send(lambda client, items: client.assets.create_batch([item.payload_text for item in items])),
        is_duplicate=_is_there,
        size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="One row per asset, with its name, external ID, type, and location.",
    placeholder=_PLACEHOLDER,
)
CHANGE: Final = Intake(
    kind="asset_change",
    noun=("asset", "assets"),
    columns=(ID, *COLUMNS),
    rules=(
        find_repeats("id", words="Another row has the same asset ID. Keep only one of them."),
        place_rule,
        geometry_rule,
        time_rule,
    ),
    sending=Sending(
        verb="Edit",
        done="edited",
        items=build_each_row(wire_of, label="name"),
        send=_send(lambda client, items: client.assets.update_batch([item.payload_text for item in items])),
        confirmation_lines=_differences,
        size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="One row per asset, with its ID and all of its values. A value that is missing from the row is cleared.",
    placeholder="Asset ID;" + _PLACEHOLDER.replace("\n", "\n5f1c…;"),
)
DELETE: Final = Intake(
    kind="asset_delete",
    noun=("asset", "assets"),
    columns=(ID, Column("name", "Name", aliases=("asset name", "title"))),
    rules=(find_repeats("id", words="Another row has the same asset ID."),),
    sending=Sending(
        verb="Delete",
        done="deleted",
        items=_deleted,
        send=lambda client, items: treat_missing_as_done(_delete(client, items)),
        size=ASSET_BATCH,
        width=4,
        is_repeatable=True,
        confirmation_lines=name_all_rows("name", "id", find_names=_names_of),
    ),
    help="One row per asset, with its ID.",
    placeholder="Asset ID;Name\n5f1c…;Zurich depot",
)


KINDS: Final = (ADD.kind, CHANGE.kind, DELETE.kind)


@dataclass(frozen=True)
class KnownAsset:
    """An asset as this desk sent it last: by whom, when, and whether it was a change."""

    id: str
    wire: dict[str, Any]
    by: str
    at: datetime

    @cached_property
    def asset(self) -> Asset:
        """What it is, with its id."""
        return Asset.model_validate(self.wire | {"id": self.id})

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.wire.get("name") or self.id)

    @property
    def place(self) -> str:
        """Where it is, in words."""
        address = self.wire.get("address", {})
        return ", ".join(address[part] for part in ("city", "state", "country") if address.get(part))


def known_of(done: Iterable[Done]) -> list[KnownAsset]:
    """What is known after all that was done, in that order; what the service gave no id is not among it."""
    known: dict[str, KnownAsset] = {}
    for each in done:
        asset_id = each.result_id or each.payload.get("id")
        if asset_id is None:
            continue
        if each.kind == DELETE.kind:
            known.pop(asset_id, None)
        else:
            known[asset_id] = KnownAsset(asset_id, each.payload, each.by, each.at)
    return list(known.values())


def read_known(workspace: Workspace, _: ReportProgress) -> LoadedRecords[KnownAsset]:
    """Read what is known; the total counts what was added without an id, too. Raises JournalError."""
    done = workspace.journal.ledger_history.list_done(workspace.actor, KINDS)
    known = known_of(done)
    return LoadedRecords(known, len(known) + sum(each.kind == ADD.kind and each.result_id is None for each in done))
