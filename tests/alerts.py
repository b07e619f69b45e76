"""Hypothesis strategies for public alerts that the interface's field table allows or forbids.

Written from the table and not from the client's check, so that they test both the check and the service.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY

URGENCIES = ["Expected", "Unknown", "Immediate", "Past", "Future"]
SEVERITIES = ["Moderate", "Unknown", "Extreme", "Minor", "Severe"]
CERTAINTIES = ["Unknown", "Possible", "Observed", "Unlikely", "Likely"]
REQUIRED = ["category", "event", "urgency", "severity", "certainty", "expire", "smsMessage", "action", "type"]

texts = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["Cc"]), min_size=1, max_size=40
).filter(lambda text: text.strip() == text)


@st.composite
def allowed_alerts(
    draw: st.DrawFn, groups: tuple[int, ...] = (1, 2, 3), regions: tuple[int, ...] = (10, 11, 12)
) -> dict[str, Any]:
    """Draw an alert as a payload, with IDs of these groups and regions."""
    category = draw(st.sampled_from(sorted(EVENTS_BY_CATEGORY)))
    alert: dict[str, Any] = {
        "category": category,
        "event": draw(st.sampled_from(EVENTS_BY_CATEGORY[category])),
        "urgency": draw(st.sampled_from(URGENCIES)),
        "severity": draw(st.sampled_from(SEVERITIES)),
        "certainty": draw(st.sampled_from(CERTAINTIES)),
        "expire": str(draw(st.integers(1, 24))),
        "smsMessage": draw(texts),
        "action": "create",
        "type": draw(st.sampled_from([2, 3, 5])),
    }
    if draw(st.booleans()):
        alert["instructions"] = draw(texts)
    if groups and draw(st.booleans()):
        alert["eventGroups"] = draw(st.lists(st.sampled_from(groups), min_size=1, max_size=3, unique=True))
    community: dict[str, Any] = {}
    for name in ("contactName", "contactEmail", "contactDivision"):
        if draw(st.booleans()):
            community[name] = draw(texts)
    if draw(st.booleans()):
        community["contactPhone"] = draw(st.from_regex(r"[0-9]{3}|[0-9]{10}", fullmatch=True))
    if draw(st.booleans()):
        community["jurisdictionType"] = draw(st.sampled_from(["all", "some"]))
    if regions and draw(st.booleans()):
        community["regionIds"] = draw(st.lists(st.sampled_from(regions), min_size=1, max_size=3, unique=True))
    if community:
        alert["community"] = community
    if draw(st.booleans()):
        alert["applyZipCodeToEventGroups"] = bool(community and alert.get("eventGroups")) and draw(st.booleans())
    return alert


@st.composite
def forbidden_alerts(
    draw: st.DrawFn,
    groups: tuple[int, ...] = (1, 2, 3),
    regions: tuple[int, ...] = (10, 11, 12),
    unknown_id: int = 999_999_999,
) -> dict[str, Any]:
    """Draw an alert with exactly one error."""
    alert = draw(allowed_alerts(groups, regions))
    breach = draw(
        st.sampled_from(
            ["missing", "case", "word", "event", "expire", "action", "type", "zip", "phone", "jurisdiction", "ids"]
        )
    )
    if breach == "missing":
        del alert[draw(st.sampled_from(REQUIRED))]
    elif breach in ("case", "word"):
        name = draw(st.sampled_from(["category", "urgency", "severity", "certainty"]))
        changed = {"Met": "MET", "CBRNE": "cbrne"}.get(alert[name], alert[name].swapcase())
        alert[name] = changed if breach == "case" else "Perhaps"
    elif breach == "event":
        own = EVENTS_BY_CATEGORY[alert["category"]]
        others = [event for events in EVENTS_BY_CATEGORY.values() for event in events if event not in own]
        alert["event"] = draw(st.sampled_from([*others, own[0].upper()]))
    elif breach == "expire":
        alert["expire"] = draw(st.sampled_from(["0", "25", "-1", "1.5", "soon", "", "2 hours", "100"]))
    elif breach == "action":
        alert["action"] = draw(st.sampled_from(["update", "cancel", "Create", ""]))
    elif breach == "type":
        alert["type"] = draw(st.sampled_from([0, 1, 4, 6, -2]))
    elif breach == "zip":
        alert["applyZipCodeToEventGroups"] = True
        alert.pop(draw(st.sampled_from(["community", "eventGroups"])), None)
    elif breach == "phone":
        bad = ["12", "1234", "123456789", "12345678901", "555-123456", "+12", "abc", "12 4567890"]
        alert.setdefault("community", {})["contactPhone"] = draw(st.sampled_from(bad))
    elif breach == "jurisdiction":
        alert.setdefault("community", {})["jurisdictionType"] = draw(st.sampled_from(["All", "SOME", "none"]))
    elif draw(st.booleans()):
        alert["eventGroups"] = [*alert.get("eventGroups", []), unknown_id]
    else:
        community = alert.setdefault("community", {})
        community["regionIds"] = [*community.get("regionIds", []), unknown_id]
    return alert
