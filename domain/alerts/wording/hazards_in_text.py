"""Find the hazards that a text names, and whether they fit its event. English and Spanish.

find_hazards("Tornado near Moore. Flooding is possible.") -> [HazardMention(...), ...]
find_other_hazard("Flash Flood Warning", "Tornado near Moore. Take shelter now.") -> HazardMention | None
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from domain.alerts.wording import patterns
from domain.alerts.wording.orders_in_text import (
    AVOID,
    answers_orders,
    find_orders,
    says_over,
    tells_to_leave,
    tells_to_stay,
)
from domain.alerts.wording.patterns import pattern, sentence_after, sentence_before, without_accents

_TABLE: Final = Path(__file__).with_name("hazards.toml")
_IGNORED: Final = "ignored"
_EVACUATION: Final = "evacuation"
_ROAD: Final = "road"
_GOES_ON: Final = pattern(r"\b(?:still|remains?|continues?|may|crews|sigue\w*|continua\w*|aun|todavia)\b|\bout\b")
"""What says that a consequence of a disaster goes on after the disaster."""
_MOST_HEADS: Final = 5
"""How many senders and kinds of message before colons are skipped at the beginning."""
_CLAUSE_END: Final = re.compile(r"[!?\n;:,()•–—]|\.(?=\s|$)|\s-\s|\b(?:but|pero)\b")
_STATEMENT_END: Final = re.compile(r"[!?\n;•]|[.:](?=\s|$)")
_ALL_CLEAR: Final = pattern(r"\b(?:all[- ]clear|todo despejado)\b")
_REPORTS: Final = pattern(r"\b(?:is|are|was|were|has|have|had|esta|estan|fue|fueron|ha|han|se|ya)\b")
"""A verb of a sentence that says what has become of a hazard. A heading has none: "All clear: Gas leak, Elm St"."""
_SPANISH_OFFICE: Final = pattern(
    r"\b(?:policia|bomberos|oficina|condado|ciudad|departamento|servicio|universidad|alguacil|gobierno|municipio|"
    r"alcaldia|proteccion civil|escuelas?|distrito)\b"
)
_POSSIBLE: Final = pattern(
    r"""
    \b(?:possible|possibly|may|might|could|can|risk of|chance of|threat of|potential(?:ly)?|in case of|if|unless|when|
    capable of|watch (?:out )?for|be alert for|beware of|likely|posibles?|podria\w*|pueden?|puede|riesgo de|en caso de|
    si|cuando|probables?|esten? atentos? a)\b
    """
)
_CAUSE: Final = pattern(
    r"""
    \b(?:because of|due to|caused by|cause:|causes?|causing|after|following|from|as a result of|triggered by|by|since|
    amid|during|in the wake of|despite|driven by|debido a|a causa de|causad[oa]s? por|por|tras|despues del?|ante|
    provocad[oa]s? por|durante)\s+(?:(?!evacua|leave|boil)[\w'’-]+\s+){0,4}$
    """
)
_BACK_BEFORE: Final = pattern(
    r"""
    \b(?:volvio|volvieron|regreso|regresaron|(?:ya )?hay|(?:ya )?funcionan?|(?:ya )?tenemos|
    se (?:ha |han )?(?:restablecio|restablecieron|restauro|restauraron|reanudo|reanudaron|reconecto|reabrio|reabrieron|
    restablecido|restaurado|reanudado|reparo|repararon)|
    (?:restored|reconnected|repaired|resumed|reopened|turned on|brought back))
    (?: de nuevo| again)?\s+(?:the |all |la |el |las |los |full )?$
    """
)
_BACK_AFTER: Final = pattern(
    r"""
    \s+(?:(?!not\b|no\b|still\b|will\b|being\b|out\b)[\w-]+\s+){0,5}?(?:is|are|was|were|has|have|had|been)\s+
    (?:(?!not\b|still\b|being\b|out\b)[\w-]+\s+){0,2}?(?:restored|back|on again|working|running|fixed|repaired|
    reopened|reconnected|flowing|available|normal|safe|open again|resumed)\b|
    \s+(?:returned|resumed|restored|reopened|reconnected|back(?: on)?|came back|works again|work again)\b|
    \s+(?:(?!no\b|aun\b|todavia\b)[\w-]+\s+){0,3}?
    (?:(?:fue|fueron|ha sido|han sido|quedo|quedaron|esta|estan|ya)\s+(?:ya\s+)?
    (?:restablecid|restaurad|reparad|reconectad|reabiert|reanudad)\w+|
    (?:volvio|volvieron|regreso|regresaron|funciona|funcionan|opera|operan|circula|circulan)\b|
    (?:es|esta) (?:de nuevo )?(?:segura|potable)\b)
    """
)
"""What says that a service is back, before or after its name: "ya volvió la luz", "power has been restored"."""
_NOT_BACK: Final = pattern(
    r"\b(?:not|no|until|till|when|once|if|unless|hasta que|cuando|si|aun no|todavia no)\b[^.!?;\n]{0,60}$"
)
_NEGATED: Final = pattern(
    r"\b(?:(?:no|not|never|without|isn['’]t|sin|ningun|ninguna|nunca|ni|nor)(?:\s+(?!only|solo)[\w'’-]+){0,3}|"
    r"(?:nothing|nobody|none|nada|nadie)(?:\s+[\w'’-]+){0,5})\s+$"
)


class Certainty(IntEnum):
    """How a text names a hazard: as the cause of something, as possible, or as happening."""

    CAUSE = 1
    POSSIBLE = 2
    STATED = 3


class HazardMention(NamedTuple):
    """A hazard that a text names, with its words and certainty."""

    hazard: str
    words: str
    start: int
    certainty: Certainty

    @property
    def events(self) -> tuple[str, ...]:
        """The alert events about the hazard."""
        return tuple(_table()[self.hazard].get("events", ()))


def find_hazards(text: str, *, with_denied: bool = False) -> list[HazardMention]:
    """Return each hazard that a text names, in order. Denied hazards are omitted unless `with_denied`."""
    plain = without_accents(text)
    found = []
    for match in _any_hazard().finditer(plain):
        hazards = _hazards_of(match.group())
        before = sentence_before(plain, match.start(), _CLAUSE_END)
        is_denied = _NEGATED.search(before) and not match.group().casefold().startswith(("no ", "do"))
        if _IGNORED in hazards or (is_denied and not with_denied):
            continue
        clause = before + match.group() + sentence_after(plain, match.end(), _CLAUSE_END)
        if _POSSIBLE.search(clause):
            certainty = Certainty.POSSIBLE
        elif _CAUSE.search(f"{before}"):
            certainty = Certainty.CAUSE
        else:
            certainty = Certainty.STATED
        words = text[match.start() : match.end()]
        found += [HazardMention(hazard, words, match.start(), certainty) for hazard in hazards]
    return found


def hazards_of(event: str, text: str) -> set[str]:
    """Return the hazards of an event, and those that its text states or gives as a cause."""
    named = find_hazards(without_offices(without_speaker(text, event)))
    stated = {each.hazard for each in named if each.certainty != Certainty.POSSIBLE}
    return stated | {hazard for hazard, row in _table().items() if event in row.get("events", ())}


def has_cause(event: str) -> bool:
    """Return whether another hazard can be the cause of an event, as a fire of an evacuation."""
    return any(row.get("caused") and event in row.get("events", ()) for row in _table().values())


def find_other_hazard(event: str, text: str) -> HazardMention | None:
    """Return the hazard that a text is about if its event is about another one, else None.

    A cause or a possible consequence does not count if the text is also about the event's hazard.
    """
    own = {hazard for hazard, row in _table().items() if event in row.get("events", ())}
    if not own:
        return None
    body = without_offices(without_speaker(text, event))
    mentions = find_hazards(body)
    generic = {each.hazard for each in mentions if _table()[each.hazard].get("generic") and own & _fits(each.hazard)}
    own_mentions = [each.certainty for each in mentions if each.hazard in own | generic]
    if any(each == Certainty.STATED for each in own_mentions):
        return None
    others = [
        each
        for each in mentions
        if each.hazard not in own | generic and (not own & _fits(each.hazard) or _names_alert(body, each))
    ]
    is_own_named = bool(own_mentions) or any(
        own & _fits(each.hazard) and not _follows(each.hazard) for each in mentions
    )
    if event.endswith("Watch") and is_own_named and own_mentions and mentions[0].hazard in own:
        # A watch is about what is possible.
        return None
    stated = [each for each in others if each.certainty == Certainty.STATED]
    if own_mentions:
        if has_cause(event):
            # "Wildfire near Lyons. Everyone who can should evacuate." The fire is the cause.
            return None
        return next((each for each in stated if not _follows(each.hazard)), None)
    is_product = any(_names_alert(body, each) for each in others)
    if (is_own_named and not is_product) or _has_own_words(frozenset(own), without_accents(body)):
        return None
    if _EVACUATION in own and not is_product and (tells_to_leave(body) or not tells_to_stay(body)):
        # People leave for many reasons, in many words.
        others = [each for each in others if each.hazard not in _fits(_EVACUATION)]
        stated = [each for each in stated if each.hazard not in _fits(_EVACUATION)]
    # If nothing is about the event, the text is about what is possible.
    return next(iter(stated or others), None)


def find_unrelated_hazard(event: str, text: str, sent_text: str) -> HazardMention | None:
    """Return the hazard that the end of an alert is about, if neither the event nor the sent text is about it.

    What the text says is over counts, even if a heading names the alert's hazard: "Gas leak. The flood is over."
    """
    known = {hazard for hazard, row in _table().items() if event in row.get("events", ())}
    if not known:
        return None
    # What was only possible was no part of the alert: "If you see fire, call 911".
    sent = find_hazards(without_offices(without_speaker(sent_text, event)))
    known |= {each.hazard for each in sent if each.certainty != Certainty.POSSIBLE}
    # A follow-up names its alert by the event: "The flood in our alert (Gas Leak) is over."
    rest = _ALL_CLEAR.sub(" ", text.replace(f"({event})", " ")).lstrip(" .!,:;-–—")
    body = without_offices(without_speaker(rest, event))
    over, reported = _find_what_is_over(body)
    restored = find_restored_services(body)
    named = (_is_about(known, each) for each in (*find_hazards(body, with_denied=True), *restored))
    rest = _without(body, restored)
    if not any(named) and not _has_own_words(frozenset(known), without_accents(rest)):
        is_answered = answers_orders(rest, sent_text)
        left = (
            each
            for each in find_hazards(body)
            if not (_follows(each.hazard) and (is_answered or _GOES_ON.search(sentence_after(body, each.start))))
        )
        # "You may return. Power is back." A disaster is over, and so is what it cut off. Many alerts close streets.
        is_kept_away = any(order.kind == AVOID for order in find_orders(sent_text))
        has_cut = any(_table()[hazard].get("cuts") for hazard in known)
        is_over = says_over(rest, with_water=False)
        new = [
            each
            for each in restored
            if not (is_over and (has_cut or each.hazard == _ROAD)) and not (is_kept_away and each.hazard == _ROAD)
        ]
        return next(iter((*left, *over, *([] if is_answered else new))), None)
    # An evacuation ends with the hazard that was its cause.
    causes = {hazard for hazard in known if not _table()[hazard].get("caused")}
    if not causes or any(_is_about(causes, each) for each in reported):
        return None
    related = set[str]().union(*map(_fits, causes))
    return next(
        (
            each
            for each in over
            if not (_is_about(known, each) or _follows(each.hazard) or related & _fits(each.hazard))
        ),
        None,
    )


def find_restored_services(text: str) -> list[HazardMention]:
    """Return the failures that are over because the text says that a service is back, in order."""
    plain = without_accents(text)
    found = []
    for match in _any_service().finditer(plain):
        before, after = sentence_before(plain, match.start()), sentence_after(plain, match.end())
        back_before, back_after = _BACK_BEFORE.search(before), _BACK_AFTER.match(after)
        if not (back_after or back_before) or _NOT_BACK.search(before):
            continue
        start = match.start() - (len(before) - back_before.start() if back_before is not None else 0)
        end = match.end() + (back_after.end() if back_after is not None else 0)
        hazard = str(match.lastgroup).replace("_", " ")
        found.append(HazardMention(hazard, text[start:end], start, Certainty.STATED))
    return found


def _without(text: str, mentions: Iterable[HazardMention]) -> str:
    for each in mentions:
        text = text[: each.start] + "~" * len(each.words) + text[each.start + len(each.words) :]
    return text


def _find_what_is_over(text: str) -> tuple[list[HazardMention], list[HazardMention]]:
    """Return the hazards of sentences that say that something is over, and those of all sentences that report."""
    over: list[HazardMention] = []
    reported: list[HazardMention] = []
    for sentence in _STATEMENT_END.split(_ALL_CLEAR.sub(" ", text)):
        is_over = says_over(sentence)
        if is_over or _REPORTS.search(sentence):
            reported += (found := find_hazards(sentence, with_denied=True))
            over += found if is_over else []
    return over, reported


def _is_about(hazards: Collection[str], mention: HazardMention) -> bool:
    return mention.hazard in hazards or not _fits(mention.hazard).isdisjoint(hazards)


def _names_alert(text: str, mention: HazardMention) -> bool:
    """Return whether the text names the alert of a hazard: "Severe Thunderstorm Warning", "aviso de tornado"."""
    after = sentence_after(text, mention.start + len(mention.words))
    before = without_accents(sentence_before(text, mention.start))
    return bool(
        re.match(r"\s+(?:warning|watch|advisory|emergency)\b", after, re.I)
        or re.search(r"\b(?:aviso|alerta|advertencia|vigilancia)\s+(?:de|por)\s+$", before, re.I)
    )


def names_spanish_office(text: str) -> bool:
    """Return whether a text names an office in Spanish: "Bomberos de Alamosa"."""
    return _SPANISH_OFFICE.search(without_accents(text)) is not None


def without_speaker(text: str, event: str = "") -> str:
    """Return a text without the sender at its beginning: "Boulder Fire: …" is not about fire."""
    body = text
    for _ in range(_MOST_HEADS):
        head = patterns.HEAD.match(body)
        if head is None:
            break
        name, rest = head.group(1), body[head.end() :]
        plain = without_accents(name)
        is_office = patterns.OFFICE_WORD.search(name) or names_spanish_office(name) or plain.endswith(" Fire")
        names_hazard = any(each.hazard != "fire" for each in find_hazards(name))
        if not is_office or names_hazard or patterns.is_fire(name, rest, event):
            break
        body = rest
    return body


def without_offices(text: str) -> str:
    """Return a text without the names of offices: a fire department is no fire, but "Fourmile Fire" is one."""
    return patterns.NAMED_OFFICE.sub(
        lambda office: office[0] if office[0].endswith(" Fire") else "~" * len(office[0]), text
    )


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


def _follows(hazard: str) -> bool:
    return bool(_table()[hazard].get("follows"))


def _fits(hazard: str) -> set[str]:
    return set(_table()[hazard].get("fits", ()))


@cache
def _words() -> tuple[tuple[str, str], ...]:
    """Return every word of the table with its hazard, the longest first."""
    pairs = ((word, hazard) for hazard, row in _table().items() for name in ("en", "es") for word in row.get(name, ()))
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


@cache
def _any_hazard() -> re.Pattern[str]:
    return _any_of(word for word, _ in _words())


@cache
def _any_service() -> re.Pattern[str]:
    """Return the names of all services, each in a group called after the hazard of its failure."""
    groups = (
        f"(?P<{hazard.replace(' ', '_')}>{'|'.join(row['service'])})"
        for hazard, row in _table().items()
        if "service" in row
    )
    return re.compile(rf"\b(?:{'|'.join(groups)})\b", re.I)


@cache
def _own_words(hazards: frozenset[str]) -> re.Pattern[str]:
    return _any_of(word for hazard in hazards for word in _table()[hazard].get("own", ("\0",)))


def find_own_words(event: str, text: str) -> str | None:
    """Return words that show that a text is about an event although it names no hazard: "the girl", "the tap"."""
    hazards = frozenset(hazard for hazard, row in _table().items() if event in row.get("events", ()))
    found = _own_words(hazards).search(without_accents(text)) if hazards else None
    return text[found.start() : found.end()] if found is not None else None


def _has_own_words(hazards: frozenset[str], plain: str) -> bool:
    # "Do not leave" is no evacuation, and "do not travel" is about travel.
    may_be_denied = not any(_table()[hazard].get("affirmed") for hazard in hazards)
    return any(
        may_be_denied or not _NEGATED.search(sentence_before(plain, found.start(), _CLAUSE_END))
        for found in _own_words(hazards).finditer(plain)
    )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(_expression, words))})(?!\w)", re.I)


def _expression(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]+").replace("'", "['’]")


@cache
def _hazards_of(words: str) -> tuple[str, ...]:
    """Return the hazards of the longest word of the table that matches."""
    fitting = [(word, hazard) for word, hazard in _words() if re.fullmatch(_expression(word), words, re.I)]
    return tuple(dict.fromkeys(hazard for word, hazard in fitting if len(word) == len(fitting[0][0])))
