"""The SMS meter for a table of texts, and properties that hold for every text."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.alerts.wording.sms import (
    BASIC,
    EXTENSION,
    GSM_7,
    PART,
    REPLACEMENTS,
    SINGLE,
    UCS_2,
    describe_wireless_excess,
    encoding_of,
    graphemes,
    measure,
    parts_of,
    straighten,
    units_of,
    wireless_rooms,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"  # 4 pictures, 3 joiners: 11 units
GERMANY = "\U0001f1e9\U0001f1ea"  # 4 units
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"  # 14 units
FIREMAN = "\U0001f468\U0001f3fd\u200d\U0001f692"  # a skin tone and a joiner: 7 units
HEART = "\u2764\ufe0f"
KEYCAP = "1\ufe0f\u20e3"

# Text, encoding, units, message parts, size of a part, units left in the last part.
TABLE = [
    ("nothing", "", GSM_7, 0, 0, 160, 160),
    ("one letter", "a", GSM_7, 1, 1, 160, 159),
    ("159", "a" * 159, GSM_7, 159, 1, 160, 1),
    ("160", "a" * 160, GSM_7, 160, 1, 160, 0),
    ("161", "a" * 161, GSM_7, 161, 2, 153, 145),
    ("306", "a" * 306, GSM_7, 306, 2, 153, 0),
    ("307", "a" * 307, GSM_7, 307, 3, 153, 152),
    ("459", "a" * 459, GSM_7, 459, 3, 153, 0),
    ("460", "a" * 460, GSM_7, 460, 4, 153, 152),
    ("a line break is one unit", "a\nb", GSM_7, 3, 1, 160, 157),
    ("so is a carriage return", "a\r\nb", GSM_7, 4, 1, 160, 156),
    ("the basic alphabet", "".join(sorted(BASIC)), GSM_7, 127, 1, 160, 33),
    ("accents of the alphabet", "àèéìòùÄÖÑÜäöñüÅåÆæØøÇÉß", GSM_7, 23, 1, 160, 137),
    ("Greek capitals of the alphabet", "ΔΦΓΛΩΠΨΣΘΞ", GSM_7, 10, 1, 160, 150),
    *[(f"extension {sign!r}", sign, GSM_7, 2, 1, 160, 158) for sign in "\f^{}\\[~]|€"],
    ("the whole extension table", "".join(sorted(EXTENSION)), GSM_7, 20, 1, 160, 140),
    ("80 euros", "€" * 80, GSM_7, 160, 1, 160, 0),
    ("81 euros: 76 fit in a segment", "€" * 81, GSM_7, 162, 2, 153, 143),
    ("153 euros", "€" * 153, GSM_7, 306, 3, 153, 151),
    ("an escape at the 153rd unit moves on", "a" * 152 + "€" + "a" * 10, GSM_7, 164, 2, 153, 141),
    ("and may cost a segment", "a" * 152 + "€" + "a" * 151 + "€", GSM_7, 307, 3, 153, 151),
    ("an escape at the 152nd unit fits", "a" * 151 + "€" + "a" * 10, GSM_7, 163, 2, 153, 143),
    ("an escape at the 160th unit of one", "a" * 158 + "€", GSM_7, 160, 1, 160, 0),
    ("an escape over the end of one", "a" * 159 + "€", GSM_7, 161, 2, 153, 145),
    ("70 of 16 bits", "й" * 70, UCS_2, 70, 1, 70, 0),
    ("71 of 16 bits", "й" * 71, UCS_2, 71, 2, 67, 63),
    ("134 of 16 bits", "й" * 134, UCS_2, 134, 2, 67, 0),
    ("135 of 16 bits", "й" * 135, UCS_2, 135, 3, 67, 66),
    ("201 of 16 bits", "й" * 201, UCS_2, 201, 3, 67, 0),
    ("202 of 16 bits", "й" * 202, UCS_2, 202, 4, 67, 66),
    ("one curly quote changes all", "a" * 69 + "’", UCS_2, 70, 1, 70, 0),
    ("one curly quote more", "a" * 70 + "’", UCS_2, 71, 2, 67, 63),
    ("small c with cedilla is not in the alphabet", "ç", UCS_2, 1, 1, 70, 69),
    ("a with acute is not in the alphabet", "á", UCS_2, 1, 1, 70, 69),
    ("a no-break space", "a\u00a0b", UCS_2, 3, 1, 70, 67),
    ("a tab", "a\tb", UCS_2, 3, 1, 70, 67),
    ("a backtick", "`", UCS_2, 1, 1, 70, 69),
    ("an escape is no character", "\x1b", UCS_2, 1, 1, 70, 69),
    ("the extension costs one unit of 16 bits", "€й", UCS_2, 2, 1, 70, 68),
    ("an emoji is a pair", "🔥", UCS_2, 2, 1, 70, 68),
    ("35 emoji", "🔥" * 35, UCS_2, 70, 1, 70, 0),
    ("36 emoji: a pair is not cut", "🔥" * 36, UCS_2, 72, 2, 67, 61),
    ("66 emoji", "🔥" * 66, UCS_2, 132, 2, 67, 1),
    ("67 emoji need a third", "🔥" * 67, UCS_2, 134, 3, 67, 65),
    ("a family", FAMILY, UCS_2, 11, 1, 70, 59),
    ("a family is not cut", "й" * 60 + FAMILY, UCS_2, 71, 2, 67, 56),
    ("a flag", GERMANY, UCS_2, 4, 1, 70, 66),
    ("a flag is not cut", "й" * 65 + GERMANY + "йй", UCS_2, 71, 2, 67, 61),
    ("two flags stay two", GERMANY * 2, UCS_2, 8, 1, 70, 62),
    ("a flag of tags", SCOTLAND, UCS_2, 14, 1, 70, 56),
    ("a flag of tags is not cut", "й" * 60 + SCOTLAND, UCS_2, 74, 2, 67, 53),
    ("a skin tone and a joiner", FIREMAN, UCS_2, 7, 1, 70, 63),
    ("a keycap", KEYCAP, UCS_2, 3, 1, 70, 67),
    ("a keycap is not cut", "й" * 65 + KEYCAP + "ййй", UCS_2, 71, 2, 67, 61),
    ("a heart with its selector", HEART, UCS_2, 2, 1, 70, 68),
    ("an accent typed on its own", "e\u0301", UCS_2, 2, 1, 70, 68),
    ("Arabic", "م" * 71, UCS_2, 71, 2, 67, 63),
    ("Chinese", "火" * 67 + "火" * 67, UCS_2, 134, 2, 67, 0),
    ("a character larger than a part is cut", "a" + "\u0301" * 140, UCS_2, 141, 3, 67, 60),
]

texts = st.text(
    st.one_of(
        st.sampled_from(sorted(BASIC)),
        st.sampled_from(sorted(EXTENSION)),
        st.sampled_from(sorted(REPLACEMENTS)),
        st.sampled_from("\u0301\u200d\ufe0f\U0001f468\U0001f3fd\U0001f1e9\U0001f525й\r\n"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=220,
)
gsm_texts = st.text(st.sampled_from(sorted(BASIC | EXTENSION)), max_size=400)


@pytest.mark.parametrize(
    ("text", "encoding", "units", "segments", "room", "left"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_text_takes_the_expected_message_parts(
    text: str, encoding: str, units: int, segments: int, room: int, left: int
) -> None:
    meter = measure(text)
    assert (meter.encoding, meter.units, meter.segments, meter.per_segment, meter.left) == (
        encoding,
        units,
        segments,
        room,
        left,
    )


def test_the_table_has_enough_texts_and_the_alphabet_is_complete() -> None:
    assert len(TABLE) >= 40
    assert frozenset("\f^{}\\[~]|€") == EXTENSION
    assert len(BASIC) == 127, "128 positions, one of them the escape character"


def test_special_characters_are_named_with_their_positions() -> None:
    meter = measure("“Leave” – now 👨‍👩‍👧 …")
    assert [(each.character, each.name, each.position) for each in meter.costly] == [
        ("“", "left double quotation mark", 1),
        ("”", "right double quotation mark", 7),
        ("–", "en dash", 9),
        ("👨‍👩‍👧", "man, 5 characters", 15),
        ("…", "horizontal ellipsis", 21),
    ]
    assert [each.replacement for each in meter.costly] == ['"', '"', "-", None, "..."]
    assert meter.can_be_straightened


def test_a_letter_outside_the_sms_alphabet_is_named_and_has_no_replacement() -> None:
    meter = measure("São Tomé")
    assert [(each.character, each.name, each.replacement) for each in meter.costly] == [
        ("ã", "latin small letter a with tilde", None)
    ]
    assert not meter.can_be_straightened


def test_a_right_to_left_letter_does_not_change_the_direction_of_its_note() -> None:
    """The note has the direction of the first letter outside the isolated characters."""
    note = measure("عام").costly_words
    assert [char for char in note if unicodedata.bidirectional(char) in ("R", "AL")] == list("عام")
    outside = re.sub("\u2068[^\u2069]*\u2069", "", note)
    assert not [char for char in outside if unicodedata.bidirectional(char) in ("R", "AL")]


def test_characters_that_count_twice_are_named_only_in_a_plain_text() -> None:
    assert [(each.character, each.position) for each in measure("a[b]").doubled] == [("[", 2), ("]", 4)]
    assert measure("a[b]").costly == []
    assert measure("a[b]й").doubled == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 of 160 · 0 message parts · plain characters"),
        ("a" * 152, "152 of 160 · 1 message part · plain characters"),
        ("й" * 7, "7 of 70 · 1 message part · special characters"),
        ("a" * 201, "201 · 2 message parts of 153 · plain characters"),
    ],
)
def test_the_meter_has_a_one_line_summary(text: str, words: str) -> None:
    assert measure(text).words == words


@given(texts, texts)
def test_a_longer_text_never_takes_fewer_message_parts(text: str, more: str) -> None:
    assert measure(text).segments <= measure(text + more).segments


@given(texts)
def test_the_message_parts_add_up_to_the_text_and_each_fits(text: str) -> None:
    parts, encoding = parts_of(text), encoding_of(text)
    assert "".join(parts) == text
    assert all(parts)
    room = PART[encoding] if len(parts) > 1 else SINGLE[encoding]
    assert all(units_of(part, encoding) <= room for part in parts)
    assert len(parts) >= -(-units_of(text, encoding) // room)


@given(texts)
def test_units_are_those_of_the_encoding(text: str) -> None:
    assert units_of(text, UCS_2) == len(text.encode("utf-16-be")) // 2
    assert "".join(graphemes(text)) == text


@given(texts)
def test_a_visible_character_is_not_split(text: str) -> None:
    starts, place = {0}, 0
    for seen in graphemes(text):
        place += len(seen)
        starts.add(place)
        if units_of(seen, UCS_2) > PART[UCS_2]:
            return
    cut = 0
    for part in parts_of(text):
        cut += len(part)
        assert cut in starts or encoding_of(text) == GSM_7


@given(texts)
def test_straightening_never_adds_message_parts_and_is_idempotent(text: str) -> None:
    straight = straighten(text)
    assert measure(straight).segments <= measure(text).segments
    assert straighten(straight) == straight


@given(
    texts.filter(
        lambda text: not any(len(plain) > 1 or sign in "—―•" for sign, plain in REPLACEMENTS.items() if sign in text)
    )
)
def test_replacing_each_character_by_one_never_makes_a_text_longer(text: str) -> None:
    assert len(straighten(text)) <= len(text)
    if measure(text).encoding == UCS_2 and measure(straighten(text)).encoding == UCS_2:
        assert measure(straighten(text)).units <= measure(text).units


@given(gsm_texts)
def test_straightening_does_not_change_a_plain_text(text: str) -> None:
    assert straighten(text) == text
    assert measure(text).costly == []


@given(st.lists(st.sampled_from(sorted(REPLACEMENTS)), max_size=20).map("a".join))
def test_straightening_makes_a_text_of_typographic_characters_plain(text: str) -> None:
    assert measure(straighten(text)).encoding == GSM_7


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (0, ["0 of 90 · wireless alert, older phones", "0 of 360 · wireless alert, newer phones"]),
        (90, ["90 of 90 · wireless alert, older phones", "90 of 360 · wireless alert, newer phones"]),
        (91, ["91 of 90 (1 too many) · wireless alert, older phones", "91 of 360 · wireless alert, newer phones"]),
        (
            361,
            [
                "361 of 90 (271 too many) · wireless alert, older phones",
                "361 of 360 (1 too many) · wireless alert, newer phones",
            ],
        ),
        (
            10_000,
            [
                "10,000 of 90 (9,910 too many) · wireless alert, older phones",
                "10,000 of 360 (9,640 too many) · wireless alert, newer phones",
            ],
        ),
    ],
)
def test_the_length_limit_of_wireless_alerts_is_checked_for_each_kind_of_phone(length: int, words: list[str]) -> None:
    """Each character counts once, whatever it takes in an SMS."""
    assert [words for words, _ in wireless_rooms("é" * length)] == words


def test_a_text_that_no_wireless_alert_can_hold_is_reported_with_its_excess():
    assert describe_wireless_excess("x" * 360) == ""
    assert "94 characters too long" in describe_wireless_excess("x" * 454)
