"""Parse the names of coordinate systems in the spellings of files and people. Runs in the confined process."""

from __future__ import annotations

import re
from typing import Final

import pyproj

WGS84: Final = "EPSG:4326"
_LONGEST: Final = 20_000
_WITH_AUTHORITY: Final = re.compile(r"(?:.*[^a-z0-9])?(epsg|esri)(?:\.xml)?[\s:/#]+(?:[\d.]+[:/])?(\d+)/?", re.I)
"""Spellings that pyproj does not read: "EPSG 25832", "EPSG::25832", a URL ending in "epsg.xml#25832"."""
_DEGREES: Final = re.compile(r"(?:.*[^a-z0-9])?CRS:?84", re.I)
_FILES: Final = re.compile(r"[+ ](init|\w*grids|file)=(?!epsg:)", re.I)


def parse_system(text: str) -> pyproj.CRS | None:
    """Return the coordinate system that a text names; None if unknown.

    A PROJ string that refers to a file counts as unknown.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST or (text.startswith("+") and _FILES.search(text)):
        return None
    if _DEGREES.fullmatch(text):
        return pyproj.CRS.from_epsg(4326)
    found = _WITH_AUTHORITY.fullmatch(text)
    try:
        system = pyproj.CRS.from_user_input(f"{found[1]}:{found[2]}" if found else text)
    except pyproj.exceptions.ProjError:
        return None
    # A local system, such as "Undefined SRS", has no place on Earth.
    return system if system.is_geographic or system.is_projected or system.is_geocentric else None


def system_name(text: str) -> str:
    """Return a coordinate system as people know it: its EPSG number and its name."""
    system = parse_system(text)
    if system is None:
        return ""
    code = system.to_epsg()
    return f"EPSG:{code} ({system.name})" if code else str(system.name)


def are_degrees(text: str) -> bool:
    """Return whether coordinates in this system are degrees."""
    system = parse_system(text)
    return system is not None and system.is_geographic


def is_wgs84(text: str) -> bool:
    """Return whether coordinates in this system are degrees in WGS 84."""
    return bool(parse_system(text) == pyproj.CRS.from_epsg(4326))
