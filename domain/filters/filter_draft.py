"""The draft of a contact filter, and its conversion to and from the service's JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from pydantic import AliasChoices, Field

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import FILTER_TYPE, NAME_LENGTH
from domain.edits.edit_draft import Draft
from domain.filters.columns import needs_field_id
from domain.forms.form import Part
from domain.text.plain_text import in_short

_READ_ONLY: Final = frozenset({"id"})


def content_of(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return what defines a rule: without its ID, which the service may change, and without empty fields."""
    content = {name: value for name, value in rule.items() if name not in _READ_ONLY and value is not None}
    content = {name: value for name, value in content.items() if value not in ("", [])}
    if "operator" in content:
        # A service adds the option if it is missing.
        content.setdefault("contactFilterOption", content["operator"])
    return content


def has_same_rules(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether two lists have the same rules in the same order."""
    return [content_of(rule) for rule in one] == [content_of(rule) for rule in other]


class RuleDraft(Part):
    """One rule of a draft."""

    # Drafts stored before November 27, 2026 have the field as `wire`.
    payload: dict[str, Any] = Field(default_factory=dict, validation_alias=AliasChoices("payload", "wire"))
    """The JSON that would be sent. Fields without a value are left out."""
    typed: dict[str, str] = Field(default_factory=dict)
    """Unreadable input by slot. It stays on the screen, and the rule cannot be sent until it is corrected."""
    muted: bool = False
    """Whether the rule is left out of what is sent."""
    stored: dict[str, Any] | None = None
    """The rule in the stored filter; None for a new rule."""

    @property
    def is_untouched(self) -> bool:
        """Whether the rule is exactly as in the stored filter."""
        return self.stored is not None and self.payload == self.stored and not self.typed


class FilterDraft(Draft):
    """A new filter, or with `filter_id` the change of a stored one.

    `base` is the JSON of the whole stored filter, as it was opened.
    """

    filter_id: int | None = None
    name: str = ""
    rules: list[RuleDraft] = Field(default_factory=list)
    base: dict[str, Any] | None = None

    @property
    def subject_id(self) -> int | None:
        """The ID of the stored filter that would be replaced."""
        return self.filter_id

    @property
    def is_untouched(self) -> bool:
        """Whether discarding the draft loses nothing: an empty new filter, or a stored one without changes."""
        if any(rule.muted or rule.typed for rule in self.rules):
            return False
        if self.base is None:
            return not self.is_change and not self.name.strip() and not any(content_of(r.payload) for r in self.rules)
        # Compared as JSON without building a record, because this is called several times per keystroke.
        before = self.base.get("contactFilterRules") or []
        same_name = self.name.strip() == str(self.base.get("name") or "").strip()
        return same_name and has_same_rules([rule.payload for rule in self.rules], before)

    @property
    def title(self) -> str:
        """The name for headings, shortened if it is long."""
        return in_short(self.name.strip()) or "New contact filter"

    @property
    def file_stem(self) -> str:
        """The name of a downloaded file, without its extension."""
        return re.sub(r"[^\w.-]+", "-", self.title).strip("-.").lower()[:60] or "contact-filter"

    @property
    def active_rules(self) -> list[RuleDraft]:
        """The rules that would be sent."""
        return [rule for rule in self.rules if not rule.muted]


def to_filter(draft: FilterDraft) -> ContactFilter:
    """Return the filter that would be sent: its name and the rules that are not muted."""
    rules = [deepcopy(rule.payload) if draft.is_change else drop_id(rule.payload) for rule in draft.active_rules]
    return ContactFilter.from_wire(
        {"name": draft.name.strip(), "contactFilterType": FILTER_TYPE, "contactFilterRules": rules}
    )


def from_filter(stored: ContactFilter, filter_id: int | None = None) -> FilterDraft:
    """Create a draft from a stored filter: a change of it with `filter_id`, or else a copy."""
    rules = [rule.to_wire() for rule in stored.rules]
    if filter_id is None:
        return FilterDraft(name=stored.name or "", rules=[RuleDraft(payload=drop_id(payload)) for payload in rules])
    base = stored.model_dump(by_alias=True, mode="json", exclude_none=True)
    return FilterDraft(
        filter_id=filter_id,
        name=stored.name or "",
        rules=[RuleDraft(payload=payload, stored=deepcopy(payload)) for payload in rules],
        base={**base, "contactFilterRules": deepcopy(rules)},
    )


def base_filter(draft: FilterDraft) -> ContactFilter | None:
    """Return the stored filter that the change began with; None for a new one."""
    return ContactFilter.from_wire(draft.base) if draft.base is not None else None


def drop_id(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule without the ID that it has in the stored filter.

    A contact field ID of 0 is removed too if the column needs none. Other systems write 0 for no ID, but the service
    reads it as an ID.
    """
    left_out = {"id"}
    if payload.get("contactFieldId") == 0 and not needs_field_id(payload):
        left_out.add("contactFieldId")
    return {name: deepcopy(value) for name, value in payload.items() if name not in left_out}


def to_json(draft: FilterDraft) -> str:
    """Return the exact JSON that would be sent."""
    return json.dumps(to_filter(draft).to_wire(), ensure_ascii=False, indent=2)


def replace_rules(draft: FilterDraft, opened: FilterDraft) -> FilterDraft:
    """Replace the name and rules of a draft with those of an opened filter.

    A rule that is in the stored filter too, except for its ID, keeps that ID and counts as unchanged.
    """
    left = [dict(rule) for rule in (draft.base or {}).get("contactFilterRules", [])]
    rules: list[RuleDraft] = []
    for rule in opened.rules:
        found = next((one for one in left if _text(one) == _text(rule.payload)), None)
        if found is None:
            rules.append(rule)
        else:
            left.remove(found)
            rules.append(rule.model_copy(update={"payload": found, "stored": deepcopy(found)}))
    return draft.model_copy(update={"name": opened.name or draft.name, "rules": rules, "refused": []})


def _text(payload: Mapping[str, Any]) -> str:
    return json.dumps(drop_id(payload), sort_keys=True)


def copy_as_new(draft: FilterDraft) -> FilterDraft:
    """Return a copy of the draft as a new filter, with a name of its own."""
    rules = [
        rule.model_copy(
            update={"stored": None, "payload": {k: v for k, v in rule.payload.items() if k != "id"}}, deep=True
        )
        for rule in draft.rules
    ]
    name = f"Copy of {draft.name.strip()}"[:NAME_LENGTH].strip() if draft.name.strip() else ""
    return FilterDraft(name=name, rules=rules)


def use_stored_version(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """Return their version as a draft, in place of this one."""
    return from_filter(theirs, filter_id=draft.filter_id).model_copy(update={"uid": draft.uid})


def overwrite_stored_version(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """Return the draft as a change of their version, which saving it replaces."""
    return draft.model_copy(update={"base": use_stored_version(draft, theirs).base, "refused": []})
