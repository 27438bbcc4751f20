"""Fields of players beyond the name, letters named after them, and letters for a mail merge."""

from __future__ import annotations

from pathlib import Path

from factories.event_lists import a_list, an_event, legal
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
