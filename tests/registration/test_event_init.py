"""`deckcheck event init`: a file that is valid as it is written, and nothing overwritten."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_process
from factories.scratch_repositories import outside
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from deckcheck.formats.loading import load_game
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, bundled_formats
from deckcheck.registration.event import Folder, event_from, read_event
from deckcheck.registration.roster import read_entries
from deckcheck.scaffold import event_text
from deckcheck.support.documents import load_schema, load_yaml, parse_yaml

TODAY = date(2026, 11, 21)
LANGUAGES = ("ja", "en")
FORMATS = [one.id for one in bundled_formats() if not one.abstract]


def deckcheck(folder: Path, *arguments: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    return run_process(arguments, cwd=folder, env=outside(DECKCHECK_LANG=lang), encoding="utf-8")


def text_of(file: Path, lang: str, format: str | None = None, folders: Folders = BUNDLED_ONLY) -> str:
    return event_text(file, None, format, lang, folders, TODAY).text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_fresh_file_is_read_and_keeps_to_the_schema(tmp_path: Path, lang: str) -> None:
    done = deckcheck(tmp_path, "event", "init", lang=lang)
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "event.yaml"
    data = load_yaml(file).data
    Draft7Validator(load_schema("event")).validate(data)
    event = read_event(file)
    assert event.sources == (Folder(tmp_path / "lists"),)
    assert event.deadline is not None and event.deadline.date() < date.fromisoformat(event.date)
    assert (event.language, event.required) == (lang, ("name",))
    assert read_entries(event, load_game("duel-masters")).submissions == []
    assert bool(re.search("[ぁ-ん]", file.read_text("utf-8"))) == (lang == "ja")
    assert event.format in done.stdout and event.date in done.stdout
    assert done.stdout.rstrip().endswith("deckcheck event check event.yaml")


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


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_can_be_asked_for(tmp_path: Path, lang: str, format: str) -> None:
    file = tmp_path / "event.yaml"
    short = format.rpartition("/")[2]
    shared = sum(one.endswith(f"/{short}") for one in FORMATS) > 1
    for name in (format,) if shared else (format, short):
        assert event_from(parse_yaml(text_of(file, lang, name), "event.yaml"), file).format == format


@given(st.dates(date(1993, 1, 1), date(2199, 12, 31)), st.sampled_from(LANGUAGES))
def test_every_day_can_be_asked_for(day: date, lang: str) -> None:
    file = Path("event.yaml")
    event = event_from(
        parse_yaml(event_text(file, day.isoformat(), None, lang, BUNDLED_ONLY, TODAY).text, "event.yaml"),
        file,
    )
    assert event.date == event.as_of == day.isoformat()
    assert event.deadline is not None and event.deadline.date() == day - timedelta(days=1)


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
    done = deckcheck(tmp_path, "event", "init", option, written)
    assert done.returncode == 2 and told in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_format_in_a_file_is_named_from_the_file_of_the_event(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(
        "format: club/own\nname: Own\nextends: duel-masters/original\n", encoding="utf-8"
    )
    done = deckcheck(tmp_path, "event", "init", "cups/friday.yaml", "--format", "own.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    file = tmp_path / "cups" / "friday.yaml"
    assert load_yaml(file).data["format"] == "../own.yaml"
    assert Path(read_event(file).format).resolve() == tmp_path / "own.yaml"
    assert (tmp_path / "cups" / "lists").is_dir()


def test_formats_of_the_settings_are_taken_along(tmp_path: Path) -> None:
    (tmp_path / "my formats").mkdir()
    (tmp_path / "my formats" / "own.yaml").write_text(
        "format: club/own\nname: Own\nextends: duel-masters/original\n", encoding="utf-8"
    )
    (tmp_path / "deckcheck.toml").write_text('formats = ["my formats"]\n', encoding="utf-8")
    done = deckcheck(tmp_path, "event", "init", "cups/friday.yaml", "--format", "club/own")
    assert (done.returncode, done.stderr) == (0, "")
    event = read_event(tmp_path / "cups" / "friday.yaml")
    assert event.format == "club/own"
    assert [one.resolve() for one in event.folders.formats] == [tmp_path / "my formats"]


@pytest.mark.skipif(os.name == "nt", reason="there are no such modes")
def test_the_folder_is_for_its_owner_and_the_file_for_all(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        assert deckcheck(tmp_path, "event", "init").returncode == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "lists").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "event.yaml").stat().st_mode) == 0o644


@pytest.mark.parametrize("folder", ["on", "a: b", "- x", 'q"uote', "山", "#c", "12"])
def test_folders_of_any_name_are_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    file = tmp_path / "event.yaml"
    text = text_of(file, "en", None, Folders((tmp_path / folder,), (tmp_path / folder,)))
    data: Any = parse_yaml(text, "event.yaml").data
    assert data["formats"] == data["banlists"] == [folder], json.dumps(text)


def test_two_events_of_a_day_have_logs_of_their_own(tmp_path: Path) -> None:
    for file in ("a.yaml", "b.yaml", "c.yaml"):
        assert deckcheck(tmp_path, "event", "init", file, "--date", "2026-12-05").returncode == 0
    events = [read_event(tmp_path / file) for file in ("a.yaml", "b.yaml", "c.yaml")]
    assert [event.id for event in events] == ["event-2026-12-05", "event-2026-12-05-2", "event-2026-12-05-3"]
    assert len({event.log for event in events}) == 3
    # The log of an event whose file is gone still has its receipts.
    (tmp_path / "b.yaml").rename(tmp_path / "event-2026-12-05-4.log.jsonl")
    assert deckcheck(tmp_path, "event", "init", "d.yaml", "--date", "2026-12-05").returncode == 0
    assert read_event(tmp_path / "d.yaml").id == "event-2026-12-05-2"
