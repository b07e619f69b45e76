"""The vocabulary of public alerts: categories with their events, levels, types, and limits.

Interface: Public-alert message, Events by category.
"""

from typing import Final

EVENTS_BY_CATEGORY: Final[dict[str, tuple[str, ...]]] = {
    "CBRNE": (
        "Chemical Emergency",
        "Bioterrorism Attack",
        "Nuclear Attack",
        "High-Yield Explosive Threat",
        "High-Yield Explosive Attack",
        "Radiation Emergency",
        "Mass Casualties",
        "Nuclear Power Plant Warning",
    ),
    "Env": (
        "Air Pollution",
        "Soil Contamination",
        "Water Pollution",
        "Noise Pollution",
        "Acid Rain",
        "Toxic Waste",
    ),
    "Fire": (
        "Structure Fire",
        "Forest Fire",
        "Wildfire",
        "Industrial Fire",
        "Rescue Operation",
    ),
    "Geo": (
        "Earthquake",
        "Tsunami Warning",
        "Tsunami Watch",
        "Avalanche",
        "Volcanic Eruption",
        "Landslide",
        "Mudslide",
        "Wildfire",
        "Geomagnetic Storm",
        "Solar Radiation Storm",
        "Radio Blackouts",
    ),
    "Health": (
        "Influenza Epidemic",
        "Virus or Contagious Disease Outbreak",
        "Foodborne Disease Outbreak",
        "Boil Order",
    ),
    "Infra": (
        "Power Outage",
        "Gas Leak",
        "Utility Emergency",
        "Telecommunications Emergency",
        "Water Control Facilities",
        "Buildings and Equipment",
    ),
    "Met": (
        "NWS Rebroadcast",
        "NOAA Rebroadcast",
        "Severe Thunderstorm Warning",
        "Severe Thunderstorm Statement",
        "Winter Storm Watch",
        "Winter Storm Warning",
        "Blizzard Warning",
        "Blizzard Watch",
        "Tornado Warning",
        "Tornado Watch",
        "Flash Flood Warning",
        "Flash Flood Watch",
        "Tropical Storm Warning",
        "Tropical Storm Watch",
        "Hurricane Warning",
        "Hurricane Watch",
        "Flood Warning",
        "Flood Watch",
        "Excessive Heat Warning",
        "Excessive Heat Watch",
        "High Wind Warning",
        "High Wind Watch",
        "Dense Fog Advisory",
        "Freeze Warning",
        "Freeze Watch",
        "Frost Advisory",
    ),
    "Other": (
        "Routine Monthly Test",
        "Routine Weekly Test",
    ),
    "Rescue": (
        "Mountain Rescue",
        "Ground Search and Rescue",
        "Urban Search and Rescue",
        "Air-Sea Search and Rescue",
    ),
    "Safety": (
        "Missing Person",
        "Amber Alert",
        "Attempted Child Abduction",
        "Missing Child",
        "Severe Weather Warning",
        "Severe Weather Watch",
        "Debris Removal",
        "Road Closure",
        "Power Outage",
        "Gas Leak",
        "Campus Lockdown",
        "Campus Shooting",
        "Weapons on Campus",
        "School Hostage Situation",
        "Evacuation Immediate",
    ),
    "Security": (
        "Missing Person",
        "Amber Alert",
        "Attempted Child Abduction",
        "Missing Child",
        "Traffic Emergency",
        "Wanted Person",
        "Suspect Wanted",
        "Attempted Kidnapping",
        "Kidnapping",
        "Ongoing Investigation",
        "Police Activity",
        "Criminal Activity",
        "Blue Alert",
        "Silver Alert",
    ),
    "Transport": (
        "Road Closure",
        "Vehicle Accident",
        "Travel Warning",
        "Travel Emergency",
        "Travel Derailment",
        "Snow Emergency",
    ),
}
"""The events of each category, in the interface's order. Case-sensitive."""

CATEGORIES: Final = tuple(EVENTS_BY_CATEGORY)
URGENCIES: Final = ("Immediate", "Expected", "Future", "Past", "Unknown")
SEVERITIES: Final = ("Extreme", "Severe", "Moderate", "Minor", "Unknown")
CERTAINTIES: Final = ("Observed", "Likely", "Possible", "Unlikely", "Unknown")

ACTION_CREATE: Final = "create"
"""The only accepted action. A sent alert cannot be changed or recalled."""

TYPES: Final[dict[int, str]] = {2: "Alert", 3: "Advisory", 5: "Community"}
JURISDICTION_ALL: Final = "all"
JURISDICTION_SOME: Final = "some"
JURISDICTIONS: Final = (JURISDICTION_ALL, JURISDICTION_SOME)

EXPIRE_HOURS: Final = range(1, 25)
"""Hours until an alert ends, sent as a string."""

CONTACT_PHONE_LENGTHS: Final = (3, 10)
ROUTINE_TESTS: Final = EVENTS_BY_CATEGORY["Other"]
"""The events that are tests by name."""
