"""Read GPX, and clean KML before GDAL reads it. Runs in the confined process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as PlainTree
from xml.etree.ElementTree import ParseError

import numpy as np
import shapely
from defusedxml import DefusedXmlException, ElementTree

from shapes.encodings import encoding_by_name
from shapes.features import Layer, ReadOptions, ShapeProblemError, clean_columns, clean_text

DEEPEST_XML: Final = 60
_LINKS: Final = ("NetworkLink", "NetworkLinkControl")
_OVERLAYS: Final = ("GroundOverlay", "PhotoOverlay")
_DECLARATION: Final = re.compile(rb"""\s*+<\?xml[^>]{0,200}?encoding\s*+=\s*+["']([^"']{1,60})["'][^>]{0,200}\?>""")
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_MOST_NAMED: Final = 5
"""The number of links that a finding names."""
_NOT_KML: Final = "The file is not valid KML."
_GPX_TEXTS: Final = ("name", "desc", "cmt", "type", "time", "sym")
_GPX_LAYERS: Final = {"wpt": "waypoints", "rte": "routes", "trk": "tracks"}


def check_kml(file: Path, options: ReadOptions) -> None:
    """Rewrite a KML file in UTF-8 without links to other files. Raises `ShapeProblemError` if it isn't plain KML."""
    raw = file.read_bytes()
    if not raw.startswith(_UTF_16):
        _write_in_utf8(file, raw, options)
    links = placemarks = overlays = 0
    for event, name, element in _elements(file, _NOT_KML, root="kml"):
        if event == "start":
            links += name in _LINKS
            placemarks += name == "Placemark"
            overlays += name in _OVERLAYS
        else:
            element.clear()
    if overlays:
        noun = "image on the map is" if overlays == 1 else "images on the map are"
        options.note_change("overlay", f"{overlays:,} {noun} skipped.", overlays)
    if not links:
        return
    if options.findings is None or not placemarks:
        raise ShapeProblemError("The KML refers to another file, which isn’t read. Save what it shows as a file.")
    labels = [f"“{each}”" for each in _remove_links(file)[:_MOST_NAMED]]
    noun = "link to another file is" if links == 1 else "links to other files are"
    which = f": {', '.join(labels)}" if labels else ""
    message = f"{links:,} {noun} not followed{which}. What the links show is not in this file."
    options.note_change("link", message, links)


def read_gpx(file: Path, most_features: int) -> Iterator[tuple[str, Layer]]:
    """Read the waypoints, routes, and tracks of a GPX file, one layer each."""
    features: dict[str, list[tuple[Any, dict[str, Any]]]] = {layer: [] for layer in _GPX_LAYERS.values()}
    segments: list[list[tuple[float, float]]] = [[]]
    for event, name, element in _elements(file, "The file is not valid GPX.", root="gpx"):
        if event == "start":
            if name in ("trk", "rte", "trkseg"):
                segments = [*(segments if name == "trkseg" else []), []]
            continue
        try:
            if name in ("trkpt", "rtept", "wpt"):
                segments[-1].append((float(element.get("lon", "nan")), float(element.get("lat", "nan"))))
        except ValueError as error:
            raise ShapeProblemError("The GPX has a position that isn’t a number.") from error
        if name in _GPX_LAYERS:
            texts = {_local(child): child.text for child in element if _local(child) in _GPX_TEXTS}
            features[_GPX_LAYERS[name]].append((_path_of(segments), texts))
            segments = [[]]
        if name in ("trkpt", "rtept", "trkseg", *_GPX_LAYERS):
            element.clear()
        if max(map(len, features.values())) > most_features:
            break
    for layer, found in features.items():
        if found:
            shapes = np.empty(len(found), dtype=object)
            shapes[:] = [shape for shape, _ in found]
            columns = clean_columns((each, [texts.get(each) for _, texts in found]) for each in _GPX_TEXTS)
            yield layer, Layer(shapes, columns)


def _path_of(segments: list[list[tuple[float, float]]]) -> Any:
    pieces = [each for each in segments if each]
    points = [each[0] for each in pieces if len(each) == 1]
    lines = [each for each in pieces if len(each) > 1]
    if lines:
        return shapely.LineString(lines[0]) if len(lines) == 1 else shapely.MultiLineString(lines)
    return shapely.Point(points[0]) if points else None


def _elements(file: Path, problem: str, *, root: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the start and end of each element with its local name. Raises `ShapeProblemError` for unsafe XML."""
    depth = 0
    try:
        for event, element in ElementTree.iterparse(file, events=("start", "end"), forbid_dtd=True):
            name = _local(element)
            if depth == 0 and name != root:
                raise ShapeProblemError(problem)
            depth += 1 if event == "start" else -1
            if depth > DEEPEST_XML:
                raise ShapeProblemError("The file is nested too deeply.")
            yield event, name, element
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise ShapeProblemError(problem) from error


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _write_in_utf8(file: Path, raw: bytes, options: ReadOptions) -> None:
    head = _DECLARATION.match(raw.removeprefix(b"\xef\xbb\xbf"))
    declared = encoding_by_name(head[1].decode("ascii", "replace")) if head else "utf-8"
    texts = [] if raw.isascii() else [each for each in re.split(b"[<>]", raw) if not each.isascii()]
    encoding = options.choose_encoding(texts, declared)
    if encoding != "utf-8" or (head and declared != "utf-8"):
        body = raw[head.end() :] if head else raw
        file.write_text(f'<?xml version="1.0" encoding="UTF-8"?>{body.decode(encoding, "replace")}', encoding="utf-8")


def _remove_links(file: Path) -> list[str]:
    """Remove the links to other files. Return their names."""
    tree = ElementTree.parse(file, forbid_dtd=True)
    top = tree.getroot()
    PlainTree.register_namespace("", str(top.tag).rpartition("}")[0].removeprefix("{"))
    removed: list[str] = []
    for parent in list(top.iter()):
        for child in list(parent):
            if _local(child) in _LINKS:
                parent.remove(child)
                removed += [clean_text(each.text) for each in child if _local(each) == "name" and each.text]
    tree.write(file, encoding="UTF-8", xml_declaration=True)
    return removed
