"""Another program can make the sentences of findings anew, from their templates and fields."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from factories.garden_game import FERN, GHOST, IRIS, OAK, ROSE, deck_of, format_of, unread

import deckcheck
from deckcheck.checking.judge import check
from deckcheck.report import json as report_as_json
from deckcheck.report.writer import RenderOptions

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
    deck = deck_of(
        (ROSE, 2),
        (IRIS, 1),
        (GHOST, 1),
        ("{Rosee}", 2),
        ((ROSE, OAK), 1),
        (FERN, 1, "side"),
        diagnostics=[unread()],
    )
    report = check(deck, format_of(*RULES, zones=["main"]), as_of="2020-01-01")
    found: list[dict[str, Any]] = report_as_json.record(report, RenderOptions(lang))["findings"]
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


def translations() -> Iterator[tuple[str, str]]:
    file = Path(deckcheck.__file__).parent / "locale" / "ja" / "LC_MESSAGES" / "deckcheck.po"
    with file.open("rb") as source:
        for message in read_po(source, locale="ja"):
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            yield from ((str(id), str(strings[0])) for id in ids)


def test_another_language_has_the_same_templates_and_fills_its_own() -> None:
    japanese = dict(translations())
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


def test_braces_of_a_name_stay() -> None:
    [unknown] = [one for one in findings("en") if one["rule"] == "unknown-card"]
    assert unknown["fields"]["name"] == "{Rosee}"
    assert "{Rosee}" in unknown["message"]
