"""Forms as data: the fields of a draft, their values in widgets and in JSON, and their problems. Nothing here draws."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ConfigDict
from pydantic import Field as ModelField

from client import FieldError
from domain.text.text_limits import MAX_LINE

Place = tuple[str, str]
"""The place of a field: the uid of its part of the draft, and its path in that part."""
TextSource = str | Callable[[Any], str]
"""A text, or a function that makes it from the part of the draft."""
Options = Sequence[Any] | Callable[[Any], Sequence[Any]]
Payload = dict[str, Any]

_STEP: Final = re.compile(r"[^.\[\]]+")


def new_uid() -> str:
    """Create a short ID for a part of a draft, so that its widgets keep their values when other parts move."""
    return uuid4().hex[:8]


class Part(BaseModel):
    """A draft or a part of one, stored as JSON between visits. Fields of other versions are ignored."""

    model_config = ConfigDict(extra="ignore")

    uid: str = ModelField(default_factory=new_uid)


D = TypeVar("D", bound=Part)
P = TypeVar("P", bound=Part)


class UnreadableInput(ValueError):
    """The input in a widget is not a value for the draft, which keeps its old value."""


def _always(_part: Any) -> bool:
    return True


def text_for(source: TextSource | None, part: Any) -> str:
    """Return the text for a part; "" for None."""
    return source(part) if callable(source) else source or ""


@dataclass(frozen=True)
class Field:
    """One field of a draft or of one of its parts."""

    path: str
    """Where its value is in its part of the draft: `start.address.city`, `phones.0.number`."""
    label: TextSource = ""
    _: KW_ONLY
    payload_path: str = ""
    """Where its value is in the JSON of the part; "" if it is not sent as it is."""
    applies: Callable[[Any], bool] = _always
    """Whether a part has the field at all."""
    help: TextSource | None = None
    placeholder: TextSource | None = None
    encode: Callable[[Any], Any] | None = None
    """Converts a value of the draft for the JSON, if the type of the field does not."""
    decode: Callable[[Any], Any] | None = None
    """Converts a value in the JSON for the draft, if the type of the field does not."""
    problem_paths: tuple[str, ...] = ()
    """Paths without a field of their own whose problems are shown at this field."""

    def value_in(self, part: Any) -> Any:
        """Return the value of this field in its part of the draft."""
        return get_value(part, self.path)

    def write(self, part: Any, value: Any) -> None:
        """Set the value of this field in its part of the draft."""
        set_value(part, self.path, value)

    def is_equivalent(self, widget_value: Any, part: Any) -> bool:
        """Return whether the value in a widget means the value in the part, perhaps in another notation."""
        try:
            return bool(self.from_widget(widget_value) == self.value_in(part))
        except UnreadableInput:
            return False

    def to_widget(self, value: Any) -> Any:
        """Convert a value of the draft for the widget."""
        return value

    def from_widget(self, widget_value: Any) -> Any:
        """Convert a value from the widget for the draft. Raises `UnreadableInput`."""
        return widget_value

    def to_payload(self, value: Any) -> Any:
        """Convert a value of the draft for the JSON that is sent. Return None to leave it out."""
        return self.encode(value) if self.encode is not None else value

    def from_payload(self, value: Any) -> Any:
        """Convert a value in the service's JSON for the draft."""
        return self.decode(value) if self.decode is not None else value


@dataclass(frozen=True)
class Text(Field):
    """A line of text, or a text area."""

    height: int | None = None
    """The height of a text area in pixels; None for a single line."""
    max_length: int = MAX_LINE
    """The most characters that a person may enter. The rules of the form check it again."""
    live: bool | str = False
    """Whether typing reruns the script at each pause, or the length of the pause."""
    clean: Callable[[str], str] = str
    """Converts the typed text for the draft."""

    def to_widget(self, value: Any) -> str:
        return str(value)

    def from_widget(self, widget_value: Any) -> str:
        return self.clean("" if widget_value is None else str(widget_value))

    def to_payload(self, value: Any) -> Any:
        return self.encode(value) if self.encode is not None else str(value).strip() or None

    def from_payload(self, value: Any) -> Any:
        return self.decode(value) if self.decode is not None else str(value)


@dataclass(frozen=True)
class Day(Field):
    """A day between two others, `YYYY-MM-DD` in the draft."""

    earliest: date = date(2000, 1, 1)
    latest: date = date(2100, 12, 31)

    def to_widget(self, value: Any) -> date | None:
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return None
        return day if self.earliest <= day <= self.latest else None

    def from_widget(self, widget_value: Any) -> str:
        return widget_value.isoformat() if isinstance(widget_value, date) else ""


@dataclass(frozen=True)
class Switch(Field):
    """Yes or no."""

    is_checkbox: bool = False


@dataclass(frozen=True)
class Choice(Field):
    """One of several values, or none. The value that the draft has is always among the options."""

    options: Options = ()
    labels: Callable[[Any], str] | Mapping[Any, str] = str
    """The label of each value. The browser knows the selected value by its label, so a new label draws a new widget."""
    selected_labels: Callable[[Any], str] | None = None
    """The label of the selected value, if its field has less room than the list; "" for that of the list."""
    none_value: Any = ""
    """The value of the draft if nothing is selected."""
    is_numeric: bool = False
    """Whether the values are numbers. Text from the browser is then an outdated label and is ignored."""
    required: bool | Callable[[Any], bool] = False
    """Whether the field cannot be cleared."""
    empty_label: str = ""
    """The label of an additional first option that means no value, for a list that cannot be cleared otherwise."""
    style: Literal["list", "segments", "radio"] = "list"
    captions: Mapping[Any, str] | None = None
    """A line below each option of a radio button."""

    def options_for(self, part: Any, value: Any) -> list[Any]:
        """Return the values to choose from: the options, and the value of the draft if it is another."""
        options = list(self.options(part) if callable(self.options) else self.options)
        empty = [""] if self.empty_label else []
        return [*empty, *options, *(each for each in self.selected_values(value) if each not in options)]

    def selected_values(self, value: Any) -> list[Any]:
        """Return the selected values as a list."""
        return [] if value is None or value == self.none_value else [value]

    def label_of(self, value: Any) -> str:
        """Return the label of a value."""
        if value == "" and self.empty_label:
            return self.empty_label
        return self.labels(value) if callable(self.labels) else self.labels.get(value, str(value))

    def selected_label(self, value: Any) -> str:
        """Return the label of a value while it is selected."""
        return (self.selected_labels(value) if self.selected_labels is not None else "") or self.label_of(value)

    def to_widget(self, value: Any) -> Any:
        return None if value == self.none_value else value

    def from_widget(self, widget_value: Any) -> Any:
        if widget_value is None or (widget_value == "" and self.empty_label):
            if self.required:
                raise UnreadableInput
            return self.none_value
        if self.is_numeric and isinstance(widget_value, str):
            raise UnreadableInput
        return widget_value

    def to_payload(self, value: Any) -> Any:
        return super().to_payload(value) if self.selected_values(value) else None


@dataclass(frozen=True)
class Choices(Choice):
    """Several values from a list; the draft has a list. With `new`, the user can type values that are not in the
    list.
    """

    new: bool = False

    def selected_values(self, value: Any) -> list[Any]:
        return list(value)

    def to_widget(self, value: Any) -> list[Any]:
        return list(value)

    def from_widget(self, widget_value: Any) -> list[Any]:
        if self.is_numeric and any(isinstance(each, str) for each in widget_value or ()):
            raise UnreadableInput
        return list(widget_value or ())


@dataclass(frozen=True)
class Parts:
    """The parts of a draft in a list or in a single attribute, which may be None, with their fields."""

    path: str
    """The attribute of the draft; also the uid of problems that are about the parts as a whole."""
    title: str
    """The title of a part in the list of problems; `{}` is its number."""
    fields: tuple[Field, ...]
    _: KW_ONLY
    payload_path: str = ""
    """Where the parts are in the JSON of the draft."""
    error_places: Mapping[str, str] = field(default_factory=dict)
    """The places of errors whose path in the JSON is not that of a field, by this path."""
    is_sent: Callable[[Any], bool] = _always
    """Whether a part is sent. The service counts only these in the paths of its errors."""
    after_change: Callable[[Any, Any], Any] | None = None
    """Returns a part with the consequences of a change; gets the part before and after it."""
    is_missing: Callable[[Any, str], bool] | None = None
    """Whether a part has no value at a place. Errors about all parts are shown at these."""

    def list_in(self, draft: BaseModel) -> list[Any]:
        """Return the parts in a draft."""
        value = getattr(draft, self.path)
        return value if isinstance(value, list) else [] if value is None else [value]

    @cached_property
    def by_path(self) -> dict[str, Field]:
        """The fields by path."""
        return {each.path: each for each in self.fields}

    def place_of(self, payload_path: str) -> str:
        """Return the place in a part for a path in the JSON, from the field at or above it or from `error_places`."""
        places = {**self.error_places, **{each.payload_path: each.path for each in self.fields if each.payload_path}}
        steps = _STEP.findall(payload_path)
        for length in range(len(steps), 0, -1):
            for name, path in places.items():
                if _STEP.findall(name) == steps[:length]:
                    return path
        return ""

    def to_payload(self, part: Any) -> Payload:
        """Build the JSON of a part from the fields that apply. Empty values are left out."""
        payload: Payload = {}
        for each in self.fields:
            if each.payload_path and each.applies(part) and (value := each.to_payload(each.value_in(part))) is not None:
                *way, last = each.payload_path.split(".")
                at = payload
                for name in way:
                    at = at.setdefault(name, {})
                at[last] = value
        return payload

    def from_payload(self, payload: Mapping[str, Any], part: P) -> P:
        """Fill the fields of a part from the service's JSON, including those that do not apply."""
        for each in self.fields:
            value: Any = payload if each.payload_path else None
            for name in each.payload_path.split("."):
                value = value.get(name) if isinstance(value, Mapping) else None
            if value is not None:
                each.write(part, each.from_payload(value))
        return part


class Problems:
    """Problems by place. Some are not mistakes but only unfinished."""

    def __init__(self) -> None:
        self._of: defaultdict[str, defaultdict[str, dict[str, bool]]] = defaultdict(lambda: defaultdict(dict))

    def add(self, uid: str, path: str, message: str, *, unfinished: bool = False) -> None:
        """Add a problem to a place. A problem that is there already is not added again."""
        self._of[uid][path].setdefault(message, unfinished)

    def at(self, uid: str, *paths: str) -> list[str]:
        """Return the problems at these places of a part."""
        at: Mapping[str, Mapping[str, bool]] = self._of.get(uid, {})
        return [message for path in paths for message in at.get(path, ())]

    def of(self, uid: str) -> list[tuple[str, str]]:
        """Return all problems of a part as (path, message)."""
        return [(path, message) for path, problems in self._of.get(uid, {}).items() for message in problems]

    def filter(self, keep: Callable[[Place, bool], bool]) -> Problems:
        """Return the problems that `keep` accepts. It gets the place and whether the problem is only unfinished."""
        filtered = Problems()
        for uid, at in self._of.items():
            for path, problems in at.items():
                for message, unfinished in problems.items():
                    if keep((uid, path), unfinished):
                        filtered.add(uid, path, message, unfinished=unfinished)
        return filtered

    @property
    def count(self) -> int:
        """The number of problems."""
        return sum(len(problems) for at in self._of.values() for problems in at.values())

    def __bool__(self) -> bool:
        return self.count > 0


class Form(Generic[D]):
    """The fields of a draft and of its parts. `name` is the prefix of all widget keys.

    `after_change` is like that of `Parts`, for the draft as a whole.
    """

    def __init__(
        self,
        name: str,
        *fields: Field,
        parts: tuple[Parts, ...] = (),
        error_places: Mapping[str, str] | None = None,
        after_change: Callable[[D, D], D] | None = None,
    ) -> None:
        self.name = name
        self.parts = parts
        self.root = Parts("", "", fields, error_places=error_places or {}, after_change=after_change)

    def key(self, uid: str, path: str) -> str:
        """Return the prefix of the key of a field's widget."""
        return f"{self.name}/{uid}/{path}"

    def field(self, draft: D, uid: str, path: str) -> Field | None:
        """Return the field at a place; None if the draft has no such part or the part has no such field."""
        found = self._part(draft, uid)
        return found[0].by_path.get(path) if found is not None else None

    def apply_input(self, draft: D, widget_values: Mapping[Place, Any]) -> D:
        """Return the draft with the values of these widgets. Unreadable values and unknown places are ignored."""
        taken: dict[Place, Any] = {}
        for (uid, path), value in widget_values.items():
            each = self.field(draft, uid, path)
            if each is not None:
                try:
                    taken[uid, path] = each.from_widget(value)
                except UnreadableInput:
                    continue
        if not taken and self.root.after_change is None:
            return draft
        after = self.with_values(draft, taken)
        return draft if after == draft else after

    def with_values(self, draft: D, values: Mapping[Place, Any]) -> D:
        """Return the draft with these values and what follows from them. Unknown parts are ignored."""
        after = draft.model_copy(deep=True)
        # A field may depend on an earlier one, as a value depends on its operator: the last one is written first.
        for parts, part, _ in self.walk(after):
            for each in reversed(parts.fields):
                if (part.uid, each.path) in values:
                    each.write(part, values[part.uid, each.path])
        for parts in self.parts:
            if parts.after_change is not None:
                was = {each.uid: each for each in parts.list_in(draft)}
                changed = [parts.after_change(was[each.uid], each) for each in parts.list_in(after)]
                is_list = isinstance(getattr(after, parts.path), list)
                setattr(after, parts.path, changed if is_list else next(iter(changed), None))
        after_change = self.root.after_change
        return after_change(draft, after) if after_change is not None else after

    def remove_part(self, draft: D, uid: str) -> D:
        """Return the draft without one of its parts."""
        for parts in self.parts:
            value = getattr(draft, parts.path)
            if uid in (each.uid for each in parts.list_in(draft)):
                rest = [each for each in value if each.uid != uid] if isinstance(value, list) else None
                return draft.model_copy(update={parts.path: rest})
        return draft

    def values(self, draft: D) -> dict[Place, Any]:
        """Return the value of every field in the draft."""
        return {
            (part.uid, each.path): each.value_in(part) for parts, part, _ in self.walk(draft) for each in parts.fields
        }

    def walk(self, draft: D) -> Iterator[tuple[Parts, Any, str]]:
        """Yield the draft and its parts in order, each with the declaration of its fields and its title."""
        yield self.root, draft, ""
        for parts in self.parts:
            for number, part in enumerate(parts.list_in(draft), start=1):
                yield parts, part, parts.title.format(number)

    def to_payload(self, draft: D) -> Payload:
        """Build the JSON of the draft and of the parts that are sent. Empty values are left out."""
        payload = self.root.to_payload(draft)
        for parts in self.parts:
            sent = [parts.to_payload(part) for part in parts.list_in(draft) if parts.is_sent(part)]
            if isinstance(getattr(draft, parts.path), list):
                payload[parts.payload_path] = sent
            elif sent:
                (payload[parts.payload_path],) = sent
        return payload

    def place_errors(self, draft: D, errors: Iterable[FieldError], problems: Problems | None = None) -> Problems:
        """Add errors with the service's paths to problems, each at its field of the draft. No error is dropped."""
        problems = problems if problems is not None else Problems()
        for error in errors:
            for uid, path in self._places(draft, error.field):
                problems.add(uid, path, error.message)
        return problems

    def started_problems(self, draft: D, problems: Problems, *, always: Collection[str] = ()) -> Problems:
        """Return the mistakes in fields that have a value, so that an empty form is not covered with errors.

        `always` are places of the draft itself whose problems are always included.
        """
        by_uid = {part.uid: part for _, part, _ in self.walk(draft)}

        def is_started(place: Place, unfinished: bool) -> bool:
            uid, path = place
            if uid == draft.uid and path in always:
                return True
            return uid in by_uid and not unfinished and _has_value(by_uid[uid], path)

        return problems.filter(is_started)

    def label_problems(self, draft: D, problems: Problems) -> list[tuple[str, str]]:
        """Return all problems as (label, message) in the order of the form; the label is "" for the whole draft."""
        lines = []
        for parts in (self.root, *self.parts):
            order = {
                path: number for number, each in enumerate(parts.fields) for path in (each.path, *each.problem_paths)
            }
            lines += [("", message) for _, message in problems.of(parts.path) if parts.path]
            for _, part, title in (each for each in self.walk(draft) if each[0] is parts):
                for path, message in sorted(problems.of(part.uid), key=lambda at: order.get(at[0], -1)):
                    lines.append(
                        (title or (text_for(parts.by_path[path].label, part) if path in parts.by_path else ""), message)
                    )
        return lines

    def describe_problems(self, draft: D, problems: Problems) -> list[str]:
        """Return all problems in the order of the form, a line each, with the label of their place."""
        return [f"{where}: {message}" if where else message for where, message in self.label_problems(draft, problems)]

    def _part(self, draft: D, uid: str) -> tuple[Parts, Any] | None:
        return next(((parts, part) for parts, part, _ in self.walk(draft) if part.uid == uid), None)

    def _places(self, draft: D, payload_path: str) -> Iterator[Place]:
        for parts in self.parts:
            match = re.fullmatch(rf"{re.escape(parts.payload_path)}(?:\[(\d+)\])?(?:\.(.+))?", payload_path)
            if match is None or not parts.payload_path:
                continue
            index, rest = match.groups()
            sent = [part for part in parts.list_in(draft) if parts.is_sent(part)]
            path = parts.place_of(rest or "")
            if not isinstance(getattr(draft, parts.path), list):
                index = "0"
            if index is not None and int(index) < len(sent):
                yield sent[int(index)].uid, path
            elif index is None and rest and sent:
                # The error names a field but no part: show it at the parts that lack the field, or at all parts.
                lacking = [part for part in sent if parts.is_missing is not None and parts.is_missing(part, path)]
                yield from ((part.uid, path) for part in lacking or sent)
            else:
                yield parts.path, ""
            return
        yield draft.uid, self.root.place_of(payload_path)


def get_value(part: Any, path: str) -> Any:
    """Return the value at a path: names of attributes and list indexes, separated by dots."""
    for name in path.split("."):
        part = part[int(name)] if name.isdecimal() else getattr(part, name)
    return part


def set_value(part: Any, path: str, value: Any) -> None:
    """Set the value at a path."""
    way, _, last = path.rpartition(".")
    setattr(get_value(part, way) if way else part, last, value)


def _has_value(part: Any, path: str) -> bool:
    try:
        value = get_value(part, path) if path else None
    except (AttributeError, IndexError):
        return False
    if isinstance(value, BaseModel):
        return any(_has_value(value, name) for name in type(value).model_fields)
    return bool(value.strip()) if isinstance(value, str) else not (value is None or value is False or value == [])
