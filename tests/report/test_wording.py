"""What a judge would say, in both languages, with both names of a card; programs can make the sentences anew."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from factories.garden_game import (
    FERN,
    GHOST,
    IRIS,
    MOSS,
    OAK,
    PLUM,
    ROSE,
    Held,
    deck_of,
    format_of,
    judged,
    unread,
)
from factories.random_cards import often
from hypothesis import given
from hypothesis import strategies as st

import deckcheck
from deckcheck.checking.judge import check, load_format
from deckcheck.report import json as report_as_json
from deckcheck.report.results import RenderOptions
from deckcheck.report.wording import allowed_by, card_names, number
from deckcheck.rules.counting import Interval, Limits
from deckcheck.support.messages import Message

SAID: list[tuple[dict[str, Any], list[Held], str, str]] = [
    ({"in": "main", "exactly": 3}, [(ROSE, 2)], "花壇が2枚です（ちょうど3枚）", "Bed: 2 cards; exactly 3 needed"),
    ({"in": ["leader", "main"], "exactly": 3}, [(ROSE, 2)], "庭師と花壇が2枚です（ちょうど3枚）", "Gardener and Bed: 2 cards; exactly 3 needed"),
    ({"at_least": 3}, [(ROSE, 2)], "デッキ全体が2枚です（3枚以上）", "the whole deck: 2 cards; at least 3 needed"),
    ({"at_most": 1}, [(ROSE, 2)], "デッキ全体が2枚です（1枚まで）", "the whole deck: 2 cards; at most 1 allowed"),
    ({"in": "side", "at_most": 0}, [(ROSE, 2, "side")], "温室が2枚です（0枚）", "Glasshouse: 2 cards; none allowed"),
    ({"exactly": [0, 3]}, [(ROSE, 2)], "デッキ全体が2枚です（0か3枚）", "the whole deck: 2 cards; 0 or 3 needed"),
    ({"at_least": 1, "at_most": 2}, [(ROSE, 3)], "デッキ全体が3枚です（1枚以上、2枚まで）", "the whole deck: 3 cards; at least 1 and at most 2 allowed"),
    ({"count": "names", "at_least": 2}, [(ROSE, 3)], "デッキ全体が1種類です（2種類以上）", "the whole deck: 1 name; at least 2 needed"),
    ({"count": {"sum": "cost"}, "at_most": 3}, [(ROSE, 2)], "デッキ全体のコストの合計が4です（3まで）", "the whole deck: total cost: 4; at most 3 allowed"),
    ({"count": {"sum": "cost"}, "at_most": 3}, [(MOSS, 1)], "デッキ全体のコストの合計が∞です（3まで）", "the whole deck: total cost: ∞; at most 3 allowed"),
    ({"per": "name", "at_most": 1}, [(ROSE, 2)], "《Rose》が2枚あります（1枚まで）", "2 copies of Rose; at most 1 allowed"),
    ({"for_each": {"colour": "every"}, "where": {"colour": "$each"}, "at_most": 1}, [(ROSE, 2)], "赤: デッキ全体が2枚です（1枚まで）", "Red: the whole deck: 2 cards; at most 1 allowed"),
    ({"where": {"name": ["Rose"]}, "at_most": 0}, [(ROSE, 2)], "《Rose》は使えません", "Rose may not be played"),
    ({"for_each": {"colour": ["red"]}, "where": {"colour": "$each"}, "at_least": 1}, [(IRIS, 1)], "赤: デッキ全体が0枚です（1枚以上）", "Red: the whole deck: 0 cards; at least 1 needed"),
    ({"where": {"colour": "red"}, "at_most": 0}, [(GHOST, 1)], "判定できません: 《Ghost Orchid》の色が不明", "undecided: the colour of Ghost Orchid is unknown"),
    ({"at_most": 1, "message": {"ja": "{zone}に{card}、{found}枚（{allowed}）", "en": "{card} in {zone}: {found}, {allowed}"}, "where": {"colour": "red"}}, [(ROSE, 2)],
     "デッキ全体に《Rose》、2枚（1枚まで）", "Rose in the whole deck: 2, at most 1"),
    ({"for_each": {"colour": ["red"]}, "where": {"colour": "$each"}, "at_least": 1, "message": {"ja": "{each}が{found}枚", "en": "{each}: {found}"}}, [], "赤が0枚", "Red: 0"),
]  # fmt: skip


# Whether the orchid is red, so that the bound grows, nobody knows.
GROWING = {"base": 3, "plus": {"times": 2, "in": "side", "where": {"colour": "red"}}}


@pytest.mark.parametrize(
    ("bound", "copies", "allowed", "en"),
    [
        ("exactly", 6, {"at_least": 3, "at_most": 5}, "Bed: 6 cards; at least 3 and at most 5 allowed"),
        ("exactly", 2, {"at_least": 3, "at_most": 5}, "Bed: 2 cards; at least 3 and at most 5 allowed"),
        ("at_most", 6, {"at_most": 5}, "Bed: 6 cards; at most 5 allowed"),
        ("at_least", 2, {"at_least": 3}, "Bed: 2 cards; at least 3 needed"),
    ],
)
def test_a_bound_that_hangs_on_an_unknown_card_is_the_same_in_words_and_numbers(
    bound: str, copies: int, allowed: dict[str, int], en: str
) -> None:
    [finding] = judged({"in": "main", bound: GROWING}, (ROSE, copies), (GHOST, 1, "side")).findings
    assert (finding.verdict, finding.allowed, finding.message.in_("en")) == ("violated", allowed, en)


@pytest.mark.parametrize(("rule", "held", "ja", "en"), SAID, ids=[row[3] for row in SAID])
def test_sentences(rule: dict[str, Any], held: list[Held], ja: str, en: str) -> None:
    [finding] = judged(rule, *held).findings
    assert (finding.message.ja, finding.message.en) == (ja, en)


@pytest.mark.parametrize(
    ("rule", "en", "cited"),
    [
        ({"where": {"status": "rare"}, "at_most": 0}, "Rose is limited (List, since 2019-01-01)", "l.yaml:4"),
        ({"where": {"name": ["Rose"]}, "at_most": 0}, "Rose may not be played", "f.yaml:1"),
        ({"per": "name", "at_most": 1}, "2 copies of Rose (limited); at most 1 allowed", "f.yaml:1"),
    ],
)
def test_a_banlist_is_given_and_cited_only_for_a_rule_about_its_status(
    rule: dict[str, Any], en: str, cited: str
) -> None:
    rose = {"card": ROSE.name, "history": [{"from": "2019-01-01", "status": "rare", "line": 4}]}
    [finding] = judged(rule, (ROSE, 2), banlists=[{"cards": [rose]}]).findings
    assert finding.source is not None
    assert (finding.message.in_("en"), finding.source.place) == (en, cited)


def test_of_many_cards_only_some_are_named() -> None:
    many = [f"C{at}" for at in range(7)]
    assert card_names(many[:2]).in_("ja") == "《C0》、《C1》"
    assert card_names(many).in_("ja") == "《C0》、《C1》、《C2》、《C3》ほか3件"
    assert card_names(many).in_("en") == "C0, C1, C2, C3 and 3 more"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((3, 3), "3"),
        ((3, 5), "3–5"),
        ((3, math.inf), "at least 3"),
        ((2.5, 2.5), "2.5"),
        ((math.inf, math.inf), "∞"),
        ((-math.inf, 4), "-∞–4"),
    ],
)
def test_numbers(found: tuple[float, float], said: str) -> None:
    count = number(Interval(*found))
    assert (count.in_("en") if isinstance(count, Message) else str(count)) == said


@often(150)
@given(
    st.none() | st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False)).map(sorted),
    st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9) | st.just(math.inf)).map(sorted),
)
def test_bounds_are_told_as_wide_as_they_can_be(low: list[float] | None, high: list[float] | None) -> None:
    allowed = allowed_by(Limits(low and Interval(*low), high and Interval(*high)))
    if "exactly" in allowed:
        allowed = dict.fromkeys(("at_least", "at_most"), allowed["exactly"])
    assert allowed.get("at_least") == (int(low[0]) if low and math.isfinite(low[0]) else None)
    assert allowed.get("at_most") == (int(high[1]) if high and math.isfinite(high[1]) else None)


def test_what_the_engine_itself_has_to_tell() -> None:
    deck = deck_of(("Rosee", 2), ((ROSE, OAK), 1), (PLUM, 1, "side"), diagnostics=[unread()])
    report = check(deck, format_of({"at_most": 99}, zones=["main"]), as_of="2020-01-01")
    told = {one.rule: one for one in report.findings}
    assert {rule: one.message.en for rule, one in told.items()} == {
        "unknown-card": "'Rosee' is not in the card table",
        "ambiguous-name": "'Rose or Great Oak' may be any of Rose, Great Oak",
        "unknown-zone": "this format has no zone 'Glasshouse'",
        "invalid-line": told["invalid-line"].message.en,
    }
    hint = told["unknown-card"].hint
    assert hint is not None and hint.ja.startswith("もしかして: 《Rose》")
    assert (told["invalid-line"].verdict, report.verdict) == ("undecided", "undecided")


OWN = {"ja": "{zone}に{card}が{found}枚（{allowed}）", "en": "{found} of {card} in {zone}: {allowed}"}
RULES: list[dict[str, Any]] = [
    {"in": "main", "exactly": 3},
    {"per": "name", "at_most": 1},
    {"in": "main", "where": {"name": ["Iris"]}, "at_most": 0},
    {"in": "main", "count": "names", "at_least": 9},
    {"in": "main", "where": {"colour": "red"}, "at_most": 1, "message": OWN},
    {"in": "main", "where": {"colour": "blue"}, "at_most": 0, "message": {"ja": "{{青}}", "en": "{{blue}}"}},
    {"where": {"all": [{"colour": "green"}, {"kind": "tree"}]}, "at_most": 0},
]


@cache
def findings(lang: str) -> list[dict[str, Any]]:
    held = (ROSE, 2), (IRIS, 1), (GHOST, 1), ("{Rosee}", 2), ((ROSE, OAK), 1), (FERN, 1, "side")
    deck = deck_of(*held, diagnostics=[unread()])
    report = check(deck, format_of(*RULES, zones=["main"]), as_of="2020-01-01")
    found: list[dict[str, Any]] = report_as_json.record_json(report, RenderOptions(lang))["findings"]
    return found


def test_template_and_fields_make_the_english_sentence() -> None:
    assert {one["rule"] for one in findings("en")} >= {
        "unknown-card",
        "ambiguous-name",
        "unknown-zone",
        "rule-0",
    }
    for one in findings("en"):
        assert one["message_id"].format(**one["fields"]) == one["message"]
    # Braces of a name stay.
    [unknown] = [one for one in findings("en") if one["rule"] == "unknown-card"]
    assert unknown["fields"]["name"] == "{Rosee}" and "{Rosee}" in unknown["message"]


def translations() -> dict[str, str]:
    """What each template is in Japanese."""
    file = Path(deckcheck.__file__).parent / "locale" / "ja" / "LC_MESSAGES" / "deckcheck.po"
    with file.open("rb") as source:
        messages = [message for message in read_po(source, locale="ja") if message.id]
    plurals = [message for message in messages if isinstance(message.id, tuple)]
    return {message.id: message.string for message in messages if isinstance(message.id, str)} | {
        id: message.string[0] for message in plurals for id in message.id
    }


def test_another_language_has_the_same_templates_and_fills_its_own() -> None:
    japanese = translations()
    by_place = [(one["rule"], one["line"], one["message_id"]) for one in findings("en")]
    assert [(one["rule"], one["line"], one["message_id"]) for one in findings("ja")] == by_place
    for one in findings("ja"):
        if not one["rule"].startswith("rule-") and one["rule"] != "invalid-line":
            assert japanese[one["message_id"]].format(**one["fields"]) == one["message"]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_fields_are_numbers_and_words(lang: str) -> None:
    [size] = [one for one in findings(lang) if "exactly" in one["fields"]]
    assert (size["fields"]["exactly"], size["message_id"]) == (3, "{subject}: {count}; {allowed} needed")
    [own] = [one for one in findings(lang) if one["message_id"] == OWN["en"]]
    assert own["fields"]["zone"] == ("花壇" if lang == "ja" else "Bed")


BOTH = "《稲妻/Lightning Bolt》"


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("53 山\n7 稲妻\n", "ja", f"{BOTH}が7枚あります（4枚まで）"),
        ("53 山\n7 稲妻\n", "en", "7 copies of 稲妻/Lightning Bolt; at most 4 allowed"),
        ("57 山\n3 渦まく知識\n", "ja", "《渦まく知識/Brainstorm》はモダンでは使えません"),
        ("57 山\n3 渦まく知識\n", "en", "渦まく知識/Brainstorm is not in the card pool of Modern"),
        # The first of several names; neither another spelling nor half of a name is another name.
        ("53 Mountain\n4 稲妻\n3 Lightning Bolt\n", "ja", f"{BOTH}が7枚あります（4枚まで）"),
        ("53 Mountain\n4 lightning  bolt\n3 Lightning Bolt\n", "en", "7 copies of Lightning Bolt; at most 4 allowed"),
        ("55 Island\n5 Fire\n", "en", "5 copies of Fire // Ice; at most 4 allowed"),
    ],
)  # fmt: skip
def test_a_card_is_told_by_both_names(text: str, lang: str, said: str) -> None:
    report = check(text, load_format("magic/modern"), as_of="2025-12-01")
    placed = [finding for finding in report.findings if finding.line is not None]
    assert [finding.message.in_(lang) for finding in placed] == [said]
    assert all("/" not in card.name or " // " in card.name for finding in placed for card in finding.cards)


def test_the_name_of_a_message_that_a_format_gives_is_told_so_too() -> None:
    report = check("統率者\n1 稲妻\nデッキ\n99 山\n", load_format("magic/commander"), as_of="2025-12-01")
    [kind] = [finding for finding in report.findings if finding.rule == "commander-kind"]
    assert kind.message.in_("ja").startswith(f"{BOTH}は統率者にできません")
