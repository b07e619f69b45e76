"""A contact filter as it is being built, and on its way to the service and back."""

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
    """What a rule says: without its id, which a service gives anew, and without what is absent or blank."""
    content = {name: value for name, value in rule.items() if name not in _READ_ONLY and value is not None}
    content = {name: value for name, value in content.items() if value not in ("", [])}
    if "operator" in content:
        # A service writes the option where it was left out.
        content.setdefault("contactFilterOption", content["operator"])
    return content


def same_rules(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two lists of rules say the same in the same order."""
    return [content_of(rule) for rule in one] == [content_of(rule) for rule in other]


class RuleDraft(Part):
    """One rule: `wire` is what would be sent of it now, with parts that are not given yet left out.

    `typed` holds, by slot, the text of a field that cannot be read as a value: it stays on the screen, and keeps the
    rule from being sent. `stored` is the rule as the service gave it, None for a new one. A muted rule stays here and
    is not sent.
    """

    # Drafts stored before November 27, 2026 have the field as `wire`.
    payload: dict[str, Any] = Field(default_factory=dict, validation_alias=AliasChoices("payload", "wire"))
    typed: dict[str, str] = Field(default_factory=dict)
    muted: bool = False
    stored: dict[str, Any] | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether the rule is exactly as the service gave it."""
        return self.stored is not None and self.payload == self.stored and not self.typed


class FilterDraft(Draft):
    """A filter being built; with `filter_id` the change of a stored one, and `base` that one as it was opened.

    `base` is the whole record by the interface's names.
    """

    filter_id: int | None = None
    name: str = ""
    rules: list[RuleDraft] = Field(default_factory=list)
    base: dict[str, Any] | None = None

    @property
    def subject_id(self) -> int | None:
        """The id of the stored filter that would be replaced."""
        return self.filter_id

    @property
    def is_untouched(self) -> bool:
        """Whether it holds nothing that would be missed: an empty new filter, or a stored one as it was opened."""
        if any(rule.muted or rule.typed for rule in self.rules):
            return False
        if self.base is None:
            return not self.is_change and not self.name.strip() and not any(content_of(r.payload) for r in self.rules)
        # Not by way of the record that is read from it: this is asked several times at every keystroke.
        before = self.base.get("contactFilterRules") or []
        same_name = self.name.strip() == str(self.base.get("name") or "").strip()
        return same_name and same_rules([rule.payload for rule in self.rules], before)

    @property
    def title(self) -> str:
        """What to call it, as long as a heading may be."""
        return in_short(self.name.strip()) or "New contact filter"

    @property
    def file_stem(self) -> str:
        """What begins the name of a file made of it."""
        return re.sub(r"[^\w.-]+", "-", self.title).strip("-.").lower()[:60] or "contact-filter"

    @property
    def live_rules(self) -> list[RuleDraft]:
        """The rules that would be sent."""
        return [rule for rule in self.rules if not rule.muted]


def to_filter(draft: FilterDraft) -> ContactFilter:
    """The filter that would be sent: its name and the rules that are not muted, each as `wire` has it."""
    rules = [deepcopy(rule.payload) if draft.is_change else without_id(rule.payload) for rule in draft.live_rules]
    return ContactFilter.from_wire(
        {"name": draft.name.strip(), "contactFilterType": FILTER_TYPE, "contactFilterRules": rules}
    )


def from_filter(found: ContactFilter, filter_id: int | None = None) -> FilterDraft:
    """A draft of a filter that the service gave: with its id the change of it, without one a copy to be saved anew."""
    rules = [rule.to_wire() for rule in found.rules]
    if filter_id is None:
        return FilterDraft(name=found.name or "", rules=[RuleDraft(payload=without_id(payload)) for payload in rules])
    base = found.model_dump(by_alias=True, mode="json", exclude_none=True)
    return FilterDraft(
        filter_id=filter_id,
        name=found.name or "",
        rules=[RuleDraft(payload=payload, stored=deepcopy(payload)) for payload in rules],
        base={**base, "contactFilterRules": deepcopy(rules)},
    )


def base_filter(draft: FilterDraft) -> ContactFilter | None:
    """The stored filter that a change began with; None for a new one."""
    return ContactFilter.from_wire(draft.base) if draft.base is not None else None


def without_id(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A rule without the id that it has in the stored filter it came from: ids are given by the service.

    Without a contact field 0 as well, where none is asked for: that is how others write that there is none, and the
    service takes it for an id.
    """
    left_out = {"id"}
    if payload.get("contactFieldId") == 0 and not needs_field_id(payload):
        left_out.add("contactFieldId")
    return {name: deepcopy(value) for name, value in payload.items() if name not in left_out}


def as_json(draft: FilterDraft) -> str:
    """The exact JSON that would be sent."""
    return json.dumps(to_filter(draft).to_wire(), ensure_ascii=False, indent=2)


def take_over(draft: FilterDraft, opened: FilterDraft) -> FilterDraft:
    """Put name and rules of an opened filter in place of a draft's own.

    A rule that is one of the stored filter's, but for its id, counts as that one and as untouched.
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
    return json.dumps(without_id(payload), sort_keys=True)


def as_new(draft: FilterDraft) -> FilterDraft:
    """The same rules as a new filter: its own name, within what the interface allows, and nothing that is replaced."""
    rules = [
        rule.model_copy(
            update={"stored": None, "payload": {k: v for k, v in rule.payload.items() if k != "id"}}, deep=True
        )
        for rule in draft.rules
    ]
    name = f"Copy of {draft.name.strip()}"[:NAME_LENGTH].strip() if draft.name.strip() else ""
    return FilterDraft(name=name, rules=rules)


def theirs_instead(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """Their version to go on from, kept in the place of the draft."""
    return from_filter(theirs, filter_id=draft.filter_id).model_copy(update={"uid": draft.uid})


def over_theirs(draft: FilterDraft, theirs: ContactFilter) -> FilterDraft:
    """The draft, made from now on against their version: saving it replaces that one, knowingly."""
    return draft.model_copy(update={"base": theirs_instead(draft, theirs).base, "refused": []})
