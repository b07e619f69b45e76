"""Prepare a shape file for the library: read, check, repair, simplify, and write it. Runs in the confined process."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

PREPARING_SECONDS: Final = 100
MOST_FILE_BYTES: Final = 256 * 2**20
MOST_FEATURES: Final = 50_000
MOST_POSITIONS: Final = 2_000_000
ROWS_SHOWN: Final = 5_000
VERTICES_SHOWN: Final = 15_000
REQUEST: Final = "request.json"


def prepare_folder(folder: Path) -> bytes:
    """Prepare the file in a folder as `request.json` in that folder says.

    Returns eight bytes with the length of a JSON header, the header, and the content of each file to send.
    """
    from shapes.features import ShapeProblemError

    request = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    files: list[bytes] = []
    try:
        head = _prepared(folder, request, files)
    except ShapeProblemError as problem:
        head, files = {"problem": str(problem)}, []
    except MemoryError:
        head, files = {"problem": "The file has too many vertices for the available memory."}, []
    encoded = json.dumps(head).encode()
    return b"".join([len(encoded).to_bytes(8, "big"), encoded, *files])


def _prepared(folder: Path, request: dict[str, Any], files: list[bytes]) -> dict[str, Any]:
    import numpy as np
    import shapely

    from shapes.features import ReadOptions, is_empty
    from shapes.file_writers import describe_shortening, write_layer
    from shapes.findings import Finding
    from shapes.layers import read_layer
    from shapes.repairs import Repairs
    from shapes.simplifying import NoFitError, measure_loss, simplify_to_fit, split

    file = folder / request["file"]
    if ".shx" in request["missing"] and file.suffix == ".shp":
        file.with_suffix(".shx").write_bytes(_index(file.read_bytes()))
    options = ReadOptions(request["encoding"], findings=[])
    layer = read_layer(file, most_features=MOST_FEATURES, most_positions=MOST_POSITIONS, options=options)
    repairs = Repairs(layer, request["repairs"], options.findings or ())
    read = repairs.layer
    repairs.repair_all(missing=request["missing"], crs=request["crs"])
    layer, kind, limit = repairs.layer, request["kind"], request["limit"]
    if is_empty(layer.shapes).all():
        repairs.findings.append(Finding("nothing", "No shape is left in the file.", blocks=True))
    head: dict[str, Any] = {
        "facts": {
            "features": len(read.shapes),
            "vertices": int(shapely.get_num_coordinates(read.shapes).sum()),
            "sorts": Counter(_sort(each) for each in read.shapes),
            "crs": _name_of(read.crs),
            "extent": _extent(layer.shapes),
        },
        "columns": {name: values[:ROWS_SHOWN] for name, values in layer.columns.items()},
        "vertices": shapely.get_num_coordinates(layer.shapes[:ROWS_SHOWN]).tolist(),
        "before": _preview(repairs.layer_before_repairs.shapes),
        "after": None,
        "files": [],
        "loss": None,
    }
    is_rewritten = any(each.is_repaired for each in repairs.findings) or not request["as_it_is"]
    own_size = request["as_it_is"]
    is_too_large = not is_rewritten and own_size > limit
    is_mixed = len({*shapely.get_dimensions(layer.shapes)} - {-1}) > 1 or (shapely.get_type_id(layer.shapes) == 7).any()
    if (is_rewritten or is_too_large) and kind == ".zip" and is_mixed:
        message = "A shapefile can have only areas, only lines, or only points. Remove the others, or send KML."
        repairs.findings.append(Finding("mixed", message, blocks=True))
    is_written = is_rewritten or (is_too_large and request["fit"])
    is_blocked = any(each.blocks for each in repairs.findings)
    if kind == ".zip" and is_written and not is_blocked and (shortened := describe_shortening(layer, folder)):
        repairs.findings.append(Finding("shortened", shortened))
    head["findings"] = [asdict(each) for each in repairs.findings]
    if is_blocked:
        return head
    if not is_rewritten and (not is_too_large or not request["fit"]):
        head["files"] = [{"bytes": own_size, "features": len(layer.shapes)}]
        return head
    write = partial(write_layer, kind=kind, folder=folder)

    def size(part: Any) -> int:
        return len(write(part))

    parts = [layer]
    try:
        if request["fit"] == "fit":
            parts = [simplify_to_fit(layer, limit, size)]
        elif request["fit"] == "split":
            parts = split(layer, limit, size)
    except NoFitError as error:
        head["problem_of_fit"] = str(error)
    files.extend(write(part) for part in parts)
    after = np.concatenate([part.shapes for part in parts])
    head["files"] = [
        {"bytes": len(content), "features": len(part.shapes)} for content, part in zip(files, parts, strict=True)
    ]
    head["loss"] = asdict(measure_loss(layer.shapes, after))
    head["after"] = _preview(after)
    return head


def _index(shapefile: bytes) -> bytes:
    """Return the `.shx` of a `.shp`: the offset and length of each record, in words of two bytes."""
    records, at = [], 100
    while at + 8 <= len(shapefile):
        words = int.from_bytes(shapefile[at + 4 : at + 8], "big", signed=True)
        if words < 2 or at + 8 + 2 * words > len(shapefile):
            break
        records.append((at // 2).to_bytes(4, "big") + words.to_bytes(4, "big"))
        at += 8 + 2 * words
    length = (50 + 4 * len(records)).to_bytes(4, "big")
    return shapefile[:24] + length + shapefile[28:100] + b"".join(records)


def _sort(shape: Any) -> str:
    import shapely

    return {-1: "nothing", 0: "points", 1: "lines", 2: "areas"}[int(shapely.get_dimensions(shape))]


def _name_of(crs: str) -> str:
    from shapes.systems import parse_system

    system = parse_system(crs)
    if system is None:
        return ""
    code = system.to_epsg()
    return f"EPSG:{code}" if code else str(system.name)


def _extent(shapes: Any) -> list[float] | None:
    import numpy as np

    from shapes.features import extent_of

    extent = extent_of(shapes)
    return [float(each) for each in extent] if np.isfinite(extent).all() else None


def _preview(shapes: Any) -> list[Any]:
    """Return the index and GeoJSON of each feature with positions, simplified for a map of some thousand pixels."""
    import numpy as np
    import shapely

    from shapes.features import is_empty, is_finite

    shown = np.flatnonzero(is_finite(shapes) & ~is_empty(shapes))
    drawn = shapes[shown]
    west, south, east, north = shapely.bounds(drawn).T
    on_map = (west >= -360) & (east <= 360) & (south >= -90) & (north <= 90)
    shown, drawn = shown[on_map], drawn[on_map]
    if not len(drawn):
        return []
    tolerance = max(np.ptp(shapely.total_bounds(drawn)[[0, 2]]), np.ptp(shapely.total_bounds(drawn)[[1, 3]])) / 4000
    while shapely.get_num_coordinates(drawn).sum() > VERTICES_SHOWN and tolerance < 10:
        drawn = shapely.simplify(drawn, tolerance, preserve_topology=False)
        is_left = ~shapely.is_empty(drawn)
        shown, drawn, tolerance = shown[is_left], drawn[is_left], tolerance * 2
    rounded = shapely.transform(drawn, lambda at: np.round(at, 5))
    texts = np.atleast_1d(shapely.to_geojson(rounded))
    return [[int(place), json.loads(text)] for place, text in zip(shown, texts, strict=True)]
