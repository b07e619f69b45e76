"""How texts of alerts speak of tests, of acting now, of danger, and of what is over: patterns of English."""

from __future__ import annotations

from typing import Final

from components.alert_wording.patterns import over_lines, pattern

_TEST: Final = r"test|drill|exercise"

NOT_A_TEST: Final = pattern(r"\b(?:not|no|isn['’]t) (?:an? |just an? |only an? )?<test>\b", test=_TEST)
IS_A_TEST: Final = pattern(
    r"""
    \b(?:this|it) is (?:only |just )?(?:an? )?(?:\w+ ){0,3}?<test>\b
    (?! (?:site|results?|positive|kits?|center))|
    \b<test>(?: message| alert)? only\b|\b<test> message\b|\bonly an? <test>\b|
    (?:^|[.!?:\n]\s*)<test>\s*(?:[.!:–—-]|$)|\b<test>(?:[,!.]? <test>\b)+
    """,
    test=_TEST,
)
TELLS_OF_A_TEST: Final = pattern(
    r"""
    ^\W*<test>\b(?! (?:site|results?|positive|kits?|center))|\ban? <test> *[.!,:]|
    \b(?:routine|weekly|monthly|required|planned|scheduled|system|siren|was an?) (?:\w+ )?<test>s?\b|
    \b<test> of (?:the|our|its|this)\b|\btesting (?:of )?(?:the|our|its|this)\b|\bwe (?:will |shall )?<test>\b
    """,
    test=_TEST,
)
"""Further ways to say that this very message is one; a water test, or where to be tested, is none."""
SUPPOSED: Final = pattern(r"\b(?:would|real|actual|were|had this)\b")

_AT_ONCE: Final = "now|immediately|at once|right away"
LIVE: Final = pattern(
    r"""
    \b(?:take (?:immediate )?(?:shelter|cover)|seek (?:immediate )?shelter|evacuate|act now|run for|lock doors|call 911|
    leave (?:the area |your homes? )?<at_once>|move to high(?:er)? ground|inbound|imminent|life[- ]threatening)\b
    """,
    at_once=_AT_ONCE,
)
ACT_NOW: Final = pattern(
    r"""
    \b(?:take (?:immediate )?(?:shelter|cover)|seek (?:immediate )?shelter|evacuate <at_once>|
    (?<!ready to )(?<!prepared to )(?:leave|go|get|move|act|run|climb|shelter)\b(?! ready)[^.!?\n]{0,40}?\b<at_once>)\b|
    \b(?:right now|right away|at once|immediately)\b
    """,
    at_once=_AT_ONCE,
)
LIFE: Final = pattern(
    r"""
    \b(?:take (?:immediate )?(?:shelter|cover)|evacuate|life[- ]threatening|deadly|lethal|catastroph\w+|
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
NOT_YET: Final = pattern(r"\b(?:until|till|unless|before|when|wait for|once|not|if)\b[^.!?\n]*$")
NO_DANGER: Final = pattern(
    r"""
    \b(?:(?:there is|poses|presents|with) no (?:immediate |known )?(?:danger|threat|risk)|
    (?:is|are) not (?:a |in )?(?:danger|dangerous|threat)|nothing to worry|minor (?:inconvenience|delays?))\b
    """
)
LATER: Final = pattern(
    r"""
    \b(?:expected|possible|forecast|will (?:begin|arrive|start|hit|be)|begins?|starts?|arriv\w+|planned|scheduled)\b
    (?![^.!?\n]*\buntil\b)[^.!?\n]{0,30}?\b(?:tomorrow|next week|this weekend|in the coming days|in a few days)\b
    """
)
CORRECTS: Final = pattern(
    r"\b(?:correct\w*|disregard|ignore|false alarm|mistake|error|wrong|update[ds]?|instead|replaces?|cancel\w*)\b"
)
