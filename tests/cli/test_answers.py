"""What a run over many files, a wrong name and a bare command tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from factories.commands import deckcheck, run_here

from deckcheck.checking import session
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
from deckcheck.support.safe_text import cells

LEGAL = "4 アクア・サーファー\n4 青銅の鎧\n4 フェアリー・ライフ\n4 アクア・ガード\n4 コッコ・ルピア\n4 アクア・ビークル\n4 炎のたてがみ\n4 白銀の牙\n4 からみカズラ\n4 スパイラル・ゲート\n"
NO_LISTS = {
    "notes.txt": "Meeting notes\n\nWe met on Friday and talked about the new decks.\nBring 4 sleeves and 2 pens.\n",
    "package.json": '{"name": "x", "version": "1.0", "dependencies": {"a": "1"}}\n',
    "prices.csv": "date,price,shop\n2026-01-01,3.5,abc\n2026-01-02,4.5,def\n",
    "site.yml": "site_name: x\nnav:\n  - index.md\n",
    "empty.txt": "\n",
}


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")


def run(folder: Path, *words: str, lang: str = "en") -> tuple[int, str, str]:
    """The status, standard output and standard error."""
    done = deckcheck(*words, "--lang", lang, cwd=folder)
    return done.status, done.out, done.err


def decks(folder: Path) -> Path:
    head = "# format: duel-masters/original\n# as-of: 2023-01-01\n"
    put(folder, good__txt=head + LEGAL, bad__txt=head + LEGAL + "1 アクア・サーファー\n")
    for name, text in NO_LISTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_of_many_decks_those_with_findings_are_shown(tmp_path: Path) -> None:
    status, out, _err = run(decks(tmp_path), "check", "good.txt", "bad.txt")
    assert status == 1 and "bad.txt" in out and "good.txt" not in out
    assert "2 decks: 1 legal, 1 illegal, 0 undecided" in out
    _status, out, _err = run(tmp_path, "check", "good.txt", "bad.txt", "--verbose")
    assert "good.txt: legal" in out
    _status, out, _err = run(tmp_path, "check", "good.txt")
    assert "good.txt: legal" in out


@pytest.mark.parametrize("more", [(), ("--format", "duel-masters/original", "--as-of", "2023-01-01")])
def test_what_is_no_decklist_in_a_folder_is_skipped_and_counted(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    status, out, err = run(decks(tmp_path), "check", ".", *more)
    assert status == 1 and "2 decks: 1 legal, 1 illegal" in out and "could not be checked" not in out
    assert "Skipped (not a decklist)" in err
    assert all(name.partition(".")[0] not in out for name in NO_LISTS)


@pytest.mark.parametrize(
    ("name", "text", "is_deck"),
    [
        ("misspelt.txt", "4 Lightnig Blt\n56 Mountian\n", True),
        (
            "one-known.txt",
            "4 Lightning Bolt\n" + "".join(f"4 Zxqv {x} Wurblefoo\n" for x in "abcdefghi"),
            True,
        ),
        ("unknown.ydk", "#main\n12345678\n", True),
        ("robots.txt", "User-agent: *\nDisallow: /\n", False),
        ("prices.csv", "name,set,price\nLightning Bolt,M10,2.00\n", False),
    ],
)
def test_a_list_with_misspelt_names_is_no_less_a_list(
    tmp_path: Path, name: str, text: str, is_deck: bool
) -> None:
    (tmp_path / "mountains.txt").write_text("60 Mountain\n", encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    status, out, err = run(tmp_path, "check", ".", "--format", "magic/modern", "--as-of", "2026-01-01")
    assert (status in (1, 3)) is is_deck and (name in out) is is_deck, out
    assert (f"Skipped (not a decklist): ./{name}" in err) is not is_deck


def test_a_named_file_is_told_what_it_is(tmp_path: Path) -> None:
    status, out, err = run(decks(tmp_path), "check", "notes.txt")
    assert status == 2 and "notes.txt:4:1: error: no card can be read in this list" in err and not out


@pytest.mark.parametrize(
    "text",
    ["4 Nobody Knows\n4 Nobody Knew\n4 No One Else\n", "# format: duel-masters/original\nwhat is this\n"],
)
def test_a_list_of_unknown_cards_in_a_folder_is_no_note(tmp_path: Path, text: str) -> None:
    put(tmp_path, deck__txt=text)
    status, out, err = run(tmp_path, "check", ".")
    assert status != 0 and "deck.txt" in out + err and "Skipped" not in err


def test_a_broken_file_in_a_folder_is_told(tmp_path: Path) -> None:
    put(decks(tmp_path), broken__yaml="hello: [1,2\n")
    status, _out, err = run(tmp_path, "check", ".")
    assert status == 2 and "broken.yaml:2:1: error: not valid YAML" in err


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        # Width, letter case and blanks don't matter.
        ("ＤＭＣ", 0, "duel-masters/commander"),
        ("dmコマンダー", 0, "duel-masters/commander"),
        ("DM コマンダー", 0, "duel-masters/commander"),
        ("ﾃﾞｭｴﾏｼﾞｯｸ", 0, "duel-masters/duemagic"),
        ("Modern ", 0, "magic/modern"),
        # A wrong name is answered with the nearest, or with where all of them are.
        ("コマンダー", 2, "duel-masters/commander"),
        ("殿堂", 2, "duel-masters/hall-zero"),
        ("デュエマジク", 2, "duel-masters/duemagic"),
        ("ｺﾏﾝﾀﾞｰ", 2, "duel-masters/commander"),
        ("xyzzy", 2, "deckcheck formats"),
    ],
)
def test_a_format_is_found_by_its_name(tmp_path: Path, asked: str, status: int, said: str) -> None:
    done = run(tmp_path, "formats", "show", asked, lang="ja")
    assert done[0] == status and said in (done[1].partition("\n")[0] if status == 0 else done[2])


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_list_of_formats_fits_eighty_columns(tmp_path: Path, lang: str) -> None:
    _status, out, _err = run(tmp_path, "formats", lang=lang)
    assert len(out.splitlines()) > 18 and max(map(cells, out.splitlines())) <= 80


def test_a_named_list_without_a_format_hears_where_its_cards_may_be_played(tmp_path: Path) -> None:
    # Far too small for any format; Black Lotus is banned in all but two.
    put(tmp_path, deck__txt="4 Black Lotus\n2 Island\n")
    status, _out, err = run(tmp_path, "check", "deck.txt")
    assert status == 2 and "its cards may be played in magic/vintage: give --format" in err
    # Where nothing else is wrong with the deck comes first.
    put(tmp_path, deck__txt=LEGAL)
    _status, _out, err = run(tmp_path, "check", "deck.txt")
    first = (
        "duel-masters/advance, duel-masters/amadeus, duel-masters/hall-zero, duel-masters/original and 3 more"
    )
    assert f"its cards may be played in {first}: give --format" in err


def test_in_a_folder_no_format_is_tried_for_a_list_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    real = session.check

    def noted(deck: Deck, format: LoadedFormat) -> Report:
        tried.append(format.format.id)
        return real(deck, format)

    monkeypatch.setattr(session, "check", noted)
    put(tmp_path, a__txt="4 Lightning Bolt\n4 Brainstorm\n", b__txt="4 Lightning Bolt\n4 Brainstorm\n")
    monkeypatch.chdir(tmp_path)
    assert run_here("check", ".", "--lang", "en") == 2 and not tried
    assert run_here("check", "a.txt", "--lang", "en") == 2 and tried


def test_verbose_lists_every_skipped_file_with_the_reason(tmp_path: Path) -> None:
    put(
        decks(tmp_path),
        house__yaml="format: club/x\nrules: []\n",
        settings__toml="x = 1\n",
        old__txt="4 Lightning Bolt\n",
    )
    (tmp_path / "lost.txt").symlink_to("lost.txt")
    _status, _out, err = run(tmp_path, "check", ".", "--exclude", "old.txt", "--verbose")
    for line in (
        "Skipped: ./house.yaml (holds cards, a format, a banlist, an event or results)",
        "Skipped: ./lost.txt (a broken link)",
        "Skipped: ./notes.txt (too few of its lines are cards)",
        "Skipped: ./old.txt (excluded)",
        "Skipped: ./settings.toml (lists end in .txt, .csv, ",
    ):
        assert line in err
    assert "and 2 more" not in err


def test_names_that_are_listed_one_by_one_stand_in_brackets_in_japanese(tmp_path: Path) -> None:
    put(tmp_path, deck__txt=LEGAL + "# 4 天災 デドダム\n# 2 予言者クルト\n")
    _status, out, _err = run(tmp_path, "check", "deck.txt", "-f", "original", lang="ja")
    assert "コメントなので数えていません: 《天災 デドダム》、《予言者クルト》" in out
    _status, out, _err = run(tmp_path, "check", "deck.txt", "-f", "original", lang="en")
    assert "commented out, so not counted: 天災 デドダム, 予言者クルト" in out
    _status, out, _err = run(tmp_path, "cards", "show", "天災デドダム", lang="ja")
    assert "別名：《Deddam, Disaster》" in out
    put(
        tmp_path,
        other__txt=LEGAL.replace("アクア・ガード", "アクア・ガードン").replace("白銀の牙", "白銀の牙牙"),
    )
    _status, out, _err = run(tmp_path, "check", "other.txt", "-f", "original", lang="ja")
    assert "カード表にない名前が2種類あります: 「アクア・ガードン」、「白銀の牙牙」" in out


# Words

SLIPS = "# format: original\n4 フェアリー・ギフト\n36 ボルシャック・ドラゴン\nなにか変な行 だ\n"
STATUSES = re.compile(
    r"(?i)\b(hall of fame|premium|banned|restricted|limited|forbidden|legal|illegal|undecided|free)\b"
)


@pytest.mark.parametrize(("lang", "heading"), [("ja", "使ったリスト:"), ("en", "lists used:")])
def test_the_lists_that_were_used_take_one_line_unless_asked_for(
    tmp_path: Path, lang: str, heading: str
) -> None:
    own = "banlist: club/list\nname: Club\ncards: [{card: 天災 デドダム, history: [{from: 2020-01-01, status: hall}]}]\n"
    format = "format: club/two\nextends: duel-masters/original\nname: Two lists\nbanlists: [duel-masters/hall-of-fame, list.yaml]\n"
    put(tmp_path, deck__txt=LEGAL, list__yaml=own, two__yaml=format)
    words = ("check", "deck.txt", "-f", "two.yaml", "--as-of", "2026-08-20")
    brief, verbose = (run(tmp_path, *words, *more, lang=lang)[1] for more in ((), ("--verbose",)))
    [line] = [line for line in brief.splitlines() if line.startswith(heading)]
    assert "Club" in line and brief.splitlines()[-1] == line
    below = verbose.splitlines()[verbose.splitlines().index(heading) + 1 :]
    assert len(below) == 2


def test_statuses_are_translated_wherever_japanese_is_spoken(tmp_path: Path) -> None:
    put(tmp_path, deck__txt=SLIPS)
    for words in (
        ("check", "deck.txt", "--as-of", "2026-08-20"),
        ("which", "deck.txt", "--as-of", "2026-08-20"),
        ("impact", "deck.txt", "--from", "2022-01-01", "--to", "2026-08-20"),
        ("cards", "show", "フェアリー・ギフト", "--as-of", "2026-08-20"),
        ("rule", "premium", "--format", "original"),
    ):
        _status, out, _err = run(tmp_path, *words, lang="ja")
        # Ids of rules and formats, and files, are the same in every language.
        said = re.sub(r"［[\w-]+］|[\w-]+/[\w/.-]+|^  [−+] [\w-]+:|^premium ", "", out, flags=re.MULTILINE)
        assert "プレミアム殿堂" in said
        assert STATUSES.findall(said) == [], (words, out)


@pytest.mark.parametrize(
    ("cards", "en", "ja"),
    [
        ("B", "the civilization of 新しいB is unknown", "《新しいB》の文明が不明"),
        (
            "BC",
            "the civilization of 新しいB and the civilization of 新しいC are unknown",
            "《新しいB》の文明、《新しいC》の文明が不明",
        ),
        (
            "BCDE",
            "the civilization of 新しいB, the civilization of 新しいC, the civilization of 新しいD and 1 more card are unknown",
            "《新しいB》の文明、《新しいC》の文明、《新しいD》の文明、ほか1種類のカードの情報が不明",
        ),
    ],
)
def test_facts_that_decide_a_count_are_named_in_one_sentence(
    tmp_path: Path, cards: str, en: str, ja: str
) -> None:
    names = [f"新しい{letter}" for letter in cards]
    rule = "  - {id: fire, where: {civilization: 火}, at_least: 1}\n"
    put(
        tmp_path,
        own__yaml="format: club/fire\ngame: duel-masters\nname: Fire\nzones: {main: {}}\nrules:\n" + rule,
        cards__yaml="cards:\n" + "".join(f"  - {{name: {name}, home: main}}\n" for name in names),
        deck__txt="".join(f"1 {name}\n" for name in names),
    )
    for lang, said in (("en", en), ("ja", ja)):
        _status, out, _err = run(tmp_path, "check", "deck.txt", "-f", "own.yaml", lang=lang)
        assert said in out


def test_a_format_without_cases_fails_its_test() -> None:
    status, out, _err = run(Path(__file__).parents[1] / "fixtures", "formats", "test", "format.yaml")
    assert status == 1
    assert out.startswith("FAILED  format.yaml: ") and out.endswith("0 of 1 passed\n")


def test_columns_stand_below_each_other(tmp_path: Path) -> None:
    _status, out, _err = run(tmp_path, "formats", lang="ja")
    lines = [line for line in out.splitlines() if line.endswith(("  初版", "  第6版"))]
    assert len(lines) == 2
    assert len({cells(line.rpartition("  ")[0]) for line in lines}) == 1
