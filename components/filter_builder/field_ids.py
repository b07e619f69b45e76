"""The ids of contact fields, learnt from the organization's other filters, so that people need not know them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from client.models.contact_filters import ContactFilter
from client.vocabulary.limits import LONG_MAX
from components.contact_filters.columns import key_of_rule, needs_field_id


def learn_field_ids(filters: Iterable[ContactFilter]) -> dict[str, int]:
    """The id that these filters use most for each column, by the column's key; of several, the one met first.

    Rules of list records carry 0 where the id was left out: that is no id.
    """
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for contact_filter in filters:
        for rule in contact_filter.rules:
            wire = rule.to_wire()
            key, field_id = key_of_rule(wire), rule.contact_field_id
            if key is not None and needs_field_id(wire) and field_id is not None and 0 < field_id <= LONG_MAX:
                counted[key][field_id] += 1
    return {key: ids.most_common(1)[0][0] for key, ids in counted.items()}
