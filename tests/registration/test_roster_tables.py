"""The roster on the terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from factories.examples import examples
from factories.rosters import HOSTILE, ILLEGAL, LEGAL, OTHER, UNDECIDED, entry, judged, listed, receipt, row
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.registration.acceptance import worst_problem
from deckcheck.registration.roster import Roster
from deckcheck.registration.roster_tables import BEGIN_FORMULAS, render_csv, render_json, render_text
from deckcheck.registration.submissions import FIELDS, Player
from deckcheck.report.results import RenderOptions
from deckcheck.support.documents import load_schema


def some() -> Roster:
    """A legal list, an illegal one, no list, and an accepted one that is gone."""
    was = receipt(7, Player("青木", id="J-1"), listed(), "lists/aoki.txt")
    return judged(entry(1), entry(2, ILLEGAL), entry(3, None), accepted=[was])


def hostile() -> Roster:
    """A player for each hostile name, in every field that they may fill."""
    entries = []
    for number, bad in enumerate(HOSTILE, 1):
        one = entry(number, LEGAL if number % 2 else ILLEGAL + f"1 {bad}\n", submitted=None)
        entries.append(replace(one, player=Player(*[bad] * len(FIELDS[:-1])), submitted_as=bad))
    return judged(*entries)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


def test_nothing_in_the_table_plays_tricks_on_a_terminal() -> None:
    for lang in ("ja", "en"):
        text = render_text(hostile(), RenderOptions(lang))
        assert all(char.isprintable() or char in "\n　" for char in text)
        assert r"\u202e\u2066evil\x1b[31m" in text


@pytest.mark.parametrize(
    ("text", "en"),
    [
        (LEGAL, None),
        # It is told below the table.
        (OTHER, None),
        (f"1 誰も知らない\n{ILLEGAL}", "5 copies of フェアリー・ライフ; at most 4 allowed, and 1 more"),
        (f"1 アクア・ガード\n{LEGAL}", "warning: アクア・ガード costs very little"),
    ],
)
def test_the_gravest_finding_is_told_first(text: str, en: str | None) -> None:
    told = worst_problem(row(text))
    assert (told and told.message.en) == en
    assert told is None or (told.line, told.column) in ((3, 3), (1, 3))


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("make", [some, hostile, judged])
def test_json_keeps_to_its_schema(make: Any, lang: str) -> None:
    text = render_json(make(), lang)
    data = json.loads(text)
    Draft7Validator(load_schema("roster")).validate(data)
    assert all(char.isprintable() or char in "\n　" for char in text)
    assert data["summary"]["entries"] == sum(one["state"] != "gone" for one in data["entries"])


def test_the_schema_speaks_of_decks_as_that_of_reports_does() -> None:
    mine, theirs = load_schema("roster")["definitions"], load_schema("report")["definitions"]
    shared = ("tool", "deck", "place", "suppressed", "finding", "list", "error")
    assert {key: mine[key] for key in shared} == {key: theirs[key] for key in shared}


def test_the_schema_says_what_it_means_in_both_languages() -> None:
    schema = load_schema("roster")
    Draft7Validator.check_schema(schema)
    for name in ("event", "entry", "summary", "obstacle"):
        for key, value in schema["definitions"][name]["properties"].items():
            assert "$ref" in value or "enum" in value or {"description", "ja"} <= value.keys(), (name, key)


def test_csv_is_what_excel_and_rfc_4180_want_and_no_cell_is_a_formula() -> None:
    """Where a spreadsheet parts at semicolons, one within quotes parts nothing."""
    text = render_csv(hostile(), "en")
    assert text.startswith('\ufeff"id",')
    assert text.count("\r\n") == text.count("\n") == len(HOSTILE) + 1
    rows = rows_of(text)
    assert {len(one) for one in rows} == {len(rows[0])}
    names = [one[2] for one in rows[1:]]
    assert names[3] == '\'=HYPERLINK("http://example.invalid","x")'
    assert names[6] == "'＝1+1"
    assert not [cell for one in rows for cell in one if cell.startswith(BEGIN_FORMULAS)]
    assert r',"a\x0d\x0ab;=1",' in text
    for line in text.removeprefix("\ufeff").split("\r\n")[:-1]:
        assert re.fullmatch(r'"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*', line)


def test_csv_has_the_name_of_a_deck_that_only_its_list_gives() -> None:
    [heads, named, unnamed] = rows_of(
        render_csv(judged(entry(1, f"# deck: 赤単\n{LEGAL}"), entry(2, LEGAL)), "ja")
    )
    assert [line[heads.index("デッキ名")] for line in (named, unnamed)] == ["赤単", ""]


cell = st.text(st.characters(codec=None) | st.sampled_from("=+-@＝＋－＠\t\r\n\"';, 'x"), max_size=12)


@examples(60)
@given(st.lists(cell, min_size=6, max_size=6), cell)
def test_any_csv_reads_back_without_a_formula(fields: list[str], time: str) -> None:
    one = replace(entry(1, UNDECIDED), player=Player(*fields), submitted=None, submitted_as=time)
    text = render_csv(judged(one), "ja")
    text.encode()
    rows = rows_of(text)
    assert len(rows) == 2 and len(rows[0]) == len(rows[1])
    assert not [shown for shown in rows[1] if shown.startswith(BEGIN_FORMULAS)]
    assert all(shown.isprintable() or not set(shown) & set("\x1b\u202e\n\r\t\0") for shown in rows[1])
