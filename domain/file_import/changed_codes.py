"""Codes that a spreadsheet turned into a number, a date, or a time: 78E123 into 7.8E+124, 2DEC into 02-Dec.

Genuine codes of digits and letters, such as 123, 1E5678, and 00126, are not affected.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.cell_times import is_month

CHANGED_CODE: Final = "A spreadsheet changed this code (“{}”). Enter the original code, and format the column as text."
LONG_NUMBER: Final = r"[+-]?[0-9]+(?:[.,][0-9]+[eE][+-]?[0-9]+|[eE][+-][0-9]+)"
"""A number with an exponent, as a spreadsheet shows it. A code such as 1E5678 has no sign."""

_DAY: Final = "(?:0?[1-9]|[12][0-9]|3[01])"
_MONTH: Final = "(?:0?[1-9]|1[0-2])"
_YEAR: Final = "(?:19|20)[0-9]{2}"
_CLOCK: Final = "[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[AP]M)?"
_CHANGED: Final = re.compile(
    rf"{LONG_NUMBER}|#{{2,}}|{_CLOCK}"
    rf"|{_YEAR}-{_MONTH}-{_DAY}(?:[ T]{_CLOCK})?|{_DAY}([/.]){_MONTH}\1{_YEAR}|{_MONTH}/{_DAY}/{_YEAR}"
    rf"|{_MONTH}月{_DAY}日"
    rf"|{_DAY}[-.] ?(?P<month>[^\W\d_]{{3,10}})\.?(?:[- ](?:[0-9]{{2}}){{1,2}})?"
    r"|(?P<first_month>[^\W\d_]{3,10})-(?:[0-9]{2}){1,2}",
    re.IGNORECASE,
)
_NEEDS_MARK: Final = "[-+.:/#月]|[0-9][eE]"
_SEPARATORS: Final = re.compile(r"(?:(?<!\s)\s+)?[|;]\s*")


def is_changed_code(text: str) -> bool:
    """Return whether a spreadsheet changed this code, or one of several codes with bars or semicolons between them."""
    for part in _SEPARATORS.split(text):
        found = _CHANGED.fullmatch(part)
        month = found and (found["month"] or found["first_month"])
        if found and (not month or is_month(month)):
            return True
    return False


def find_changed_codes(texts: pd.Series[str]) -> npt.NDArray[np.bool_]:
    """Return which codes a spreadsheet changed."""
    changed = texts.str.contains(_NEEDS_MARK, regex=True).to_numpy(dtype=bool, copy=True)
    if changed.any():
        codes, uniques = pd.factorize(texts[changed])
        changed[changed] = np.array([is_changed_code(text) for text in uniques], dtype=bool)[codes]
    return changed
