"""What the test bench keeps in a browser session, and nowhere else: the file, and how it is to be judged."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from components.filter_builder.actions import viewers_zone
from components.filter_test_bench.bench import ContactBench
from components.filter_test_bench.judging import DateOrder
from components.shell.state import StateKey

BENCH: Final = StateKey[ContactBench | None]("filter_test_bench.bench", lambda: None)
"""The file in memory with what was worked out of it; forgotten at sign-out with all else of the session."""
PROBLEM: Final = StateKey[str | None]("filter_test_bench.problem", lambda: None)
INTAKE: Final = StateKey[int]("filter_test_bench.intake", int)
"""Grows with every file, so that the next one finds an empty field."""
CHOSEN: Final = StateKey[dict[str, list[str]]]("filter_test_bench.chosen", dict)
"""Columns by slot, where a person said which ones."""

CASE_MATTERS: Final = StateKey[bool]("filter_test_bench.case_matters", lambda: True)
ABSENT_IS_OTHER: Final = StateKey[bool]("filter_test_bench.absent_is_other", lambda: True)
ZONE: Final = StateKey[str]("filter_test_bench.zone", lambda: viewers_zone())
"""Where times without a zone belong: at first where those of the rules are typed."""
DATE_ORDER: Final = StateKey[DateOrder]("filter_test_bench.date_order", lambda: "as the file shows")
AT_MOMENT: Final = StateKey[bool]("filter_test_bench.at_moment", bool)
MOMENT: Final = StateKey[datetime | None]("filter_test_bench.moment", lambda: None)
