"""A contact filter as it is being built: rules by the interface's names, beside texts that cannot be read yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from components.change.declaration import Draft
from components.forms.form import Part

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

    wire: dict[str, Any] = Field(default_factory=dict)
    typed: dict[str, str] = Field(default_factory=dict)
    muted: bool = False
    stored: dict[str, Any] | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether the rule is exactly as the service gave it."""
        return self.stored is not None and self.wire == self.stored and not self.typed


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
            return not self.is_change and not self.name.strip() and not any(content_of(r.wire) for r in self.rules)
        # Not by way of the record that is read from it: this is asked several times at every keystroke.
        before = self.base.get("contactFilterRules") or []
        same_name = self.name.strip() == str(self.base.get("name") or "").strip()
        return same_name and same_rules([rule.wire for rule in self.rules], before)

    @property
    def title(self) -> str:
        """What to call it."""
        return self.name.strip() or "New contact filter"

    @property
    def live_rules(self) -> list[RuleDraft]:
        """The rules that would be sent."""
        return [rule for rule in self.rules if not rule.muted]
