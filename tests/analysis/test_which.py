"""`deckcheck which`: all formats at once, each as `deckcheck check` judges, and no more than one reads."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from factories import commands
from factories.analysis_runs import LISTS, formats, lines, matches_of
from factories.analysis_runs import matched as which
from factories.analysis_runs import which as run_which
from factories.commands import Done, run_process
from factories.events import put
from factories.examples import examples
from factories.garden_game import GAME, Shelf, card, format_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.analysis.which_and_impact import identity_of, matches_text
from deckcheck.checking.judge import GameData, LoadedFormat, Loader, check
from deckcheck.decklists.read import ListReader
from deckcheck.formats.lookup import bundled_formats
from deckcheck.report.results import RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.messages import localized, plain
from deckcheck.support.safe_text import safe

ENGLISH = RenderOptions("en")


@cache
def every_game() -> tuple[LoadedFormat, ...]:
    found, _ = Loader().playable_formats()
    return found


# What is said is what a check says.

headers = st.lists(
    st.sampled_from(
        ["# date: 2020-08-01", "# date: 2023-06-01", "# best-of: 1", "# format: 殿堂ゼロ", "# deck: 名前"]
    ),
    max_size=3,
)


@examples(60)
@given(
    headers,
    lines,
    st.sampled_from(["", "4 x アクア・サーファー"]),
    st.sampled_from([None, "2020-08-01", "2026-08-01"]),
    st.sampled_from([None, 1, 3]),
)
def test_every_format_says_what_a_check_says(
    header: list[str], body: list[str], known: str, as_of: str | None, best_of: int | None
) -> None:
    text = "\n".join([*header, *body, known])
    try:
        found = which(text, "deck.txt", formats(), as_of=as_of, best_of=best_of)
    except UserError:
        deck = formats()[0].game_data.read(text, "deck.txt")
        assert not any(entry.cards for entry in deck.entries)
        return
    [game] = found.games
    matches = matches_of(found)
    assert matches.keys() == {one.format.id for one in formats()}
    told = {identity_of(finding) for finding in game.common}
    for format in formats():
        alone = check(text, format, as_of=as_of, best_of=best_of, path="deck.txt")
        match = matches[format.format.id]
        assert (match.verdict, match.edition) == (alone.verdict, alone.edition)
        assert (game.as_of, match.suppressed) == (alone.as_of, len(alone.suppressed))
        # Nothing is left out: it is told of the list, or of the format.
        rest = {identity_of(finding) for finding in match.findings}
        assert told | rest == {identity_of(finding) for finding in alone.findings}
        assert told.isdisjoint(rest)
        assert (match.verdict == "illegal") == (match.errors > 0)
        if match.verdict == "illegal":
            assert match.obstacles[0][0].verdict == "violated"
    order = ["legal", "undecided", "illegal"]
    keys = [(order.index(match.verdict), match.errors, match.format) for match in matches.values()]
    assert keys == sorted(keys)


@examples(25)
@given(lines, st.randoms(), st.text(max_size=20), st.text(max_size=20))
def test_the_answer_is_safe_and_the_same_however_the_formats_stand(
    body: list[str], random: Any, name: str, path: str
) -> None:
    head = [f"# deck: {name}", f"# format: {name}", "# date: 2023-06-01"]
    text = "\n".join([*head, *body, "4 x アクア・サーファー"])
    shuffled = list(formats())
    random.shuffle(shuffled)
    try:
        first, second = (which(text, path or "-", order) for order in (formats(), shuffled))
    except UserError:
        return
    assert first == second
    deck = plain(first, "ja")
    values = {"schema": 1, "tool": {"name": "deckcheck", "version": ""}, "decks": [deck], "errors": []}
    Draft7Validator(load_schema("which")).validate(json.loads(json.dumps(values)))
    for lang in ("ja", "en"):
        told = matches_text(first, RenderOptions(lang), ["--cards", path])
        assert told == matches_text(second, RenderOptions(lang), ["--cards", path])
        assert all(safe(line) == line for line in told.split("\n"))
        assert not set(told) & set("\x1b\r\x00\x07\u202e\u2066")


# What the settings say.


@pytest.mark.parametrize(
    ("settings", "header", "words"),
    [
        ("as-of = 2018-01-01\n", "", []),
        ("as-of = 2018-01-01\n", "# date: 2020-01-01\n", []),
        ("as-of = 2018-01-01\n", "# date: 2020-01-01\n", ["--as-of", "2021-01-01"]),
        ("best-of = 1\n", "", []),
        ("best-of = 1\n", "# best-of: 3\n", []),
        ("best-of = 1\n", "", ["--best-of", "3"]),
        ('ignore = ["copies", "main-size"]\nseverity = {hall = "info"}\n', "", []),
    ],
)
def test_settings_and_options_count_as_in_a_check(
    settings: str, header: str, words: list[str], tmp_path: Path
) -> None:
    text = f"{header}メインデッキ\n5 x 天災 デドダム\nサイドボード\n1 x 青銅の鎧\n"
    (tmp_path / "deckcheck.toml").write_text(settings, "utf-8")
    (tmp_path / "deck.txt").write_text(text, "utf-8")
    asked = ["deck.txt", "--output-format", "json", *words]
    [found] = json.loads(commands.deckcheck("which", *asked, cwd=tmp_path).out)["decks"]
    [game] = found["games"]
    matches = {match["format"]: match for match in game["formats"]}
    for id in ("duel-masters/original", "duel-masters/duemagic"):
        [deck] = json.loads(commands.deckcheck("check", *asked, "-f", id, cwd=tmp_path).out)["decks"]
        match = matches[id]
        assert (match["verdict"], match["suppressed"]) == (deck["verdict"], len(deck["suppressed"]))
        told = {finding["rule"] for finding in game["common"] + match["findings"]}
        assert (game["as_of"], told) == (deck["as_of"], {finding["rule"] for finding in deck["findings"]})


# Several games.

ROSE, IRIS, SHARED = card("Rose"), card("Iris"), card("アクア・ガード")


def garden(name: str, most: int) -> LoadedFormat:
    shelf = Shelf([ROSE, IRIS, SHARED])
    simple = format_of({"id": "size", "at_most": most}, cards=shelf, zones=["main"]).format
    named = replace(simple, id=f"garden/{name}", name=localized(name))
    return LoadedFormat(named, GameData(GAME, shelf, ListReader(GAME, shelf)))


GARDENS = (garden("small", 2), garden("large", 9))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("4 x Rose\n", ["garden"]),
        ("4 x 青銅の鎧\n", ["duel-masters"]),
        # One game knows all of it.
        ("1 x Rose\n1 x Iris\n1 x アクア・ガード\n", ["garden"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x アクア・ガード\n", ["duel-masters"]),
        # Of a game that knows far fewer cards than another, the name is shared by chance.
        ("1 x Rose\n1 x Iris\n1 x 青銅の鎧\n", ["garden"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x Rose\n", ["duel-masters"]),
        ("4 x アクア・ガード\n", ["duel-masters", "garden"]),
    ],
)
def test_a_list_is_judged_by_the_games_that_know_it(text: str, games: list[str]) -> None:
    found = which(text, "deck.txt", (*GARDENS, *formats()))
    assert [game.game for game in found.games] == games
    told = matches_text(found, ENGLISH)
    assert [name in told for name in ("Garden", "Duel Masters")] == [
        name in games for name in ("garden", "duel-masters")
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("4 x Rose\n", "legal"),
        ("99 x Rose\n", "illegal"),
        ("4 x Rose\n5 x Orchid\n", "undecided"),
        # Too many are too many, whatever they are.
        ("4 x Rose\n3 x Orchid\n3 x Lotus\n", "illegal"),
    ],
)
def test_the_best_verdict_counts(text: str, verdict: str) -> None:
    found = which(text, "deck.txt", GARDENS)
    assert list(matches_of(found)) == ["garden/large", "garden/small"]
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("1 Kenrith, the Returned King\n1 Sol Ring\n98 Plains\n", False),
        ("Commander\n1 Kenrith, the Returned King\nDeck\n99 Plains\n", False),
        ("17 Plains\n16 Island\n7 Giant Growth\n", True),
    ],
)
def test_a_format_that_nearly_any_cards_fit_is_named_only_if_no_other_fits(text: str, is_named: bool) -> None:
    assert ("magic/limited" in matches_of(which(text, "-", every_game()))) == is_named


# What can't be read.


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("deck.txt", "", "no card is listed here"),
        ("deck.txt", "\n# format: duemagic\n", "no card is listed here"),
        ("deck.txt", "# a note\n", "no card is listed here"),
        (
            "deck.txt",
            "4 x 牛乳\n2 x パン\n1 x 卵\n1 x 塩\n",
            r"deck.txt: no card is known here \(not in the card table: '牛乳', 'パン', '卵'\)$",
        ),
        ("deck.txt", "# date: 2020-13-01\n4 x 青銅の鎧\n", "2020-13-01"),
        ("deck.txt", "# best-of: many\n4 x 青銅の鎧\n", "many"),
        ("deck.json", '{"cards": [', "JSON"),
    ],
)
def test_what_cannot_be_read_is_the_users_mistake(path: str, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        which(text, path, formats())


# No more is told than one reads.


def test_what_is_unknown_is_told_once_and_at_the_top() -> None:
    text = "4 x 天災 デドダン\n4 x 青銅の鎧\n"
    told = matches_text(which(text, "-", formats(), as_of="2023-06-01"), ENGLISH)
    assert told.count("'天災 デドダン' is not in the card table") == 1
    assert "did you mean 天災 デドダム" in told.partition("\n\n")[0]


def test_what_lies_beside_the_deck_in_one_format_is_unknown_in_the_others_only() -> None:
    found = which("1 x イエローカード\n4 x 青銅の鎧\n", "-", formats())
    assert found.games[0].common == ()
    knowing = [
        match.format
        for match in matches_of(found).values()
        if "unknown-card" not in {finding.rule for finding in match.findings}
    ]
    assert knowing == ["duel-masters/amadeus"]


def test_no_more_is_told_than_one_reads() -> None:
    unread = [f"1~{n + 2} x 青銅の鎧" for n in range(15)]
    text = "\n".join(["9 x 青銅の鎧", "9 x 天災 デドダム", "4 x 魔龍バベルギヌス", *unread])
    told = matches_text(which(text, "-", formats(), as_of="2023-06-01"), ENGLISH)
    assert told.count("[invalid-line]") == 10
    assert "  +5 more\n" in told
    blocks = told.partition("illegal in:\n")[2].split("\n  duel-masters/")
    assert len(blocks) > 3
    for block in blocks:
        shown = [line for line in block.splitlines() if line.startswith(("    error[", "    undecided["))]
        assert len(shown) <= 3
    assert "of these" in told


def test_the_command_that_shows_all_asks_the_same() -> None:
    done = run_which("blog.txt", "--as-of", "2022/01/02", "--best-of", "3", "--lang", "en")
    last = done.stdout.decode().splitlines()[-1]
    command = last.partition(": ")[2].replace("ID", "duel-masters/duemagic").split()
    assert command == [
        *("deckcheck", "check", "blog.txt", "--format", "duel-masters/duemagic"),
        *("--as-of", "2022-01-02", "--best-of", "3"),
    ]
    shown = run_process(command[1:], cwd=LISTS, encoding="utf-8")
    assert shown.returncode == 1
    assert "main-size" in shown.stdout


def test_the_schema_tells_findings_as_a_report_does() -> None:
    mine, reports = load_schema("which")["definitions"], load_schema("report")["definitions"]
    for name in ("finding", "error"):
        assert mine[name] == reports[name]


# The command.


@pytest.mark.parametrize(
    ("decks", "status"),
    [
        (["blog.txt"], 0),
        (["slips.txt"], 3),
        (["blog.txt", "slips.txt"], 3),
        (["slips.txt", "nowhere.txt", "blog.txt"], 1),
        (["nowhere.txt", "none.txt"], 2),
    ],
)
def test_exit_status(decks: list[str], status: int) -> None:
    done = run_which(*decks, "--lang", "en")
    assert done.returncode == status
    assert (b"none.txt: error: no such file" in done.stderr) == (status == 2)
    for deck in decks:
        assert (f"\n{deck}: " in f"\n{done.stdout.decode()}") == (deck != "none.txt")


def test_a_bad_list_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xfd\x00\x81")
    (tmp_path / "b.txt").write_text("4 x 青銅の鎧\n", "utf-8")
    done = run_which("a.txt", "b.txt", "--output-format", "json", "--lang", "en", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"")
    told = json.loads(done.stdout)
    Draft7Validator(load_schema("which")).validate(told)
    [deck], [error] = told["decks"], told["errors"]
    assert (deck["path"], error["path"]) == ("b.txt", "a.txt")
    # All formats of the one game that knows the list.
    assert {one["format"] for game in deck["games"] for one in game["formats"]} == {
        one.id for one in bundled_formats() if not one.abstract and one.id.startswith("duel-masters/")
    }


def test_a_hostile_file_name_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    name = "a\x1b[2J'; rm -rf x; '.txt"
    (tmp_path / name).write_text("4 x 青銅の鎧\n", "utf-8")
    done = run_which(name, "--lang", "en", cwd=tmp_path)
    told = done.stdout.decode()
    assert "\x1b" not in told
    assert "check 'a\\x1b[2J'\"'\"'; rm -rf x; '\"'\"'.txt' --format" in told


# In a project.

OWN = """\
format: club/friday
game: duel-masters
name: Friday
zones: {main: {}}
rules:
  - {id: friday-size, in: main, exactly: 40}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    settings = 'formats = ["formats"]\nexclude = ["old*"]\n'
    put(tmp_path, {"deckcheck.toml": settings, "formats/friday.yaml": OWN})
    put(tmp_path, {f"decks/{name}.txt": (LISTS / "blog.txt").read_text("utf-8") for name in ("new", "old")})
    return tmp_path


def run_in(folder: Path, *words: str) -> Done:
    return commands.deckcheck("which", *words, "--lang", "en", cwd=folder)


def test_formats_of_a_project_are_asked_and_what_is_left_out_is_told(project: Path) -> None:
    # With a card of the file beside the decks.
    card = "cards:\n  - {name: 作りかけの竜, civilization: [火], type: [クリーチャー], home: main}\n"
    (project / "decks" / "cards.yaml").write_text(card, "utf-8")
    deck = project / "decks" / "new.txt"
    deck.write_text(deck.read_text("utf-8").replace("福腹人形コダマンマ", "作りかけの竜"), "utf-8")
    done = run_in(project, "decks")
    assert (done.status, done.err) == (0, "")
    assert "\nlegal in:\n  club/friday " in done.out and "unknown-card" not in done.out
    assert "old.txt" not in done.out
    (project / "decks" / "new.txt").unlink()
    done = run_in(project, "decks")
    assert "Skipped (not a decklist, or excluded): decks" in done.err or "no decks" in done.err
    done = run_in(project, "decks/old.txt", "formats/friday.yaml")
    assert (done.status, done.err) == (0, "Skipped (not a decklist, or excluded): formats/friday.yaml\n")


def test_a_format_that_is_broken_is_told_and_the_others_asked(project: Path) -> None:
    (project / "formats" / "friday.yaml").write_text(OWN + "rules: 7\n", "utf-8")
    done = run_in(project, "decks")
    assert done.status == 0
    assert "friday.yaml:7:1: error" in done.err
    (project / "decks" / "new.txt").write_text("9 x 青銅の鎧\n", "utf-8")
    # It might have been legal there.
    assert run_in(project, "decks").status == 2
