"""German, French, Spanish, and Italian headings with their English translations.

Whole headings are in a table. Other headings are read word by word: "Heure locale d'arrivée" is "arrival time".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from domain.geography.folding import fold

_TABLE: Final = """
record locator = codice prenotazione, numero prenotazione, riferimento prenotazione, buchungscode, buchungsnummer,
    buchungsreferenz, reservierungscode, référence de réservation, référence dossier, numéro de dossier,
    code de réservation, localizador, localizador de reserva, código de reserva
employee id = matricola, codice dipendente, personalnummer, mitarbeiternummer, mitarbeiter id, personal nr,
    matricule, numéro d'employé, identifiant employé, número de empleado, id empleado, nº empleado
traveler = viaggiatore, passeggero, nome passeggero, nome viaggiatore, reisender, reisende, reisender name,
    passagier, voyageur, passager, nom du voyageur, viajero, pasajero, nombre del viajero, vor- und nachname,
    nach- und vorname, vor-/nachname, nach-/vorname
first name = vorname, prénom, nombre de pila
last name = cognome, nachname, familienname, nom de famille, apellido, apellidos
email = e-mail-adresse, mailadresse, courriel, adresse e-mail, adresse électronique, correo, correo electrónico
phone = telefon, telefonnummer, mobiltelefon, handy, handynummer, téléphone, numéro de téléphone, portable,
    teléfono, número de teléfono, móvil
flight number = volo, numero volo, n volo, flugnr, zugnummer, numéro de train, flug, flugnummer, flug nr, vol,
    numéro de vol, n° de vol, vuelo, número de vuelo, nº de vuelo
supplier = fournisseur, prestataire, anbieter, leistungsträger, proveedor, fornitore, compagnie hôtel, anbieter hotel,
    compagnie/hôtel, hotel airline, aerolínea hotel, compañía hotel, fluggesellschaft hotel, vendor name, supplier,
    bezeichnung, leistungsbeschreibung, désignation, libellé, detalle
airline = compagnia aerea, vettore, fluggesellschaft, airline name, compagnie, compagnie aérienne, aerolínea,
    compañía aérea
airline code = cie, cía
departure = ab, partenza, départ, salida, abflug, abfahrt
arrival = an, arrivo, arrivée, llegada, ankunft
date = datum, fecha, jour, giorno, día, tag
from = da, partenza da, aeroporto partenza, aeroporto di partenza, città partenza, città di partenza, ville départ,
    lieu de départ, gare de départ, aéroport départ, ciudad salida, aeropuerto salida, abreiseort, abfahrtsort, von,
    abflugort, startort, de, départ de, origine, ville de départ, origen, desde, ciudad de salida
to = arrivo a, aeroporto arrivo, aeroporto di arrivo, città arrivo, città di arrivo, ville arrivée,
    lieu d'arrivée, gare d'arrivée, aéroport arrivée, ciudad llegada, aeropuerto llegada, ankunftsort, nach,
    zielort, ziel, destination ville, ville d'arrivée, destino, hasta, ciudad de llegada
departure airport code = abflughafen, flughafen abflug, aéroport de départ, aeropuerto de salida
arrival airport code = zielflughafen, ankunftsflughafen, flughafen ankunft, aéroport d'arrivée,
    aeropuerto de llegada
departure date = data partenza, data di partenza, data volo, abfahrtsdatum, jour de départ, abflugdatum,
    abreisedatum, reisedatum, date de départ, date départ, fecha de salida, fecha salida
arrival date = data arrivo, data di arrivo, jour d'arrivée, ankunftsdatum, date d'arrivée, date arrivée,
    fecha de llegada, fecha llegada
departure time = ora partenza, ora di partenza, orario partenza, orario di partenza, abfahrt zeit, abflugzeit,
    abfahrtszeit, heure de départ, heure départ, hora de salida, hora salida
arrival time = ora arrivo, ora di arrivo, orario arrivo, orario di arrivo, ankunft zeit, ankunftszeit,
    heure d'arrivée, heure arrivée, hora de llegada, hora llegada
hotel = hotelname, unterkunft, nom de l'hôtel, hébergement, nombre del hotel, alojamiento
check in = check-in-datum, anreisedatum, date d'entrée, date check-in, fecha de entrada
check out = check-out-datum, abreise, date de sortie, date check-out, fecha de salida del hotel
name = bezeichnung, objektname, standortname, nom, nom du site, intitulé, nombre
external id = externe id, externe nummer, externe kennung, kennung, identifiant externe, référence externe,
    id externo
asset type = anlagentyp, objekttyp, standorttyp, typ, anlagenart, objektart, standortart, art, type d'actif,
    type de site, tipo, tipo de activo
category = kategorie, catégorie, categoría
notes = notiz, notizen, bemerkung, bemerkungen, kommentar, remarque, remarques, commentaire, notas, observaciones,
    comentario
street = straße, strasse, adresse, anschrift, rue, calle, dirección
postal code = plz, postleitzahl, code postal, código postal
city = stadt, ort, ville, localité, ciudad, localidad
state = bundesland, kanton, provinz, province, région, provincia, estado, comunidad autónoma
country = land, staat, pays, país
latitude = breite, breitengrad, geographische breite, latitud
longitude = länge, längengrad, geographische länge, longitud
starts = beginn, gültig ab, startdatum, début, date de début, valable à partir du, inicio, fecha de inicio
ends = ende, gültig bis, enddatum, fin, date de fin, valable jusqu'au, fecha de fin, fecha fin
arrives = ankunft, arrivée, llegada
expires = ablauf, läuft ab, gültig bis, expire, date d'expiration, caduca, fecha de caducidad, vence
building = gebäude, bâtiment, edificio
floor = etage, stockwerk, étage, piso, planta
room = raum, zimmer, pièce, salle, chambre, habitación, sala
attributes = attribute, merkmale, attributs, atributos
groups = gruppen, gruppe, groupes, groupe, grupos, grupo
canceled = storniert, annulé, cancelado
duration = dauer, flugdauer, reisedauer, durée, duración
"""


_PARTS: Final = """
leaves = départ, partant, dép, abflug, abfahrt, salida, sal, partenza, departure, departs, depart, dep, start, ab
arrives = arrivée, arrivé, arr, ankunft, llegada, lleg, arrivo, arrival, arrives, arrive, end, an
from = origine, origen, origin, orig, desde, von, from, abgang, abgangs, abflugs, start
to = destination, destino, dest, destinazione, hasta, nach, ziel, to, vers
date = date, datum, fecha, jour, tag, día, data, giorno, day
time = heure, uhrzeit, zeit, hora, horaire, ora, orario, time
utc = utc, gmt, zulu
zone = fuseau horaire, fuseau, zeitzone, huso horario, huso, time zone, timezone, zona horaria
place = lieu, ort, lugar, luogo, place, location, aéroport, aeropuerto, flughafen, hafen, aeroporto, airport, gare,
    bahnhof, estación, stazione, station
city = ville, stadt, ciudad, città, city, localité, localidad
country = pays, land, país, paese, country
code = code, código, cód, kürzel, codice, iata
traveler = voyageur, voyageurs, passager, passagers, viajero, viajeros, pasajero, pasajeros, reisender, reisende,
    reisenden, reisendes, passagier, passagiere, fluggast, fluggäste, teilnehmer, gast, huésped, viaggiatore,
    passeggero, traveler, traveller, passenger, pax
employee = employé, employée, salarié, collaborateur, agent, empleado, colaborador, trabajador, mitarbeiter,
    mitarbeitenden, personal, pers, matricule, matrícula, dipendente, employee, staff
name = nom complet, nombre completo, vollständiger name, nom, name, nombre, nome
first = prénom, prénoms, vorname, vornamen, nombre de pila, first name, first, given name, given names, forename
last = nom de famille, nachname, nachnamen, familienname, apellido, apellidos, cognome, last name, last, surname,
    family name
number = numéro, num, nr, no, n, nummer, número, núm, numero, identifiant, kennung, id, ref, réf, référence, referenz,
    referencia, number
locator = dossier, localizador, réservation, reserva, buchung, buchungs, reservierung, reservierungs, vorgang,
    vorgangs, expediente, prenotazione, pnr, booking, reservation, confirmation, record locator, locator
flight = vol, flug, vuelo, volo, flight, flt, train, zug, tren, treno
airline = compagnie aérienne, compagnie, fluggesellschaft, airline, aerolínea, compañía aérea, compañía, transporteur,
    carrier
hotel = hôtel, hotel, hotels, hôtels, établissement, unterkunft, alojamiento, hébergement
type = type, art, typ, tipo, leistungsart, prestation, segmentart, segmenttyp
status = statut, état, status, estado, stato, zustand
check in = check in, checkin, entrada, entrée, anreise
check out = check out, checkout, salida, sortie, abreise
mail = e mail, email, mail, courriel, correo electrónico, correo
phone = téléphone, telefon, teléfono, tél, tel, móvil, portable, handy, mobil
nothing = de, du, des, d, del, la, le, les, l, el, los, las, der, die, das, den, dem, y, et, e, und, and, of, the, s,
    en, locale, local, lokal, locales, lokale, ortszeit, lokalzeit, lt, segment, trajet, trayecto,
    tramo, strecke, reise, ticketed, scheduled, prévue, prévu, geplant, geplante, prevista, hhmm, jjmmaaaa, ttmmjjjj,
    ddmmyyyy, ddmmaaaa, aaaammjj, jjjjmmtt, yyyymmdd, mmddyyyy
"""
"""The words of headings by what they mean. A heading counts only if all of it is such words."""
_SIDES: Final = {"leaves": "departure", "from": "origin", "arrives": "arrival", "to": "destination"}
_GROUPS: Final = {
    "segment": "tramo, trayecto, trajet, strecke, teilstrecke, abschnitt, étape, tronçon, vol, vuelo, flug, tratta",
    "traveler": "voyageur, passager, viajero, pasajero, reisender, passagier, viaggiatore, passeggero",
}
_NUMBERED: Final = re.compile(r"(\D*)([0-9]{1,2})(\D*)")
MOST_SPLITS: Final = 20
MAX_LENGTH: Final = 60


@cache
def _translations() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.replace(",\n ", ",").strip().splitlines():
        english, _, others = line.partition(" = ")
        for other in others.split(","):
            key = _squash(other)
            found[key] = (*found.get(key, ()), _squash(english))
    return found


@lru_cache(maxsize=10_000)
def english_headings(heading: str) -> tuple[str, ...]:
    """Return the English translations of a squashed heading, squashed too."""
    if found := _translations().get(heading):
        return found
    numbered = _NUMBERED.fullmatch(heading)
    if numbered is None:
        return _compose(heading)
    before, number, after = numbered.groups()
    if not after:
        return tuple(f"{each}{number}" for each in english_headings(before)) if before else ()
    group = next((name for name, words in _groups() if before in words), before)
    return tuple(f"{group}{number}{each}" for each in english_headings(after))


@cache
def _groups() -> list[tuple[str, frozenset[str]]]:
    return [(name, frozenset(map(_squash, words.split(",")))) for name, words in _GROUPS.items()]


def _squash(text: str) -> str:
    return fold(text).replace(" ", "")


def _compose(heading: str) -> tuple[str, ...]:
    """Return the English heading of a heading that consists of known words."""
    for parts in _split(heading) if len(heading) <= MAX_LENGTH else ():
        if english := _translate(frozenset(parts) - {"nothing"}):
            return english
    return ()


def _translate(parts: frozenset[str]) -> tuple[str, ...]:
    """Return the headings for these meanings, or none if together they have no meaning."""
    sides = [each for each in _SIDES if each in parts]
    others = parts - {*sides}
    ends = {side in ("leaves", "from") for side in sides}
    if len(ends) == 2:
        return ("route",) if not others else ()
    if sides and "hotel" in others:
        day = "checkoutdate" if ends == {True} else "checkindate"
        return _named(others - {"hotel"}, {"": day, "date": day, "time": day.replace("date", "time")})
    if sides:
        side = _SIDES[sides[0]] if len(sides) == 1 else "departure" if ends == {True} else "arrival"
        # "Flight departure" is a departure.
        return _named(others - {"flight"}, {what: f"{side}{name}" for what, name in _ENDS.items()})
    if "hotel" in others and len(others) > 1:
        return _named(others - {"hotel"}, _HOTEL)
    if "employee" in others:
        # "Mitarbeiter" alone may be a name.
        is_number = bool(others & {"number", "code"}) or others == {"employee"}
        return ("employeeid",) if is_number and not others - {"employee", "number", "code", "traveler"} else ()
    if "traveler" in others:
        others -= {"traveler"}
    elif not others & {"first", "last", "locator", "flight", "airline", "date", "time", "type", "status"}:
        return ()
    return _named(others, _OTHERS)


_ENDS: Final = {
    "": "",
    **{each: each for each in ("date", "time", "city", "country", "code", "zone", "utc")},
    "place": "airport",
    "city place": "airport",
    "code place": "code",
    "city code": "code",
    "date time": "datetime",
    "time utc": "utc",
    "date utc": "utc",
    "date time utc": "utc",
}
_HOTEL: Final = {
    "": "hotel",
    **{each: f"hotel{each}" for each in ("city", "country", "name")},
    "check in": "checkindate",
    "check out": "checkoutdate",
}
_OTHERS: Final = {
    "": "traveler",
    "name": "traveler",
    "number": "employeeid",
    "code": "employeeid",
    "first": "firstname",
    "last": "lastname",
    "first last": "traveler",
    "first last name": "traveler",
    "first name": "traveler",
    "last name": "traveler",
    "mail": "email",
    "phone": "phone",
    **dict.fromkeys(("locator", "locator number", "code locator"), "recordlocator"),
    "date locator": "bookingdate",
    "locator status": "bookingstatus",
    **dict.fromkeys(("flight", "flight number", "airline flight", "airline flight number"), "flightnumber"),
    "airline": "airline",
    "airline name": "airline",
    "airline code": "airlinecode",
    **{each: each for each in ("date", "time", "type", "status")},
    "flight type": "type",
    "date flight": "date",
    "flight time": "time",
}


def _named(parts: frozenset[str], names: Mapping[str, str]) -> tuple[str, ...]:
    found = names.get(" ".join(sorted(parts)))
    return () if found is None else (found,)


@lru_cache(maxsize=10_000)
def _split(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to split a squashed text into known words, by their meanings, longer words first."""
    if not text:
        return ((),)
    found: list[tuple[str, ...]] = []
    for length in range(min(len(text), _longest()), 0, -1):
        meanings = _meanings().get(text[:length], ())
        if meanings:
            found += [(meaning, *rest) for rest in _split(text[length:]) for meaning in meanings]
    return tuple(found[:MOST_SPLITS])


@cache
def _meanings() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _PARTS.replace(",\n   ", ",").strip().splitlines():
        meaning, _, words = line.partition(" = ")
        for word in map(_squash, words.split(",")):
            found[word] = (*found.get(word, ()), meaning)
    return found


@cache
def _longest() -> int:
    return max(map(len, _meanings()))
