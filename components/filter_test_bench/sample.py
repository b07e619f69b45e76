"""A small file of made-up contacts, made from the filter's own rules: some match, some miss one rule each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pandas as pd

from client.vocabulary.contact_filters import COLUMNS
from components.contact_filters.draft import FilterDraft
from components.filter_test_bench.cell_values import take_apart
from components.filter_test_bench.judging import Judging, NotJudged, Question, from_ms, question_of
from components.filter_test_bench.operators import OPPOSITES
from components.filter_test_bench.rule_masks import holds
from components.filter_test_bench.subjects import LIST_SEPARATORS, Subject, subject_of_column, subjects_of_draft
from components.widgets.spreadsheet import to_csv

SAMPLE_NAME: Final = "sample-contacts.csv"
MOST_PEOPLE: Final = 16
MATCHING: Final = 3

_PEOPLE: Final = (
    ("Ana", "Silva"),
    ("Benedikt", "Sommer"),
    ("Chiara", "Rossi"),
    ("Daniel", "Okafor"),
    ("Elif", "Yılmaz"),
    ("Farid", "Haddad"),
    ("Grace", "Kim"),
    ("Hanna", "Lindqvist"),
    ("Ivan", "Petrov"),
    ("Julia", "Nowak"),
    ("Kenji", "Tanaka"),
    ("Lucía", "Fernández"),
    ("Mei", "Chen"),
    ("Noah", "Smith"),
    ("Olga", "Varga"),
    ("Priya", "Nair"),
)
_DAY_MS: Final = 86_400_000
_OTHER_TEXT: Final = "Something else"
_OTHERS: Final = {"country": "BR", "iata": "GRU", "city": "Recife", "state": "PE"}


def sample_csv(draft: FilterDraft, judging: Judging) -> bytes:
    """The sample as a CSV file whose headings are what the builder calls the columns."""
    return to_csv(sample_frame(draft, judging))


def sample_frame(draft: FilterDraft, judging: Judging) -> pd.DataFrame:
    """Three people for whom the rules hold (where they can), one who misses each rule, and one of whom little is known.

    Rules that are muted, or not finished, give their column and nothing to miss.
    """
    subjects = subjects_of_draft(draft)
    asked: dict[str, list[Question]] = {key: [] for key in subjects}
    missing: list[tuple[str, int]] = []
    for rule in draft.live_rules:
        question = question_of(rule, judging)
        if not isinstance(question, NotJudged):
            missing.append((question.subject.key, len(asked[question.subject.key])))
            asked[question.subject.key].append(question)
    missing = missing[: MOST_PEOPLE - MATCHING - 1]
    number = MATCHING + len(missing) + 1
    columns = {subject.label: own for subject, own in _own_columns(number)}
    for key, subject in subjects.items():
        fitting, unfit = _values_for(subject, asked[key], judging)
        own = columns.get(subject.label)
        cells = _met(own, subject, asked[key], judging) if own else [fitting] * number
        cells = [cell or fitting for cell in cells]
        for person, (missed, place) in enumerate(missing, start=MATCHING):
            if missed == key:
                stays = own is not None and not _held(subject, asked[key][place], [own[person]], judging)[0]
                cells[person] = own[person] if own and stays else unfit[place]
        if own is None:
            cells[-1] = ""
        columns[subject.label] = cells
    return pd.DataFrame(columns, dtype="str")


def _own_columns(number: int) -> Iterator[tuple[Subject, list[str]]]:
    own: Mapping[str, list[str]] = {
        "firstName": [first for first, _ in _PEOPLE[:number]],
        "lastName": [last for _, last in _PEOPLE[:number]],
        "externalId": [f"E{1001 + i}" for i in range(number)],
    }
    for column in COLUMNS:
        if column.name in own:
            yield subject_of_column(column), own[column.name]


def _met(own: Sequence[str], subject: Subject, asked: Sequence[Question], judging: Judging) -> list[str]:
    """Everybody's own name or id where the rules are met by it, else another's by which they are; "" if by none."""
    masks = [_held(subject, question, own, judging) for question in asked]
    met = [all(mask[person] for mask in masks) for person in range(len(own))]
    pool = [name for name, is_met in zip(own, met, strict=True) if is_met]
    return [
        name if is_met else pool[person % len(pool)] if pool else ""
        for person, (name, is_met) in enumerate(zip(own, met, strict=True))
    ]


def _values_for(subject: Subject, asked: Sequence[Question], judging: Judging) -> tuple[str, list[str]]:
    """A value for which all rules on this subject hold, and for each of them one that it does not hold for."""
    candidates = list(dict.fromkeys(text for text in _candidates(subject, asked) if text == text.strip()))
    held = [_held(subject, question, candidates, judging) for question in asked]
    places = range(len(candidates))
    fitting = next((candidates[i] for i in places if all(mask[i] for mask in held)), candidates[0])
    unfit = []
    for this, mask in enumerate(held):
        missed = [i for i in places if not mask[i]]
        only = [i for i in missed if all(other[i] for place, other in enumerate(held) if place != this)]
        unfit.append(candidates[(only or missed or [0])[0]])
    return fitting, unfit


def _held(subject: Subject, question: Question, texts: Sequence[str], judging: Judging) -> list[bool]:
    frame = pd.DataFrame({"value": pd.Series(texts, dtype="str")})
    values = take_apart(frame, ["value"], subject.separators)
    return [bool(held) for held in holds(values, question, judging)]


def _candidates(subject: Subject, asked: Sequence[Question]) -> Iterator[str]:
    """Values that the rules name, ones beside them, and nothing at all."""
    named = [list(_named(question)) for question in asked]
    for texts in named:
        yield from texts
    if subject.separators:
        separator = LIST_SEPARATORS[0] if subject.separators == LIST_SEPARATORS else subject.separators
        wanted = [texts for question, texts in zip(asked, named, strict=True) if question.operator not in OPPOSITES]
        yield separator.join(texts[0] for texts in wanted if texts)
    if not asked or any(question.kind in ("text", "presence") for question in asked):
        yield _OTHERS.get(subject.name, _OTHER_TEXT)
    for question in asked:
        yield from _beside(question)
    yield ""


def _named(question: Question) -> Iterator[str]:
    for operand in question.operands:
        if isinstance(operand, tuple):
            yield _interval(*operand)
        elif question.kind == "moment" and isinstance(operand, int):
            yield _iso(operand)
        else:
            yield str(operand)


def _beside(question: Question) -> Iterator[str]:
    for operand in question.operands:
        if isinstance(operand, tuple):
            begin, end = operand
            yield _interval(begin - 9 * _DAY_MS, begin - 7 * _DAY_MS)
            yield _interval(end + 7 * _DAY_MS, end + 9 * _DAY_MS)
        elif isinstance(operand, str):
            # The last stands right before it, for rules that ask for what comes before.
            earlier = chr(max(ord(operand[-1]) - 1, ord("!"))) if operand[-1:].isascii() else "a"
            yield from (f"{operand}a", f"a{operand}", operand[:-1], operand[:-1] + earlier)
        elif question.kind == "moment":
            yield from (_iso(int(operand) - _DAY_MS), _iso(int(operand) + _DAY_MS))
        else:
            yield from (str(operand - 1), str(operand + 1))


def _interval(begin: int, end: int) -> str:
    if begin == end:
        begin, end = begin - _DAY_MS, end + _DAY_MS
    return f"{_iso(begin)}/{_iso(end)}"


def _iso(milliseconds: int) -> str:
    at = from_ms(milliseconds, "UTC")
    if at is None:
        return str(milliseconds)
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds").replace("+00:00", "Z")
