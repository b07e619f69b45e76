"""What the test bench says: its number, its assumptions, and what is to be known of each rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from components.filter_test_bench.bench import BenchResult, ContactBench, RuleResult
from components.filter_test_bench.cell_values import CellValues
from components.filter_test_bench.contact_file import ContactFile
from components.filter_test_bench.judging import Judging, from_ms
from components.filter_test_bench.moments import needs_date_order
from components.intake.delimited import DELIMITERS
from components.widgets.number_text import count, names
from components.widgets.time_text import DAYS, MONTHS

ESTIMATE = (
    "An estimate, made here and not by the service: the rules are held against the rows of your file. It takes it that "
    "all rules must hold. The service may know more of a person than the file does, and may compare otherwise."
)
PRIVACY = (
    "The file is read into this session's memory and nowhere else: it is not stored, not put into the journal and not "
    "sent to the service. It is gone when you forget it here, sign out or close the tab."
)
COMMON_VALUES = 3


def headline(result: BenchResult) -> str:
    """The answer in one line; "at most" where rules had to be set aside."""
    total = count(result.total, "contact", "contacts")
    if not result.rules:
        return f"{total} loaded. Add a rule to see who matches."
    if not result.judged:
        if result.set_aside:
            return f"None of the rules can be judged here, so nothing can be said about the {total}."
        return f"Every rule is muted: all {total} match, and the service would refuse a filter without rules."
    at_most = "At most " if result.set_aside else ""
    verb = "matches" if 1 in (result.matching, result.total) else "match"
    return f"{at_most}{result.matching:,} of {total} {verb}"


def kept_words(result: BenchResult) -> str:
    """What each rule leaves of those before it: "rule 1 keeps 140 · rule 2 keeps 96"."""
    return " · ".join(f"rule {rule.number} keeps {rule.kept:,}" for rule in result.judged if rule.kept is not None)


def set_aside_words(result: BenchResult) -> str | None:
    """Which rules could not be judged, why, and what that makes of the number; None where all could."""
    if not result.set_aside:
        return None
    reasons = "; ".join(f"rule {rule.number}: {rule.not_judged.words}" for rule in result.set_aside if rule.not_judged)
    which = count(len(result.set_aside), "rule", "rules")
    they = ("it is", "it") if len(result.set_aside) == 1 else ("they are", "they")
    columns = any(rule.not_judged is not None and rule.not_judged.is_missing for rule in result.set_aside)
    ask = " Say below which column it is, where the file has one." if columns else ""
    if not result.judged:
        return f"{which} cannot be judged here ({reasons}).{ask}"
    return (
        f"{which} cannot be judged here ({reasons}). Here {they[0]} set aside, as if {they[1]} held for everybody, so "
        f"the real number can only be the same or smaller.{ask}"
    )


def case_words(result: BenchResult) -> str | None:
    """What capitals decide: how many more, or fewer, would match without them; None where it is the same."""
    more = result.more_without_case
    if not more:
        return None
    kind = "more" if more > 0 else "fewer"
    return f"{abs(more):,} {kind} would match if capitals made no difference. Whether they do, only the service knows."


def rule_note(rule: RuleResult, values: CellValues | None, judging: Judging) -> str:
    """What is to be known of a rule's number; `values` are those it looks at, to name some where nobody has the right
    one."""
    if rule.not_judged is not None:
        # Of one that would be sent, it is said above, with what that makes of the number.
        return f"not judged here: {rule.not_judged.words}" if rule.is_muted else ""
    notes = []
    if rule.absent and rule.holds_for_absent:
        taken = "count as holding" if judging.absent_is_other else "are left out"
        notes.append(f"without a value: {rule.absent:,}, which {taken}")
    elif rule.absent and rule.question is not None and rule.question.kind != "presence":
        notes.append(f"without a value: {rule.absent:,}, which are left out")
    if rule.unread:
        kind = "number" if rule.question is not None and rule.question.kind == "number" else "time"
        examples = names([f"“{text}”" for text in rule.unread_examples])
        notes.append(f"{count(rule.unread, 'value is', 'values are')} no {kind} ({examples})")
        if kind == "time" and values is not None and needs_date_order(values.texts):
            notes.append("say under “How it is judged” whether the day or the month comes first")
    if rule.alone == 0 and values is not None and len(values.texts):
        usual = values.texts.value_counts().head(COMMON_VALUES)
        said = names([f"“{_short(str(text))}” {number:,}" for text, number in usual.items()])
        notes.append(f"it holds for nobody: the file's most frequent values are {said}{_sent(rule)}")
    return "; ".join(notes)


def compared_with(rule: RuleResult) -> str | None:
    """What the rule really compares with, where its words say it otherwise: a country's code for its name."""
    if rule.question is None or rule.question.kind != "text":
        return None
    hidden = [f"“{operand}”" for operand in rule.question.operands if str(operand) not in rule.words]
    return names(hidden) if hidden else None


def change_words(rule: RuleResult) -> str:
    """The effect of muting a rule, or of switching on one that is muted."""
    if rule.mask is None:
        return "–"
    if rule.is_muted:
        return f"−{-rule.change:,} if switched on" if rule.change else "no change if switched on"
    return f"+{rule.change:,}" if rule.change else "no change"


def judging_words(judging: Judging) -> list[str]:
    """How it is judged, a sentence each."""
    case = "capitals count" if judging.case_matters else "capitals make no difference"
    absent = "hold" if judging.absent_is_other else "do not hold"
    return [
        "All rules must hold. The interface does not say so; it is what several rules are taken to mean everywhere.",
        (
            f"Texts are compared as they are written: {case}; blanks around a value are set aside, accents are not. "
            "Before and after go by the order of characters."
        ),
        (
            "Of several values of a person, one that fits is enough, and each rule is judged for itself: two rules on "
            "an address may be met by two different addresses. “Is not”, “does not contain” and “none of” hold where "
            "no value fits."
        ),
        f"For somebody without a value these three {absent}; every other comparison does not hold.",
        "Numbers and ids are compared as numbers, whole ones to the last digit. What is no number fits nothing.",
        (
            f"Times without a zone are read in {judging.zone}. A date alone begins with its day; “is”, and expected "
            "and shift dates, take the whole day."
        ),
        "Each row of the file is one person.",
    ]


def now_words(result: BenchResult) -> str | None:
    """The moment that “now” was judged at; None where no rule asks for it."""
    if not any(rule.question is not None and rule.question.is_now for rule in result.rules):
        return None
    return f"“Now” is judged at {moment_words(result.judging.at_ms, result.judging.zone)}."


def moment_words(milliseconds: int, zone: str) -> str:
    """A moment in a zone, its year named: "Fri 20 Nov 2026, 12:05 UTC"."""
    at = from_ms(milliseconds, zone)
    return "a time no calendar has" if at is None else _moment_text(at, zone)


def file_words(file: ContactFile) -> str:
    """What was read: "1,200 contacts · 14 columns · UTF-8, commas"."""
    columns = count(len(file.headers), "column", "columns")
    return f"{count(file.rows, 'contact', 'contacts')} · {columns} · {file.encoding}, {DELIMITERS[file.delimiter]}"


def person_notes(bench: ContactBench) -> list[str]:
    """What is to be known of who is counted."""
    if not bench.repeated_ids:
        return []
    ids = count(bench.repeated_ids, "external id stands", "external ids stand")
    return [f"{ids} in more than one row: each row is judged, and counted, as a person of its own."]


def rule_list(rules: Sequence[RuleResult]) -> str:
    """Rules by number: "rule 2", "rules 2 and 4"."""
    numbers = [str(rule.number) for rule in rules]
    return f"rule {numbers[0]}" if len(numbers) == 1 else f"rules {names(numbers, at_most=len(numbers))}"


def _moment_text(at: datetime, zone: str) -> str:
    day = f"{DAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}"
    return f"{day}, {at.hour:02}:{at.minute:02} {zone}"


def _sent(rule: RuleResult) -> str:
    hidden = compared_with(rule)
    return f", and the rule compares with {hidden}" if hidden else ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
