"""The rules that a shape file must follow before it is uploaded."""

from collections.abc import Iterator

from ..errors import FieldError
from ..vocabulary.limits import MEGABYTE, SHAPE_FILE_BYTES


def shape_problems(*, file_name: str, size: int, region_name: str, folder: str | None = None) -> list[FieldError]:
    """Return what keeps a shape file from being uploaded; empty if nothing does. `size` is in bytes.

    Interface: Shape library, Shape library limits.
    """
    return list(_problems(file_name, size, region_name, folder))


def _problems(file_name: str, size: int, region_name: str, folder: str | None) -> Iterator[FieldError]:
    if not region_name.strip():
        yield FieldError("regionName", "Enter a name that no other region has.")
    if folder is not None and not folder.strip():
        yield FieldError("folder", "Enter a folder, or no folder for the top level.")
    ending = next((known for known in SHAPE_FILE_BYTES if file_name.casefold().endswith(known)), None)
    if ending is None:
        endings = " or ".join(SHAPE_FILE_BYTES)
        yield FieldError("file", f"“{file_name}” is not a shape file. Select a zipped shapefile or KML ({endings}).")
    elif size == 0:
        yield FieldError("file", f"“{file_name}” is empty.")
    elif size > SHAPE_FILE_BYTES[ending]:
        most = SHAPE_FILE_BYTES[ending] // MEGABYTE
        yield FieldError("file", f"“{file_name}” is {size / MEGABYTE:.2f} MB. A {ending} file can be up to {most} MB.")
