"""Reading and fitting a shapefile of 5 MB and a KML of 20 MB, against pyshp and fastkml, which only read them.

Ours reads in a confined process, checks every shape, measures the loss of simplifying, and writes the files to send.
"""

import io
import time
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

import shapefile
from fastkml import KML

from shapes.preparing import Prepared, PrepareOptions, ShapeFile, prepare, shape_files
from tests.generated_shapes import in_system, kml_of, neighbors, shapefile_of

MEGABYTE = 2**20
SECONDS = 60.0


def run() -> bool:
    """Measure, print the table, and return whether each is done in time and fits."""
    land = neighbors(8, 8, 1700)
    cases: list[tuple[str, str, bytes, int, Callable[[bytes], int]]] = [
        ("5 MB shapefile", "land.zip", shapefile_of(in_system(land, "EPSG:25832"), "EPSG:25832"), 1, by_pyshp),
        ("20 MB KML", "land.kml", kml_of(neighbors(8, 8, 2300)), 3, by_fastkml),
    ]
    print(f"{'':16} {'MB':>6} {'vertices':>9} {'reading':>9} {'and fitting':>12} {'theirs':>9} {'fitted to':>10}")
    is_good = True
    for title, name, content, megabytes, theirs in cases:
        (file,), _ = shape_files([(name, content)])
        seen, reading = time_call(partial(prepare_file, file, megabytes, ""))
        fitted, fitting = time_call(partial(prepare_file, file, megabytes, "fit"))
        vertices, other = time_call(partial(theirs, content))
        assert vertices == seen.vertices
        size = len(fitted.files[0].content)
        print(
            f"{title:16} {len(content) / MEGABYTE:6.1f} {seen.vertices:9,} {reading:7.2f} s {fitting:10.2f} s"
            f" {other:7.2f} s {size / MEGABYTE:7.2f} MB"
        )
        is_good = is_good and not fitted.is_too_large and fitting < SECONDS
    return is_good


def prepare_file(file: ShapeFile, megabytes: int, fit: Any) -> Prepared:
    """Prepare the file with our code."""
    kind = file.ending if file.ending == ".kml" else ".zip"
    return prepare(file, PrepareOptions(kind, fit=fit), limit=megabytes * MEGABYTE)


def by_pyshp(content: bytes) -> int:
    """Count the positions with pyshp."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name[-3:]: io.BytesIO(archive.read(name)) for name in archive.namelist()}
    with shapefile.Reader(shp=parts["shp"], shx=parts["shx"], dbf=parts["dbf"]) as reader:
        return sum(len(each.shape.points) for each in reader.iterShapeRecords())


def by_fastkml(content: bytes) -> int:
    """Count the positions with fastkml."""
    document: Any = next(iter(KML.from_string(content.decode(), strict=False).features))
    return sum(len(mark.geometry.exterior.coords) for mark in document.features)


def time_call(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of the work, and the seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start
