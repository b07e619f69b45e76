"""One filter per alternative: “France or Brazil”, where the interface allows one value per rule and no “or”."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from client.vocabulary.contact_filters import NAME_LENGTH
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft, copy_as_new, to_json
from domain.filters.known_ids import replace_names
from domain.filters.names.id_names import NO_NAMES, IdNames
from domain.filters.rule_steps import duplicate, set_value
from domain.filters.sentence import describe_value
from domain.filters.values import editor_kind, read_slot, value_texts

_SINGLE_KINDS: Final = ("text", "number", "whole number", "country", "airport")
_POSITIVE: Final = ("E", "STARTWITH", "ENDWITH", "LIKE")
_NEGATIVE: Final = ("NE", "NLIKE")

Several = Literal["filters", "rules"]


@dataclass(frozen=True)
class Alternative:
    """One of several versions of a draft, with what distinguishes it: "France"."""

    label: str
    draft: FilterDraft


def several_values(payload: Mapping[str, Any]) -> Several | None:
    """Return what further values of a rule with a single value become.

    Any of several values needs a filter for each. None of several values needs a rule for each, since all rules must
    match. None for rules that take a list, a time, or no value, and for ordered comparisons.
    """
    if editor_kind(payload) not in _SINGLE_KINDS:
        return None
    operator = columns.effective_operator(payload)
    return "filters" if operator in _POSITIVE else "rules" if operator in _NEGATIVE else None


def read_values(payload: Mapping[str, Any], texts: Sequence[str], names: IdNames = NO_NAMES) -> tuple[list[str], str]:
    """Return the texts of values that the rule does not have yet, and the first problem with them; "" if none.

    Known names of IDs are replaced by the IDs.
    """
    seen = [payload.get("columnValue")]
    found: list[str] = []
    for text in replace_names(payload, texts, names):
        read = read_slot(payload, "value", text)
        if read.problem is not None:
            return found, read.problem
        if read.value is not None and read.value not in seen:
            seen.append(read.value)
            found.append(text)
    return found, ""


def alternatives_of(
    draft: FilterDraft, uid: str, texts: Sequence[str], zone: str = "UTC", names: IdNames = NO_NAMES
) -> list[Alternative]:
    """Return the draft with the value of a rule, and with each of these values in its place."""
    rule = next(rule for rule in draft.rules if rule.uid == uid)
    has_value = rule.payload.get("columnValue") not in (None, "")
    own = [value_texts(rule, zone).get("value", "")] if has_value else []
    found = []
    for text in [*own, *texts]:
        changed = set_value(draft, uid, "value", text, zone)
        payload = next(rule.payload for rule in changed.rules if rule.uid == uid)
        found.append(Alternative(describe_value(payload, zone, names).strip("“”"), changed))
    return found


def add_rules_for(draft: FilterDraft, uid: str, texts: Sequence[str], zone: str = "UTC") -> FilterDraft:
    """Add a copy of a rule for each of these values, after it."""
    for text in reversed(texts):
        draft = duplicate(draft, uid)
        place = next(number for number, rule in enumerate(draft.rules) if rule.uid == uid)
        draft = set_value(draft, draft.rules[place + 1].uid, "value", text, zone)
    return draft


def new_filters(draft: FilterDraft, alternatives: Sequence[Alternative]) -> list[FilterDraft]:
    """Return a new filter for each alternative, named after the draft, without muted rules.

    Their uids follow from the draft and their contents, so that none is sent twice.
    """
    return [_new_filter(draft, each) for each in alternatives]


def name_for(draft: FilterDraft, label: str) -> str:
    """Return the name of the filter for an alternative: "Visitors – France"."""
    common = draft.name.strip()
    if not common:
        return ""
    suffix = f" – {label}"[:NAME_LENGTH]
    return f"{common[: NAME_LENGTH - len(suffix)].strip()}{suffix}"


def _new_filter(draft: FilterDraft, alternative: Alternative) -> FilterDraft:
    changed = alternative.draft.model_copy(update={"rules": alternative.draft.active_rules})
    new = copy_as_new(changed).model_copy(update={"name": name_for(draft, alternative.label)})
    digest = hashlib.blake2b(to_json(new).encode(), digest_size=6).hexdigest()
    return new.model_copy(update={"uid": f"{draft.uid}-{digest}"})
