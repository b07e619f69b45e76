"""Confine the process that reads shapes: GDAL drivers, memory, and time."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection

SENT_DRIVERS = ("ESRI Shapefile", "KML", "LIBKML", "MEM", "Memory")
"""The drivers for the formats that the shape library accepts."""

_SKIPPED = (
    "ADBC,AIVector,AVCBin,AVCE00,AmigoCloud,Arrow,CAD,CSV,CSW,Carto,DGN,DXF,DWG,EDIGEO,EEDA,ESRIJSON,"
    "Elasticsearch,FITS,FileGDB,FlatGeobuf,GDALG,GML,GMLAS,GPKG,GPSBabel,GPX,GTFS,GeoJSON,GeoJSONSeq,GeoRSS,HANA,"
    "HDF5,HTTP,IDB,INGRES,Idrisi,Interlis,JML,JP2OpenJPEG,JSONFG,LVBAG,MBTiles,MSSQLSpatial,MVT,MapML,"
    "MiraMonVector,MongoDBv3,MySQL,NAS,NGW,OAPIF,OCI,ODBC,ODS,OGCAPI,OGR_GMT,OGR_PDS,OGR_VRT,OSM,OpenFileGDB,"
    "PCIDSK,PDF,PDS4,PGDUMP,PGEO,PLSCENES,PMTiles,Parquet,PostgreSQL,S57,SOSI,SQLite,SVG,SXF,Selafin,TopoJSON,"
    "VDV,VFK,VICAR,WAsP,WFS,XLS,XLSX,XODR,netCDF,MapInfo File"
)
"""The GDAL drivers to disable."""


def confine(
    *, most_seconds: int, most_memory_bytes: int, most_file_bytes: int, drivers: Collection[str] = SENT_DRIVERS
) -> None:
    """Allow only these GDAL drivers, and limit memory, processor time, and file size. Call it before importing GDAL."""
    skipped = ",".join(each for each in _SKIPPED.split(",") if each not in drivers)
    os.environ |= {"OGR_SKIP": skipped, "GDAL_SKIP": skipped, "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
    os.environ |= {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS": "{none}", "PROJ_NETWORK": "OFF", "GDAL_PAM_ENABLED": "NO"}
    # Slow to load, and not needed.
    for name in ("geopandas", "pandas", "pyarrow"):
        sys.modules[name] = None  # type: ignore[assignment]
    limit(most_seconds=most_seconds, most_memory_bytes=most_memory_bytes, most_file_bytes=most_file_bytes)
    import pyogrio

    unexpected = sorted(set(pyogrio.list_drivers()) - set(drivers))
    if unexpected:
        raise RuntimeError(f"GDAL would read more than shapes: {unexpected}")


def limit(*, most_seconds: int, most_memory_bytes: int, most_file_bytes: int) -> None:
    """Limit memory, processor time, and file size of this process, if the system supports limits."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most_memory_bytes, most_memory_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_file_bytes, most_file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
