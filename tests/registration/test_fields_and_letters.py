"""Fields of players beyond the name, letters named after them, and letters for a mail merge."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

from factories.event_lists import ILLEGAL, a_list, an_event, legal
from factories.event_runs import run
from factories.form_events import accept, entries, receipts

FORM = """\
event: cup
name: {ja: 杯, en: Cup}
date: 2026-11-28
as_of: 2026-11-27
format: duel-masters/duemagic
fields:
  team: {ja: チーム, en: Team}
required: [name, team]
entries:
  - file: form.csv
    columns:
      name: [Last name, First name]
      email: Mail
      deck_name: Deck name
      team: Team
      deck: List
"""
HEAD = "Mail,Last name,First name,Deck name,Team,List\n"


def with_form(folder: Path, *rows: str, text: str = FORM) -> None:
    (folder / "event.yaml").write_text(text, encoding="utf-8")
    (folder / "form.csv").write_text(HEAD + "".join(rows), encoding="utf-8")


def row(mail: str, last: str, first: str, text: str, deck: str = "Blue", team: str = "A") -> str:
    return f'{mail},{last},{first},{deck},{team},"{text}"\n'


def test_names_in_several_columns_and_fields_of_the_events_own(tmp_path: Path) -> None:
    with_form(
        tmp_path,
        row("a@example.org", "Mizuno", "Hikaru", legal()),
        row("", "Hino", "Akira", legal(1), team=""),
    )
    first, second = entries(tmp_path)
    assert first["player"]["name"] == "Mizuno Hikaru"
    assert (first["player"]["team"], first["player"]["email"], first["player"]["deck_name"]) == (
        "A",
        "a@example.org",
        "Blue",
    )
    assert second["lacking"] == ["team"]
    done = run(tmp_path, "event", "check", "event.yaml")
    assert "not filled in: Team" in done.out
    accept(tmp_path)
    [receipt] = receipts(tmp_path)
    # Receipts are shown to judges; an address is nobody's business.
    assert receipt["player"] == {"name": "Mizuno Hikaru", "deck_name": "Blue", "team": "A"}
    sheets = run(tmp_path, "sheet", "event.yaml").out
    assert "Blue" in sheets and "a@example.org" not in sheets
    table = run(tmp_path, "event", "check", "event.yaml", "--output-format", "csv").out
    assert '"deck name"' in table and '"Team"' in table


def test_fields_stand_in_the_headers_of_lists_too(tmp_path: Path) -> None:
    an_event(
        tmp_path,
        a_list("水野", legal(), email="a@example.org", team="A", deck_name="青"),
        more="fields: {team: Team}\n",
    )
    [found] = entries(tmp_path)
    assert (found["player"]["email"], found["player"]["team"], found["player"]["deck_name"]) == (
        "a@example.org",
        "A",
        "青",
    )


def test_unknown_fields_are_told(tmp_path: Path) -> None:
    for old, new, told in (
        ("required: [name, team]", "required: [name, taem]", "there is no field 'taem'"),
        ("      team: Team", "      emial: Team", "did you mean 'email'?"),
        ("  team: {ja: チーム, en: Team}", "  name: Name\n  team: Team", "every event has this field"),
    ):
        with_form(tmp_path, text=FORM.replace(old, new))
        done = run(tmp_path, "event", "check", "event.yaml")
        assert done.status == 2 and told in done.err, done.err


def test_letters_are_named_after_their_players(tmp_path: Path) -> None:
    with_form(tmp_path, row("", "水野", "光", legal()), row("", "../火野", "a/b:c", ILLEGAL))
    known = entries(tmp_path)
    done = run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    assert "2 notices written to letters" in done.err
    names = {file.name for file in (tmp_path / "letters").iterdir() if not file.name.startswith(".")}
    assert names == {f"水野 光 {known[0]['id']}.txt", f"_火野 a_b_c {known[1]['id']}.txt"}
    # Those of players who are gone are removed, and nothing else is.
    (tmp_path / "letters" / "mine.txt").write_text("x", encoding="utf-8")
    with_form(tmp_path, row("", "水野", "光", legal()))
    run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    left = {file.name for file in (tmp_path / "letters").iterdir() if not file.name.startswith(".")}
    assert left == {f"水野 光 {known[0]['id']}.txt", "mine.txt"}


def test_letters_for_a_mail_merge(tmp_path: Path) -> None:
    with_form(tmp_path, row("a@example.org", "Mizuno", "Hikaru", legal()), row("", "=1+1", "Akira", ILLEGAL))
    done = run(tmp_path, "event", "check", "event.yaml", "--letters-csv", "letters.csv")
    assert "2 notices written to letters.csv\n1 of them has no address" in done.err
    data = (tmp_path / "letters.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and (tmp_path / "letters.csv").stat().st_mode & 0o777 == 0o600
    heads, first, second = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert heads == ["address", "name", "subject", "text"]
    assert first[:3] == ["a@example.org", "Mizuno Hikaru", "「杯」のデッキ登録について"]
    assert first[3].startswith("Mizuno Hikaru 様\n\n")
    assert second[1] == "'=1+1 Akira" and second[3].startswith("'=1+1")


# What belongs to the event itself is no list, and what is no file is no output


def test_the_events_own_files_are_no_lists(tmp_path: Path) -> None:
    an_event(
        tmp_path,
        text="event: cup\nname: Cup\ndate: 2026-11-28\nformat: duel-masters/duemagic\nentries: [.]\n",
    )
    (tmp_path / "mine.txt").write_text(a_list("水野", legal()), encoding="utf-8")
    assert accept(tmp_path).status == 0
    run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    for _again in range(2):
        found = entries(tmp_path)
        assert [one["place"] for one in found] == ["mine.txt"]
        assert accept(tmp_path).out.startswith("0 lists frozen now, 1 before")
    assert "no list" not in run(tmp_path, "event", "check", "event.yaml").out


def test_a_log_that_keeps_nothing_is_refused(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("水野", legal()), more="log: out\n")
    log = tmp_path / "out"
    log.symlink_to("out")
    done = accept(tmp_path)
    assert (
        (done.status, done.out) == (2, "")
        and "'out' is no file that can hold a log" in done.err
        and log.is_symlink()
    )
    log.unlink()
    log.symlink_to(os.devnull)
    done = accept(tmp_path)
    assert done.status == 2 and "is no file that can hold a log" in done.err and log.is_symlink()
    log.unlink()
    os.mkfifo(log)
    done = accept(tmp_path)
    assert done.status == 2 and "is no file that can hold a log" in done.err and log.is_fifo()


def test_an_output_that_is_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("水野", legal()))
    (tmp_path / "loop").symlink_to("loop")
    for words in (
        ["event", "check", "event.yaml", "--output", "loop"],
        ["event", "check", "event.yaml", "--letters", "loop"],
        ["event", "check", "event.yaml", "--letters-csv", "loop"],
        ["sheet", "event.yaml", "-o", "loop"],
        ["event", "init", "loop"],
    ):
        done = run(tmp_path, *words)
        assert done.status == 2 and done.err.count("loop: error:") == 1 and "internal" not in done.err, (
            done.err
        )
        assert (tmp_path / "loop").is_symlink()
