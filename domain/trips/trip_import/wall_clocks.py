"""Wall clocks and true times of whole columns, zone by zone, in milliseconds."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

DAY: Final = 86_400_000
NO_TIME: Final = int(np.iinfo(np.int64).min)

Objects = npt.NDArray[np.object_]
Times = npt.NDArray[np.int64]


def true_times(local: Times, zone: Objects, *, is_first: bool = True) -> Times:
    """The moments of wall clocks; one that is left out is read by the clock before."""
    return _by_zone(
        local,
        zone,
        lambda times, name: (
            times.tz_localize(name, ambiguous=np.full(len(times), is_first), nonexistent=pd.Timedelta("1h"))
            .tz_convert("UTC")
            .tz_localize(None)
        ),
    )


def wall_clocks(moment: Times, zone: Objects) -> Times:
    """What clocks in their zones show at moments, as if they showed UTC."""
    return _by_zone(moment, zone, lambda times, name: times.tz_localize("UTC").tz_convert(name).tz_localize(None))


def _by_zone(times: Times, zone: Objects, read: Any) -> Times:
    told = np.full(len(times), NO_TIME)
    some = np.flatnonzero(times != NO_TIME)
    codes, names = pd.factorize(zone[some])
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(names) + 1))
    for name, begin, end in zip(names, ends, ends[1:], strict=False):
        places = some[order[begin:end]]
        read_times = read(pd.DatetimeIndex(times[places].astype("datetime64[ms]")), name)
        told[places] = read_times.as_unit("ms").asi8
    return told
