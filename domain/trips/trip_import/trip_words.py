"""Words in files for types of segments and statuses in several languages, and headings of reservation systems."""

from __future__ import annotations

import re
from typing import Final

from client.vocabulary.itineraries import ACTIVE, CANCELED
from domain.file_import.column_types import Choice

_AIR: Final = ("avion", "avión", "aérien", "luft", "volo", "flights", "airfare", "airticket", "air ticket")
_HOTEL: Final = ("hôtel", "hotels", "alojamiento", "hébergement", "unterkunft", "übernachtung", "nuitée", "lodging")
_CAR: Final = (
    *("mietwagen", "leihwagen", "voiture", "location", "location de voiture", "coche", "coche de alquiler", "auto"),
    *("alquiler de coche", "véhicule", "auto di noleggio"),
)
KINDS: Final = Choice(
    {
        **dict.fromkeys(
            ("Air", "A", "flight", "plane", "airline", "air segment", "flug", "vol", "vuelo", *_AIR), "Air"
        ),
        **dict.fromkeys(("Hotel", "H", "HTL", "HHL", "stay", "lodging", "accommodation", "room", *_HOTEL), "Hotel"),
        **dict.fromkeys(("Rail", "R", "train", "railway", "bahn", "zug", "tren", "RAL", "treno"), "Rail"),
        **dict.fromkeys(("Car", "C", "CCR", "car rental", "rental", "rental car", "car hire", "vehicle", *_CAR), "Car"),
    }
)
STATUSES: Final = Choice(
    {
        **dict.fromkeys(
            (ACTIVE, "confirmed", "ticketed", "booked", "new", "open", "ok", "HK", "issued", "invoiced", "modified"),
            ACTIVE,
        ),
        **dict.fromkeys(("bestätigt", "gebucht", "confirmé", "confirmée", "confirmado", "confirmada"), ACTIVE),
        **dict.fromkeys(("émis", "émise", "emitido", "emitida", "ausgestellt", "réservé", "réservée"), ACTIVE),
        **dict.fromkeys(("validé", "validée", "reservado", "reservada", "OK", "aktiv", "actif", "activo"), ACTIVE),
        **dict.fromkeys((CANCELED, "cancelled", "cancellation", "void", "voided"), CANCELED),
        **dict.fromkeys(("XX", "HX", "XL", "UN", "UC", "NO"), CANCELED),
        **dict.fromkeys(("refunded", "storniert", "annulé", "annulée", "cancelado", "cancelada", "anulado"), CANCELED),
        **dict.fromkeys(("anulada", "storno", "stornierung", "abgesagt", "annulation", "annullato"), CANCELED),
        **dict.fromkeys(("cancelación", "anulación"), CANCELED),
    }
)
CANCELLATION: Final = re.compile(
    r"(?<!free )\bcancel|storn(?:o|ier|ieren|ierung|iert)\b|\bannul(?:ation|ee?)\b|\banul(?:acion|ad[ao])\b"
    r"|\bannull(?:amento|at[ao])\b|\bcancellazione\b|\bannulering\b"
)
"""Words of a canceled booking in the subject of a message, folded."""
BOARD_POINT: Final = (
    "board",
    "brdpt",
    "board point",
    "board pt",
    "boarding point",
    "dep point",
    "dep pt",
    "departure point",
    "dptr",
    *("departing from", "departs from", "depart from", "leaving from", "leaves from"),
)
OFF_POINT: Final = (
    "off",
    "offpt",
    "off point",
    "off pt",
    "deboarding point",
    "arr point",
    "arr pt",
    "arrival point",
    "arvl",
    *("arriving in", "arrives in", "arrive in", "going to"),
)
