"""The places that a text names: states, counties, cities, ZIP codes, and parts of them such as evacuation zones.

find_places_in_text("Flood in Springfield, Missouri", us_places()) -> [PlaceInText("in Springfield, Missouri", …)]

Names of roads, buildings, and offices don't count. A sentence is read word by word, so that the time is linear in the
length of the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

from domain.alerts.recipients.us_names import STATE_NAMES, STATES_BY_NAME, STATES_IN_PRINT, PlaceKey, find_nickname
from domain.alerts.recipients.us_places import UsPlaces
from domain.alerts.wording.patterns import HAZARD
from domain.geography.folding import fold

Role = Literal["affected", "vague", "passing", "denied"]
"""Whether the danger is at the place, possibly near it, or somewhere else: "smoke from California", "not in Dallas"."""
PlaceKind = Literal["state", "county", "city", "zip", "part"]

_WORDS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORDS[name].split())


def _phrases(name: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in _WORDS[name].split("|"))


_AFFECTED, _VAGUE, _PASSING = _words("affected"), _words("vague"), _words("passing")
_DIRECTIONS = _words("directions")
_MODIFIERS, _WHOLES, _AUDIENCE = _words("modifiers"), _words("wholes"), _words("audience")
_BODIES_OF = _words("bodies_of")
_ROADS = _words("roads")
_AFTER, _NOT_AFTER, _OFFICES = _words("after"), _words("not_after") | _ROADS, _phrases("offices")
_HEADINGS: Final = _words("headings")
_HELP, _OTHER_ZONES, _STATES_AS_WORDS = _phrases("told_of_help"), _words("other_zones"), _words("states_as_words")
_COUNTY_WORDS: Final = frozenset({"county", "parish", "borough"})
_LISTED: Final = frozenset({",", "/", "&", "and", "or", "y", "e", "o"})
_STATE_WORDS: Final = frozenset({"state", "estado"})
_STATE_JOINS: Final = _STATE_WORDS | {"in", "the", "of", "en", "el", "de"}
"""The words between a name and its state: "Albany, in the state of New York"."""
_MOST_STATE_JOINS: Final = 4
_NAME_JOINS: Final = frozenset({"of", "de", "du", "la", "los", "las", "del", "the"})
_PUBLIC_BODIES: Final = frozenset(
    {"city", "town", "village", "county", "counties", "state", "ciudad", "pueblo", "condado", "condados", "estado"}
)
_FROM_DANGER: Final = frozenset({"away", "evacuate", "evacuation", "evacuations", "out"})
_CAUSE: Final = frozenset({"from", "since", "by", "because", "desde"})
_NOT: Final = frozenset({"not", "no", "nor", "ni"})
_MOST_WORDS: Final = 5
_MOST_UNKNOWN: Final = 2
_CAUSE_WITHIN: Final = 5
_BACK: Final = 8
_LONGEST_HEADING: Final = 8
"""The most words of a heading before or after the name of its place, with the colon."""
_TITLE_SHARE: Final = 0.8
_TITLE_WORDS: Final = 4
_SHORTEST_IN_TITLE: Final = 4
_ZIP_DIGITS: Final = 5

_TOKEN: Final = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_END_OF_SENTENCE: Final = frozenset(".!?;:\n~•")
_ENDS_HEADING: Final = frozenset(":.!")
_DASHES: Final = frozenset("-–—")
_SAINT: Final = re.compile(r"\b(St|Ste|Ft|Mt)\. (?=[A-Z])")
_LETTERS_WITH_DOTS: Final = re.compile(r"\b([A-Z])\. ?([A-Z])\.")
_ZONE_ID: Final = re.compile(r"[A-Z]|(?=.{0,14}\d)[A-Za-z0-9][A-Za-z0-9-]{0,14}")


@dataclass(frozen=True)
class PlaceInText:
    """A place that a text names."""

    words: str
    """As in the text, with the preposition."""
    kind: PlaceKind
    name: str
    """The folded name without the state. For a state its postal code."""
    role: Role
    keys: tuple[PlaceKey, ...] = ()
    """The places of this name, in the named state if there is one."""
    state: str = ""
    """The postal code of the state that follows the name, or of the state itself."""
    postal_keys: tuple[PlaceKey, ...] = ()
    """The places that the post, or people, also call so."""

    @property
    def is_partial(self) -> bool:
        """Return whether the text means a part: "southern Wisconsin"."""
        return not _DIRECTIONS.isdisjoint(fold(self.words).split()[:-1])


class _Token(NamedTuple):
    text: str
    folded: str
    start: int
    end: int

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper()


def find_places_in_text(text: str, us: UsPlaces) -> list[PlaceInText]:
    """Return the places that a text names, in its order."""
    return list(_read(text, us))


@lru_cache(maxsize=64)
def _read(text: str, us: UsPlaces) -> tuple[PlaceInText, ...]:
    text = _LETTERS_WITH_DOTS.sub(r"\1\2", _SAINT.sub(r"\1 ", text))
    is_loud = text.upper() == text
    return tuple(
        place
        for number, sentence in enumerate(_sentences(text))
        for place in _Sentence(text, sentence, us, is_loud=is_loud, is_first=number == 0).places()
    )


def _sentences(text: str) -> Iterator[list[_Token]]:
    tokens: list[_Token] = []
    for line in re.finditer(r"[^\n]+", text):
        for found in _TOKEN.finditer(text, line.start(), line.end()):
            token = _Token(found[0], fold(found[0]) or found[0], *found.span())
            # A dot ends an abbreviation too ("Springfield, Mo."). What follows is a sentence of its own either way.
            if token.text in _END_OF_SENTENCE:
                yield [*tokens, token]
                tokens = []
            else:
                tokens.append(token)
        yield tokens
        tokens = []


def _ends_name(word: str) -> bool:
    return word in _AFTER or word in _AUDIENCE or (word != "fire" and HAZARD.fullmatch(word) is not None)


def _names_hazard(tokens: Iterable[_Token]) -> bool:
    return any(HAZARD.fullmatch(each.folded) for each in tokens)


class _Sentence:
    """Reads one sentence. `_at` is the only place that decides what a name is."""

    def __init__(self, text: str, tokens: Sequence[_Token], us: UsPlaces, *, is_loud: bool, is_first: bool) -> None:
        self._text, self._tokens, self._us = text, tokens, us
        long_words = [each for each in tokens if len(each.folded) >= _SHORTEST_IN_TITLE and each.text[0].isalpha()]
        capitals = sum(each.is_capital for each in long_words)
        # In a title, capital letters don't show where a name ends.
        self._is_title = is_loud or (len(long_words) >= _TITLE_WORDS and capitals >= _TITLE_SHARE * len(long_words))
        self._is_loud = is_loud
        self._is_first = is_first
        self._help_from = self._find_help()

    def places(self) -> Iterator[PlaceInText]:
        """Yield the places of the sentence."""
        at, listed_after = 0, None
        listed: PlaceInText | None = None
        while at < len(self._tokens):
            found = self._at(at, listed_after)
            if found is None:
                if self._word(at) not in _LISTED:
                    listed_after = None
                at += 1
                continue
            listed, at = found
            yield listed
            listed_after = listed

    # Tokens

    def _word(self, at: int) -> str:
        return self._tokens[at].folded if 0 <= at < len(self._tokens) else ""

    def _phrase(self, at: int) -> str:
        return f"{self._word(at)} {self._word(at + 1)}"

    def _names_from(self, at: int) -> Iterator[tuple[str, int]]:
        """Yield the names that may begin here, the longest first, with the index after each."""
        end, last = at, at
        while end < min(at + _MOST_WORDS, len(self._tokens)):
            token = self._tokens[end]
            if not token.text[0].isalpha() or not (token.is_capital or (end > at and token.folded in _NAME_JOINS)):
                break
            end += 1
            last = end if token.is_capital else last
        for stop in range(last, at, -1):
            if self._tokens[stop - 1].is_capital:
                yield " ".join(each.folded for each in self._tokens[at:stop]), stop

    def _is_apart(self, at: int, stop: int) -> bool:
        """Return whether the words around a name don't continue it: "Texas Roadhouse", "University of Texas"."""
        following, before = self._word(stop), self._word(at - 1)
        if following in _NOT_AFTER or self._phrase(stop) in _OFFICES:
            return False
        if before == "of" and self._word(at - 2) in _BODIES_OF:
            return False
        if self._is_loud:
            return True
        if stop < len(self._tokens) and self._tokens[stop].is_capital and not _ends_name(following):
            return False
        is_capital_before = at > 0 and self._tokens[at - 1].is_capital
        return not is_capital_before or self._is_title or self._introduces(before)

    def _introduces(self, word: str) -> bool:
        return word in _MODIFIERS or word in _AFFECTED or word in _VAGUE or word in _PASSING or _ends_name(word)

    # Names

    def _at(self, at: int, listed_after: PlaceInText | None) -> tuple[PlaceInText, int] | None:
        token = self._tokens[at]
        if token.text.isdigit():
            return self._zip_code(at, listed_after)
        if token.folded in ("zone", "zones", "zona", "zonas"):
            return self._zone(at)
        if token.folded in ("barrio", "neighborhood", "vecindario") or not token.is_capital:
            return self._neighborhood(at) if not token.is_capital else None
        return self._counties(at, listed_after) or self._named(at, listed_after)

    def _zip_code(self, at: int, listed_after: PlaceInText | None) -> tuple[PlaceInText, int] | None:
        code = self._tokens[at].text
        key = next((key for key in self._us.find_keys("zip", code)), None) if len(code) == _ZIP_DIGITS else None
        following = self._tokens[at + 1] if at + 1 < len(self._tokens) else None
        if key is None or (following is not None and following.is_capital and not self._is_title):
            return None  # "12345 Main Street"
        before = [self._word(at - back) for back in range(1, 4)]
        is_code = bool({"zip", "codes", "code", "postal"} & set(before))
        role = self._role(at, listed_after)
        if listed_after is not None and listed_after.kind != "zip":
            role = "passing"  # The end of an address: "Boulder, CO 80302"
        if role is None:
            role = "affected" if is_code else "passing"
        return self._place(at, at + 1, "zip", code, role, (key,), key[1]), at + 1

    def _zone(self, at: int) -> tuple[PlaceInText, int] | None:
        following = self._tokens[at + 1] if at + 1 < len(self._tokens) else None
        if following is None or not _ZONE_ID.fullmatch(following.text) or self._word(at - 1) in _OTHER_ZONES:
            return None
        is_told_of_help = self._tokens[at].start > self._help_from
        return self._place(at, at + 2, "part", following.folded, "passing" if is_told_of_help else "affected"), at + 2

    def _neighborhood(self, at: int) -> tuple[PlaceInText, int] | None:
        """Return a neighborhood: "barrio La Alma", "Capitol Hill neighborhood"."""
        word = self._word(at)
        if word not in ("barrio", "vecindario", "neighborhood", "neighbourhood", "subdivision"):
            return None
        start, stop = at, at + 1
        after = at + 1 + (self._word(at + 1) in ("de", "of"))
        if named := next(self._names_from(after), None):
            name, stop = named
        elif self._is_loud or at == 0 or not self._tokens[at - 1].is_capital:
            return None
        else:
            while start > 0 and self._tokens[start - 1].is_capital and at - start < _MOST_WORDS:
                start -= 1
            name = " ".join(each.folded for each in self._tokens[start:at])
        if name in _MODIFIERS or name in _AFTER:
            return None
        of_part: Role = "passing" if self._role(start, None) == "passing" else "affected"
        return self._place(start, stop, "part", name, of_part), stop

    def _counties(self, at: int, listed_after: PlaceInText | None) -> tuple[PlaceInText, int] | None:
        """Return a county: "Larimer County", "condado de Larimer", "Boulder and Larimer counties"."""
        is_after = self._word(at - 1) == "de" and self._word(at - 2) in ("condado", "condados")
        is_after |= self._word(at - 1) == "of" and self._word(at - 2) == "county"
        for name, stop in self._names_from(at):
            *rest, last = name.split()
            if last in _COUNTY_WORDS and rest:
                named, end = " ".join(rest), stop
            elif self._word(stop) in _COUNTY_WORDS:
                named, end = name, stop + 1
            elif is_after or self._is_in_list_of_counties(stop) or (listed_after and self._word(stop) in ("counties",)):
                named, end = name, stop
            else:
                continue
            state, end = self._state_after(end)
            # Only Louisiana has parishes.
            state = state or ("LA" if "parish" in (last, self._word(stop)) else "")
            keys = tuple(key for key in self._us.find_keys("county", named) if not state or key[1] == state)
            if not keys:
                continue
            if not self._is_apart(at, end) and not is_after:
                return None
            role = self._role(at, listed_after) or "affected"
            return self._place(at, end, "county", f"{named} county", role, keys, state), end
        return None

    def _is_in_list_of_counties(self, at: int) -> bool:
        """Return whether "counties" ends the list that goes on here. Only a list of names is read."""
        for index in range(at, min(at + 4 * _MOST_WORDS, len(self._tokens))):
            token = self._tokens[index]
            if token.folded == "counties":
                return True
            if not token.is_capital and token.folded not in _LISTED and token.text not in _LISTED:
                return False
        return False

    def _named(self, at: int, listed_after: PlaceInText | None) -> tuple[PlaceInText, int] | None:
        for name, stop in self._names_from(at):
            if found := self._city_in_state(name, at, stop, listed_after):
                return found
            code, postal = self._state_code(name, at), self._post(name, "")
            is_heading = self._is_heading(at, stop)
            is_written = name.upper() != self._tokens[at].text or self._is_loud or is_heading
            keys = self._city_keys(name, "") if is_written else ()
            if not (code or keys or postal):
                continue
            role = self._role(at, listed_after)
            if role is None and (self._word(stop) in _AUDIENCE or self._word(stop) == ":" or is_heading):
                role = "affected"
            is_last = stop >= len(self._tokens) or self._tokens[stop].text in _END_OF_SENTENCE
            if role is None and is_last and self._word(at - 1) == ",":
                # The end of an address: "on Main Street, Alamosa."
                is_address = any(self._word(at - back) in _ROADS for back in (2, 3, 4))
                role = self._unless_passing("affected", at) if is_address else None
            is_crossing = self._word(stop) in _LISTED and self._word(at - 1) == "at"  # "at Lincoln and Main"
            is_quarter = self._word(at - 1) == "the" and not code and not find_nickname(name)  # "the Mission"
            # "Aurora gas leak: …" names no company.
            is_apart = self._is_apart(at, stop) or (
                is_heading and _names_hazard(self._tokens[stop : stop + _LONGEST_HEADING])
            )
            if role is None or is_crossing or is_quarter or not is_apart:
                return None
            return self._place(at, stop, "state" if code else "city", code or name, role, keys, code, postal), stop
        return None

    def _is_heading(self, at: int, stop: int) -> bool:
        """Return whether a name heads the text, alone or with the kind of message.

        "AURORA: …", "Aurora - boil water", "Aurora. Boil water", "Aurora boil water order: …", "Gas leak - Aurora."
        """
        if not self._is_first or at > _LONGEST_HEADING or _ends_name(self._word(at)):
            return False
        following = self._tokens[stop : stop + _LONGEST_HEADING]
        is_last = not following or following[0].text in _ENDS_HEADING
        if at > 0:
            return is_last and self._tokens[at - 1].text in _DASHES
        if is_last or following[0].text in _DASHES:
            return True
        words = [each.folded for each in following[:-1]]
        return following[-1].text in _ENDS_HEADING and all(
            _ends_name(word) or word in _HEADINGS | _LISTED | _DASHES or (each.is_capital and last in _LISTED)
            for each, word, last in zip(following, words, ["", *words], strict=False)
        )

    def _city_in_state(
        self, name: str, at: int, stop: int, listed_after: PlaceInText | None
    ) -> tuple[PlaceInText, int] | None:
        """Return a city with its state. An unknown place before a comma and a state counts as the state."""
        state, end = self._state_after(stop)
        if not state:
            return None
        keys = self._city_keys(name, state)
        is_unknown = not keys and (self._word(stop) != "," or stop - at > _MOST_UNKNOWN)
        if is_unknown or not self._is_apart(at, end) or self._is_road(name):
            return None
        # After a comma, it is the end of an address.
        role = self._role(at, listed_after) or ("vague" if self._word(at - 1) == "," else "affected")
        return self._place(at, end, "city", name, role, keys, state, self._post(name, state)), end

    def _state_code(self, name: str, at: int) -> str:
        """Return the state of a name or a postal code."""
        is_code = not self._is_loud and name.upper() == self._tokens[at].text and name not in _STATES_AS_WORDS
        return name.upper() if is_code and name.upper() in STATE_NAMES else STATES_BY_NAME.get(name, "")

    def _is_road(self, name: str) -> bool:
        return name.rpartition(" ")[2] in _NOT_AFTER and not self._us.find_keys("city", name)

    def _city_keys(self, name: str, state: str) -> tuple[PlaceKey, ...]:
        return tuple(key for key in self._us.find_keys("city", name) if not state or key[1] == state)

    def _post(self, name: str, state: str) -> tuple[PlaceKey, ...]:
        keys = (*self._us.other_names.get(name, ()), *find_nickname(name))
        return tuple(key for key in keys if not state or key[1] == state)

    def _state_after(self, at: int) -> tuple[str, int]:
        """Return the state that follows a name, and the index after it: ", Missouri", " MO", " estado de …"."""
        has_comma = self._word(at) == ","
        start = at + has_comma
        joins = [self._word(start + index) for index in range(_MOST_STATE_JOINS)]
        joins = joins[: next((n for n, word in enumerate(joins) if word not in _STATE_JOINS), len(joins))]
        if has_comma or not _STATE_WORDS.isdisjoint(joins):
            has_comma, start = True, start + len(joins)
        for name, stop in self._names_from(start):
            if name in STATES_BY_NAME and (has_comma or self._is_loud):
                return (STATES_BY_NAME[name], stop) if self._word(stop) not in _NOT_AFTER else ("", at)
            if stop - start > 1:
                continue
            written = self._tokens[start].text
            if written in STATE_NAMES and (not self._is_loud or has_comma or written.lower() not in _STATES_AS_WORDS):
                return written, stop
            if not has_comma or self._is_loud:
                continue
            code = STATES_IN_PRINT.get(name) or (written.upper() if self._word(stop) == "." else "")
            if code in STATE_NAMES:
                return code, stop
        return "", at

    # Roles

    def _role(self, at: int, listed_after: PlaceInText | None) -> Role | None:
        """Return what the words before a name say about the place, or None if they say nothing."""
        if listed_after is not None and self._word(at - 1) in _LISTED:
            return listed_after.role
        back = at - 1
        while back >= max(0, at - _BACK):
            word = self._word(back)
            if word in ("of", "de", "del") and self._word(back - 1) in _WHOLES:
                back -= 2
                if self._word(back + 1) not in _PUBLIC_BODIES:
                    return self._unless_passing("affected", back)
            elif word in _MODIFIERS:
                back -= 1
            else:
                break
        word = self._word(back)
        if self._word(back - 1) in _NOT:
            return "denied"
        if word in _PASSING:
            is_danger = word == "from" and self._word(back - 1) in _FROM_DANGER
            return "affected" if is_danger else "passing"
        if word in _AFFECTED or (back >= 0 and HAZARD.fullmatch(word) and self._tokens[back].is_capital and at > 1):
            return self._unless_passing("affected", back)
        if word in _VAGUE:
            return self._unless_passing("vague", back)
        return None

    def _unless_passing(self, role: Role, at: int) -> Role:
        """Return the role, or "passing" if the place is where something comes from, or where help is."""
        if at >= 0 and self._tokens[at].start > self._help_from:
            return "passing"
        words = [self._word(each) for each in range(max(0, at - _CAUSE_WITHIN), at)]
        causes = [number for number, word in enumerate(words) if word in _CAUSE]
        is_cause = any(
            not words[number + 1 : number + 2] or words[number + 1 : number + 2][0].isalpha() for number in causes
        )
        return "passing" if is_cause and not _FROM_DANGER.intersection(words) else role

    def _find_help(self) -> int:
        """Return the position in the text from which the sentence tells of help, or its end."""
        for at in range(len(self._tokens)):
            words = [self._word(at + each) for each in range(3)]
            if any(" ".join(words[:size]) in _HELP for size in (1, 2, 3)):
                return self._tokens[at].start
        return self._tokens[-1].end if self._tokens else 0

    def _place(
        self,
        at: int,
        stop: int,
        kind: PlaceKind,
        name: str,
        role: Role,
        keys: tuple[PlaceKey, ...] = (),
        state: str = "",
        postal_keys: tuple[PlaceKey, ...] = (),
    ) -> PlaceInText:
        start = at
        while start > 0 and at - start < 4 and self._word(start - 1) in _MODIFIERS | {"of"} - {"county"}:
            start -= 1
        if start > 0 and self._word(start - 1) in _AFFECTED | _VAGUE | _PASSING:
            start -= 1
        else:
            start = at
        words = " ".join(self._text[self._tokens[start].start : self._tokens[stop - 1].end].split())
        return PlaceInText(words, kind, name, role, keys, state, postal_keys)
