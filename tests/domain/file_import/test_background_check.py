"""A long file is checked in the background, with progress."""

from __future__ import annotations

from domain.file_import.background_check import check_in_background
from tests.domain.trips.trip_import.outcomes import check_of

ROWS = 1_001


def test_a_file_is_checked_in_the_background_once_and_again_after_a_correction():
    lines = ["pnr,travelerName,fromPlace,toPlace,fromDate,toDate"]
    lines += [f"A{n:05},DOE/ANN,LHR,JFK,2026-03-10 10:00,2026-03-10 13:00" for n in range(ROWS)]
    check = check_of("\n".join(lines))
    running = check_in_background(check)
    assert check_in_background(check) is running
    assert running.wait(60)
    assert 0.5 < running.progress <= 1
    problems = check.problems
    assert check.problems is problems, "the page uses the result of the background check"
    check.fix_cell(0, "toDate", "2026-03-09 13:00")
    second_check = check_in_background(check)
    assert second_check is not running
    assert second_check.wait(60)
    assert check.is_ready.sum() == ROWS - 1
