"""German, French, Spanish, and Italian headings with their English translations."""

from __future__ import annotations

from functools import cache
from typing import Final

from domain.geography.folding import fold

_TABLE: Final = """
record locator = codice prenotazione, numero prenotazione, riferimento prenotazione, buchungscode, buchungsnummer,
    buchungsreferenz, reservierungscode, référence de réservation, référence dossier, numéro de dossier,
    code de réservation, localizador, localizador de reserva, código de reserva
employee id = matricola, codice dipendente, personalnummer, mitarbeiternummer, mitarbeiter id, personal nr,
    matricule, numéro d'employé, identifiant employé, número de empleado, id empleado, nº empleado
traveler = viaggiatore, passeggero, nome passeggero, nome viaggiatore, reisender, reisende, reisender name,
    passagier, voyageur, passager, nom du voyageur, viajero, pasajero, nombre del viajero
first name = vorname, prénom, nombre de pila
last name = cognome, nachname, familienname, nom de famille, apellido, apellidos
email = e-mail-adresse, mailadresse, courriel, adresse e-mail, adresse électronique, correo, correo electrónico
phone = telefon, telefonnummer, mobiltelefon, handy, handynummer, téléphone, numéro de téléphone, portable,
    teléfono, número de teléfono, móvil
flight number = volo, numero volo, n volo, flugnr, zugnummer, numéro de train, flug, flugnummer, flug nr, vol,
    numéro de vol, n° de vol, vuelo, número de vuelo, nº de vuelo
airline = compagnia aerea, vettore, fluggesellschaft, airline name, compagnie, compagnie aérienne, aerolínea,
    compañía aérea
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


@cache
def _translations() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.replace(",\n ", ",").strip().splitlines():
        english, _, others = line.partition(" = ")
        for other in others.split(","):
            key = fold(other).replace(" ", "")
            found[key] = (*found.get(key, ()), fold(english).replace(" ", ""))
    return found


def english_headings(heading: str) -> tuple[str, ...]:
    """Return the English translations of a squashed heading, squashed too."""
    return _translations().get(heading, ())
