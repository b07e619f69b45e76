"""One rule on the screen, as the modules of the rule builder pass it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from components.forms.form_view import FormView
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.known_ids import KnownIds
from domain.forms.form import text_for

WHOLE_LINE: Final = 3000
"""Wider than any rule: an element of this width gets a line of its own, as wide as the rule."""


@dataclass(frozen=True)
class RuleView:
    """One rule on the screen: its number from 1, and the form that draws its fields."""

    rule: RuleDraft
    number: int
    zone: str
    kind: str
    form: FormView[FilterDraft]
    ids: KnownIds
    is_current: bool = False
    """Whether the last step changed this rule."""

    def has(self, path: str) -> bool:
        """Return whether the rule has this field."""
        return self.form.field(path, self.rule) is not None

    def value(self, path: str) -> Any:
        """Return the value of a field; None if the rule does not have it."""
        field = self.form.field(path, self.rule)
        return field.value_in(self.rule) if field is not None else None

    def draw(self, path: str, **drawing: Any) -> None:
        """Draw a field in its line. Its label is for screen readers; its problems are listed below the line."""
        field = self.form.field(path, self.rule)
        if field is not None:
            label = f"Rule {self.number}: {text_for(field.label, self.rule)}"
            drawing = {"label": label, "label_visibility": "collapsed", "disabled": self.rule.muted, **drawing}
            self.form.draw(path, part=self.rule, hide_problems=True, **drawing)
