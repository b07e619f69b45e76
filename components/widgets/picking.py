"""Which record of a list is shown beside it, where the address can name one and a row can be picked."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def shown_id(picked: Sequence[str], in_sight: Collection[str], in_url: str | None) -> str | None:
    """Decide between the row that is picked and the record that the URL names.

    A picked row wins. A record in the URL that stands in the list, and is not picked there, was let go; one that does
    not stand in the list (another page, another filter) is kept.
    """
    if picked:
        return picked[0]
    return None if in_url in in_sight else in_url
