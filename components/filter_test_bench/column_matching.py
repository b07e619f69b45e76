"""Which columns of a file stand for what the rules look at: found by their headings, or as the person said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from client.vocabulary.contact_filters import COLUMNS
from components.filter_test_bench.subjects import (
    ALIASES,
    CONTAINED,
    ENDS_CALLED,
    UNTIL,
    Subject,
    named_once,
    subject_of_column,
)
from components.geography.folding import fold

_NUMBERED = re.compile(r"\d+$")


@dataclass(frozen=True)
class Match:
    """The columns that stand for one slot; `is_sure` is False where a heading only resembles, and a person should look.

    `is_chosen` tells that a person said so.
    """

    headers: tuple[str, ...] = ()
    is_sure: bool = True
    is_chosen: bool = False


Matches = Mapping[str, Match]
"""By slot: a subject's key, or that and `UNTIL`. Slots without a column have an empty match."""


def match_columns(
    headers: Sequence[str], subjects: Iterable[Subject], chosen: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Match]:
    """Find the columns for each of these subjects; what a person chose stands before what is found.

    A heading is compared without case, blanks, dots, underscores and accents: with the interface's name (and the one
    it is embedded in), with the label, with either spelling of what the interface misspells, and with usual names. A
    bare "country" is the person's own country; where the rules ask only for the address's, it is offered as unsure.
    """
    subjects = list(subjects)
    said = {slot: tuple(names) for slot, names in (chosen or {}).items() if set(names) <= set(headers)}
    squashed = {header: squash(header) for header in headers}
    matches: dict[str, Match] = {slot: Match() for subject in subjects for slot in subject.slots}
    taken = {header for slot in matches if slot in said for header in said[slot]}
    for subject in subjects:
        for slot in subject.slots:
            if slot in said:
                matches[slot] = Match(said[slot], is_chosen=True)
                continue
            names = _ends_of(subject) if slot.endswith(UNTIL) else _sure_names(subject)
            found = [
                header for header in headers if header not in taken and _is_called(squashed[header], names, subject)
            ]
            if found:
                matches[slot] = Match(tuple(found if subject.takes_several else found[:1]))
    claimed = taken | {header for match in matches.values() for header in match.headers}
    _offer_the_rest(matches, subjects, said, {h: s for h, s in squashed.items() if h not in claimed})
    return matches


def unmatched(subjects: Iterable[Subject], matches: Matches) -> list[Subject]:
    """The subjects that no column of the file stands for."""
    return [subject for subject in subjects if not any(matches[slot].headers for slot in subject.slots)]


def unsure(subjects: Iterable[Subject], matches: Matches) -> list[Subject]:
    """The subjects whose column was taken for its resemblance alone."""
    return [subject for subject in subjects if not all(matches[slot].is_sure for slot in subject.slots)]


def person_columns(headers: Sequence[str]) -> tuple[str, ...]:
    """The columns that tell who somebody is: names and external id where the file has them, else the first two."""
    who = [subject_of_column(column) for column in COLUMNS if column.name in ("firstName", "lastName", "externalId")]
    matches = match_columns(headers, who)
    found = tuple(header for subject in who for header in matches[subject.key].headers)
    return found or tuple(headers[:2])


def names_a_column(headers: Sequence[str]) -> bool:
    """Whether any of these is what a column is called that rules can look at."""
    matches = match_columns([header for header in headers if header], map(subject_of_column, COLUMNS))
    return any(match.headers and match.is_sure for match in matches.values())


def external_id_column(headers: Sequence[str]) -> str | None:
    """The column that holds the ids people are known by, where the file has one."""
    (who,) = [subject_of_column(column) for column in COLUMNS if column.name == "externalId"]
    return next(iter(match_columns(headers, [who])[who.key].headers), None)


@cache
def squash(text: str) -> str:
    """A heading reduced to its letters and digits, in the right spelling of what the interface misspells."""
    return fold(text).replace(" ", "").replace("registed", "registered")


def _offer_the_rest(
    matches: dict[str, Match],
    subjects: Sequence[Subject],
    chosen: Mapping[str, tuple[str, ...]],
    free: Mapping[str, str],
) -> None:
    """Give subjects without a column one that only resembles, unless two subjects could have it."""
    open_subjects = [subject for subject in subjects if not matches[subject.key].headers and subject.key not in chosen]
    wanted = {
        subject.key: [header for header, plain in free.items() if _resembles(plain, subject)]
        for subject in open_subjects
    }
    for subject in open_subjects:
        others = {header for key, found in wanted.items() if key != subject.key for header in found}
        found = [header for header in wanted[subject.key] if header not in others]
        if found:
            matches[subject.key] = Match(tuple(found if subject.takes_several else found[:1]), is_sure=False)


def _is_called(plain: str, names: frozenset[str], subject: Subject) -> bool:
    if plain in names:
        return True
    return subject.takes_several and not subject.attribute_id and _NUMBERED.sub("", plain) in names


@cache
def _sure_names(subject: Subject) -> frozenset[str]:
    name = squash(subject.name)
    names = {squash(subject.label), squash(subject.key)}
    if subject.attribute_id is not None:
        return frozenset(
            names | {name, *(f"{word}{name}" for word in ("custom", "attribute", "customattribute", "attributeid"))}
        )
    plain_names = {name, *map(squash, ALIASES.get(subject.name, ()))}
    if subject.name in named_once():
        names |= plain_names
    for holder in _holders(subject):
        names |= {f"{holder}{plain}" for plain in plain_names}
    if subject.embedded is None:
        names |= {name}
    return frozenset(names)


def _resembles(plain: str, subject: Subject) -> bool:
    if subject.attribute_id is not None:
        return False
    names = {squash(subject.name), *map(squash, ALIASES.get(subject.name, ()))}
    if plain in names or (subject.takes_several and _NUMBERED.sub("", plain) in names):
        return True
    return any(word in plain for word in CONTAINED.get(subject.name, ()))


@cache
def _ends_of(subject: Subject) -> frozenset[str]:
    return frozenset({f"{squash(subject.label)}until", *ENDS_CALLED.get(subject.name, ())})


def _holders(subject: Subject) -> tuple[str, ...]:
    """What may stand before a column's name in a heading, to say which of several it is."""
    expected = next(column.rule_type for column in COLUMNS if column.name == "expectedDate")
    if subject.rule_type == expected:
        return ("expected", "expectedlocation", "expectedaddress")
    if subject.embedded is None:
        return ()
    return (squash(subject.embedded), squash(subject.embedded).removesuffix("s"))
