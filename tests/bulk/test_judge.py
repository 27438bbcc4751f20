"""`judge`: batches in, batches out, and what is wrong with a batch."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pyarrow as pa
import pytest
from factories.errors import problem_of
from factories.stored_decks import DAY, batch_of

from deckcheck import UserError, check, load_format
from deckcheck.bulk import SCHEMA, judge

ORIGINAL = "duel-masters/original"
ROWS = [
    ("a", "main", "青銅の鎧", 4),
    ("b", "main", "青銅の鎧", 5),
    ("a", "main", "アクア・ガード", 36),
    ("b", None, "天災 デドダム", 35),
    ("c", "メインデッキ", "誰も知らないカード", 40),
    ("d", "Shed", "青銅の鎧", 40),
]


def judged(*rows: Any, format: str = ORIGINAL) -> dict[str, dict[str, Any]]:
    return {row["deck"]: row for row in judge(batch_of(rows), format, as_of=DAY).to_pylist()}


def test_the_verdicts_ids_and_fingerprints_are_those_of_a_check() -> None:
    found, format = judged(*ROWS), load_format(ORIGINAL)
    texts = {
        "a": "4 x 青銅の鎧\n36 x アクア・ガード",
        "b": "5 x 青銅の鎧\n35 x 天災 デドダム",
        "c": "40 x 誰も知らないカード",
        "d": "count,name,zone\n40,青銅の鎧,Shed",
    }
    for name, text in texts.items():
        report = check(text, format, as_of=DAY)
        assert found[name]["verdict"] == report.verdict
        assert found[name]["fingerprint"] == report.fingerprint
        ids = [finding.rule for finding in report.findings if finding.severity == "error"]
        assert {*found[name]["rules"], *found[name]["open"]} == {*ids}
    assert (found["b"]["rules"], found["c"]["open"]) == (["copies"], ["unknown-card"])


def test_what_earlier_batches_had_changes_nothing() -> None:
    first = batch_of([("a", "main", "青銅の鎧", 40), ("a", "main", "nobody", 1)])
    second = batch_of([*ROWS, ("e", "main", "nobody", 1), ("e", "main", "somebody", 1)])
    used = load_format(ORIGINAL)
    for batch in (first, second, first, second):
        found = judge(batch, used, as_of=DAY)
        assert found == judge(batch, load_format(ORIGINAL), as_of=DAY)
    nulls = second.set_column(2, "card", pa.array([*["nobody"] * 7, None]))
    with pytest.raises(UserError, match="column card, row 8: it is empty"):
        judge(nulls, used, as_of=DAY)


def test_the_result_has_the_published_columns_and_the_decks_in_the_order_of_their_first_rows() -> None:
    batch = batch_of(ROWS)
    assert judge(batch_of(ROWS[::-1]), ORIGINAL).column("deck").to_pylist() == ["d", "c", "b", "a"]
    assert judge(batch, ORIGINAL).schema == SCHEMA
    numbered = batch.set_column(0, "deck", pa.array([7, 8, 7, 8, 9, 10]))
    result = judge(numbered, ORIGINAL)
    assert result.schema == SCHEMA.set(0, pa.field("deck", pa.int64(), nullable=False))
    assert result.column("deck").to_pylist() == [7, 8, 9, 10]
    assert judge(batch.slice(0, 0), ORIGINAL).num_rows == 0


def stored(batch: pa.RecordBatch, change: Callable[[pa.Array], pa.Array]) -> pa.RecordBatch:
    """The batch with its columns of text stored in another way."""
    columns = [*map(change, batch.columns[:3]), batch.column(3)]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def coded_views(column: pa.Array) -> pa.Array:
    codes = column.dictionary_encode()
    return pa.DictionaryArray.from_arrays(codes.indices, codes.dictionary.cast(pa.string_view()))


def test_however_the_columns_are_stored_the_verdicts_are_the_same() -> None:
    batch = batch_of(ROWS)
    expected = judge(batch, ORIGINAL, as_of=DAY).to_pylist()
    ways: list[Callable[[pa.Array], pa.Array]] = [
        lambda column: column.dictionary_encode(),
        lambda column: column.cast(pa.large_string()),
        lambda column: column.cast(pa.string_view()),
        coded_views,
    ]
    others = [stored(batch, way) for way in ways]
    others.append(batch.set_column(3, "copies", batch.column(3).cast(pa.uint8())))
    others.append(pa.Table.from_batches([batch.slice(0, 2), batch.slice(2)]))
    others.append(batch.append_column("note", pa.array(["?"] * len(ROWS))))
    for other in others:
        assert judge(other, ORIGINAL, as_of=DAY).to_pylist() == expected


def test_cards_may_be_numbers() -> None:
    names = batch_of([("a", "main", "神の宣告", 3)])
    numbers = names.set_column(2, "card", pa.array([41420027]))
    expected = judge(names, "yugioh/ocg", as_of=DAY).to_pylist()
    assert expected == judge(numbers, "yugioh/ocg", as_of=DAY).to_pylist()
    assert expected[0]["fingerprint"] is not None


def test_a_zone_that_is_given_is_taken_as_it_is_and_none_means_the_home() -> None:
    name = next(
        card.name for card in load_format("duel-masters/advance").game_data.catalog if card.home == "gr"
    )
    rows = [
        ("given", "main", name, 2),
        *((empty, zone, name, 2) for empty, zone in (("null", None), ("empty", ""))),
    ]
    found = judged(*rows, ("home", "gr", name, 2), format="duel-masters/advance")
    assert found["null"]["fingerprint"] == found["empty"]["fingerprint"] == found["home"]["fingerprint"]
    assert found["given"]["fingerprint"] != found["home"]["fingerprint"]


def test_cards_that_a_list_puts_aside_and_rows_of_no_copies_are_not_in_the_deck() -> None:
    rows = [("a", "main", "Island", 60), ("b", "main", "Island", 60), ("b", "Maybeboard", "Black Lotus", 4)]
    found = judged(*rows, ("c", "main", "Island", 0), ("d", "Maybeboard", "Island", 3), format="magic/modern")
    assert found["a"]["fingerprint"] == found["b"]["fingerprint"]
    assert found["b"]["verdict"] == "legal"
    assert found["c"]["rules"] == found["d"]["rules"] == ["main-size"]
    report = check("", load_format("magic/modern"), as_of=DAY)
    assert found["c"]["fingerprint"] == found["d"]["fingerprint"] == report.fingerprint


def test_texts_are_read_as_lists() -> None:
    texts = ["4 x 青銅の鎧", "# as-of: 2020-01-01\n40 x 青銅の鎧", "4 x 青銅の鎧\n???", ""]
    batch = pa.RecordBatch.from_pydict({"deck": [1, 2, 3, 4], "list": texts})
    found, format = judge(batch, ORIGINAL).to_pylist(), load_format(ORIGINAL)
    for row, text in zip(found, texts, strict=True):
        report = check(text, format)
        ids = {finding.rule for finding in report.findings if finding.severity == "error"}
        assert (row["verdict"], {*row["rules"], *row["open"]}) == (report.verdict, ids)
        assert row["fingerprint"] == report.fingerprint


@pytest.mark.parametrize("text", ["???", "# as-of: never\n4 x 青銅の鎧"])
def test_a_text_that_cannot_be_read_is_an_error_with_its_row(text: str) -> None:
    batch = pa.RecordBatch.from_pydict({"deck": [1, 2], "list": ["4 x 青銅の鎧", text]})
    with pytest.raises(UserError, match=r"^list 2:1:"):
        judge(batch, ORIGINAL)


def test_it_can_be_sent_to_other_processes() -> None:
    work = pickle.loads(pickle.dumps(partial(judge, format=ORIGINAL, as_of=DAY)))
    batch = batch_of(ROWS)
    assert work(batch) == judge(batch, load_format(ORIGINAL), as_of=DAY)


@pytest.mark.parametrize(("format", "card"), [(ORIGINAL, ""), ("commander", "Island")])
def test_its_errors_can_be_sent_to_other_processes(format: str, card: str) -> None:
    with pytest.raises(UserError) as caught:
        judge(batch_of([("a", "main", card, 4)]), format, as_of=DAY)
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is caught.type and vars(error) == vars(caught.value)
    assert str(error) == str(caught.value)


GOOD = {"deck": ["a", "b"], "zone": ["main", "main"], "card": ["青銅の鎧", "青銅の鎧"], "copies": [1, 2]}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"copies": [1, -2]}, "column copies, row 2: -2 copies"),
        ({"copies": [1, 10**10]}, "column copies, row 2: 10000000000 copies"),
        ({"copies": [1, None]}, "column copies, row 2: it is null"),
        ({"copies": [1.0, 2.0]}, "column copies: double instead of whole numbers"),
        ({"copies": ["1", "2"]}, "column copies: string instead of whole numbers"),
        ({"card": [None, "青銅の鎧"]}, "column card, row 1: it is empty"),
        ({"card": ["青銅の鎧", ""]}, "column card, row 2: it is empty"),
        ({"card": [b"a", b"b"]}, "column card: binary instead of text or whole numbers"),
        ({"deck": ["a", None]}, "column deck, row 2: it is null"),
        ({"deck": [1.5, 2.5]}, "column deck: double instead of text or whole numbers"),
        ({"zone": [True, False]}, "column zone: bool instead of text or whole numbers"),
        ({"copies": None}, "column copies: it is missing (the columns are deck, zone, card, copies)"),
        ({"list": ["x", "y"], "card": None}, "column list, row 2: it is null"),
        ({"list": [1, 2], "card": None}, "column list: int64 instead of text"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_batch_is_one_error(change: dict[str, Any], expected: str) -> None:
    columns = {name: values for name, values in (GOOD | change).items() if values is not None}
    if change.get("list") == ["x", "y"]:
        columns["list"] = ["4 x 青銅の鎧", None]
    problem = problem_of(judge, pa.RecordBatch.from_pydict(columns), ORIGINAL, as_of=DAY)
    assert problem.in_("en") == expected
    assert problem.in_("ja") != expected


def test_a_column_that_is_there_twice_a_wrong_day_and_an_unknown_format_are_errors() -> None:
    twice = batch_of(ROWS).append_column("card", pa.array(["x"] * len(ROWS)))
    for batch, format, day in (
        (twice, ORIGINAL, DAY),
        (batch_of(ROWS), ORIGINAL, "2026-02-30"),
        (batch_of(ROWS), "duel-masters/nothing", DAY),
    ):
        with pytest.raises(UserError):
            judge(batch, format, as_of=day)


def test_what_arrow_can_take_is_a_batch_and_anything_else_is_named() -> None:
    batch = batch_of(ROWS)
    expected = judge(batch, ORIGINAL, as_of=DAY).to_pylist()
    for given in (batch.to_pydict(), pa.Table.from_batches([batch])):
        assert judge(given, ORIGINAL, as_of=DAY).to_pylist() == expected
    for wrong in (None, 3, "decks.parquet"):
        with pytest.raises(TypeError, match=f"not builtins.{type(wrong).__name__}"):
            judge(wrong, ORIGINAL, as_of=DAY)
