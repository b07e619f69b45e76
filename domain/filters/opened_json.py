"""Open the JSON of contact filters, pasted or uploaded, as a draft, and describe its problems."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from client.json_text import NestedTooDeeply, parse_json
from client.models.contact_filters import ContactFilter
from domain.filters.filter_draft import FilterDraft, RuleDraft, drop_id
from domain.filters.filter_problems import find_problems

MOST_CHARACTERS: Final = 2_000_000
"""In characters. A filter with a thousand rules has about a fifth of that."""
MOST_RULES: Final = 2_000

_ABOUT_THE_FILTER: Final = 0
_RULES: Final = "contactFilterRules"
_FIELDS: Final = frozenset(field.alias or name for name, field in ContactFilter.model_fields.items())


@dataclass(frozen=True)
class OpenedJson:
    """The draft, or the problem that prevented opening it.

    `notes` are problems by number of the rule, from 1 as on the screen; number 0 is the filter itself.
    """

    draft: FilterDraft | None = None
    problem: str | None = None
    notes: list[tuple[int, str]] = field(default_factory=list)


class _OpenError(ValueError):
    """The text cannot be opened; the message says why."""


def parse_filter_json(text: str) -> OpenedJson:
    """Open the JSON of one filter: the filter alone, a response of the service, or only its rules."""
    first, *others = parse_filters_json(text)
    if not others:
        return first
    return OpenedJson(
        problem=f"The JSON contains {1 + len(others):,} filters. Open all of them in the list of filters."
    )


def parse_filters_json(text: str) -> list[OpenedJson]:
    """Open the JSON of one or several filters: at least one result."""
    try:
        value = _unwrap(_parse(text))
    except _OpenError as refused:
        return [OpenedJson(problem=str(refused))]
    is_several = isinstance(value, list) and any(isinstance(each, dict) and _RULES in each for each in value)
    return [_open(each) for each in (value if is_several else [value])]


def _open(value: Any) -> OpenedJson:
    try:
        name, rules, notes = _filter_in(value)
    except _OpenError as refused:
        return OpenedJson(problem=str(refused))
    drafts: list[RuleDraft] = []
    for number, rule in enumerate(rules, start=1):
        if isinstance(rule, dict):
            drafts.append(RuleDraft(payload=drop_id(rule)))
        else:
            notes.append((_ABOUT_THE_FILTER, f"Entry {number} of the rules is {_kind(rule)} and was skipped."))
    draft = FilterDraft(name=name, rules=drafts)
    problems = find_problems(draft)
    rule_notes = [(number, words) for number, rule in enumerate(drafts, start=1) for _, words in problems.of(rule.uid)]
    return OpenedJson(draft, None, [*notes, *rule_notes])


def _parse(text: str) -> Any:
    if len(text) > MOST_CHARACTERS:
        raise _OpenError(f"The text has {len(text):,} characters. The limit is {MOST_CHARACTERS:,}.")
    plain = text.removeprefix("\ufeff")
    if not plain.strip():
        raise _OpenError("The text is empty.")
    try:
        value = parse_json(plain, parse_constant=_reject_constant, object_pairs_hook=_reject_duplicates)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno:,}, column {error.colno:,}"
        raise _OpenError(f"The text is not JSON: {_reason(error)} at {where}.") from error
    except NestedTooDeeply as error:
        raise _OpenError("The JSON is nested too deeply.") from error
    except UnicodeEncodeError as error:
        raise _OpenError("The JSON contains an incomplete character.") from error
    except _OpenError:
        raise
    except ValueError as error:
        raise _OpenError("The JSON contains a number that is too large.") from error
    return value


def _unwrap(value: Any) -> Any:
    """Return the filter or filters inside a response of the service."""
    if isinstance(value, dict) and _RULES not in value:
        for key in ("result", "page", "data"):
            if isinstance(value.get(key), dict | list):
                return _unwrap(value[key])
    return value


def _filter_in(value: Any) -> tuple[str, list[Any], list[tuple[int, str]]]:
    notes: list[tuple[int, str]] = []
    if isinstance(value, list):
        return "", _check_count(value), notes
    if not isinstance(value, dict):
        raise _OpenError(f"The JSON is {_kind(value)}. A contact filter is an object in braces: {{ … }}.")
    if _RULES not in value:
        if "columnName" in value or "attributeId" in value:
            return "", [value], notes
        raise _OpenError(f"The object is not a contact filter. It has no “{_RULES}”.")
    rules = [] if value[_RULES] is None else value[_RULES]
    rules = [rules] if isinstance(rules, dict) else rules
    if not isinstance(rules, list):
        raise _OpenError(f"“{_RULES}” is {_kind(rules)}. It must be a list of rules.")
    name = value.get("name")
    if name is not None and not isinstance(name, str):
        notes.append((_ABOUT_THE_FILTER, f"The name is {_kind(name)} and was converted to text."))
        name = json.dumps(name, ensure_ascii=False)
    unknown = [key for key in value if key not in _FIELDS]
    if unknown:
        shown = ", ".join(f"“{key[:40]}”" for key in unknown[:5]) + (" and others" if len(unknown) > 5 else "")
        notes.append((_ABOUT_THE_FILTER, f"Fields that a filter does not have were skipped: {shown}."))
    return name or "", _check_count(rules), notes


def _check_count(rules: list[Any]) -> list[Any]:
    if len(rules) > MOST_RULES:
        raise _OpenError(f"The filter has {len(rules):,} rules. The limit is {MOST_RULES:,}.")
    return rules


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", str: "a string", list: "a list", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "a number")


def _reject_constant(word: str) -> Any:
    raise _OpenError(f"{word} isn’t a valid JSON number.")


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject an object with a duplicate name, because one of the values would be lost."""
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise _OpenError(f"“{key[:60]}” appears twice in one object. Remove one of them.")
    return dict(pairs)


def _reason(error: json.JSONDecodeError) -> str:
    known = {
        "Expecting value": "a value is missing or misspelled",
        "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
        "Expecting ',' delimiter": "a comma or a closing bracket is missing",
        "Expecting ':' delimiter": "a colon is missing",
        "Unterminated string starting at": "a quotation mark is missing",
        "Extra data": "there is text after the end",
        "Illegal trailing comma before end of object": "there is a comma before the closing brace",
        "Illegal trailing comma before end of array": "there is a comma before the closing bracket",
    }
    return known.get(error.msg, error.msg[:1].lower() + error.msg[1:])
