"""What CAP and the interface call alike, and the codes by which CAP files name events."""

from __future__ import annotations

from typing import Final

from components.public_alerts.draft import ALL_CLEAR, CORRECTION, EXTENSION, FALSE_ALARM, UPGRADE, FollowUp

NAMESPACE: Final = "urn:oasis:names:tc:emergency:cap:1.2"
OWN: Final = "muster:"
"""Begins the names of parameters for what CAP has no element for."""
REGION: Final = f"{OWN}regionId"
MESSAGE_TYPES: Final[dict[FollowUp, str]] = {
    UPGRADE: "Update",
    EXTENSION: "Update",
    ALL_CLEAR: "Update",
    CORRECTION: "Update",
    FALSE_ALARM: "Cancel",
}
"""Of what goes on from another alert; all else is an `Alert`."""
# 47 CFR 11.31(e): the event codes of the Emergency Alert System that mean what an event of the interface means.
SAME_EVENTS: Final = {
    "AVW": "Avalanche",
    "BLU": "Blue Alert",
    "BZW": "Blizzard Warning",
    "CAE": "Amber Alert",
    "EQW": "Earthquake",
    "EVI": "Evacuation Immediate",
    "FFA": "Flash Flood Watch",
    "FFW": "Flash Flood Warning",
    "FLA": "Flood Watch",
    "FLW": "Flood Warning",
    "HMW": "Chemical Emergency",
    "HUA": "Hurricane Watch",
    "HUW": "Hurricane Warning",
    "HWA": "High Wind Watch",
    "HWW": "High Wind Warning",
    "NUW": "Nuclear Power Plant Warning",
    "RHW": "Radiation Emergency",
    "RMT": "Routine Monthly Test",
    "RWT": "Routine Weekly Test",
    "SVR": "Severe Thunderstorm Warning",
    "SVS": "Severe Thunderstorm Statement",
    "TOA": "Tornado Watch",
    "TOE": "Telecommunications Emergency",
    "TOR": "Tornado Warning",
    "TRA": "Tropical Storm Watch",
    "TRW": "Tropical Storm Warning",
    "TSA": "Tsunami Watch",
    "TSW": "Tsunami Warning",
    "VOW": "Volcanic Eruption",
    "WSA": "Winter Storm Watch",
    "WSW": "Winter Storm Warning",
}
OLD_CERTAINTY: Final = {"Very Likely": "Likely"}
"""A word of CAP 1.0, and what it became."""
