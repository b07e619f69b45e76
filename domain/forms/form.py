"""Forms as data: the fields of a draft, their values in widgets and in JSON, and their problems. Nothing here draws."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final, Generic, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ConfigDict
from pydantic import Field as ModelField

from client import FieldError

Place = tuple[str, str]
"""The place of a field: the uid of its part of the draft, and its path in that part."""
Said = str | Callable[[Any], str]
"""A text, or a function that makes it from the part of the draft."""
Options = Sequence[Any] | Callable[[Any], Sequence[Any]]
Wire = dict[str, Any]

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


class Unreadable(ValueError):
    """The input in a widget is not a value for the draft, which keeps its old value."""


def _always(_part: Any) -> bool:
    return True


def words(message: Said | None, part: Any) -> str:
    """Return the text for a part; "" for None."""
    return message(part) if callable(message) else message or ""


@dataclass(frozen=True)
class Field:
    """One field: `path` is where its value stands in its part of the draft (`start.address.city`, `phones.0.number`).

    `wire` is where it stands in the part's JSON at the service; empty where it is not sent as it is. `applies` tells of
    a part whether it has the field at all. `sent` and `told` translate to and from the wire where the sort of field
    does not do it. `also` are places without a field of their own whose problems stand at this one.
    """

    path: str
    label: Said = ""
    _: KW_ONLY
    wire: str = ""
    applies: Callable[[Any], bool] = _always
    help: Said | None = None
    placeholder: Said | None = None
    sent: Callable[[Any], Any] | None = None
    told: Callable[[Any], Any] | None = None
    also: tuple[str, ...] = ()

    def value_in(self, part: Any) -> Any:
        """Return the value of this field in its part of the draft."""
        return get(part, self.path)

    def write(self, part: Any, value: Any) -> None:
        """Set the value of this field in its part of the draft."""
        put(part, self.path, value)

    def stands_for(self, shown: Any, part: Any) -> bool:
        """Return whether the value in a widget means the value in the part, perhaps in another notation."""
        try:
            return bool(self.read(shown) == self.value_in(part))
        except Unreadable:
            return False

    def shown(self, value: Any) -> Any:
        """Convert a value of the draft for the widget."""
        return value

    def read(self, shown: Any) -> Any:
        """Convert a value from the widget for the draft. Raises `Unreadable` if it has no value for the draft."""
        return shown

    def to_wire(self, value: Any) -> Any:
        """Convert a value of the draft for the JSON that is sent. Return None to leave it out."""
        return self.sent(value) if self.sent is not None else value

    def from_wire(self, value: Any) -> Any:
        """Convert a value in the service's JSON for the draft."""
        return self.told(value) if self.told is not None else value


@dataclass(frozen=True)
class Text(Field):
    """A line of text; `lines` gives it several, in pixels. `clean` is what the draft takes of what is typed."""

    lines: int | None = None
    live: bool | str = False
    clean: Callable[[str], str] = str

    def shown(self, value: Any) -> str:
        return str(value)

    def read(self, shown: Any) -> str:
        return self.clean("" if shown is None else str(shown))

    def to_wire(self, value: Any) -> Any:
        return self.sent(value) if self.sent is not None else str(value).strip() or None

    def from_wire(self, value: Any) -> Any:
        return self.told(value) if self.told is not None else str(value)


@dataclass(frozen=True)
class Day(Field):
    """A day between two others, `YYYY-MM-DD` in the draft."""

    earliest: date = date(2000, 1, 1)
    latest: date = date(2100, 12, 31)

    def shown(self, value: Any) -> date | None:
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return None
        return day if self.earliest <= day <= self.latest else None

    def read(self, shown: Any) -> str:
        return shown.isoformat() if isinstance(shown, date) else ""


@dataclass(frozen=True)
class Switch(Field):
    """Yes or no."""

    box: bool = False


@dataclass(frozen=True)
class Choice(Field):
    """One of several values, or none: then the draft holds `none`. What the draft came with is always among them.

    `required` is one that cannot be emptied. A list that begins with a choice cannot be emptied either: with `empty`,
    which says so in words, nothing is a choice too. `named` says each value in words; the browser knows what was chosen
    by them, so that the field begins anew where they change. Where values are `numbers`, words that come in their place
    are such of before. `looks` is "list", "segments" or "radio".
    """

    options: Options = ()
    named: Callable[[Any], str] | Mapping[Any, str] = str
    none: Any = ""
    numbers: bool = False
    required: bool | Callable[[Any], bool] = False
    empty: str = ""
    looks: str = "list"
    captions: Mapping[Any, str] | None = None

    def offered(self, part: Any, value: Any) -> list[Any]:
        """Return the values to choose from: the options, and the value of the draft if it is another."""
        options = list(self.options(part) if callable(self.options) else self.options)
        nothing = [""] if self.empty else []
        return [*nothing, *options, *(each for each in self.chosen(value) if each not in options)]

    def chosen(self, value: Any) -> list[Any]:
        """Return the selected values as a list."""
        return [] if value is None or value == self.none else [value]

    def name(self, value: Any) -> str:
        """Return the label of a value."""
        if value == "" and self.empty:
            return self.empty
        return self.named(value) if callable(self.named) else self.named.get(value, str(value))

    def shown(self, value: Any) -> Any:
        return None if value == self.none else value

    def read(self, shown: Any) -> Any:
        if shown is None or (shown == "" and self.empty):
            if self.required:
                raise Unreadable
            return self.none
        if self.numbers and isinstance(shown, str):
            raise Unreadable
        return shown

    def to_wire(self, value: Any) -> Any:
        return super().to_wire(value) if self.chosen(value) else None


@dataclass(frozen=True)
class Choices(Choice):
    """Several values from a list; the draft has a list. With `new`, the user can type values that are not in the
    list.
    """

    new: bool = False

    def chosen(self, value: Any) -> list[Any]:
        return list(value)

    def shown(self, value: Any) -> list[Any]:
        return list(value)

    def read(self, shown: Any) -> list[Any]:
        if self.numbers and any(isinstance(each, str) for each in shown or ()):
            raise Unreadable
        return list(shown or ())


@dataclass(frozen=True)
class Parts:
    """Parts of a draft with fields of their own: those of a list, or one that may be missing, at `path` in the draft.

    `title` names one in the list of what to mend, `{}` being its number. `wire` is where they stand in the draft's
    JSON; `counts` tells which of them are sent: a problem there names one by its number among those. `marks` leads from
    places on the wire that are no field to where their problems stand. `settle` is what follows from a change: it gets
    the part as it was and as it is. `lacks` tells whether a part has nothing at a place: what is said of all parts
    stands there.
    """

    path: str
    title: str
    fields: tuple[Field, ...]
    _: KW_ONLY
    wire: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    counts: Callable[[Any], bool] = _always
    settle: Callable[[Any, Any], Any] | None = None
    lacks: Callable[[Any, str], bool] | None = None

    def of(self, draft: BaseModel) -> list[Any]:
        """Return the parts in a draft."""
        held = getattr(draft, self.path)
        return held if isinstance(held, list) else [] if held is None else [held]

    @cached_property
    def by_path(self) -> dict[str, Field]:
        """The fields by path."""
        return {each.path: each for each in self.fields}

    def place(self, wire: str) -> str:
        """Return the place in a part for a path in the JSON: the field at or above that path, else a mark, else ""."""
        named = {**self.marks, **{each.wire: each.path for each in self.fields if each.wire}}
        steps = _STEP.findall(wire)
        for length in range(len(steps), 0, -1):
            for name, path in named.items():
                if _STEP.findall(name) == steps[:length]:
                    return path
        return ""

    def to_wire(self, part: Any) -> Wire:
        """Build the JSON of a part from the fields that apply. Empty values are left out."""
        made: Wire = {}
        for each in self.fields:
            if each.wire and each.applies(part) and (value := each.to_wire(each.value_in(part))) is not None:
                *way, last = each.wire.split(".")
                at = made
                for name in way:
                    at = at.setdefault(name, {})
                at[last] = value
        return made

    def from_wire(self, wire: Mapping[str, Any], part: P) -> P:
        """Fill the fields of a part from the service's JSON, including those that do not apply."""
        for each in self.fields:
            held: Any = wire if each.wire else None
            for name in each.wire.split("."):
                held = held.get(name) if isinstance(held, Mapping) else None
            if held is not None:
                each.write(part, each.from_wire(held))
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

    def only(self, keep: Callable[[Place, bool], bool]) -> Problems:
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

    `settle` is called after a change of the draft's own fields, like that of `Parts`.
    """

    def __init__(
        self,
        name: str,
        *fields: Field,
        parts: tuple[Parts, ...] = (),
        marks: Mapping[str, str] | None = None,
        settle: Callable[[D, D], D] | None = None,
    ) -> None:
        self.name = name
        self.parts = parts
        self.own = Parts("", "", fields, marks=marks or {}, settle=settle)

    def key(self, uid: str, path: str) -> str:
        """Return the prefix of the key of a field's widget."""
        return f"{self.name}/{uid}/{path}"

    def field(self, draft: D, uid: str, path: str) -> Field | None:
        """Return the field at a place; None if the draft has no such part or the part has no such field."""
        found = self._part(draft, uid)
        return found[0].by_path.get(path) if found is not None else None

    def apply_input(self, draft: D, shown: Mapping[Place, Any]) -> D:
        """Return the draft with the values of these widgets. Unreadable values and unknown places are ignored."""
        taken: dict[Place, Any] = {}
        for (uid, path), value in shown.items():
            each = self.field(draft, uid, path)
            if each is not None:
                try:
                    taken[uid, path] = each.read(value)
                except Unreadable:
                    continue
        if not taken and self.own.settle is None:
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
            if parts.settle is not None:
                was = {each.uid: each for each in parts.of(draft)}
                held = [parts.settle(was[each.uid], each) for each in parts.of(after)]
                is_list = isinstance(getattr(after, parts.path), list)
                setattr(after, parts.path, held if is_list else next(iter(held), None))
        settle = self.own.settle
        return settle(draft, after) if settle is not None else after

    def without(self, draft: D, uid: str) -> D:
        """Return the draft without one of its parts."""
        for parts in self.parts:
            held = getattr(draft, parts.path)
            if uid in (each.uid for each in parts.of(draft)):
                rest = [each for each in held if each.uid != uid] if isinstance(held, list) else None
                return draft.model_copy(update={parts.path: rest})
        return draft

    def values(self, draft: D) -> dict[Place, Any]:
        """Return the value of every field in the draft."""
        return {
            (part.uid, each.path): each.value_in(part) for parts, part, _ in self.walk(draft) for each in parts.fields
        }

    def walk(self, draft: D) -> Iterator[tuple[Parts, Any, str]]:
        """Yield the draft and its parts in order, each with the declaration of its fields and its title."""
        yield self.own, draft, ""
        for parts in self.parts:
            for number, part in enumerate(parts.of(draft), start=1):
                yield parts, part, parts.title.format(number)

    def to_wire(self, draft: D) -> Wire:
        """Build the JSON of the draft and of the parts that are sent. Empty values are left out."""
        made = self.own.to_wire(draft)
        for parts in self.parts:
            held = [parts.to_wire(part) for part in parts.of(draft) if parts.counts(part)]
            if isinstance(getattr(draft, parts.path), list):
                made[parts.wire] = held
            elif held:
                (made[parts.wire],) = held
        return made

    def placed(self, draft: D, errors: Iterable[FieldError], into: Problems | None = None) -> Problems:
        """Assign errors with the service's paths to the fields of the draft. No error is dropped."""
        found = into if into is not None else Problems()
        for error in errors:
            for uid, path in self._places(draft, error.field):
                found.add(uid, path, error.message)
        return found

    def begun(self, draft: D, found: Problems, *, besides: Iterable[str] = ()) -> Problems:
        """Return the mistakes in fields that have a value, so that an empty form is not covered with errors.

        `besides` are places of the draft itself whose problems are always included.
        """
        shown = frozenset(besides)
        by_uid = {part.uid: part for _, part, _ in self.walk(draft)}

        def has_begun(place: Place, unfinished: bool) -> bool:
            uid, path = place
            if uid == draft.uid and path in shown:
                return True
            return uid in by_uid and not unfinished and _holds(by_uid[uid], path)

        return found.only(has_begun)

    def told(self, draft: D, found: Problems) -> list[tuple[str, str]]:
        """Return all problems as (label, message) in the order of the form; the label is "" for the whole draft."""
        told = []
        for parts in (self.own, *self.parts):
            order = {path: number for number, each in enumerate(parts.fields) for path in (each.path, *each.also)}
            told += [("", message) for _, message in found.of(parts.path) if parts.path]
            for _, part, title in (each for each in self.walk(draft) if each[0] is parts):
                for path, message in sorted(found.of(part.uid), key=lambda at: order.get(at[0], -1)):
                    told.append(
                        (title or (words(parts.by_path[path].label, part) if path in parts.by_path else ""), message)
                    )
        return told

    def listed(self, draft: D, found: Problems) -> list[str]:
        """Return all problems in the order of the form, a line each, with the label of their place."""
        return [f"{where}: {message}" if where else message for where, message in self.told(draft, found)]

    def _part(self, draft: D, uid: str) -> tuple[Parts, Any] | None:
        return next(((parts, part) for parts, part, _ in self.walk(draft) if part.uid == uid), None)

    def _places(self, draft: D, wire: str) -> Iterator[Place]:
        for parts in self.parts:
            named = re.fullmatch(rf"{re.escape(parts.wire)}(?:\[(\d+)\])?(?:\.(.+))?", wire)
            if named is None or not parts.wire:
                continue
            index, rest = named.groups()
            held = [part for part in parts.of(draft) if parts.counts(part)]
            path = parts.place(rest or "")
            if not isinstance(getattr(draft, parts.path), list):
                index = "0"
            if index is not None and int(index) < len(held):
                yield held[int(index)].uid, path
            elif index is None and rest and held:
                # The error names a field but no part: show it at the parts that lack the field, or at all parts.
                lacking = [part for part in held if parts.lacks is not None and parts.lacks(part, path)]
                yield from ((part.uid, path) for part in lacking or held)
            else:
                yield parts.path, ""
            return
        yield draft.uid, self.own.place(wire)


def get(part: Any, path: str) -> Any:
    """Return the value at a path: names of attributes and list indexes, separated by dots."""
    for name in path.split("."):
        part = part[int(name)] if name.isdecimal() else getattr(part, name)
    return part


def put(part: Any, path: str, value: Any) -> None:
    """Set the value at a path."""
    way, _, last = path.rpartition(".")
    setattr(get(part, way) if way else part, last, value)


def _holds(part: Any, path: str) -> bool:
    try:
        value = get(part, path) if path else None
    except (AttributeError, IndexError):
        return False
    if isinstance(value, BaseModel):
        return any(_holds(value, name) for name in type(value).model_fields)
    return bool(value.strip()) if isinstance(value, str) else not (value is None or value is False or value == [])
