"""`deckcheck sheet` from the command line: what is printed for whom, and where it is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories import printed_sheets
from factories.commands import Done, deckcheck
from factories.event_lists import EVENT, ILLEGAL, UNREADABLE, a_list, an_event, duemagic, legal
from factories.rosters import judge_event
from msgspec.structs import replace

from deckcheck.registration.event import Event
from deckcheck.registration.sheet import sheets_of, short
from deckcheck.registration.submissions import Player, Submission

SECRETS = ("水野", "みずの", "0017", "アクア")


def players(html: str) -> list[str | None]:
    """The name on each leaf, None where it is left to the pen."""
    leaves = html.split('<section class="sheet')[1:]
    heads = [re.search(r'class="cell name".*?</div>', leaf) for leaf in leaves]
    names = [re.search(r"<bdi>([^<]*)</bdi>", head[0]) if head else None for head in heads]
    return [name[1] if name else None for name in names]


def run(folder: Path, *arguments: str, given: str = "", lang: str = "en") -> Done:
    return deckcheck("sheet", *arguments, cwd=folder, given=given, DECKCHECK_LANG=lang)


def made(folder: Path, *arguments: str, given: str = "", lang: str = "en") -> str:
    done = run(folder, *arguments, given=given, lang=lang)
    assert (done.status, done.err) == (0, "")
    return done.out


def refused(folder: Path, *arguments: str, given: str = "") -> str:
    done = run(folder, *arguments, given=given)
    assert (done.status, done.out) == (2, "")
    return done.err


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    text = "# format: duel-masters/duemagic\n# date: 2026-11-27\n" + a_list(
        "水野 光", legal(), table="7", id="0017"
    )
    (tmp_path / "deck.txt").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """Five players: three with a table, one whose list can't be read and who has none, one without a list."""
    an_event(
        tmp_path,
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017", table="10"),
        a_list("乙", ILLEGAL, table="9", language="en"),
        a_list("丙", UNREADABLE, reading="へい"),
        a_list("丁", "", reading="てい"),
        a_list("戊", legal(3), table="9"),
        more="language: ja\norganiser: カード店\n",
    )
    return tmp_path


def test_options_say_more_and_win(deck: Path) -> None:
    html = made(
        deck,
        *("deck.txt", "--name", "A & B"),
        *("--format", "duel-masters/original", "--as-of", "2026-01-10"),
    )
    assert players(html) == ["A &amp; B"]
    for words in ("<bdi>0017</bdi>", "Original", "rules of 2026-01-10"):
        assert words in html
    assert "水野" not in html


def test_a_deck_comes_on_standard_input(tmp_path: Path) -> None:
    html = made(tmp_path, "-", "-f", "duel-masters/duemagic", given="event: 1\n" + legal())
    assert "青銅の鎧" in html
    assert "event" in refused(tmp_path, "event.yaml", given=EVENT)


def test_the_format_may_come_from_the_settings(deck: Path) -> None:
    (deck / "plain.txt").write_text(legal(), encoding="utf-8")
    assert "no format" in refused(deck, "plain.txt")
    (deck / "deckcheck.toml").write_text('format = "duel-masters/duemagic"\nlang = "ja"\n', encoding="utf-8")
    assert "デュエマジック" in made(deck, "plain.txt", lang="")


def test_what_a_list_asks_to_ignore_is_told_all_the_same(deck: Path) -> None:
    text = "# deckcheck: ignore-file[copies, main-size] we agreed\n" + ILLEGAL
    (deck / "bad.txt").write_text(text, encoding="utf-8")
    html = made(deck, "bad.txt", "-f", "duel-masters/duemagic")
    assert "NOT LEGAL" in html and "[copies]" in html and "[main-size]" in html


def test_an_event_has_a_page_for_each_player_in_the_order_of_the_tables(event: Path) -> None:
    html = made(event, "event.yaml")
    # Table 9 before table 10; of one table by the name, then those without a table by the reading.
    assert players(html) == ["乙", "戊", "水野 光", "丁", "丙"]
    leaves = html.split('<section class="sheet')[1:]
    assert [leaf.split('lang="')[1][:2] for leaf in leaves] == ["en", "ja", "ja", "ja", "ja"]
    assert "NOT LEGAL" in leaves[0] and all('class="stamp' not in leaf for leaf in leaves[1:4])
    assert "Winter cup" in leaves[0]
    assert all("冬のデュエマジック杯" in leaf and "カード店" in leaf for leaf in leaves[1:])
    assert all("2026-11-27" in leaf for leaf in leaves)
    # Without a list there is a sheet to fill in by hand.
    assert leaves[3].count("<tr><td></td><td></td></tr>") == 42


def test_once_accepted_the_sheet_shows_what_was_accepted_whatever_comes_in_later(tmp_path: Path) -> None:
    an_event(tmp_path, *(a_list(name, legal(), id=name) for name in ("甲", "乙", "丙", "丁", "戊")))
    done = deckcheck("event", "accept", "event.yaml", "--output-format", "json", cwd=tmp_path)
    assert done.status == 0
    marks = [one["fingerprint"] for one in json.loads(done.out)["accepted"]]
    assert len(marks) == 5
    lists = tmp_path / "lists"
    (lists / "01.txt").write_text(a_list("甲", legal(3), id="甲"), "utf-8")
    (lists / "02.txt").write_text(a_list("乙", UNREADABLE, id="乙"), "utf-8")
    (lists / "03.txt").unlink()
    # Two lists without a time: which one counts can't be told, which one was accepted can.
    (lists / "06.txt").write_text(a_list("丁", legal(5), id="丁"), "utf-8")
    html = made(tmp_path, "event.yaml", "--lang", "en")
    assert sorted(filter(None, players(html))) == sorted("甲乙丙丁戊")
    leaves = dict(zip(players(html), html.split('<section class="sheet')[1:], strict=True))
    for number, name in enumerate("甲乙丙丁戊", 1):
        assert short(marks[number - 1]) in leaves[name]
        said = f"the list as it was accepted (receipt {number}), not one that came in later"
        assert (said in leaves[name]) == (name in "甲乙丙")


def test_of_lists_of_one_player_only_the_one_that_counts_has_a_page(tmp_path: Path) -> None:
    """Of two at unknown times nobody can tell which one counts: neither is printed, and that is said without a name."""
    an_event(tmp_path, a_list("水野 光", legal()), a_list("水野 光", legal(2)), a_list("乙", legal(4)))
    done = run(tmp_path, "event.yaml")
    assert done.status == 0 and players(done.out) == ["乙"]
    assert "lists/01.txt and 1 more" in done.err and not any(word in done.err for word in SECRETS)


def test_an_event_without_a_list_has_nothing_to_print(tmp_path: Path) -> None:
    an_event(tmp_path)
    assert "no lists to make sheets of" in refused(tmp_path, "event.yaml")


def test_an_event_says_itself_by_what_its_decks_are_judged(event: Path) -> None:
    said = refused(event, "event.yaml", "--format", "duel-masters/original", "--name", "A")
    assert "--format, --name" in said
    # What the environment says is for decks.
    assert players(made(event, "event.yaml"))


@pytest.mark.parametrize("name", ["event.yaml", "strange.txt"])
def test_an_event_is_told_by_what_is_in_the_file(event: Path, name: str) -> None:
    (event / "event.yaml").rename(event / name)
    assert len(players(made(event, name))) == 5


def test_an_empty_sheet_of_a_format_or_an_event(event: Path) -> None:
    html = made(event, "--empty", "-f", "dmc", "--name", "乙")
    assert html.count("<tr><td></td><td></td></tr>") == 60 and players(html) == ["乙"]
    assert "DM Commander" in html
    html = made(event, "--empty", "event.yaml")
    assert players(html) == [None] and html.count("<tr><td></td><td></td></tr>") == 42
    assert "冬のデュエマジック杯" in html and not any(word in html for word in SECRETS)
    dated = made(event, "--empty", "-f", "duel-masters/duemagic", "--as-of", "2020-05-01")
    assert "2026-08-10" in html and "2026-08-10" not in dated and "rules of 2020-05-01" in dated


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "duel-masters/duemagic"], "name a deck"),
        (["."], "name a single file"),
        (["deck.txt", "-f", "duel-masters/nothing"], "nothing"),
        (["deck.txt", "--as-of", "2026-13-01"], "not a valid date"),
        (["deck.txt", "-o", "deck.txt"], "will not be overwritten"),
        (["deck.txt", "-o", "."], "can't be written"),
    ],
)
def test_what_makes_no_sense_is_told_and_nothing_is_written(
    deck: Path, arguments: list[str], said: str
) -> None:
    before = sorted(deck.iterdir()), (deck / "deck.txt").read_bytes()
    assert said in refused(deck, *arguments)
    assert (sorted(deck.iterdir()), (deck / "deck.txt").read_bytes()) == before


def _event() -> Event:
    return replace(printed_sheets.EVENT, as_of="2026-11-27", language="ja")


def test_why_a_list_can_not_be_read_stands_on_the_sheet_without_its_place() -> None:
    submission = Submission(
        "lists/secret.txt", Player("甲"), None, problem=printed_sheets.Localized("壊れています", "broken")
    )
    roster = judge_event(_event(), [submission], duemagic())
    [[page], _unclear] = sheets_of(roster, "en")
    assert page.empty and [note.message for note in page.notes] == ["壊れています"]


def test_tables_are_ordered_as_people_count() -> None:
    tables = ["B2", "10", None, "9", "B10", "A1", "９", ""]
    submissions = [
        Submission(f"lists/{at}", Player(f"p{at}", table=table), legal(), id=str(at))
        for at, table in enumerate(tables, 1)
    ]
    pages, _unclear = sheets_of(judge_event(_event(), submissions, duemagic()), "en")
    order = [page.player.table or "" for page in pages]
    assert order[:2] in (["9", "９"], ["９", "9"]) and order[2:] == ["10", "A1", "B2", "B10", "", ""]


def test_a_list_in_the_notation_of_a_tool_can_be_named_so(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("4 青銅の鎧\n\n3 フェアリー・ライフ\n", "utf-8")
    asked = ("deck.txt", "--format", "duemagic", "--as-of", "2025-09-01")
    counts = [
        re.findall(r"(?:Main deck|Sideboard)\D{0,80}?(\d+)", html)
        for html in (made(tmp_path, *asked), made(tmp_path, *asked, "--notation", "mtgo"))
    ]
    assert [found[:2] for found in counts] == [["7", "0"], ["4", "3"]]
