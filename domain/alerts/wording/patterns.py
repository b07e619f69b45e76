"""Regular expressions for English alert texts: sender, hazard, place, instructions, end, test, danger.

They are made to avoid false alarms.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final


def over_lines(text: str, **parts: str) -> str:
    """Join an expression that is written over several lines, ignoring line breaks and indents. `<name>` is replaced
    by the named part.
    """
    joined = re.sub(r"\s*\n\s*", "", text.strip())
    for name, part in parts.items():
        joined = joined.replace(f"<{name}>", f"(?:{part})")
    return joined


def pattern(text: str, **parts: str) -> re.Pattern[str]:
    """Compile the expression, ignoring case."""
    return re.compile(over_lines(text, **parts), re.I)


def cased(text: str, **parts: str) -> re.Pattern[str]:
    """Compile the expression, case-sensitive."""
    return re.compile(over_lines(text, **parts))


def without_accents(text: str) -> str:
    """Return the text with plain letters instead of accented ones, at the same positions."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)


CONTEXT: Final = 300
"""How many characters around a match are read. Longer sentences do not make checks slow."""
_SENTENCE_END: Final = re.compile(r"[;!?\n]|(?<![ap.]\.m)(?<!\bSt)(?<!\bMt)(?<!\b[A-Z])\.(?=\s|$)")


def sentence_before(text: str, start: int, end_of: re.Pattern[str] = _SENTENCE_END) -> str:
    """Return what comes before a position in its sentence. "a.m." and "St." do not end a sentence."""
    return end_of.split(text[max(0, start - CONTEXT) : start])[-1]


def sentence_after(text: str, end: int, end_of: re.Pattern[str] = _SENTENCE_END) -> str:
    """Return what comes after a position in its sentence."""
    return end_of.split(text[end : end + CONTEXT], maxsplit=1)[0]


def is_fire(head: str, rest: str, event: str) -> bool:
    """Return whether the words before a colon name a fire and not an office, which `rest` shows.

    "Dixie Fire: evacuate" names a fire. In "Boulder Fire: wildfire", an office is the sender.
    """
    return bool(head.endswith(" Fire") and _FIRE.search(event) and not _FIRE.search(rest))


_FIRE: Final = pattern(r"\b(?:\w*fires?|smoke|burn\w*|flames?)\b(?! weather)")
_OFFICE: Final = over_lines(
    r"""
    police|sheriff(?:['’]?s)?(?: office)?|fire (?:department|dept|rescue|district|authority|service)|
    emergency (?:management|services|operations)(?: agency| office| center)?|public (?:safety|works|health|schools)|
    school district|weather service|highway patrol|state patrol|coast guard|geological survey|health district|
    department(?: of(?: [A-Z]\w+)+)?|office(?: of(?: [A-Z]\w+)+)?|dept|agency|district attorney
    """
)
OFFICE_WORD: Final = pattern(
    r"""
    \b(?:<office>|pd|authority|commission|council|university|college|hospital|patrol|forest service|transit|utilities|
    water|power|energy|electric|mayor|governor|rangers?|administration|NWS|NOAA|FEMA|USGS|CDC|USCG|DOT|OEM|FBI|EPA)\b
    """,
    office=_OFFICE,
)
"""A word that makes the words before a colon the name of an office."""

_WORD: Final = r"[A-Z][\w'’&-]*|St\.|Mt\.|Ft\.|U\.S\."
_NAME: Final = rf"{_WORD}|of|and|the|for"
NAMED_OFFICE: Final = cased(
    r"""
    (?:\b(?:<word>|of|and|for)\s+){0,6}(?:\b(?i:<office>)\b)|
    (?:\b(?:<word>)\s+){1,4}(?:PD|FD|OEM|EMA|EOC|DOT|DPW|SO|Police|Fire|Energy|Water|Electric)\b|
    \b(?:NWS|NOAA|FEMA|USGS|CDC|USCG|CHP|[A-Z]{1,4}[PF]D|FDNY|[A-Z]{1,4}(?:OEM|EMA|DOT))\b|
    (?:\b(?:<word>)\s+){0,3}\b(?:<word>)(?= (?:looks|asks|says|reports|seeks|urges|orders|advises|warns|announces)\b)|
    \b(?i:troopers|deputies|officers|rangers|firefighters|paramedics)\b
    """,
    office=_OFFICE,
    word=_WORD,
)
"""An office within a text, with the capitalized words before it: "Pueblo County Sheriff's Office"."""
FROM: Final = cased(
    r"""
    \b(?i:message|alert|notice|warning|information|update|test|advisory|correction|all clear|extension|upgrade|
    false alarm) (?:from|by|of) (?:the )?((?:<word>)(?:\s+<name>)*)|
    \b[Tt]his is (?:the )?((?:<word>)(?:\s+<name>)+)
    """,
    name=_NAME,
    word=_WORD,
)
CITY: Final = pattern(r"\b(?:city|town|county|village|state|borough|parish|township) of [\w'’-]+")
"""A public body that is also a place: "the City of Rochester has declared"."""
ADDRESSED: Final = pattern(
    r"""
    \b(?:residents|drivers|customers|parents|students|everyone|everybody|neighbou?rs|people|visitors|alert|warning|
    watch|
    notice|order|advisory|update|place)\b
    """
)
"""Words before a colon that name the audience or the kind of message, unless an office is named too."""
HEAD: Final = cased(r"\s*(?:[*!]+\s*)?([^:.!?\n\[]{2,60}?)\s*:\s")
SIGNED: Final = cased(r"(?:^|\s)[-–—~]\s?(?:[A-Z][\w.&'’]*\s?){1,5}$")
TO_CALL: Final = pattern(r"\b(?:call|phone|contact|tell|notify|text|ask|report (?:it )?to)\b[^.!?;\n]*")
GENERIC_HEADS: Final = frozenset(
    over_lines(
        """
        test|only|alert|alerts|warning|watch|advisory|statement|update|correction|corrected|emergency|urgent|
        attention|
        important|notice|message|public|information|info|live|real|exercise|drill|amber|silver|blue|missing|wanted|
        person|child|all|clear|immediate|severe|extreme|this|is|a|an|the|of|and|in|for|reminder|new|breaking|danger
        """
    ).split("|")
)
"""Words before a colon that name the kind of message and no sender."""

HAZARD: Final = pattern(
    r"""
    \b(?:fires?|wildfires?|smoke|burning|floods?|flooding|flooded|tornado(?:e?s)?|hurricanes?|thunder(?:storms?)?|
    storms?|
    lightning|hail|winds?|gusts?|snow|ice|icy|blizzard|avalanches?|heat|hot|freez\w+|frost|cold|fog|earthquakes?|
    aftershocks?|tsunamis?|volcan\w+|eruption|erupting|ash|lava|(?:land|mud|rock)slides?|debris|sinkhole|outages?|
    (?:power|water|gas|calls?|phones?|lights|electricity|911|elevators?) (?:is|are|may|to 911|out)|gas (?:leak|smell|
    odor)|
    leaks?|leaking|chemicals?|spills?|toxic|hazmat|hazardous|radiation|radioactive|nuclear|missiles?|bombs?|explosi\w+|
    attacks?|shoot\w*|shots|gunman|gunfire|armed|weapons?|hostages?|lockdown|suspects?|wanted|kidnap\w*|abduct\w*|taken|
    missing|amber|silver alert|blue alert|search\w*|rescue|crash\w*|accidents?|collision|derail\w*|closed|closures?|
    blocked|traffic|outbreak|disease|virus|influenza|flu|ill|illness|sick|epidemic|contaminat\w+|pollut\w+|unsafe|boil|
    germs|bacteria|e\.? ?coli|salmonella|air quality|unhealthy|noise|acid rain|blackout|evacuation|crimes?|burglar\w+|
    robber\w+|thefts?|stole\w*|investigat\w+|police (?:activity|are|at|on|look|search)|
    dam|levee|barricad\w+|guns?|knife|knives|pursuit|manhunt|measles|covid\w*|toxins?|
    exposure|collaps\w+|hurt|injured|casualties|
    solar|geomagnetic|surge|high surf|rip currents?|plows?|no parking|danger(?:ous)?|last seen|emergency (?:at|in|on|
    near)|
    look(?:s|ing)? for|\d{2,3} ?(?:f|°f|degrees))\b
    """
)
TEST_WORD: Final = pattern(r"\b(?:tests?|testing|drill|exercise|prueba|simulacro|ejercicio)\b")
EVENT_KINDS: Final = frozenset(
    over_lines(
        """
        warning|watch|advisory|statement|alert|or|and|on|in|immediate|emergency|situation|activity|facilities|equipment|
        person|child|operation|travel
        """
    ).split("|")
)
"""Words of event names that do not say what happens."""

NO_PLACE: Final = pattern(
    r"""
    \b(?:in|near|to|of|for|around|from) (?:your|this|the|our|an?) (?:immediate |general |affected |local )?
    (?:area|areas|location|vicinity|region|neighbou?rhood|community|zone)s?\b
    """
)
_ROAD: Final = over_lines(
    """
    street|st|avenue|ave|road|rd|boulevard|blvd|drive|dr|lane|ln|highway|hwy|route|rte|parkway|pkwy|bridge|tunnel|exit|
    interstate|junction|square|plaza|park|beach|creek|river|lake|bay|canyon|valley|hills?|mountains?|mount|island|
    county|
    township|village|district|campus|school|mall|airport|station|harbor|port|dam|forest|trail|building|hall|coast|delta
    """
)
_NOT_A_NAME: Final = over_lines(
    """
    (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|June|July|August|September|October|November|
    December|UTC|GMT|TEST|NOW|AM|PM|WiFi|Wi-Fi|GPS|ALERT|WARNING|EVACUATION|IMMEDIATE|AREA
    """
)
PLACE_NAMED: Final = cased(
    r"""
    \b(?i:in|at|near|on|along|around|between|within|off|from|of|for|to|hits|toward|towards|outside|inside|across|over|
    throughout|north|south|east|west|through|into|leave|avoid|erupting|affects?|affecting)\s+
    (?:(?i:the|all of|most of|parts? of|downtown|central|upper|lower|city of|town of|
    (?:north|south)?(?:east|west)?(?:ern)?)\s+)*
    (?!(?:<no>)\b)(?:[A-Z][\w'’.-]*|\d+(?:st|nd|rd|th)\b|\d+\s[A-Z][\w'’.-]*)|
    \b(?!(?:<no>)\b)[A-Z][\w'’.-]*\s+(?i:<road>)\b|\b(?:I|US|SR|CA|FM|TX|Hwy|Rte)[- ]?\d+|\b\d{5}\b|
    \b[A-Z]\w+, [A-Z]{2}\b|
    \b(?i:route|exit|highway|zones?|zip codes?|mile(?:post| marker)?|building|pier|gate|runway|terminal)\s+[A-Z]?\d+|
    \b(?i:city|county|state|campus|town|region|island)[- ]?(?i:wide)\b|
    \b(?i:all|whole|entire) (?i:of )?(?i:the )?(?i:city|county|state|campus|island|town|valley)\b|
    \b(?i:the|your|this) (?i:campus|school|downtown|harbor|river|lake|beach(?:es)?|canyon|coast|airport|dam|plant|
    library|
    stadium|mall|courthouse|hospital|theater|station|fairgrounds|capitol|waterfront)\b|\b\d+(?:st|nd|rd|th) (?:and|
    &) \w+
    """,
    road=_ROAD,
    no=_NOT_A_NAME,
)

_VERB: Final = over_lines(
    """
    take|shelter|seek|go|get|move|leave|evacuate|stay|remain|keep|avoid|do|don['’]t|boil|use|call|text|dial|report|drop|
    cover|hold|turn|shut|close|lock|open|run|hide|fight|look|watch|check|follow|listen|monitor|prepare|be|bring|wear|
    wash|
    drink|eat|throw|return|discard|wait|drive|slow|delay|find|conserve|limit|treat|pull|tune|visit|see|protect|secure|
    board|stop|never|yield|detour|plan|charge|tie|let|help|share|contact|head|climb|wake|give|ignore|disregard|cook|
    park|
    reduce|read|come|register|search|approach|save|stock|pack|finish|unplug|clear|store|postpone|cancel|carry|swim|
    have|make|expect|allow|choose|ration
    """
)
ACTION: Final = pattern(
    r"""
    (?:^|[.!?;:,\n•–—-]\s{0,3}|\b(?:please|must|should|and|or|then|now|to|else|you can|residents|drivers|
    everyone|people|boats|others)\s+)
    (?:(?:please|then|also|immediately|now|if [^,.;]+,)\s+)?(?P<does><verb>)\b(?! of\b)|
    \b(?:not recommended|not advised|is prohibited|are prohibited|is banned|no (?:on-street )?parking)\b|
    \b(?:if|when|anyone|anybody|witnesses|parents)\b[^.!?;\n]{2,60}?\s(?P<does_then>call|dial|text|phone|report|contact|
    tell|notify|leave|evacuate|go|get|move|stay|seek|run|hide|lock|turn|do not|don['’]t)\b|
    \b(?:leave|evacuate|shelter|stay|move|go|keep) (?:now|at once|immediately|inside|indoors|away|out|home)\b
    """,
    verb=_VERB,
)
NOTHING_TO_DO: Final = pattern(
    r"\b(?:no (?:further )?action|nothing (?:you )?need|nothing to do|need not|no need to|do not need to|"
    r"don['’]t need to)\b"
)
PERMITS: Final = pattern(
    r"""
    \b(?:you|people|everyone|everybody|residents|parents|students|drivers|customers|visitors|staff|businesses|households|
    neighbors|travelers)\b[^.!?;\n]{0,40}?\b(?:may|can)\b(?! ?not)[^.!?;\n]{0,30}|
    \b(?:may|can) (?:now|again|safely)\b[^.!?;\n]{0,30}|\b(?:safe|free|ok|okay|clear) to \w+|\bresum\w+|
    \b(?:back to|as|returned to) (?:normal|usual|before)\b|\b(?:open|moving|running|working) (?:again|normally)\b|
    \b(?<!no )(?:puede|pueden|podra|podran)\b[^.!?;\n]{0,30}|\bes seguro \w+|\b(?:normally|normalidad)\b|
    \bfound safe\b|\ba salvo\b|\bcomo (?:siempre|antes)\b
    """
)
"""What an all clear says that people can do again, in English and, without accents, in Spanish."""

_DAY: Final = r"mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH: Final = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_TIME: Final = over_lines(
    r"""
    \d{1,2}[:.]\d{2}|\d{1,2}\s*(?:am|pm|a\.m|p\.m|h\b|hrs?|hours)|\d{3,4}\s*(?:hrs|hours|h\b)|noon|midday|midnight|
    tonight|
    today|tomorrow|morning|afternoon|evening|sunrise|sunset|dawn|dusk|nightfall|<day>\b|the weekend|next week|
    \d{1,2}/\d{1,2}|(?:<month>)[a-z]*\.? \d|\d{1,2} <month>
    """,
    day=_DAY,
    month=_MONTH,
)
UNTIL: Final = pattern(
    r"""
    \b(?:until|till|thru|through|to|by|before|expires?|ends?|ending|lasts|lasting|up to|next (?:notice|update|news)|
    update)\b
    [^.!?;\n]{0,24}?\b<time>|[’']?\btil\b[^.!?;\n]{0,24}?\b<time>|
    \b\d{1,2}(?::\d{2})?\s*(?:am|pm)?\s*(?:-|–|to)\s*\d{1,2}(?::\d{2})?\s*(?:am|pm|noon|midnight)|
    \b(?:for|in|over|during|within) (?:about |at least |up to )?(?:the |an? )?(?:next |coming |following )?
    (?:\w+ )?(?:to \w+ )?(?:hours?|hrs?|minutes|mins?|days?)\b|
    \b(?:until|till|unless|wait for)\s+(?!now\b)[a-z]+|\b(?:rest of the (?:day|night)|all (?:day|night)|today|
    tonight)\b|
    \b(?:this (?:morning|afternoon|evening|week|weekend)|(?:for|on) (?:tomorrow|<day>))\b
    """,
    time=_TIME,
    day=_DAY,
)

_TEST: Final = r"test|drill|exercise|prueba|simulacro|ejercicio"

NOT_A_TEST: Final = pattern(
    r"\b(?:not|no|isn['’]t|no es) (?:an? |just an? |only an? |una? )?<test>\b(?! (?:is|are|will|result))", test=_TEST
)
IS_A_TEST: Final = pattern(
    r"""
    \b(?:(?:this|it) is|est[oae] es|es) (?:only |just |s[oó]lo |solamente )?(?:an? |una? )?(?:\w+ ){0,3}?<test>\b
    (?! (?:site|results?|positive|kits?|center))|
    \b<test>(?: message| alert)? only\b|\b<test> message\b|\bonly an? <test>\b|
    (?:^|[.!?:\n]\s{0,3})<test>\s*(?:[.!:–—-]|$)|\b<test>(?:[,!.]? <test>\b)+
    """,
    test=_TEST,
)
IS_A_DRILL: Final = pattern(
    r"""
    \b(?:lockdown|evacuation|fire|earthquake|tornado|tsunami|shelter|safety|emergency|shooter|hazmat|disaster|training|
    full[- ]scale|statewide|shakeout) (?:drills?|exercises?)\b|\bsimulacros?\b|
    \bejercicio de (?:evacuaci[oó]n|emergencia|respuesta)\b|\b(?:sirens?|alert system|warning system) tests?\b|
    \btests? of (?:the|our) (?:\w+ ){0,2}(?:sirens?|alert|warning|notification)\b|
    \bpruebas? (?:de|del) (?:las |los )?(?:sistema|sirenas?|alertas?)\b
    """
)
"""What is rehearsed. In a live alert, this says that the alert is a test."""
TELLS_OF_A_TEST: Final = pattern(
    r"""
    ^\W*<test>\b(?! (?:site|results?|positive|kits?|center))|\ban? <test> *[.!,:]|
    \b(?:routine|weekly|monthly|required|planned|scheduled|system|siren|was an?) (?:\w+ )?<test>s?\b|
    \b<test> (?:of (?:the|our|its|this)|del?|mensual|semanal)\b|
    \btesting (?:of )?(?:the|our|its|this)\b|\bwe (?:will |shall )?<test>\b
    """,
    test=_TEST,
)
"""Other ways to say that this message is a test. Tests of water, or where to be tested, do not count."""

_AT_ONCE: Final = "now|immediately|at once|right away"
ACT_NOW: Final = pattern(
    r"""
    \b(?:take (?:immediate )?(?:shelter|cover)|seek (?:immediate )?shelter|evacuate <at_once>|
    (?:leave|go|get|move|act|run|climb|shelter)\b(?! ready)[^.!?\n]{0,40}?\b<at_once>)\b|
    \b(?:right now|right away|at once|immediately)\b|
    \b(?:salgan?|evac[uú]en?|desalojen?|abandonen?|busquen?|vayan?|ref[uú]giense|ref[uú]giese)\b[^.!?\n]{0,40}?
    \b(?:ahora|ya|de inmediato|inmediatamente)\b
    """,
    at_once=_AT_ONCE,
)
GETS_READY: Final = pattern(r"\b(?:ready|prepared?) to\b[^.!?\n]{0,80}$")
LIFE: Final = pattern(
    r"""
    \b(?:take (?:immediate )?(?:shelter|cover)|evacuate|evac[uú]en?|desalojen?|ref[uú]giense|ref[uú]giese|
    life[- ]threatening|deadly|lethal|catastroph\w+|
    (?:leave|run)\b[^.!?\n]{0,30}?\b<at_once>)\b
    """,
    at_once=_AT_ONCE,
)

_OVER: Final = over_lines(
    r"""
    over(?= *(?:[.,;!:)]|$|now|and|for us))|
    lifted|canceled|cancelled|ended|expired|extinguished|reopened|found safe|resolved|in custody|out of danger
    """
)
ALL_CLEAR: Final = pattern(
    r"""
    \ball[- ]clear\b|\b(?:has|have|was|were|is|are) (?:now )?(?:been )?<over>\b|
    \bno longer (?:an? |any |in )?(?:threat|danger|effect|force|needed|required|necessary|missing|at risk)\b|
    \b(?:safe to return|may (?:now )?return|can (?:now )?return|false alarm|threat (?:is|has) (?:over|passed))\b|
    \bthere is no (?:threat|emergency)\b(?! to\b)
    """,
    over=_OVER,
)
NOT_YET: Final = pattern(r"\b(?:until|till|unless|before|when|wait for|once|not|if)\b[^.!?\n]{0,80}$")
NO_DANGER: Final = pattern(
    r"""
    \b(?:(?:there is|poses|presents|with) no (?:immediate |known )?(?:danger|threat|risk)|
    (?:is|are) not (?:a |in )?(?:danger|dangerous|threat)|nothing to worry|minor (?:inconvenience|delays?))\b
    """
)
LATER: Final = pattern(
    r"""
    \b(?:expected|possible|forecast|will (?:begin|arrive|start|hit|be)|begins?|starts?|arriv\w+|planned|scheduled)\b
    (?![^.!?\n]{0,80}\buntil\b)[^.!?\n]{0,30}?\b(?:tomorrow|next week|this weekend|in the coming days|in a few days)\b
    """
)
CORRECTS: Final = pattern(
    r"""
    \b(?:correct\w*|disregard|ignore|false alarm|mistake|error|wrong|update[ds]?|instead|replaces?|cancel\w*|
    correcc\w+|corr[ie]g\w+|caso omiso|falsa alarma|equivoc\w+|actualiz\w+|en (?:lugar|vez) de|re?emplaz\w+|
    sustituy\w+|ignoren?|anul\w+)\b
    """
)
"""Words of a correction in English and, without accents, in Spanish."""
GOES_ON: Final = pattern(
    r"""
    \b(?:continu\w*|still|remains?|goes on|yet|not over|stays? in (?:effect|force)|keep \w+ing|also|additional(?:ly)?|
    (?:another|second|new) (?:shelter|center|hotline)|sigue\w*|siga\w* \w+ndo|prosigue\w*|se mantienen?|todavia|aun|
    permanecen? (?:vigentes?|en vigor)|tambien|ademas|(?:otr|segund|nuev)[oa] (?:refugio|albergue|centro|linea))\b
    """
)
"""Words of an update that leaves an earlier alert in force."""
