"""Submissions as files in a folder, what they say of their players, and times as forms and people write them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from factories.events import (
    a_list,
    accept,
    an_event,
    duemagic,
    entries,
    form_event,
    form_row,
    legal,
    put,
    receipts,
    run,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.formats.loading import load_game
from deckcheck.registration.event import Event, read_event
from deckcheck.registration.roster import read_entries
from deckcheck.registration.submissions import LARGEST_LIST, Player, Submission, submission_in
from deckcheck.support.errors import UserError

GAME = load_game("duel-masters")
CARDS = "4 x 天災 デドダム\n36 x 青銅の鎧\n"
HEADER = """\
# player: 山田太郎
# reading: やまだたろう
# handle: タロ
# id: 0012
# table: 7
# language: 日本語
# submitted: 2026-11-20 19:00
"""
TARO = Player("山田太郎", "やまだたろう", "タロ", "0012", "7", "ja")
SENT = datetime(2026, 11, 20, 10, tzinfo=UTC)
KEYS = "player: 山田太郎\nreading: やまだたろう\nhandle: タロ\nid: '0012'\ntable: 7\nlanguage: ja\nsubmitted: 2026-11-20 19:00\n"
JSON = """\
{"player": "山田太郎", "reading": "やまだたろう", "handle": "タロ", "id": "0012", "table": 7, "language": "ja",
 "submitted": "2026-11-20 19:00", "cards": ["4 x 天災 デドダム", "36 x 青銅の鎧"]}
"""


def event_at(folder: Path, entries: str = "[lists]") -> Event:
    file = folder / "event.yaml"
    file.write_text(
        f"event: friday\nname: 金曜杯\ndate: 2026-11-28\nformat: duel-masters/original\nentries: {entries}\n",
        encoding="utf-8",
    )
    return read_event(file)


def read(folder: Path, files: Mapping[str, str | bytes]) -> list[Submission]:
    """What is read from a folder "lists" with these files."""
    (folder / "lists").mkdir(exist_ok=True)
    for name, content in files.items():
        file = folder / "lists" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_entries(event_at(folder), GAME)


def test_files_are_numbered_in_the_order_of_their_names(tmp_path: Path) -> None:
    found = read(tmp_path, {"b.txt": CARDS, "a/late.txt": CARDS, "a.txt": CARDS, "c.csv": CARDS})
    places = ["lists/a/late.txt", "lists/a.txt", "lists/b.txt", "lists/c.csv"]
    assert [one.place for one in found] == places
    assert {one.text for one in found} == {CARDS}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", HEADER + CARDS),
        ("a.txt", "\n" + HEADER.replace("#", "//").replace(": ", "：") + CARDS),
        ("a.txt", "# format: original\n" + HEADER + CARDS),
        ("a.txt", HEADER.replace("# ", "") + CARDS),
        (
            "a.txt",
            "format: original\n"
            + HEADER.replace("# player: ", "名前：").replace("# id", "会員番号")
            + "\n"
            + CARDS,
        ),
        # As `deckcheck fmt` lays it out.
        ("a.txt", "# player: 山田太郎\n\nメインデッキ\n" + HEADER + CARDS),
        ("a.csv", HEADER.replace("\n", ",,\n") + "枚数,カード名,\n4,天災 デドダム,\n36,青銅の鎧,\n"),
        ("a.yaml", KEYS + "cards:\n  - 4 x 天災 デドダム\n  - 36 x 青銅の鎧\n"),
        ("a.yaml", HEADER + "cards:\n  - 4 x 天災 デドダム\n  - 36 x 青銅の鎧\n"),
        ("a.json", JSON),
        ("a.txt", JSON),
    ],
)
def test_a_list_says_who_plays_it_and_that_is_no_finding(tmp_path: Path, name: str, text: str) -> None:
    [one] = read(tmp_path, {name: text})
    assert (one.player, one.submitted, one.submitted_as) == (TARO, SENT, "2026-11-20 19:00")
    assert one.problem is None and one.text is not None
    deck = duemagic().game_data.read(one.text, one.place)
    assert not deck.diagnostics
    assert [(entry.copies, len(entry.cards)) for entry in deck.entries] == [(4, 1), (36, 1)]


def test_a_misspelt_header_is_told_and_needs_a_word(tmp_path: Path) -> None:
    texts = (a_list("青木", legal()), a_list("白石", legal(), submited="2026-11-27 23:00", idea="none"))
    an_event(tmp_path, *texts, more="deadline: 2026-11-27 20:00\n")
    good, misspelt = entries(tmp_path)
    assert (good["obstacles"], good["deck"]["name"]) == ([], None)
    [told] = misspelt["obstacles"]
    assert (told["kind"], told["by_word"], "'submited'" in told["message"]) == ("header", True, True)


def test_encodings_of_windows_are_read(tmp_path: Path) -> None:
    text = HEADER + CARDS
    encodings = {"a.txt": "cp932", "b.txt": "utf-8-sig", "c.txt": "utf-16"}
    files = {name: text.replace("\n", "\r\n").encode(encoding) for name, encoding in encodings.items()}
    assert [(one.player, one.text) for one in read(tmp_path, files)] == [(TARO, text)] * 3


def test_nothing_but_hidden_files_is_dropped_in_silence(tmp_path: Path) -> None:
    """What is no list is told; the name of a file is no name of a player, and one without a name is somebody's."""
    no_lists = {
        "README.md": "# Lists\n",
        "cards.yaml": "cards: []\n",
        "deck.pdf": b"%PDF-1.7",
        "format.yaml": "format: a/b\nrules: []\n",
        "notes.txt": "山田さんに電話する\n席は窓側\n",
    }
    hidden = {".hidden.txt": CARDS, ".git/config.txt": CARDS, ".gitignore": "ignored.txt\n"}
    found = read(tmp_path, {**no_lists, **hidden, "山田太郎.txt": CARDS, "ignored.txt": CARDS})
    places = ["lists/ignored.txt", "lists/notes.txt", "lists/山田太郎.txt"]
    assert [one.place for one in found if one.text is not None] == places
    assert {one.player for one in found} == {Player()}
    # Whether a text is a list is known once it is judged.
    told = run(tmp_path, "event", "check", "event.yaml").out
    assert "2 players" in told and "note: 5 files are no lists" in told and "lists/README.md" in told
    assert "(lists end in" in told


def test_a_list_that_cannot_be_read_leaves_the_others_alone(tmp_path: Path) -> None:
    large = CARDS * (LARGEST_LIST // len(CARDS))
    found = read(tmp_path, {"a.txt": b"\xff\x00\x81", "b.txt": large, "c.txt": CARDS, "d.txt": ""})
    assert [one.text for one in found] == [None, None, CARDS, None]
    said = [one.problem.en if one.problem else "" for one in found]
    assert "too large" in said[1] and [bool(one) for one in said] == [True, True, False, False]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "a.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "lists" / "b.txt").symlink_to("c.txt")
    a, b, c = read(tmp_path, {"c.txt": CARDS})
    assert a.text is None and a.problem is not None and "leads out" in a.problem.en
    assert b.text == c.text == CARDS


def test_folders_nested_too_deeply_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nested too deeply"):
        read(tmp_path, {"/".join("d" * 30) + "/a.txt": CARDS})


def test_a_path_or_an_override_in_a_name_does_no_harm(tmp_path: Path) -> None:
    files = {
        "a.txt": "# player: ../../etc/passwd\n" + CARDS,
        "b.txt": "# player: 山田\u202e郎太\u202c\x1b[2J\u200b\n" + CARDS,
        "c.json": '{"player": "山\\ud800田\\u0000\\n太郎", "cards": []}',
        "d.txt": f"# player: {'長' * 2000}\n" + CARDS,
    }
    found = read(tmp_path, files)
    assert [one.player.name for one in found] == ["../../etc/passwd", "山田郎太[2J", "山田 太郎", None]
    assert found[3].problem is not None and "too long" in found[3].problem.en
    assert "長" not in found[3].problem.en + found[3].problem.ja.replace("長すぎます", "")


def test_a_language_is_told_in_several_ways(tmp_path: Path) -> None:
    said = {"ja": "ja", "JA-jp": "ja", "日本語": "ja", "English": "en", "en_US": "en", "de": None}
    found = read(tmp_path, {f"{at}.txt": f"# language: {word}\n{CARDS}" for at, word in enumerate(said)})
    assert [one.player.language for one in found] == [*said.values()]


@pytest.mark.parametrize(
    ("states", "texts"),
    [
        (
            "missing",
            "すみません、今回は辞退させていただきます。|リストはあとで送ります|当日持参します！|未定",
        ),
        ("missing", "I have to withdraw, sorry.|TBD"),
        (
            "missing",
            "やっぱり参加できません|I'm out|同じです|see attached|よろしくお願いします|https://example.org/deck/1 です",
        ),
        ("illegal undecided unreadable", "1 誰も知らないカード|4 Slater, the Sublater|写真 2枚"),
        ("legal", legal() + "\n# サイドはあとで変えるかも"),
    ],
)
def test_a_text_without_cards_that_says_so_is_no_list(tmp_path: Path, states: str, texts: str) -> None:
    lists = enumerate(texts.split("|"))
    form_event(tmp_path, *(form_row("26 10:00", f"水野{at}", f"100{at}", text) for at, text in lists))
    told = run(tmp_path, "event", "check", "event.yaml").out
    for found, text in zip(entries(tmp_path), texts.split("|"), strict=True):
        assert found["state"] in states.split()
        assert states != "missing" or (found["deck"] is None and text[:10] in told)


def test_a_number_in_a_header_makes_no_list_of_a_remark(tmp_path: Path) -> None:
    an_event(tmp_path, *(a_list("青木7", text, id="17") for text in ("TBD", "I'm out", "なし。")))
    assert [one["state"] for one in entries(tmp_path)] == ["missing"] * 3


FIELDS = """\
event: cup
name: Cup
date: 2026-11-28
format: duel-masters/duemagic
fields: {team: {ja: チーム, en: Team}}
required: [name, team]
entries:
  - .
  - file: form.csv
    columns: {name: [Last name, First name], email: Mail, deck_name: Deck name, team: Team, deck: List}
"""
ROWS = f"""\
Mail,Last name,First name,Deck name,Team,List
a@example.org,Mizuno,Hikaru,Blue,A,"{legal()}"
,Hino,Akira,Blue,,"{legal(1)}"
"""


def test_fields_of_the_events_own_and_names_in_several_columns(tmp_path: Path) -> None:
    """The events own files, which lie beside the list in a header of which the fields stand, are no lists."""
    listed = a_list("青木", legal(2), email="b@example.org", team="B", deck_name="青")
    put(tmp_path, {"event.yaml": FIELDS, "form.csv": ROWS, "mine.txt": listed})
    for _again in range(2):
        own, first, second = entries(tmp_path)
        keys = ("name", "team", "email", "deck_name")
        assert [own["player"][key] for key in keys] == ["青木", "B", "b@example.org", "青"]
        assert [first["player"][key] for key in keys] == ["Mizuno Hikaru", "A", "a@example.org", "Blue"]
        assert second["lacking"] == ["team"]
        accept(tmp_path)
        run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    done = run(tmp_path, "event", "check", "event.yaml")
    assert "not filled in: Team" in done.out and "no list" not in done.out
    # Receipts are shown to judges; an address is nobody's business.
    _own, receipt = receipts(tmp_path)
    assert receipt["player"] == {"name": "Mizuno Hikaru", "deck_name": "Blue", "team": "A"}
    sheets = run(tmp_path, "sheet", "event.yaml").out
    assert "Blue" in sheets and "@example.org" not in sheets
    table = run(tmp_path, "event", "check", "event.yaml", "--output-format", "csv").out
    assert '"deck name"' in table and '"Team"' in table


@given(st.text(max_size=200), st.sampled_from([".txt", ".csv", ".yaml", ".json"]))
def test_no_header_makes_it_stumble(text: str, ending: str) -> None:
    for whole in (text, "{" + text, "# player:" + text):
        assert submission_in(whole, f"list{ending}", UTC).place == f"list{ending}"


@given(st.binary(max_size=300), st.sampled_from(["a.txt", "a.csv", "a.yaml", "a.json", "a.bin"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_make_it_stumble(tmp_path: Path, data: bytes, name: str) -> None:
    for old in (tmp_path / "lists").glob("*"):
        old.unlink()
    assert all(one.problem is None or one.text is None for one in read(tmp_path, {name: data}))
