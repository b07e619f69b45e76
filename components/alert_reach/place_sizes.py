"""How large places are, so that of many of one name the one that most people mean stands first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

import zipcodes

from components.geography.folding import fold

PlaceSizes: TypeAlias = Mapping[tuple[str, str, str], int]
"""By kind ("city", "county"), the two letters of the state, and the folded name."""


@lru_cache(maxsize=1)
def place_sizes() -> PlaceSizes:
    """The number of zip codes in each city and county, boxes, single offices and the military's set aside.

    It stands for the number of people, which no data kept here tells. Takes a second when first asked.
    """
    # ASSUMPTION A221: the lookup tells nothing of a place's size; of places that match alike the larger stands first.
    sizes: Counter[tuple[str, str, str]] = Counter()
    # By two digits: asked for all of them at once, the package would keep every record for good.
    for digits in range(100):
        for record in zipcodes.similar_to(f"{digits:02}"):  # type: ignore[no-untyped-call]
            if record["active"] and record["zip_code_type"] == "STANDARD":
                sizes["city", record["state"], fold(record["city"])] += 1
                sizes["county", record["state"], fold(record["county"])] += 1
    return sizes
