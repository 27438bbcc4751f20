"""`deckcheck bulk`: files of decks in, files of verdicts out; what is reused, and what is wrong with a file."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from factories.commands import run_here
from factories.examples import amount
from factories.stored_decks import Row, batch_of

from deckcheck.bulk import SCHEMA, judge

pytestmark = pytest.mark.usefixtures("fewer_cards")

FORMAT, DAY = "duel-masters/original", "2026-08-20"
ROWS: list[Row] = [
    ("007", "main", "青銅の鎧", 4),
    ("007", "main", "アクア・ガード", 4),
    ("7", None, "青銅の鎧", 36),
    ("x", "main", "誰も知らないカード", 40),
]


def saved(path: Path, rows: Iterable[Row] = ROWS) -> Path:
    """Rows as a file, written as its name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_batches([batch_of(list(rows))])
    match path.suffixes:
        case [".parquet"]:
            pq.write_table(table, path)
        case [".arrow"]:
            with pa.ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table)
        case [".ipc"] | [".feather"]:
            feather.write_feather(table, path, compression="zstd")
        case [".csv", *compressed]:
            with gzip.open(path, "wb") if compressed else path.open("wb") as file:
                pacsv.write_csv(table, file)
        case [_, *compressed]:
            text = "".join(f"{json.dumps(row)}\n" for row in table.to_pylist())
            path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    return path


def run(*words: object, format: str | None = FORMAT, day: str | None = DAY) -> int:
    named = ([] if format is None else ["-f", format]) + ([] if day is None else ["--as-of", day])
    return run_here("bulk", *words, *named, "--isolated", "--lang", "en")


def impact(path: Path, since: str, day: str, *more: object) -> int:
    return run_here(
        "impact", path, "-f", FORMAT, "--from", since, "--to", day, "--isolated", "--lang", "en", *more
    )


def results_in(path: Path) -> list[dict[str, Any]]:
    """The results in a file, whatever its kind."""
    match path.suffix:
        case ".parquet":
            return pq.read_table(path).to_pylist()
        case ".arrow":
            with pa.ipc.open_file(path) as file:
                return file.read_all().to_pylist()
        case ".csv":
            types = {"deck": pa.string(), "rules": pa.string(), "open": pa.string()}
            rows = pacsv.read_csv(
                path, convert_options=pacsv.ConvertOptions(column_types=types, null_values=[])
            ).to_pylist()
            lists = [{key: row[key].split() for key in ("rules", "open")} for row in rows]
            return [
                {**row, **found, "fingerprint": row["fingerprint"] or None}
                for row, found in zip(rows, lists, strict=True)
            ]
        case _:
            return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


EXPECTED = judge(batch_of(ROWS), FORMAT, as_of=DAY).to_pylist()


@pytest.mark.parametrize(
    "name",
    ["d.parquet", "d.arrow", "d.ipc", "d.feather", "d.csv", "d.csv.gz", "d.jsonl", "d.ndjson", "d.jsonl.gz", "D.CSV"],
)  # fmt: skip
def test_every_kind_of_file_is_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A deck called 007 stays another than 7."""
    file = saved(tmp_path / name.lower()).rename(tmp_path / name)
    assert run(file, "-o", tmp_path / "out.parquet") == 1
    assert results_in(tmp_path / "out.parquet") == EXPECTED
    assert "3 decks: 0 legal, 2 illegal, 1 undecided" in capsys.readouterr().out


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "jsonl"])
def test_every_kind_of_file_is_written(ending: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "d.csv")
    assert run(file, "-o", tmp_path / f"out.{ending}") == 1
    assert run(file, "-o", tmp_path / "out", "--output-format", ending) == 1
    for out in (tmp_path / f"out.{ending}", tmp_path / "out" / f"d.{ending}"):
        assert results_in(out) == EXPECTED
    if ending == "parquet":
        assert pq.read_schema(tmp_path / "out.parquet").remove_metadata() == SCHEMA


def test_a_folder_of_parts_becomes_a_folder_of_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "decks"
    saved(folder / "year=2025" / "part-0.parquet", [("a", "main", "青銅の鎧", 4)])
    saved(folder / "b.csv", [("b", "main", "青銅の鎧", 4)])
    for name in ("_SUCCESS", ".hidden.csv", "_temporary/0.csv", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("?")
    assert run(folder, "-o", tmp_path / "out") == 1
    found = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.*")}
    assert found == {"year=2025/part-0.parquet", "b.parquet"}
    out, err = capsys.readouterr()
    assert "2 decks" in out
    assert "notes.txt" in err and "_SUCCESS" not in err


def test_lists_in_files_are_read_as_lists(tmp_path: Path) -> None:
    texts = ["40 x 青銅の鎧", "# as-of: 2001-01-01\n4 x 青銅の鎧\n"]
    batch = pa.RecordBatch.from_pydict({"deck": [1, 2], "list": texts})
    expected = judge(batch, FORMAT).to_pylist()
    pq.write_table(pa.Table.from_batches([batch]), tmp_path / "d.parquet")
    (tmp_path / "d.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in batch.to_pylist()))
    for name in ("d.parquet", "d.jsonl"):
        assert run(tmp_path / name, "-o", tmp_path / "out.jsonl", day=None) == 1
        assert results_in(tmp_path / "out.jsonl") == expected


@pytest.mark.parametrize(
    ("cards", "status"),
    [
        ([("アクア・ガード", 4)] * 10, 1),
        ([("誰も知らないカード", 40)], 3),
        ([("誰も知らないカード", 40), ("青銅の鎧", 40)], 1),
    ],
)
def test_the_status_is_that_of_a_check(cards: list[tuple[str, int]], status: int, tmp_path: Path) -> None:
    rows = [(f"d{at}", "main", card, copies) for at, (card, copies) in enumerate(cards)]
    file = saved(tmp_path / "d.csv", rows)
    assert run(file, "-o", tmp_path / "out.csv") == status
    assert run(file, "-o", tmp_path / "out.csv", "--exit-zero") == 0


def test_all_legal_is_0(tmp_path: Path) -> None:
    rows: list[Row] = [("a", "main", "Island", 60)]
    assert run(saved(tmp_path / "d.csv", rows), "-o", tmp_path / "o.csv", format="magic/modern") == 0


GOOD = "deck,zone,card,copies\n"
ROW = '{"deck": 1, "zone": null, "card": "x", "copies": 1}\n'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.csv", "", "column deck: it is missing"),
        ("d.csv", "x,y\n1,2\n", "column deck: it is missing"),
        ("d.csv", "deck,zone,card\na,main,青銅の鎧\n", "column copies: it is missing"),
        ("d.csv", "deck,zone,card,copies,deck\na,main,青銅の鎧,4,b\n", "column deck: there are two of them"),
        ("d.csv", GOOD + "a,main,青銅の鎧,x\n", "column copies, row 1: “x” instead of whole numbers"),
        ("d.csv", GOOD + "a,main,青銅の鎧,\n", "column copies, row 1: it is null"),
        ("d.csv", GOOD + "a,main,青銅の鎧,-4\n", "column copies, row 1: -4 copies"),
        ("d.csv", GOOD + "a,main\n", "row 1: 2 columns instead of 4"),
        ("d.csv", (GOOD + "a,main,青銅の鎧,1\n").encode("sjis"), "column card, row 1: not UTF-8"),
        ("d.csv", GOOD + "a,main,青銅の鎧,1\n\na,main,青銅の鎧,60.0\n", "column copies, row 2: “60.0” instead of whole numbers"),
        ("d.csv", GOOD + ",main,青銅の鎧,1\n", "column deck, row 1: it is empty"),
        ("d.csv", "deck,list\na,4 Island\na,5 Island\n", "column deck, row 2: a is there already"),
        ("d.csv", GOOD + "a,,青銅の鎧,1\nb,,青銅の鎧,1\na,,青銅の鎧,1\n", "deck a comes again after other decks"),
        ("d.csv.gz", "deck", "can't be read"),
        ("d.csv", "deck,zone\ra,main\r", "can't be read"),
        ("d.csv", "note," + GOOD + "\xff,a,main,x, 60\n,a,main,x,z\n", "column copies, row 2: “z” instead of whole numbers"),
        ("d.csv", GOOD + "a,main,x,99999999999999999999\n", "column copies, row 1: “99999999999999999999” instead of"),
        ("d.jsonl", ROW + ROW.replace("1}", "99999999999999999999}"), "column copies, row 2: “99999999999999999999” instead of"),
        ("d.jsonl", ROW + ROW.replace('"deck": 1', '"deck": 1.5'), "column deck, row 2: “1.5” instead of whole numbers"),
        ("d.jsonl", "hello\n", "row 1 isn't a JSON object"),
        ("d.jsonl", "[" * 100_000 + "\n", "row 1 isn't a JSON object"),
        ("d.jsonl", "[1, 2]\n", "row 1 isn't a JSON object"),
        ("d.jsonl", '{"deck": 1, "zone": "main", "card": "青銅の鎧"}\n', "column copies: it is missing"),
        ("d.jsonl", '{"deck": 1, "card": "x", "copies": 1}\n', "column zone: it is missing"),
        ("d.jsonl", ROW + '{"deck": 2, "zone": null, "card": "x", "copies": null}\n', "column copies, row 2: it is null"),
        ("d.jsonl", "\n" + ROW + '{"deck": "x"}\n', "column deck, row 2: “x” instead of whole numbers"),
        ("d.jsonl", ROW + '{"deck": 1, "copies": 1.5}\n', "column copies, row 2: “1.5” instead of whole numbers"),
        ("d.jsonl", ROW + '{"deck": 1, "card": [1]}\n', "column card, row 2: “[1]” instead of text"),
        ("d.jsonl", ROW + '{"deck": 2, "car\n', "row 2 isn't a JSON object"),
        ("d.jsonl", '{"deck": 1, "list": "# as-of: never\\n4 x 青銅の鎧"}\n', "d.jsonl: list 1:1:1: error: “never” is not a valid date"),
        ("d.parquet", "hello", "can't be read"),
        ("d.parquet", "", "can't be read"),
        ("d.arrow", "hello", "can't be read"),
        ("d.arrow", "", "can't be read"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_named_with_its_row_and_the_others_are_judged(
    name: str, content: str | bytes, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "decks"
    saved(folder / "a.parquet", ROWS[:1])
    saved(folder / "z.parquet", ROWS[-1:])
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert run(folder, "-o", tmp_path / "out", day=None) == 2
    out, err = capsys.readouterr()
    assert expected in err and str(folder / name) in err
    assert "2 decks: 0 legal, 1 illegal, 1 undecided" in out
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"a.parquet", "z.parquet"}


@pytest.mark.parametrize("name", ["d.csv", "d.jsonl", "d.parquet", "d.arrow"])
def test_a_file_without_decks_has_a_file_without_results(name: str, tmp_path: Path) -> None:
    file = saved(tmp_path / name, [])
    assert run(file, "-o", tmp_path / "out.parquet") == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_columns_that_cannot_be_decks_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pa.Table.from_batches([batch_of(ROWS[:1])])
    for name, column, expected in (
        ("card", pa.array([["x"]]), "column card: list<element: string> instead of text or whole numbers"),
        ("card", pa.array([b"\xff"]).view(pa.string()), "column card, row 1: not UTF-8"),
        ("deck", pa.array([b"\xff"]).view(pa.string()), "column deck, row 1: not UTF-8"),
        ("copies", pa.array([4.0]), "column copies: double instead of whole numbers"),
    ):
        at = table.schema.get_field_index(name)
        pq.write_table(table.set_column(at, name, column), tmp_path / "d.parquet")
        assert run(tmp_path / "d.parquet", "-o", tmp_path / "out.parquet") == 2
        assert expected in capsys.readouterr().err


def test_a_deck_in_two_files_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(tmp_path / "in" / "a.csv", ROWS[:1])
    saved(tmp_path / "in" / "b.csv", ROWS[1:2])
    for _again in range(2):
        assert run(tmp_path / "in", "-o", tmp_path / "out") == 2
        assert f"b.csv: error: deck 007 is in {tmp_path / 'in' / 'a.csv'}, too" in capsys.readouterr().err


def test_a_deck_is_the_same_whether_its_id_is_a_number_or_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path / "in" / "a.csv", [("7", "main", "青銅の鎧", 4)])
    (tmp_path / "in" / "b.jsonl").write_text(ROW.replace('"deck": 1', '"deck": 7'))
    assert run(tmp_path / "in", "-o", tmp_path / "out") == 2
    out, err = capsys.readouterr()
    assert "deck 7 is in " in err
    assert "1 file could not be judged\n1 deck: 0 legal, 1 illegal, 0 undecided\n" in out


def change_input(folder: Path) -> list[str]:
    saved(folder / "a.csv", ROWS[:1])
    return []


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(
    ("change", "reused"),
    [
        (lambda _folder: [], 2),
        (change_input, 1),
        (lambda _folder: ["--as-of", "2026-08-21"], 0),
        (lambda _folder: ["--best-of", "3"], 0),
        (lambda _folder: ["-f", "duel-masters/advance"], 0),
    ],
)
def test_what_is_there_already_is_only_reused_for_the_same_question(
    change: Callable[[Path], list[str]],
    reused: int,
    ending: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "in"
    words = (folder, "-o", tmp_path / "out", "--output-format", ending)
    saved(folder / "a.csv", ROWS[:2])
    saved(folder / "b.csv", ROWS[2:])
    assert run(*words) == 1
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").iterdir()}
    said = capsys.readouterr().out
    more = change(folder)
    assert run_here("bulk", *words, "-f", FORMAT, "--as-of", DAY, *more, "--isolated", "--lang", "en") == 1
    out, err = capsys.readouterr()
    assert sum(file.stat().st_mtime_ns == was for file, was in before.items()) == reused
    if reused == 2:
        assert out == said
        assert "2 files were up to date" in err


def test_results_that_cannot_be_read_or_carry_no_note_are_made_again(tmp_path: Path) -> None:
    file = saved(tmp_path / "d.csv")
    for out in (tmp_path / "out.parquet", tmp_path / "out.csv"):
        out.write_text("?")
        assert run(file, "-o", out) == 1
        assert results_in(out) == EXPECTED
    pq.write_table(pa.table({"x": [1]}), tmp_path / "out.parquet")
    assert run(file, "-o", tmp_path / "out.parquet") == 1
    assert results_in(tmp_path / "out.parquet") == EXPECTED


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["d.csv", "-o", "d.csv"], "d.csv: error: this is one of the inputs"),
        (["in", "-o", "in/out"], "in/out: error: the results would be among the decks in in"),
        (["d.csv", "-o", "-"], "--output: name a file or a folder"),
        (
            ["d.csv", "-o", "out.txt"],
            "out.txt: error: --output: .txt isn't an output format",
        ),
        (["in", "-o", "out.parquet"], "name a folder for several files"),
        (["d.csv", "-o", "out.csv.gz"], ".csv.gz doesn't fit"),
        (["d.csv", "-o", "out.csv", "--output-format", "jsonl"], ".csv doesn't fit"),
        (["d.csv", "in", "-o", "out"], "d.csv and in/d.csv would be in one file"),
        (["none.csv", "-o", "out"], "none.csv: error: no such file or folder"),
        (["none", "-o", "out"], "none: error: no such file"),
        (["empty", "-o", "out"], "empty: error: no files of decks in this folder"),
        (["notes.txt", "-o", "out"], "notes.txt: error: the name of a file of decks ends in .parquet"),
    ],
)
def test_mistakes_in_the_command_line(
    words: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path / "d.csv")
    saved(tmp_path / "in" / "d.csv")
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    before = (tmp_path / "d.csv").read_bytes()
    assert run(*words) == 2
    assert expected in capsys.readouterr().err
    assert (tmp_path / "d.csv").read_bytes() == before


PLAYABLE = (
    "アクア・ガード",
    "フェアリー・ライフ",
    "コッコ・ルピア",
    "アクア・サーファー",
    "アクア・ハルカス",
    "デーモン・ハンド",
    "ホーリー・スパーク",
    "サイバー・ブレイン",
    "幻獣サイクロン",
)
LISTED = ("フォース・アゲイン", "2025-08-11", "2025-08-12")
"""A card that a list restricts from a day between these two."""


def test_only_decks_that_a_change_may_affect_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card, since, day = LISTED
    rows: list[Row] = [
        ("a", "main", "青銅の鎧", 4),
        ("b", None, card, 4),
        ("c", "main", "誰も知らないカード", 40),
        ("d", "main", card, 1),
    ]
    every = judge(batch_of(rows), FORMAT, as_of=day).to_pylist()
    expected = [row | {"rules": sorted(row["rules"])} for row in every if row["deck"] != "a"]
    lists = "".join(
        json.dumps({"deck": deck, "list": f"{copies} x {name}"}) + "\n" for deck, _zone, name, copies in rows
    )
    (tmp_path / "l.jsonl").write_text(lists)
    for file in (saved(tmp_path / "d.parquet", rows), saved(tmp_path / "d.csv", rows), tmp_path / "l.jsonl"):
        # These results would be for another question.
        assert run(file, "-o", tmp_path / "out.parquet", day=day) == 1
        for _again in range(2):
            capsys.readouterr()
            words = (file, "-o", tmp_path / "out.parquet", "--changed-since", since)
            assert run(*words, day=day) == 1
            found = results_in(tmp_path / "out.parquet")
            assert [row | {"rules": sorted(row["rules"])} for row in found] == expected
            assert "1 deck left out: the changes can't affect it\n3 decks:" in capsys.readouterr().out
    assert run(tmp_path / "d.csv", "-o", tmp_path / "out.csv", "--changed-since", day, day=day) == 0
    assert "4 decks left out" in capsys.readouterr().out
    assert run(tmp_path / "d.csv", "-o", tmp_path / "out.csv", "--changed-since", "2025-08-13", day=day) == 2
    assert "--changed-since: 2025-08-13 is after 2025-08-12" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["d.parquet", "d.csv", "d.jsonl", "lists.jsonl"])
def test_impact_says_the_same_of_stored_decks_as_of_lists(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card, since, day = LISTED
    decks = {
        "a": [("青銅の鎧", 4)],
        "b": [("青銅の鎧", 4), (card, 4)],
        "c": [("誰も知らないカード", 4)],
        "d": [(card, 1), *((other, 4) for other in PLAYABLE), ("青銅の鎧", 3)],
    }
    texts = {
        deck: "".join(f"{copies} x {written}\n" for written, copies in cards) for deck, cards in decks.items()
    }
    for deck, text in texts.items():
        (tmp_path / "lists").mkdir(exist_ok=True)
        (tmp_path / "lists" / f"{deck}.txt").write_text(text)
    rows = [(deck, "main", written, copies) for deck, cards in decks.items() for written, copies in cards]
    if name == "lists.jsonl":
        lines = (json.dumps({"deck": deck, "list": text}) for deck, text in texts.items())
        (tmp_path / name).write_text("\n".join(lines))
    else:
        saved(tmp_path / name, rows)
    found = []
    for path in (tmp_path / "lists", tmp_path / name):
        assert impact(path, since, day, "--output-format", "json") == 1
        # Rows have no columns of text.
        report = json.loads(re.sub(r'"column": \d+', '"column": 1', capsys.readouterr().out))
        found.append(
            [
                {**deck, "name": deck["name"] or Path(deck["path"]).stem, "path": ""}
                for deck in report["decks"]
            ]
        )
        assert report["summary"]["decks"] == 4
        assert report["summary"]["worse"] == 1
    assert found[0] == found[1]
    assert {deck["name"] for deck in found[0]} == {"b", "d"}


def test_impact_goes_on_after_a_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card, since, day = LISTED
    saved(tmp_path / "in" / "a.parquet", [("a", "main", card, 4)])
    (tmp_path / "in" / "b.parquet").write_text("?")
    (tmp_path / "in" / "c.txt").write_text("4 x 青銅の鎧")
    assert impact(tmp_path / "in", since, day) == 2
    out, err = capsys.readouterr()
    assert "in/a.parquet: “a” illegal" in out
    assert "1 deck: 0 with another verdict (0 worse), 1 with other findings, 0 unchanged (and 1 that" in out
    assert "b.parquet: error: can't be read" in err
    assert "c.txt" in err
    assert impact(tmp_path / "in", since, day, "-o", tmp_path / "in" / "a.parquet") == 2
    assert "this is one of the inputs" in capsys.readouterr().err


def test_where_a_rule_itself_begins_every_deck_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The later rule about sizes came with extra decks of another kind."""
    file = saved(tmp_path / "d.csv", ROWS[:1])
    words = ("--changed-since", "2019-12-11")
    assert run(file, "-o", tmp_path / "o.csv", *words, format="duel-masters/advance", day="2019-12-12") == 1
    out, err = capsys.readouterr()
    assert "0 decks left out" in out
    assert "so every deck is judged" in err


def test_the_settings_name_the_format_and_the_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path / "d.csv")
    words = ("bulk", "d.csv", "-o", "out.parquet", "--lang", "en")
    assert run_here(*words) == 2
    (tmp_path / "deckcheck.toml").write_text(f'format = "{FORMAT}"\nas-of = "{DAY}"\n')
    assert run_here(*words) == 1
    assert results_in(tmp_path / "out.parquet") == EXPECTED


def test_an_interrupted_run_leaves_whole_files_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deckcheck.bulk import runs

    folder, out = tmp_path / "in", tmp_path / "out"
    for at, row in enumerate([ROWS[0], *ROWS[2:]]):
        saved(folder / f"{at}.csv", [row])
    real, judged = runs.encode, list[Any]()

    def stopped(*given: Any) -> Any:
        judged.append(given)
        if len(judged) == 2:
            raise KeyboardInterrupt
        return real(*given)

    monkeypatch.setattr(runs, "encode", stopped)
    assert run(folder, "-o", out) == 130
    assert [file.name for file in out.iterdir()] == ["0.parquet"]
    assert run(folder, "-o", out) == 1
    assert sorted(file.name for file in out.iterdir()) == ["0.parquet", "1.parquet", "2.parquet"]
    assert len(judged) == 4


def test_several_processes_give_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from deckcheck.bulk import batch_files, runs

    folder = tmp_path / "in"
    rows = [(f"d{deck}", "main", "青銅の鎧", copies) for deck in range(400) for copies in (1, 2, deck % 50)]
    saved(folder / "a.parquet", rows[:900])
    saved(folder / "b.csv", rows[900:1000])
    saved(folder / "c.jsonl", [*rows[1003:], ("d0", "main", "青銅の鎧", 1)])
    saved(folder / "d.csv", [("e", "main", "青銅の鎧", 40)])
    monkeypatch.setattr(batch_files, "ROWS", 100)
    found = []
    for enough, processes in ((10**9, 1), (0, 3)):
        monkeypatch.setattr(runs, "_ENOUGH", enough)
        monkeypatch.setattr(runs, "processors", lambda number=processes: number)
        out = tmp_path / f"out-{processes}"
        assert run(folder, "-o", out) == 2
        found.append({file.name: file.read_bytes() for file in out.iterdir()})
    assert found[0] == found[1]
    assert found[0].keys() == {"a.parquet", "b.parquet", "d.parquet"}


def test_without_arrow_there_is_one_message(tmp_path: Path) -> None:
    saved(tmp_path / "d.csv")
    code = "import sys; sys.modules['pyarrow'] = None; from deckcheck.cli.app import main; main()"
    for words, status in ((("bulk", "d.csv", "-o", "o.csv"), 2), (("bulk", "--help"), 0), (("--help",), 0)):
        done = subprocess.run(
            [sys.executable, "-c", code, *words, *(["--lang", "en"] if status else [])],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == status
        assert (done.stderr == "error: this needs Arrow: pip install 'deckcheck[arrow]'\n") == bool(status)


@pytest.mark.parametrize(
    "words", [("d.parquet", "-o", "."), ("d.parquet", "--output="), (".", "-o", "d.parquet")]
)
def test_no_input_is_overwritten(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = saved(Path("d.parquet")).read_bytes()
    assert run(*words) == 2
    assert Path("d.parquet").read_bytes() == before and len([*tmp_path.iterdir()]) == 1


def test_a_file_that_can_no_longer_be_read_has_no_results(tmp_path: Path) -> None:
    deck, out = saved(tmp_path / "d.parquet"), tmp_path / "out"
    run(deck, "-o", out)
    assert (out / "d.parquet").exists()
    deck.write_bytes(deck.read_bytes()[:300])
    assert run(deck, "-o", out) == 2
    assert not (out / "d.parquet").exists()


def test_a_deck_in_two_files_leaves_the_others_to_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, deck in (("1", "a"), ("2", "a"), ("3", "b")):
        saved(tmp_path / f"in{name}" / f"{name}.parquet", [(deck, "main", "青銅の鎧", 40)])
    out = tmp_path / "out"
    run(tmp_path / "in1", "-o", out)
    run(tmp_path / "in2", "-o", out)
    capsys.readouterr()
    assert run(tmp_path / "in1", tmp_path / "in2", tmp_path / "in3", "-o", out) == 2
    assert "2.parquet" in capsys.readouterr().err
    assert results_in(out / "3.parquet")[0]["deck"] == "b"


def test_rules_left_undecided_are_counted_and_quiet_shows_the_verdicts_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path / "d.csv", ROWS)
    assert run(file, "-o", tmp_path / "o.csv") == 1
    out, _err = capsys.readouterr()
    assert "(undecided)\n" in out
    assert run(file, "-o", tmp_path / "o.csv", "--quiet") == 1
    assert capsys.readouterr().out == out.splitlines(keepends=True)[-1]


def test_a_locked_folder_is_a_problem_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path / "in" / "a.csv", ROWS[:1])
    (tmp_path / "in" / "locked").mkdir()
    real = os.scandir

    def scandir(folder: str) -> Any:
        if folder.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert run(tmp_path / "in", "-o", tmp_path / "out") == 2
    out, err = capsys.readouterr()
    assert "locked: error: can't be read: Permission denied" in err
    assert "1 deck" in out


@pytest.mark.parametrize("damage", [b"", b"PAR1 damaged PAR1"])
def test_damaged_results_are_made_anew(damage: bytes, tmp_path: Path) -> None:
    """Their note may still be there: it is at the end of the file."""
    file, out = saved(tmp_path / "d.csv"), tmp_path / "out.parquet"
    assert run(file, "-o", out) == 1
    data = bytearray(out.read_bytes())
    data[4:40] = damage.ljust(36, b"?")
    out.write_bytes(data)
    assert run(file, "-o", out) == 1
    assert results_in(out) == EXPECTED


def test_a_file_with_an_earlier_time_is_judged_again(tmp_path: Path) -> None:
    """As `cp -p` and `tar` leave it."""
    file, out = saved(tmp_path / "d.csv"), tmp_path / "out.parquet"
    assert run(file, "-o", out) == 1
    status, text = file.stat(), file.read_bytes()
    file.write_bytes(text.replace(b",36", b",37"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(file, "-o", out) == 1
    assert results_in(out) != EXPECTED


def test_lists_beside_logs_and_tables_are_not_stored_decks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What counts are the columns, in all files, and not which file comes first."""
    card, since, day = LISTED
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.log.jsonl").write_text('{"event": "cup", "card": "x"}\n')
    (tmp_path / "in" / "b.csv").write_text(f"count,name\n4,{card}\n")
    assert impact(tmp_path / "in", since, day) == 0
    assert "b.csv: illegal" in capsys.readouterr().out
    saved(tmp_path / "in" / "c.csv", [("stored", "main", card, 4)])
    assert impact(tmp_path / "in", since, day) == 0
    out, err = capsys.readouterr()
    assert "“stored” illegal" in out
    assert "b.csv" in err or "and 1 more" in err
    (tmp_path / "in" / "c.csv").rename(tmp_path / "in" / "_c.csv")
    assert impact(tmp_path / "in", since, day) == 0
    assert "b.csv: illegal" in capsys.readouterr().out


def test_impact_counts_what_the_settings_grade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A card that isn't out yet is a warning unless the settings say otherwise."""
    monkeypatch.chdir(tmp_path)
    rows = [("a", "main", "Mountain", 56), ("a", "main", "Aatchik, Emerald Radian", 4)]
    saved(tmp_path / "d.csv", rows)
    (tmp_path / "d.txt").write_text("".join(f"{copies} x {name}\n" for _deck, _zone, name, copies in rows))
    (tmp_path / "deckcheck.toml").write_text(
        'format = "magic/modern"\n[severity]\nnot-yet-released = "error"\n'
    )
    found = []
    for file in ("d.txt", "d.csv"):
        status = run_here("impact", file, "--from", "2025-02-13", "--to", "2025-02-14", "--lang", "en")
        found.append((status, capsys.readouterr().out.splitlines()[-1]))
    assert found[0] == found[1]
    assert "1 with another verdict" in found[0][1]


PEAK = """
import os, pathlib, sys
os.sched_setaffinity(0, {0})
from deckcheck.cli.app import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status").read_text()
    print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""
"""Runs the command line on one processor and ends with its most memory in kB."""


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system of Linux for memory")
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """A row takes a hundred bytes once it is read."""
    found = []
    for decks in (40_000, amount(400_000, 200_000)):
        names = pa.DictionaryArray.from_arrays(np.tile(range(8), decks).astype("int32"), PLAYABLE[:8])
        columns = {
            "deck": pa.array(np.repeat(np.arange(decks), 8)).cast(pa.string()),
            "zone": pa.repeat("main", decks * 8),
            "card": names.cast(pa.string()),
            "copies": pa.repeat(4, decks * 8),
        }
        pacsv.write_csv(pa.table(columns), tmp_path / "d.csv")
        words = ("bulk", "d.csv", "-o", "o.csv", "-f", FORMAT, "--isolated")
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *words], cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 1
        found.append(int(done.stderr.split()[-1]))
    assert found[1] - found[0] < 90_000


def two_processes(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Any:
    """Three files of five decks each, a deck a batch, by two processes."""
    from deckcheck.bulk import batch_files, runs

    for name in "abc":
        saved(folder / f"{name}.csv", [(f"{name}{deck}", "main", "青銅の鎧", 40) for deck in range(5)])
    monkeypatch.setattr(batch_files, "ROWS", 1)
    monkeypatch.setattr(runs, "_ENOUGH", 0)
    monkeypatch.setattr(runs, "processors", lambda: 2)
    return runs


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is one process")
@pytest.mark.parametrize("command", ["bulk", "impact"])
def test_a_file_that_grows_while_it_is_read_ends_the_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One process reads fewer decks of a file than the other, which comes later."""
    runs = two_processes(monkeypatch, tmp_path / "in")
    real, real_share, process = runs.read_batches, runs.share_in_processes, list[int]()

    def share(work: Callable[[int, int], Any], number: int) -> Any:
        return real_share(lambda at, number: process.append(at) or work(at, number), number)

    def read(path: str) -> Any:
        if path.endswith("b.csv") and process == [1]:
            with Path(path).open("a") as file:
                file.write("b5,main,青銅の鎧,40\n")
        for batch in real(path):
            yield batch.slice(0, 2) if path.endswith("b.csv") and process == [0] else batch

    monkeypatch.setattr(runs, "share_in_processes", share)
    monkeypatch.setattr(runs, "read_batches", read)
    words = ("-o", tmp_path / "out") if command == "bulk" else ("--from", "2026-08-19", "--to", DAY)
    days = ("--as-of", DAY) if command == "bulk" else ()
    status = run_here(command, tmp_path / "in", *words, "-f", FORMAT, *days, "--isolated", "--lang", "en")
    assert status == 2
    assert "b.csv: error: it was changed while it was read" in capsys.readouterr().err
    if command == "bulk":
        assert {file.name for file in (tmp_path / "out").iterdir()} == {"a.parquet"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is one process")
def test_a_process_that_is_killed_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = two_processes(monkeypatch, tmp_path / "in")
    real = runs.judge

    def judge(batch: pa.RecordBatch, *more: Any, **options: Any) -> Any:
        if batch.num_rows and str(batch.column(0)[0]) == "b3":
            os._exit(1)
        return real(batch, *more, **options)

    with monkeypatch.context() as patch:
        patch.setattr(runs, "judge", judge)
        assert run(tmp_path / "in", "-o", tmp_path / "out") == 2
    assert capsys.readouterr().err == "error: a process of the run was ended before its work was done\n"
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"a.parquet"}
    assert run(tmp_path / "in", "-o", tmp_path / "out") == 1
    assert "1 file was up to date" in capsys.readouterr().err


def test_midnight_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import date, timedelta

    from deckcheck.bulk import runs

    days = (date(2026, 8, 20) + timedelta(number) for number in range(100))
    monkeypatch.setattr(runs, "today", lambda: next(days))
    assert run(saved(tmp_path / "d.csv"), "-o", tmp_path / "o.parquet", day=None) == 1
    assert results_in(tmp_path / "o.parquet") == EXPECTED


@pytest.mark.parametrize("name", ["b.parquet", "b.arrow"])
def test_a_table_without_rows_may_lack_types(name: str, tmp_path: Path) -> None:
    """Pandas writes it so."""
    folder = tmp_path / "in"
    saved(folder / "a.csv", ROWS)
    table = pa.table({column: pa.array([], pa.null()) for column in ("deck", "zone", "card", "copies")})
    if name.endswith("parquet"):
        pq.write_table(table, folder / name)
    else:
        feather.write_feather(table, folder / name)
    assert run(folder, "-o", tmp_path / "out") == 1
    assert results_in(tmp_path / "out" / "a.parquet") == EXPECTED
    assert results_in(tmp_path / "out" / "b.parquet") == []


@pytest.mark.parametrize("words", [("bulk",), ("bulk", "--changed-since", "2026-08-19"), ("impact",)])
def test_the_list_that_cannot_be_read_is_named_by_its_number(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = ["4 x 青銅の鎧"] * 3 + ["# best-of: never\n4 x 青銅の鎧"]
    rows = [json.dumps({"deck": deck, "list": text}) for deck, text in enumerate(lists)]
    (tmp_path / "l.jsonl").write_text("\n".join(rows))
    more = ("-o", tmp_path / "o.csv", "--as-of", DAY) if words[0] == "bulk" else ("--from", DAY, "--to", DAY)
    assert run_here(*words, tmp_path / "l.jsonl", *more, "-f", FORMAT, "--isolated", "--lang", "en") == 2
    assert f"{tmp_path / 'l.jsonl'}: list 4:1:1: error: " in capsys.readouterr().err


def test_results_of_a_file_that_is_wrong_now_go(tmp_path: Path) -> None:
    for name in "ab":
        assert run(saved(tmp_path / f"{name}.csv", ROWS[:1]), "-o", tmp_path / "out/") == 1
    assert run(tmp_path / "a.csv", tmp_path / "b.csv", "-o", tmp_path / "out") == 2
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["a.parquet"]


def test_codes_of_parts_may_be_small(tmp_path: Path) -> None:
    """Batches of a stream have dictionaries of their own, which together have more than 127 words."""
    tables = []
    for start in (0, 100):
        column = pa.array([f"d{deck}" for deck in range(start, start + 100)]).dictionary_encode()
        deck = column.cast(pa.dictionary(pa.int8(), pa.string()))
        rows = [("", "main", "青銅の鎧", 40)] * 100
        tables.append(batch_of(rows).set_column(0, "deck", deck))
    with pa.ipc.new_stream(tmp_path / "d.arrow", tables[0].schema) as stream:
        for table in tables:
            stream.write_batch(table)
    assert run(tmp_path / "d.arrow", "-o", tmp_path / "o.csv") == 1
    assert len(results_in(tmp_path / "o.csv")) == 200
