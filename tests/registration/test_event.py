"""The file of an event: every key, and every mistake with its place; and the hashes of its rules."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest
import yaml
from factories.events import OWN_RULES, put
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.registration.event import Event, Folder, Form, provenance, read_event
from deckcheck.registration.submissions import FIELDS
from deckcheck.support.documents import load_schema, load_yaml
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

LEAST = """\
event: friday
name: 金曜杯
date: 2026-11-28
format: duel-masters/original
entries: [lists]
"""

MOST = """\
event: friday-2026-11-28
name: {ja: 金曜杯, en: Friday cup}
organiser: デッキ堂
date: 2026-11-28
time_zone: Europe/Berlin
format: own.yaml
as_of: 2026-11-27
best_of: 3
deadline: 2026-11-27 20:00
required: [name, reading, id, name]
entries:
  - ../lists
  - file: form.csv
    columns: {name: お名前, reading: ふりがな, id: 会員番号, submitted: タイムスタンプ, deck: デッキリスト}
  - file: form.xlsx
    sheet: 回答
    columns:
      name: お名前
      reading: ふりがな
      handle: 呼び名
      id: 会員番号
      table: 席
      language: 言語
      email: メール
      deck_name: デッキ名
      team: チーム
      zones: {main: メイン, side: サイド}
fields: {team: {ja: チーム, en: Team}}
cards: [new.yaml, more]
formats: [formats]
banlists: [banlists]
games: [games]
language: ja
log: kept.jsonl
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "event.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def mistakes(folder: Path, text: str) -> list[str]:
    """`line:column: message (hint)` of each mistake."""
    with pytest.raises(UserError) as caught:
        read_event(written(folder, text))
    problems = caught.value.problems
    lines = text.splitlines() or [""]
    assert all(one.path == str(folder / "event.yaml") for one in problems)
    assert all((one.excerpt or "") == lines[(one.line or 0) - 1] for one in problems)
    assert all(re.search("[ぁ-んァ-ヶ一-龠]", one.message.ja) for one in problems)
    return [replace(one, path=None).in_("en") for one in problems]


def with_lines(*more: str) -> str:
    """LEAST with these lines at its end, in place of those with the same keys."""
    keys = tuple(line.partition(":")[0] + ":" for line in more)
    return "\n".join([*(line for line in LEAST.splitlines() if not line.startswith(keys)), *more, ""])


def test_what_may_be_left_out_has_its_default(tmp_path: Path) -> None:
    file = written(tmp_path, LEAST)
    assert read_event(file) == Event(
        id="friday",
        name=Localized("金曜杯", "金曜杯"),
        date="2026-11-28",
        time_zone="Asia/Tokyo",
        format="duel-masters/original",
        as_of="2026-11-28",
        path=file,
        log=tmp_path / "friday.log.jsonl",
        sources=(Folder(tmp_path / "lists", load_yaml(file).at("entries", 0)),),
    )


def test_every_key_is_read(tmp_path: Path) -> None:
    for name in ("formats", "banlists", "more"):
        (tmp_path / name).mkdir()
    for name in ("new.yaml", "more/one.jsonl", "more/notes.txt", "own.yaml"):
        (tmp_path / name).touch()
    copytree(shipped("examples") / "netrunner", tmp_path / "games")
    event = read_event(written(tmp_path, MOST))
    assert event.folders.games == (tmp_path / "games",)
    assert set(yaml.safe_load(MOST)) == set(load_schema("event")["properties"])
    assert event.name == Localized("金曜杯", "Friday cup")
    assert (event.id, event.organiser, event.best_of) == ("friday-2026-11-28", "デッキ堂", 3)
    assert (event.date, event.as_of, event.time_zone) == ("2026-11-28", "2026-11-27", "Europe/Berlin")
    assert event.deadline == datetime(2026, 11, 27, 19, tzinfo=UTC)
    assert event.format == str(tmp_path / "own.yaml")
    assert event.required == ("name", "reading", "id")
    assert event.cards == (tmp_path / "new.yaml", tmp_path / "more" / "one.jsonl")
    assert event.folders.formats == (tmp_path / "formats", tmp_path / "games")
    assert event.folders.banlists == (tmp_path / "banlists", tmp_path / "games")
    assert (event.language, event.log) == ("ja", tmp_path / "kept.jsonl")
    folder, csv, xlsx = event.sources
    assert isinstance(folder, Folder) and folder.path == tmp_path / "../lists"
    assert isinstance(csv, Form) and isinstance(xlsx, Form)
    assert (csv.path, csv.zones, csv.worksheet) == (tmp_path / "form.csv", {}, None)
    columns = {"name": "お名前", "reading": "ふりがな", "id": "会員番号"}
    columns |= {"submitted": "タイムスタンプ", "deck": "デッキリスト"}
    assert csv.columns == {field: (head,) for field, head in columns.items()}
    assert xlsx.worksheet == "回答"
    assert xlsx.zones == {"main": "メイン", "side": "サイド"}
    assert set(xlsx.columns) == {*FIELDS, "team"}


def test_all_mistakes_are_told_at_once_in_their_order(tmp_path: Path) -> None:
    form = "entries: [{file: f.csv, columns: {name: N}}]"
    text = with_lines("date: 2026-02-30", "time_zone: Mars", "format: nonsense", form, "cards: [no.yaml]")
    assert [one[0] for one in mistakes(tmp_path, text)] == [*"34567"]


@pytest.mark.parametrize(
    ("said", "hour"), [("2026-11-27 20:00", 11), ("2026-11-27T20:00", 11), ("2026-11-27T20:00+02:00", 18)]
)
def test_a_deadline_is_local_unless_it_has_an_offset(tmp_path: Path, said: str, hour: int) -> None:
    event = read_event(written(tmp_path, LEAST + f"deadline: {said}\n"))
    assert event.deadline == datetime(2026, 11, 27, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["1:1: this is empty; a mapping of keys to values is needed"]),
        ("- a\n", ["1:1: […] is not allowed here; a mapping of keys to values is needed"]),
        (
            LEAST.replace("entries", "entrys"),
            ["1:1: missing: entries", "5:1: unknown key 'entrys' (did you mean 'entries'?)"],
        ),
        (LEAST + "event: again\n", ["6:1: 'event' appears here twice"]),
    ],
)
def test_a_file_that_is_wrong_as_a_whole_is_told(tmp_path: Path, text: str, said: list[str]) -> None:
    assert mistakes(tmp_path, text) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("event: Friday Cup", "5:1: 'Friday Cup' is malformed (use lower-case letters, digits and hyphens)"),
        ("name: {ja: 金曜杯}", "5:1: missing: en"),
        ("name: ''", "5:1: this is empty"),
        ("date: 28.11.2026", "5:1: '28.11.2026' is malformed (write it like 2020-01-31)"),
        ("date: 2026-02-30", "5:1: “2026-02-30” is not a valid date"),
        ("as_of: 2026-13-01", "6:1: “2026-13-01” is not a valid date"),
        ("time_zone: Asia/Tokio", "6:1: there is no time zone 'Asia/Tokio' (did you mean 'Asia/Tokyo'?)"),
        ("time_zone: ../../etc/passwd", "6:1: there is no time zone '../../etc/passwd' (.*)"),
        ("time_zone: Asia", "6:1: there is no time zone 'Asia' (.*)"),
        ("deadline: 2026-11-27", "6:1: '2026-11-27' is not a certain time (write it like 2026-11-27 20:00; .*)"),
        ("deadline: 05/12/2026 20:00", "6:1: '05/12/2026 20:00' is not a certain time (write it like 2026-11-27 20:00; .*)"),
        (
            "time_zone: Europe/Berlin\ndeadline: 2026-10-25 02:30",
            "7:1: '2026-10-25 02:30' is not a certain time (write it like 2026-11-27 20:00; where the clocks change then, "
            "add the offset, as in 02:30 +01:00)",
        ),
        ("best_of: 0", "6:1: must be at least 1"),
        ("best_of: three", "6:1: three is not allowed here; a whole number is needed"),
        ("required: [name, readings]", "6:18: there is no field 'readings' (did you mean 'reading'?)"),
        ("language: de", "6:1: 'de' is not one of ja, en"),
        ("format: orignal", "5:1: there is no format 'orignal' (did you mean Original (duel-masters/original)?)"),
        ("format: no.yaml", "5:1: there is no file 'no.yaml'"),
        ("format: duel-masters/main-deck-only", "5:1: 'duel-masters/main-deck-only' can only be extended"),
        ("cards: [no.yaml]", "6:9: there is no file or folder 'no.yaml'"),
        ("cards: [&a x, *a]", "6:9: anchors and aliases (& and *) can't be used here (put quotes around a name)"),
        ("formats: [none-such]", "6:11: there is no folder 'none-such'"),
        ("banlists: [none-such]", "6:12: there is no folder 'none-such'"),
        ("log: .", "6:1: '.*' is no file that can hold a log"),
        ("log: event.yaml", "6:1: 'event.yaml' is another file of the event"),
        ("fields: {name: N}", "6:10: every event has this field"),
        ("entries: []", "5:1: this is empty"),
        ("entries: [lists, lists]", "5:18: this appears here twice"),
        ("entries: [form.csv]", "5:11: 'form.csv' is not a folder (a form needs “file: …” and “columns: …”)"),
        *(
            (f"entries: [{{file: {form}}}]", said)
            for form, said in (
                ("f.csv", "5:11: missing: columns"),
                ("f.ods, columns: {name: N, deck: D}", "5:12: 'f.ods' is a kind of file that can't be read (.*)"),
                ("f.csv, sheet: S, columns: {name: N, deck: D}", "5:25: only XLSX files have sheets"),
                ("f.csv, columns: {name: N}", "5:25: the columns of the list are missing: deck or zones"),
                ("f.csv, dates: first, columns: {name: N, deck: D}", "5:25: 'first' is not one of day-first, month-first (.*)"),
                ("f.csv, columns: {deck: D}", "5:25: the required column for 'name' is missing"),
                ("f.csv, columns: {name: N, deck: D, zones: {main: M}}", "5:53: use either deck or zones, not both"),
                ("f.csv, columns: {name: N, zones: {main: M, side: M}}", "5:61: the same column as 'main'"),
                ("f.csv, columns: {name: N, naem: N, deck: D}", "5:44: there is no field 'naem' (did you mean 'name'?)"),
            )
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(tmp_path: Path, line: str, said: str) -> None:
    [told] = mistakes(tmp_path, with_lines(*line.split("\n")))
    assert re.fullmatch(re.escape(said).replace(r"\.\*", ".*"), told), told


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8) | st.sampled_from(["lists", "\x00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(load_schema("event")["properties"])), VALUES, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_values_make_it_stumble(tmp_path: Path, values: dict[str, object]) -> None:
    file = tmp_path / "event.yaml"
    data = yaml.safe_load(LEAST) | {"date": "2026-11-28"} | values
    file.write_text(yaml.safe_dump(data, allow_unicode=True, default_style='"'), encoding="utf-8")
    try:
        event = read_event(file)
    except UserError:
        return
    assert isinstance(event, Event)


# The content of formats


def test_whatever_changes_the_rules_changes_the_hash_and_line_ends_change_nothing(tmp_path: Path) -> None:
    put(tmp_path, OWN_RULES)
    file = str(tmp_path / "x.yaml")
    before = provenance(file)
    assert (before.format.id, [stamp.id for stamp in before.banlists]) == ("club/x", ["club/list"])
    for name in ("x.yaml", "base.yaml"):
        put(tmp_path, {name: OWN_RULES[name] + "# more\n"})
        changed = provenance(file)
        assert changed.format.sha256 != before.format.sha256
        assert changed.banlists == before.banlists
        put(tmp_path, OWN_RULES)
    put(tmp_path, {"list.yaml": OWN_RULES["list.yaml"].replace("01-01", "01-02")})
    changed = provenance(file)
    assert changed.format == before.format and changed.banlists != before.banlists
    for name, text in OWN_RULES.items():
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    assert provenance(file) == before


def test_a_format_is_the_same_by_any_name() -> None:
    assert provenance("duel-masters/commander") == provenance("DMC") == provenance("DMコマンダー")
    assert provenance("duel-masters/commander").format.id == "duel-masters/commander"
