"""`deckcheck event init`: a file that is valid as it is written, also for the export of a form."""

from __future__ import annotations

import re
import stat
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from factories.commands import Done, deckcheck
from factories.events import entries, legal, put
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from openpyxl import Workbook

from deckcheck.formats.loading import load_game
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, bundled_formats
from deckcheck.registration.event import read_event
from deckcheck.registration.roster import read_entries
from deckcheck.scaffold import event_text
from deckcheck.support.documents import load_schema, load_yaml, parse_yaml

TODAY = date(2026, 11, 21)
LANGUAGES = ("ja", "en")
FORMATS = [one.id for one in bundled_formats() if not one.abstract]
OWN = "format: club/own\nname: Own\nextends: duel-masters/original\n"


def init(folder: Path, *words: str, lang: str = "en") -> Done:
    return deckcheck("event", "init", *words, cwd=folder, DECKCHECK_LANG=lang)


def made(folder: Path, *words: str, lang: str = "en") -> Done:
    done = init(folder, *words, lang=lang)
    assert (done.status, done.err) == (0, "")
    return done


def text_of(file: Path, lang: str, format: str | None = None, folders: Folders = BUNDLED_ONLY) -> str:
    return event_text(file, None, format, lang, folders, TODAY).text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fresh_file_is_read_and_keeps_to_the_schema(tmp_path: Path, lang: str) -> None:
    done = made(tmp_path, lang=lang)
    file = tmp_path / "event.yaml"
    data = load_yaml(file).data
    Draft7Validator(load_schema("event")).validate(data)
    event = read_event(file)
    assert [source.path for source in event.sources] == [tmp_path / "lists"]
    # What nobody asked for doesn't count.
    assert event.deadline is None
    assert (event.language, event.required) == (lang, ("name",))
    assert read_entries(event, load_game("duel-masters")) == []
    assert bool(re.search("[ぁ-ん]", file.read_text("utf-8"))) == (lang == "ja")
    assert event.format in done.out and event.date in done.out
    assert stat.S_IMODE((tmp_path / "lists").stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) & 0o044 == 0o044, "the file of the event is no secret"
    assert done.out.rstrip().endswith("deckcheck event check event.yaml")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_key_is_shown_and_every_example_keeps_to_the_schema(tmp_path: Path, lang: str) -> None:
    text = text_of(tmp_path / "event.yaml", lang)
    shown = re.sub(r"(?m)^( *)# ( *(- )?[a-z_]+:( [^（(\n]*)?)$", r"\1\2", text)
    data = load_schema("event")
    parsed = parse_yaml(shown, "event.yaml").data
    assert list(parsed) and set(parsed) == set(data["properties"])
    Draft7Validator(data).validate(parsed)
    [folder, form] = parsed["entries"]
    assert folder == "lists" and form["columns"].keys() >= {"name", "deck", "zones", "submitted"}


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_can_be_asked_for(tmp_path: Path, format: str) -> None:
    file = tmp_path / "event.yaml"
    short = format.rpartition("/")[2]
    shared = sum(one.endswith(f"/{short}") for one in FORMATS) > 1
    for name in (format,) if shared else (format, short):
        file.write_text(text_of(file, "en", name), "utf-8")
        assert read_event(file).format == format


@given(st.dates(date(1993, 1, 1), date(2199, 12, 31)), st.sampled_from(LANGUAGES))
def test_every_day_can_be_asked_for(day: date, lang: str) -> None:
    file = Path("event.yaml")
    text = event_text(file, day.isoformat(), None, lang, BUNDLED_ONLY, TODAY).text
    assert parse_yaml(text, "event.yaml").data["date"] == day.isoformat()
    assert f"# deadline: {day - timedelta(days=1)} 20:00" in text


@pytest.mark.parametrize(
    ("option", "written", "told"),
    [
        *(
            ("--date", day, f"--date: “{day}” is not a valid date")
            for day in ("2026-02-30", "tomorrow", "20261128", "2026-W48-6", "0026-11-28")
        ),
        ("--format", "orignal", "did you mean"),
        # A name that two games share.
        ("--format", "commander", "magic/commander"),
    ],
)
def test_a_day_or_format_that_is_none_is_told(tmp_path: Path, option: str, written: str, told: str) -> None:
    done = init(tmp_path, option, written)
    assert done.status == 2 and told in done.err
    assert list(tmp_path.iterdir()) == []


def test_formats_of_ones_own_are_named_from_the_file_of_the_event(tmp_path: Path) -> None:
    put(tmp_path, {"own.yaml": OWN, "my formats/two.yaml": OWN.replace("own", "two")})
    put(tmp_path, {"deckcheck.toml": 'formats = ["my formats"]\n'})
    made(tmp_path, "cups/friday.yaml", "--format", "own.yaml")
    assert load_yaml(tmp_path / "cups" / "friday.yaml").data["format"] == "../own.yaml"
    made(tmp_path, "cups/sunday.yaml", "--format", "club/two")
    event = read_event(tmp_path / "cups" / "sunday.yaml")
    assert event.format == "club/two"
    assert [one.resolve() for one in event.folders.formats] == [tmp_path / "my formats"]


@pytest.mark.parametrize("folder", ["on", "a: b", "- x", 'q"uote', "山", "#c", "12"])
def test_folders_of_any_name_are_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    folders = Folders((tmp_path / folder,), (tmp_path / folder,))
    data: Any = parse_yaml(text_of(tmp_path / "event.yaml", "en", None, folders), "event.yaml").data
    assert data["formats"] == data["banlists"] == [folder]


def test_two_events_of_a_day_have_logs_of_their_own(tmp_path: Path) -> None:
    def id_of(file: str) -> str:
        made(tmp_path, file, "--date", "2026-12-05")
        return read_event(tmp_path / file).id

    ids = [id_of(file) for file in ("a.yaml", "b.yaml", "c.yaml")]
    assert ids == ["event-2026-12-05", "event-2026-12-05-2", "event-2026-12-05-3"]
    # The log of an event whose file is gone still has its receipts.
    (tmp_path / "b.yaml").rename(tmp_path / "event-2026-12-05-4.log.jsonl")
    assert id_of("d.yaml") == "event-2026-12-05-2"


# The columns of an export


WANTED = {
    "google-ja": (
        "タイムスタンプ,メールアドレス,お名前（本名）,ふりがな,会員番号（10桁）,使用デッキ名,デッキリスト,意気込み",
        "{submitted: タイムスタンプ, email: メールアドレス, name: お名前（本名）, reading: ふりがな, "
        "id: 会員番号（10桁）, deck_name: 使用デッキ名, deck: デッキリスト}",
    ),
    "google-en": (
        "Timestamp,Email Address,What is your full name?,Player ID,Deck name,Decklist",
        "{submitted: Timestamp, email: Email Address, name: 'What is your full name?', id: Player ID, "
        "deck_name: Deck name, deck: Decklist}",
    ),
    "microsoft-ja": (
        "ID,開始時刻,完了時刻,メール,名前,最終変更時刻,お名前,プレイヤーID,メインデッキ,サイドボード",
        "{submitted: 完了時刻, name: お名前, id: プレイヤーID, zones: {main: メインデッキ, side: サイドボード}}",
    ),
    "microsoft-en": (
        "ID,Start time,Completion time,Email,Name,First name,Last name,Your decklist",
        "{submitted: Completion time, name: [First name, Last name], deck: Your decklist}",
    ),
}
"""The heads of exports, and what their columns mean in the event's file."""


def export(folder: Path, heads: list[str], file: str, encoding: str = "utf-8-sig") -> None:
    """Write an export with these heads and a row."""
    known = {"メール": "anonymous", "Email": "anonymous", "ID": "1"}
    times = [head for head in heads if "時刻" in head or "ime" in head]
    values = [known.get(head, "2026/11/26 10:00:00" if head in times else "x") for head in heads]
    if file.endswith(".xlsx"):
        book = Workbook()
        for row in (heads, values):
            book.active.append(row)
        book.save(folder / file)
    else:
        (folder / file).write_bytes(f"{','.join(heads)}\r\n{','.join(values)}\r\n".encode(encoding))


@pytest.mark.parametrize("kind", WANTED)
@pytest.mark.parametrize(
    ("file", "encoding"), [("export.csv", "utf-8-sig"), ("export.csv", "cp932"), ("export.xlsx", "")]
)
def test_the_columns_of_an_export_are_read(tmp_path: Path, kind: str, file: str, encoding: str) -> None:
    heads, wanted = WANTED[kind]
    export(tmp_path, heads.split(","), file, encoding)
    made(tmp_path, "--form", file, "--format", "duel-masters/duemagic")
    forms = [one for one in load_yaml(tmp_path / "event.yaml").data["entries"] if not isinstance(one, str)]
    assert forms == [{"file": file, "columns": yaml.safe_load(wanted)}]


def test_the_event_that_is_written_reads_the_export(tmp_path: Path) -> None:
    text = "タイムスタンプ,氏名,デッキレシピ\n" + f'2026/11/26 10:00:00,水野,"{legal()}"\n'
    (tmp_path / "form.csv").write_bytes(text.encode("cp932"))
    done = made(tmp_path, "--form", "form.csv", "-f", "duel-masters/duemagic", "--date", "2026-11-28")
    assert "  deck: デッキレシピ\n" in done.out
    [found] = entries(tmp_path)
    assert (found["player"]["name"], found["state"], found["late"]) == ("水野", "legal", False)


def test_two_columns_of_one_name_are_told_as_such(tmp_path: Path) -> None:
    export(tmp_path, ["名前", "名前", "デッキ"], "form.csv", "utf-8")
    assert "these headers are there twice: “名前”" in init(tmp_path, "--form", "form.csv").err


@pytest.mark.parametrize("file", ["empty.csv", "none.csv"])
def test_a_form_that_says_nothing_is_refused(tmp_path: Path, file: str) -> None:
    (tmp_path / "empty.csv").touch()
    assert init(tmp_path, "--form", file).status == 2 and not (tmp_path / "event.yaml").exists()
