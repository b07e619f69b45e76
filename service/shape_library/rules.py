"""The rules for names of regions and folders, and for files (interface: Shape library)."""

from __future__ import annotations

from pathlib import PurePosixPath

from client.vocabulary.limits import MEGABYTE, SHAPE_FILE_BYTES
from service.refusals import RefusalError, invalid
from service.schema import KEY_LENGTH

LONGEST_NAME = KEY_LENGTH


def region_name(text: str | None) -> str:
    """Return the required name of a region."""
    name = _name("regionName", text)
    if name is None:
        raise invalid("Field regionName is empty.")
    return name


def folder_name(text: str | None) -> str | None:
    """Return the folder; None for the root. Subfolders are written `outer/inner`."""
    # ASSUMPTION A142: slashes separate folders; a leading or trailing slash is dropped.
    name = _name("folder", text)
    parts = [part.strip() for part in name.split("/") if part.strip()] if name else []
    return "/".join(parts) or None


def file_ending(file_name: str, size: int) -> str:
    """Return `.zip` or `.kml` for a file of allowed size."""
    ending = PurePosixPath(file_name.lower()).suffix
    if ending not in SHAPE_FILE_BYTES:
        raise invalid("Field file is invalid: a zipped shapefile (.zip) or a .kml file is needed.")
    if size == 0:
        raise invalid("Field file is empty.")
    if size > SHAPE_FILE_BYTES[ending]:
        raise invalid(f"A {ending} file can have at most {SHAPE_FILE_BYTES[ending] // MEGABYTE} MB.")
    return ending


def name_taken(name: str) -> RefusalError:
    """Return the refusal of a region name that is not unique."""
    return invalid(f"Region name: {name} already exists")


def name_unknown(name: str) -> RefusalError:
    """Return the refusal of an unknown region or folder: 404 `{status, message}`."""
    return RefusalError(404, f"Region name: {name} is not found")


def _name(field: str, text: str | None) -> str | None:
    name = (text or "").strip()
    if len(name) > LONGEST_NAME or "\0" in name:
        raise invalid(f"Field {field} is invalid: at most {LONGEST_NAME} characters.")
    return name or None
