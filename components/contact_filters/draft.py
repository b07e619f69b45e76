"""A contact filter as it is being built: rules by the interface's names, beside texts that cannot be read yet."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field


def new_uid() -> str:
    """A short name for a draft or for one of its rules, so that fields keep their places when others move."""
    return uuid4().hex[:8]


class _Kept(BaseModel):
    model_config = ConfigDict(extra="ignore")


class RuleDraft(_Kept):
    """One rule: `wire` is what would be sent of it now, with parts that are not given yet left out.

    `typed` holds, by slot, the text of a field that cannot be read as a value: it stays on the screen, and keeps the
    rule from being sent. `stored` is the rule as the service gave it, None for a new one. A muted rule stays here and
    is not sent.
    """

    uid: str = Field(default_factory=new_uid)
    wire: dict[str, Any] = Field(default_factory=dict)
    typed: dict[str, str] = Field(default_factory=dict)
    muted: bool = False
    stored: dict[str, Any] | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether the rule is exactly as the service gave it."""
        return self.stored is not None and self.wire == self.stored and not self.typed


class FilterDraft(_Kept):
    """A filter being built; with `filter_id` the change of a stored one, and `base` that one as it was opened.

    `base` is the whole record by the interface's names. `refused` holds what the service refused it for, as pairs of
    the interface's field path and words; `checked` is set once the person asked to save, so that gaps are pointed out.
    """

    uid: str = Field(default_factory=new_uid)
    filter_id: int | None = None
    name: str = ""
    rules: list[RuleDraft] = Field(default_factory=list)
    base: dict[str, Any] | None = None
    checked: bool = False
    refused: list[tuple[str, str]] = Field(default_factory=list)

    @property
    def is_change(self) -> bool:
        """Whether a stored filter would be replaced."""
        return self.filter_id is not None

    @property
    def title(self) -> str:
        """What to call it."""
        return self.name.strip() or "New contact filter"

    @property
    def live_rules(self) -> list[RuleDraft]:
        """The rules that would be sent."""
        return [rule for rule in self.rules if not rule.muted]
