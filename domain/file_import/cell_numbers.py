"""Reading numbers from cells. Whether 1,000 has decimals or thousands follows from the whole column."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

_EXPONENT: Final = "(?:[eE][+-]?[0-9]{1,3})?"
_AMBIGUOUS: Final = r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}"


def _with_mark(mark: str, other: str) -> str:
    """Return a pattern of numbers whose decimal mark can only be `mark`."""
    mark, other = re.escape(mark), re.escape(other)
    grouped = rf"[0-9]{{1,3}}(?:{other}[0-9]{{3}})+{mark}[0-9]*|[0-9]{{1,3}}(?:{other}[0-9]{{3}}){{2,}}"
    return rf"[+-]?(?:{grouped}|(?:[0-9]+{mark}[0-9]*|{mark}[0-9]+){_EXPONENT})"


_COMMA: Final = _with_mark(",", ".")
_POINT: Final = _with_mark(".", ",")


def read_numbers(
    texts: pd.Series[str], *, least: float | None = None, most: float | None = None
) -> tuple[pd.Series[float], npt.NDArray[np.bool_]]:
    """Return the numbers, NaN for other texts, and a mask of the ambiguous cells, which are NaN too.

    A cell such as 1,000 is read like the other cells of its column. If they do not decide, it is read as the one number
    that lies between `least` and `most`.
    """
    is_ambiguous = _fits(texts, _AMBIGUOUS)
    has_comma, has_point = (_fits(texts, each) & ~is_ambiguous for each in (_COMMA, _POINT))
    normalized = texts.str.replace(",", ".", regex=False)
    values = pd.to_numeric(normalized.where(is_ambiguous | _fits(texts, "[+-]?[0-9]+" + _EXPONENT)), errors="coerce")
    for mask, mark, other in ((has_comma, ",", "."), (has_point, ".", ",")):
        plain = texts[mask].str.replace(other, "", regex=False).str.replace(mark, ".", regex=False)
        values = values.where(~mask, pd.to_numeric(plain, errors="coerce").reindex(texts.index))
    values = values.astype("float64")
    if not is_ambiguous.any():
        return values, is_ambiguous
    thousands = values * 1000
    shows_comma, shows_point = bool(has_comma.any()), bool(has_point.any())
    has_any_comma = _fits(texts, ".*,.*")
    if shows_comma != shows_point:
        is_grouped = is_ambiguous & (has_any_comma != shows_comma)
        is_open = np.zeros(len(texts), dtype=bool)
    else:
        fits, fits_grouped = _within(values, least, most), _within(thousands, least, most)
        is_grouped = is_ambiguous & fits_grouped & ~fits
        is_open = is_ambiguous & (fits_grouped == fits)
    return values.where(~is_grouped, thousands.round()).mask(is_open), is_open


def _within(values: pd.Series[float], least: float | None, most: float | None) -> npt.NDArray[np.bool_]:
    return values.between(-np.inf if least is None else least, np.inf if most is None else most).to_numpy(dtype=bool)


def _fits(texts: pd.Series[str], pattern: str) -> npt.NDArray[np.bool_]:
    return texts.str.fullmatch(pattern).to_numpy(dtype=bool)
