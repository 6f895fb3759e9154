"""The English analysis is Lucene's: what is a word, which words are dropped, how they are stemmed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.webshop.analysis import STOP_WORDS, terms
from skillsandbox.envs.webshop.word_break import words
from skillsandbox.envs.webshop.word_break_data import RANGES

# Letters, digits, every punctuation mark that may stand inside words, marks, joiners, and emoji of each kind.
CHARACTERS = (
    "aZé1٣_.,:;'\"\u2019-# \u0308\u200d\ufe0e\ufe0f\u20e3א字"
    "ひカก\u0e31★☝\u2139🏻😀🇦\U000e0061\U000e007f\U0001d41a"
)
texts = st.text(st.sampled_from(CHARACTERS), max_size=20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # UAX #29: letters and digits join; within them some punctuation does too.
        ("wi-fi 2.4ghz", ["wi", "fi", "2.4ghz"]),
        ("can't o\u2019neill", ["can't", "o\u2019neill"]),
        ("1,000.50 a,b 3:4 a:b", ["1,000.50", "a", "b", "3", "4", "a:b"]),
        ("a.b a1.b 1.a _a_1_ __", ["a.b", "a1", "b", "1", "a", "_a_1_"]),
        ("at&t 5'2\" c# $19.99", ["at", "t", "5'2", "c", "19.99"]),
        ("e\u0301te\u0301 a\u00adb", ["e\u0301te\u0301", "a\u00adb"]),
        # Scripts with rules of their own.
        ('צה"ל ג\' ד"', ['צה"ל', "ג'", "ד"]),
        ("漢字 ひら カタカナ ภาษาไทย 한국어", ["漢", "字", "ひ", "ら", "カタカナ", "ภาษาไทย", "한국어"]),
        ("カa", ["カ", "a"]),
        # Emoji are words; sequences are one.
        ("mug★™® ok", ["mug", "★", "™", "®", "ok"]),
        ("☝🏻 👨\u200d👩\u200d👧 🇩🇪🇫🇷 🇩", ["☝🏻", "👨\u200d👩\u200d👧", "🇩🇪", "🇫🇷"]),
        ("❤\ufe0f❤\ufe0e 1\ufe0f\u20e3 #\ufe0f\u20e3 #", ["❤\ufe0f", "❤", "1\ufe0f\u20e3", "#\ufe0f\u20e3"]),
        # The information sign is a letter too: the longer reading counts.
        ("\u2139a \u2139\u200d★ \u2139\ufe0f", ["\u2139a", "\u2139\u200d★", "\u2139\ufe0f"]),
        # Assigned after Unicode 9.0, and so no letter; modifiers had not yet become marks.
        ("a\u1c90b a🏻", ["a", "b", "a", "🏻"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("a" * 600, [255, 255, 90]),
        ("\U0001d41a" * 200, [127, 73]),
        ("a" * 254 + ".b", [254, 1]),
        ("_" * 300 + "a", [255]),
        ("a" * 128 + " b", [128, 1]),
    ],
)
def test_longer_words_than_255_utf16_units_are_cut(text: str, sizes: list[int]) -> None:
    assert [len(word) for word in words(text)] == sizes


@given(texts)
def test_words_stand_in_the_text_in_order(text: str) -> None:
    position = 0
    for word in words(text):
        position = text.index(word, position) + len(word)


@given(texts, texts)
def test_a_space_always_parts_words(one: str, other: str) -> None:
    assert words(f"{one} {other}") == words(one) + words(other)


@given(st.text(st.sampled_from("abcXYZ019 -/&%"), max_size=40))
def test_without_punctuation_that_joins_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert words(text) == "".join(c if c.isalnum() else " " for c in text).split()


def test_no_character_has_two_classes() -> None:
    spans = (span.partition("-") for ranges in RANGES.values() for span in ranges.split())
    members = Counter(
        c for first, _, last in spans for c in range(int(first, 16), int(last or first, 16) + 1)
    )
    assert set(members.values()) == {1}


def test_stop_words_are_dropped_in_any_case() -> None:
    assert terms("The mug AND a cup's lid") == ["mug", "cup", "lid"]
    assert len(STOP_WORDS) == 33


@pytest.mark.parametrize("possessive", ["women's", "women\u2019S", "women\uff07s"])
def test_possessives_are_stripped(possessive: str) -> None:
    assert terms(possessive) == ["women"]


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Where Martin's extensions part from the paper's algorithm, or NLTK's own from his.
        ("possibly", "possibl"),
        ("archaeology", "archaeolog"),
        ("dying", "dy"),
        ("us", "us"),
        ("xs", "xs"),
        # The algorithm's steps.
        ("wireless", "wireless"),
        ("batteries", "batteri"),
        ("hairdressing", "hairdress"),
        ("relational", "relat"),
        ("electrical", "electr"),
        ("controll", "control"),
        ("machine", "machin"),
    ],
)
def test_stems_are_porters(word: str, stem: str) -> None:
    assert terms(word) == [stem]


def test_lower_case_is_that_of_each_character_alone() -> None:
    assert terms("İX ΟΔΟΣ") == ["ix", "οδοσ"]


def test_a_letter_beyond_the_basic_plane_counts_as_two_for_the_stemmer() -> None:
    assert terms("\U0001d41as") == ["\U0001d41a"]
