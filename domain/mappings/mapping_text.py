"""Attributes and groups of a mapping as one line of text, for lists, files, and links.

    department = Sales | Legal; site = BER
    88011 = Berlin office; 88012

A text is put in double quotes if it contains a separator or begins or ends with a space. Quotes inside it are doubled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from client.models.lookup_mappings import LookupMapping, LookupMappingRequest, MappingAttribute, TargetGroup
from domain.text.plain_text import id_in

Attributes: TypeAlias = Sequence[tuple[str, Sequence[str]]]
"""Names with their values, in order. A name may occur twice."""

_TOKEN: Final = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*(?=[;|=]|$)|([;|=])|([^;|="\s](?:[^;|=]*[^;|=\s])?))\s*')
_NEEDS_QUOTES: Final = re.compile(r'[;|="]|^\s|\s$|^$|[^\S ]')
_HOW: Final = "Use this format: department = Sales | Legal; site = BER."


def attributes_of(mapping: LookupMapping | LookupMappingRequest) -> Attributes:
    """Return the attributes of a mapping, with values as text."""
    return [(each.name or "", [str(value) for value in each.values]) for each in mapping.attributes]


def groups_of(mapping: LookupMapping) -> list[tuple[int | None, str | None]]:
    """Return the groups of a mapping as (ID, name)."""
    return [(each.id, each.name) for each in mapping.target_groups]


def attributes_text(attributes: Attributes) -> str:
    """Write attributes as one line."""
    return "; ".join(f"{_quoted(name)} = {' | '.join(map(_quoted, values))}" for name, values in attributes)


def groups_text(groups: Iterable[tuple[int | None, str | None]]) -> str:
    """Write groups, given as (ID, name), as one line."""
    return "; ".join(f"{number or '?'}{f' = {_quoted(name)}' if name else ''}" for number, name in groups)


def read_attributes(text: str) -> list[MappingAttribute]:
    """Read attributes as `attributes_text` writes them, or as people type them.

    Raises ValueError with a message if a part is missing or a separator is in the wrong place.
    """
    found = []
    for parts in _split(list(_tokens(text)), ";"):
        if not parts:
            continue
        if len(parts) < 3 or parts[1] != (True, "=") or parts[0][0]:
            raise ValueError(f"An attribute needs a name, an equals sign, and a value. {_HOW}")
        name = parts[0][1]
        values = _split(parts[2:], "|")
        if any(len(value) != 1 or value[0][0] for value in values):
            raise ValueError(f"“{name}” has a value that is empty or needs quotation marks. {_HOW}")
        found.append(MappingAttribute(name=name, values=[value[0][1] for value in values]))
    if not found:
        raise ValueError(f"Enter at least one attribute. {_HOW}")
    return found


def read_groups(text: str) -> list[TargetGroup]:
    """Read groups, each as ID or as ID and name. IDs alone may be separated by commas or spaces.

    Raises ValueError with a message for what is not an ID.
    """
    found = []
    for parts in _split(list(_tokens(text)), ";"):
        match parts:
            case []:
                continue
            case [(False, text_of_id)]:
                bare = re.fullmatch(r"[\d\s,]+", text_of_id)
                found += (
                    [_group(each) for each in text_of_id.replace(",", " ").split()]
                    if bare
                    else [_group(*text_of_id.split(None, 1))]
                )
            case [(False, number), (True, "="), (False, name)]:
                found.append(_group(number, name))
            case _:
                raise ValueError("Enter a group as its ID, or as ID and name: 88011 = Berlin office.")
    if not found:
        raise ValueError("Enter at least one group ID, such as 88011.")
    return found


def _group(text_of_id: str, name: str = "") -> TargetGroup:
    number = id_in(text_of_id)
    if number is None:
        raise ValueError(f"“{text_of_id}” is not a group ID. A group ID is a whole number above 0.")
    return TargetGroup(id=number, name=name or None)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _tokens(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (is separator, text) for each token."""
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"A quotation mark is in the wrong place at “{text[at : at + 20]}”. {_HOW}")
        if match[2]:
            yield True, match[2]
        else:
            yield False, match[3] if match[1] is None else match[1].replace('""', '"')
        at = match.end()


def _split(tokens: list[tuple[bool, str]], sign: str) -> list[list[tuple[bool, str]]]:
    parts: list[list[tuple[bool, str]]] = [[]]
    for token in tokens:
        if token == (True, sign):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
