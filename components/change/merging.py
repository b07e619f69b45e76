"""One draft in two tabs: what each changed of it, put together part by part; what both changed stays as it is here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from components.change.declaration import STANDING, Change, D

_GONE: Any = object()


@dataclass(frozen=True)
class Merged(Generic[D]):
    """The draft of here with what is kept since: parts taken over from there, and parts that both changed."""

    draft: D
    taken: Sequence[str]
    both: Sequence[str]


def merged(change: Change[D], seen: D, here: D, there: D) -> Merged[D]:
    """Put together what was made here and there of the draft that both `seen`."""
    join = _Join(change.whole)
    base, ours, theirs = (each.model_dump(mode="json", exclude=set(STANDING)) for each in (seen, here, there))
    parts = [*change.together, *((name,) for name in ours if not any(name in unit for unit in change.together))]
    result: dict[str, Any] = {}
    for unit in parts:
        was, mine, other = (tuple(each[name] for name in unit) for each in (base, ours, theirs))
        if len(unit) > 1:
            chosen = join.atom(unit[0], was, mine, other)
        else:
            chosen = (join.value(unit[0], was[0], mine[0], other[0]),)
        result.update(zip(unit, chosen, strict=True))
    standing = here.model_dump(mode="json", include=set(STANDING))
    return Merged(change.model.model_validate({**result, **standing}), tuple(join.taken), tuple(join.both))


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

    def _rows(self, part: str, was: list[Any], mine: list[Any], other: list[Any]) -> list[Any]:
        before, ours, theirs = ({each["uid"]: each for each in rows} for rows in (was, mine, other))
        is_order_theirs = list(ours) == list(before) and list(theirs) != list(before)
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
