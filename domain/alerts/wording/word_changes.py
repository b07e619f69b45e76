"""The difference of two texts, word by word."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Literal, NamedTuple, TypeAlias

ChangeKind: TypeAlias = Literal["same", "removed", "added"]


class WordChange(NamedTuple):
    """Consecutive words that are in both texts, removed, or added."""

    kind: ChangeKind
    text: str


def word_changes(old: str, new: str) -> list[WordChange]:
    """Return the new text with removed and added words, in reading order, ignoring spaces."""
    before, after = old.split(), new.split()
    changes: list[WordChange] = []
    for kind, old_start, old_end, new_start, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            changes.append(WordChange("same", " ".join(after[new_start:new_end])))
            continue
        if old_end > old_start:
            changes.append(WordChange("removed", " ".join(before[old_start:old_end])))
        if new_end > new_start:
            changes.append(WordChange("added", " ".join(after[new_start:new_end])))
    return changes
