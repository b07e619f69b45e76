"""One draft in two tabs: what each changed of it, put together part by part; what both changed stays as it is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from domain.edits.edit import Draft
from domain.text.plain_text import names

M = TypeVar("M", bound=Draft)

_GONE: Any = object()


@dataclass(frozen=True)
class Merged(Generic[M]):
    """The draft of here with what is kept since: parts taken over from there, and parts that both changed."""

    draft: M
    taken: Sequence[str]
    both: Sequence[str]


def merged(
    seen: M, here: M, there: M, *, whole: frozenset[str] = frozenset(), together: Sequence[Sequence[str]] = ()
) -> Merged[M]:
    """Put together what was made here and there of the draft that both `seen`.

    Items of the lists in `whole` are taken as one, and so are fields `together`, of which one says little without the
    other.
    """
    join = _Join(whole)
    base, ours, theirs = (
        each.model_dump(mode="json", exclude=set(here.ui_state_fields)) for each in (seen, here, there)
    )
    parts = [*together, *((name,) for name in ours if not any(name in unit for unit in together))]
    result: dict[str, Any] = {}
    for unit in parts:
        was, mine, other = (tuple(each[name] for name in unit) for each in (base, ours, theirs))
        if len(unit) > 1:
            chosen = join.unit(unit, was, mine, other)
        else:
            chosen = (join.value(unit[0], was[0], mine[0], other[0]),)
        result.update(zip(unit, chosen, strict=True))
    standing = here.model_dump(mode="json", include=set(here.ui_state_fields))
    return Merged(type(here).model_validate({**result, **standing}), tuple(join.taken), tuple(join.both))


def words_on(both: Merged[Any], called: Callable[[str], str]) -> str:
    """What became of the changes made elsewhere; "" where there were none. `called` is how a part is called."""
    said = []
    if both.taken:
        said.append(f"Changed in another tab and taken over here: {names([called(each) for each in both.taken])}.")
    if both.both:
        parts = names([called(each) for each in both.both])
        said.append(f"Changed in another tab too: {parts}. What stands here is kept.")
    return " ".join(said)


@dataclass
class _Join:
    whole: frozenset[str]
    taken: dict[str, None] = field(default_factory=dict)
    both: dict[str, None] = field(default_factory=dict)

    def value(self, part: str, was: Any, mine: Any, other: Any) -> Any:
        """Join one value; `part` is the draft's field that it is in."""
        if all(isinstance(each, dict) for each in (was, mine, other)) and part not in self.whole:
            names = dict.fromkeys([*mine, *other])
            joined = {n: self.value(part, was.get(n, _GONE), mine.get(n, _GONE), other.get(n, _GONE)) for n in names}
            return {name: value for name, value in joined.items() if value is not _GONE}
        if all(isinstance(each, list) and _named(each) for each in (was, mine, other)) and (was or mine) and other:
            return self._rows(part, was, mine, other)
        return self.atom(part, was, mine, other)

    def atom(self, part: str, was: Any, mine: Any, other: Any) -> Any:
        """Take over what was changed there only; of what both changed, keep what is here."""
        if other in (was, mine):
            return mine
        if mine == was:
            self.taken[part] = None
            return other
        self.both[part] = None
        return mine

    def unit(self, parts: Sequence[str], was: Any, mine: Any, other: Any) -> Any:
        """Take over, or keep, fields that belong together; told are those that differ."""
        before = len(self.both)
        chosen = self.atom("", was, mine, other)
        told = self.both if len(self.both) > before else self.taken if "" in self.taken else None
        self.taken.pop("", None)
        self.both.pop("", None)
        if told is not None:
            told |= {part: None for part, one, two in zip(parts, mine, other, strict=True) if one != two}
        return chosen

    def _rows(self, part: str, was: list[Any], mine: list[Any], other: list[Any]) -> list[Any]:
        before, ours, theirs = ({each["uid"]: each for each in rows} for rows in (was, mine, other))
        was_order, our_order, their_order = (
            [uid for uid in rows if uid in before and uid in ours and uid in theirs] for rows in (before, ours, theirs)
        )
        is_order_theirs = our_order == was_order != their_order
        order = dict.fromkeys([*theirs, *ours] if is_order_theirs else [*ours, *theirs])
        rows = []
        for uid in order:
            one, two, base = ours.get(uid, _GONE), theirs.get(uid, _GONE), before.get(uid, _GONE)
            row = self.atom(part, base, one, two) if _GONE in (one, two) else self.value(part, base, one, two)
            if row is not _GONE:
                rows.append(row)
        return rows


def _named(rows: list[Any]) -> bool:
    return all(isinstance(row, dict) and "uid" in row for row in rows)
