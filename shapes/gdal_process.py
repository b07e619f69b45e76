"""The process that reads one shape file with GDAL: `python -m shapes.gdal_process FILE`.

It prints that it has started, and one JSON object: a shape, or `{"problem": "why not"}`. Everything that GDAL could
read beyond shapefiles and KML is switched off before GDAL is loaded.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

STARTED = "started\n"
ALLOWED_DRIVERS = ("ESRI Shapefile", "KML", "LIBKML", "MEM", "Memory")
MOST_MEMORY_BYTES = 2 * 2**30
MOST_SECONDS = 25
MOST_FEATURES = 5_000
MOST_POSITIONS = 500_000
DEEPEST_XML = 60

_SKIPPED = (
    "ADBC,AIVector,AVCBin,AVCE00,AmigoCloud,Arrow,CAD,CSV,CSW,Carto,DGN,DXF,DWG,EDIGEO,EEDA,ESRIJSON,"
    "Elasticsearch,FITS,FileGDB,FlatGeobuf,GDALG,GML,GMLAS,GPKG,GPSBabel,GPX,GTFS,GeoJSON,GeoJSONSeq,GeoRSS,HANA,"
    "HDF5,HTTP,IDB,INGRES,Idrisi,Interlis,JML,JP2OpenJPEG,JSONFG,LVBAG,MBTiles,MSSQLSpatial,MVT,MapML,"
    "MiraMonVector,MongoDBv3,MySQL,NAS,NGW,OAPIF,OCI,ODBC,ODS,OGCAPI,OGR_GMT,OGR_PDS,OGR_VRT,OSM,OpenFileGDB,"
    "PCIDSK,PDF,PDS4,PGDUMP,PGEO,PLSCENES,PMTiles,Parquet,PostgreSQL,S57,SOSI,SQLite,SVG,SXF,Selafin,TopoJSON,"
    "VDV,VFK,VICAR,WAsP,WFS,XLS,XLSX,XODR,netCDF,MapInfo File"
)
"""What GDAL reads beyond shapes, as its variables name it."""


class ShapeProblemError(Exception):
    """What is wrong with the file, in words."""


def main(path: str) -> int:
    """Read one file and print what is in it."""
    _limit_resources()
    _load_gdal()
    sys.stdout.write(STARTED)
    # From here on it would be the file that has something said.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    try:
        answer = _kml_checked_and_read(Path(path)) if path.endswith(".kml") else _read(Path(path))
    except ShapeProblemError as problem:
        answer = {"problem": str(problem)}
    sys.stdout.write(json.dumps(answer))
    return 0


def switch_off_drivers() -> None:
    """Leave GDAL the drivers it needs here; only before it is loaded."""
    os.environ |= {"OGR_SKIP": _SKIPPED, "GDAL_SKIP": _SKIPPED, "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
    os.environ |= {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS": "{none}", "PROJ_NETWORK": "OFF", "GDAL_PAM_ENABLED": "NO"}
    # Not needed for arrays of geometries, and slow to load.
    for name in ("geopandas", "pandas", "pyarrow"):
        sys.modules[name] = None  # type: ignore[assignment]


def _limit_resources() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _kml_checked_and_read(file: Path) -> dict[str, Any]:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException, ElementTree

    depth = 0
    root: str | None = None
    try:
        for event, element in ElementTree.iterparse(file, events=("start", "end"), forbid_dtd=True):
            name = str(element.tag).rpartition("}")[2]
            root = root or name
            depth += 1 if event == "start" else -1
            if depth > DEEPEST_XML:
                raise ShapeProblemError("The KML is nested too deeply.")
            if name in ("NetworkLink", "NetworkLinkControl"):
                raise ShapeProblemError("The KML refers to another file, which is not followed.")
            if event == "end":
                element.clear()
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise ShapeProblemError("The file is not KML that can be read.") from error
    if root != "kml":
        raise ShapeProblemError("The file is not KML.")
    return _read(file)


def _load_gdal() -> None:
    switch_off_drivers()
    import pyogrio

    left_over = sorted(set(pyogrio.list_drivers()) - set(ALLOWED_DRIVERS))
    if left_over:
        raise RuntimeError(f"GDAL would read more than shapes: {left_over}")


def _read(file: Path) -> dict[str, Any]:
    import shapely

    features: list[dict[str, Any]] = []
    positions = 0
    bounds = [float("inf"), float("inf"), float("-inf"), float("-inf")]
    for geometry, name in _geometries(file):
        features.append(
            {"type": "Feature", "properties": {"name": name}, "geometry": json.loads(shapely.to_geojson(geometry))}
        )
        positions += int(shapely.get_num_coordinates(geometry))
        if len(features) > MOST_FEATURES or positions > MOST_POSITIONS:
            raise ShapeProblemError(f"The file has more than {MOST_FEATURES} shapes or {MOST_POSITIONS} positions.")
        west, south, east, north = geometry.bounds
        bounds = [min(bounds[0], west), min(bounds[1], south), max(bounds[2], east), max(bounds[3], north)]
    if not features:
        raise ShapeProblemError("The file holds no shape.")
    if bounds[0] < -180.001 or bounds[2] > 180.001 or bounds[1] < -90.001 or bounds[3] > 90.001:
        raise ShapeProblemError(
            "The shapes lie outside of -180 to 180 and -90 to 90 degrees; is the .prj file missing?"
        )
    collection = json.dumps({"type": "FeatureCollection", "features": features}, separators=(",", ":"))
    extent = dict(zip(("west", "south", "east", "north"), bounds, strict=True))
    return {"geometry": collection, "feature_count": len(features), **extent}


def _geometries(file: Path) -> Any:
    import numpy as np
    import pyogrio
    import pyogrio.errors
    import pyogrio.raw
    import shapely

    try:
        for layer, _kind in pyogrio.list_layers(str(file)):
            meta, _fids, encoded, values = pyogrio.raw.read(
                str(file), layer=layer, force_2d=True, max_features=MOST_FEATURES + 1
            )
            if encoded is None:
                continue
            shapes = shapely.from_wkb(encoded, on_invalid="ignore")
            shapes = _in_wgs84(shapes, meta.get("crs"))
            fields = [str(name).lower() for name in meta["fields"]]
            names = values[fields.index("name")] if "name" in fields else [None] * len(shapes)
            for shape, name in zip(shapes, names, strict=True):
                if shape is not None and not shape.is_empty:
                    if not np.isfinite(shape.bounds).all():
                        raise ShapeProblemError("The file has a position that is not a number.")
                    yield shape, str(name) if isinstance(name, str) and name else None
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, pyogrio.errors.FeatureError) as error:
        raise ShapeProblemError("The file cannot be read as a shape.") from error
    except (pyogrio.errors.GeometryError, shapely.errors.ShapelyError, UnicodeError) as error:
        raise ShapeProblemError("The file has a geometry that cannot be read.") from error


def _in_wgs84(shapes: Any, crs: str | None) -> Any:
    import pyproj
    import shapely

    if not crs:
        return shapes
    try:
        source = pyproj.CRS.from_user_input(crs)
        if source == pyproj.CRS.from_epsg(4326):
            return shapes
        transformer = pyproj.Transformer.from_crs(source, 4326, always_xy=True)
        return shapely.transform(shapes, transformer.transform, interleaved=False)
    except pyproj.exceptions.ProjError as error:
        raise ShapeProblemError("The coordinates cannot be brought to WGS 84.") from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
