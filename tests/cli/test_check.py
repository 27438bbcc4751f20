"""What commands tell of decks, formats, banlists and cards: statuses, languages, colours, words, and what is no list."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from factories.commands import Done, deckcheck, environment, run_process, run_within
from factories.events import put

from deckcheck.report.results import OUTPUT_FORMATS
from deckcheck.support import VERSION
from deckcheck.support.files import shipped
from deckcheck.support.safe_text import cells

ROOT = Path(__file__).parent.parent.parent
FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
DATED = ("-f", FORMAT, "--as-of", "2024-01-20")
LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
ILLEGAL = "9 x 天災 デドダム\n"
UNDECIDED = LEGAL + "1 x 誰も知らないカード\n"
FORTY = "".join(
    f"4 {name}\n"
    for name in (
        *("アクア・サーファー", "青銅の鎧", "フェアリー・ライフ", "アクア・ガード", "コッコ・ルピア"),
        *("アクア・ビークル", "炎のたてがみ", "白銀の牙", "からみカズラ", "スパイラル・ゲート"),
    )
)
NO_LISTS = {
    "notes.txt": "Meeting notes\n\nWe met on Friday and talked about the new decks.\nBring 4 sleeves and 2 pens.\n",
    "package.json": '{"name": "x", "version": "1.0", "dependencies": {"a": "1"}}\n',
    "prices.csv": "date,price,shop\n2026-01-01,3.5,abc\n2026-01-02,4.5,def\n",
    "site.yml": "site_name: x\nnav:\n  - index.md\n",
    "empty.txt": "\n",
}


def run(folder: Path, *words: str, lang: str = "en") -> Done:
    return deckcheck(*words, "--lang", lang, cwd=folder)


def check(*arguments: str, given: bytes = b"", cwd: Path | None = None, **more: str) -> Done:
    return deckcheck("check", *DATED, *arguments, given=given, cwd=cwd, **more)


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    """A deck of each verdict."""
    put(tmp_path, {"legal.txt": LEGAL, "illegal.txt": ILLEGAL, "undecided.txt": UNDECIDED})
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two decks that name their format, and files that are no lists."""
    head = "# format: duel-masters/original\n# as-of: 2023-01-01\n"
    put(tmp_path, {"good.txt": head + FORTY, "bad.txt": f"{head}{FORTY}1 アクア・サーファー\n"} | NO_LISTS)
    return tmp_path


# Statuses, streams, languages and colours


@pytest.mark.parametrize(
    "words",
    [("-", "illegal.txt"), ("none.txt", "--lang", "ja"), ("--output-format", "json", "."), ("--bad",)],
)
def test_a_command_in_this_process_does_what_a_new_one_does(decks: Path, words: tuple[str, ...]) -> None:
    """Quick runs rest on this; thorough ones begin new processes."""
    command, env = ["check", "-f", FORMAT, *words], environment(DECKCHECK_LANG="en", COLUMNS="70")
    process, given = [sys.executable, "-m", "deckcheck", *command], b"4 x ?\n"
    new = subprocess.run(process, cwd=decks, env=env, input=given, capture_output=True)
    here = run_within(command, decks, env, given)
    assert (here.returncode, here.stdout, here.stderr) == (new.returncode, new.stdout, new.stderr)


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        ("legal.txt undecided.txt", 3),
        ("undecided.txt illegal.txt legal.txt", 1),
        ("illegal.txt none.txt", 2),
        ("none.txt undecided.txt", 2),
    ],
)
def test_of_several_decks_the_gravest_is_the_status(decks: Path, paths: str, status: int) -> None:
    assert check(*paths.split(), cwd=decks).status == status


def test_a_deck_may_name_its_format(decks: Path) -> None:
    own = Path(FORMAT).read_text("utf-8").replace("at_least: 8", "at_least: 9")
    banlist = Path(FORMAT).with_name("banlist.yaml").read_text("utf-8")
    put(decks, {"own.yaml": own, "banlist.yaml": banlist, "legal.txt": "# format: own.yaml\n" + LEGAL})
    assert deckcheck("check", "legal.txt", cwd=decks).status == 1
    assert check("legal.txt", cwd=decks).status == 0, "an option wins over the header"
    done = deckcheck("check", "undecided.txt", "--lang", "en", cwd=decks)
    assert done.status == 2
    assert done.err.startswith("undecided.txt: error: no format\n")


@pytest.mark.parametrize(
    "text",
    [
        "format: x\nbest-of: many\ncards: [4 x 天災 デドダム]\n",
        '{\n "best-of": "many",\n "cards": ["4 x 天災 デドダム"]\n}\n',
        "\n# Best of: many\n4 x 天災 デドダム\n",
    ],
)
def test_the_line_of_a_mistake_is_found_in_every_notation(tmp_path: Path, text: str) -> None:
    put(tmp_path, {"deck": text})
    assert deckcheck("check", "-f", FORMAT, "deck", cwd=tmp_path).err.startswith("deck:2:")


@pytest.mark.parametrize(
    ("arguments", "variables", "colored"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (("--output-format", "json", "--color", "always"), {}, False),
    ],
)
def test_colors(arguments: tuple[str, ...], variables: dict[str, str], colored: bool) -> None:
    assert ("\x1b[" in check("-", *arguments, given=ILLEGAL.encode(), **variables).out) == colored


def test_what_cannot_be_encoded_is_written_out(decks: Path) -> None:
    env = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    done = run_process(["check", "-f", FORMAT, "illegal.txt", "--lang", "ja"], cwd=decks, env=env)
    assert done.returncode == 1
    assert done.stdout.isascii()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs files that are handles")
def test_a_deck_may_come_through_a_pipe() -> None:
    """As a shell hands over what a command writes."""
    reader, writer = os.pipe()
    os.write(writer, LEGAL.encode())
    os.close(writer)
    assert check(f"/dev/fd/{reader}").out.startswith(f"/dev/fd/{reader}: legal")
    os.close(reader)


def test_it_works_where_nothing_can_be_kept(decks: Path) -> None:
    """Below a file no folder can be made."""
    done = check("legal.txt", cwd=decks, DECKCHECK_CACHE_DIR=str(decks / "legal.txt" / "cache"))
    assert (done.status, done.err) == (0, "")


def test_a_deck_of_whatever_bytes_is_an_answer_not_a_traceback(tmp_path: Path) -> None:
    for number, content in enumerate(
        (b"", b"\x00", b"\xff" * 99, b"{" * 5000, b"- [" * 5000, b"9" * 5000, b"\n" * 99999)
    ):
        for ending in ("txt", "yaml", "json"):
            (tmp_path / f"{number}.{ending}").write_bytes(content)
    done = check(".", cwd=tmp_path)
    assert done.status in (1, 2)
    assert "Traceback" not in done.err


def test_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert deckcheck("--version").out == f"deckcheck {project['version']}\n" == f"deckcheck {VERSION}\n"


_HEAVY = (
    *("yaml", "jsonschema", "rich", "rapidfuzz", "concurrent.futures", "multiprocessing", "rfc8785"),
    *("pyexpat", "html", "pandas", "pyarrow", "urllib.request", "http", "ssl", "filelock"),
    *("deckcheck.decklists.notations.common", "deckcheck.analysis"),
    *("deckcheck.bulk", "deckcheck.importers"),
)
_SCRIPT = f"""
import sys
from deckcheck.cli.app import main
try:
    main()
except SystemExit as end:
    heavy = [name for name in {_HEAVY!r} if name in sys.modules]
    sys.exit(f'loaded: {{heavy}}' if heavy else end.code)
"""


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((*DATED, "legal.txt"), 0),
        ((*DATED, "illegal.txt"), 1),
        ((*DATED, "headed.txt"), 0),
        (("white-dragon-commander.txt",), 0),
        (("yugioh-blue-eyes.txt",), 0),
    ],
)
@pytest.mark.usefixtures("own_folders")
def test_a_plain_list_loads_nothing_heavy(decks: Path, words: tuple[str, ...], status: int) -> None:
    # Beside the examples there are settings, which take jsonschema.
    for example in ("white-dragon-commander.txt", "yugioh-blue-eyes.txt"):
        shutil.copy(shipped("examples") / example, decks)
    (decks / "headed.txt").write_text(f"メインデッキ\n{LEGAL}\n", "utf-8")
    assert deckcheck("check", *words, cwd=decks).status == status, "everything is kept from here on"
    command = [sys.executable, "-c", _SCRIPT, "check", *words]
    done = subprocess.run(command, capture_output=True, cwd=decks, env=environment(), timeout=60)
    assert not done.stderr and done.returncode == status, done.stderr.decode()


# Folders, and what is no list


@pytest.mark.parametrize("more", [(), ("--format", "duel-masters/original", "--as-of", "2023-01-01")])
def test_what_is_no_decklist_in_a_folder_is_skipped_and_told_if_it_is_named(
    folder: Path, more: tuple[str, ...]
) -> None:
    for words in (("good.txt", "bad.txt", "--verbose"), ("good.txt",)):
        assert "good.txt: legal" in run(folder, "check", *words, *more).out
    done = run(folder, "check", ".", *more)
    assert done.status == 1 and "2 decks: 1 legal, 1 illegal" in done.out
    assert "could not be checked" not in done.out and "Skipped (not a decklist)" in done.err
    assert all(name.partition(".")[0] not in done.out for name in NO_LISTS)
    done = run(folder, "check", "notes.txt", *more)
    assert done.status == 2 and not done.out
    assert "notes.txt:4:1: error: no card can be read in this list" in done.err


ONE_KNOWN = "4 Lightning Bolt\n" + "".join(f"4 Zxqv {letter} Wurblefoo\n" for letter in "abcdefghi")


@pytest.mark.parametrize(
    ("name", "text", "is_deck"),
    [
        ("misspelt.txt", "4 Lightnig Blt\n56 Mountian\n", True),
        ("one-known.txt", ONE_KNOWN, True),
        ("numbers-behind.txt", "Lightnig Blt 4\nMountian 56\n", True),
        ("chapters.txt", "Chapter 4\nAppendix 12\nVersion 2\n", False),
        ("unknown.ydk", "#main\n12345678\n", True),
        ("robots.txt", "User-agent: *\nDisallow: /\n", False),
        ("prices.csv", "name,set,price\nLightning Bolt,M10,2.00\n", False),
    ],
)
def test_a_list_with_misspelt_names_is_no_less_a_list(
    tmp_path: Path, name: str, text: str, is_deck: bool
) -> None:
    put(tmp_path, {"mountains.txt": "60 Mountain\n", name: text})
    done = run(tmp_path, "check", ".", "--format", "magic/modern", "--as-of", "2026-01-01")
    assert (done.status in (1, 3)) is is_deck and (name in done.out) is is_deck, done.out
    assert (f"Skipped (not a decklist): ./{name}" in done.err) is not is_deck


def test_a_pattern_of_the_settings_that_matches_no_deck_is_told(tmp_path: Path) -> None:
    decks = ["decks/modren/**", "decks/*.txt", "/none.txt"]
    put(tmp_path, {"deckcheck.toml": f"[[decks]]\npath = {decks}\nformat = 'magic/modern'\n", "decks/mountains.txt": "60 Mountain\n"})  # fmt: skip
    told = [f"deckcheck.toml:2: “{one}” matches no deck" for one in (decks[0], decks[2])]
    assert run(tmp_path, "check", ".").err.splitlines() == told
    assert run(tmp_path, "check", "decks").err.splitlines() == told[:1]
    assert run(tmp_path, "check", "decks/mountains.txt").err == ""


def test_lists_of_unknown_cards_and_broken_files_in_a_folder_are_told(tmp_path: Path) -> None:
    unknown = "4 Nobody Knows\n4 Nobody Knew\n4 No One Else\n"
    for text in (unknown, "# format: duel-masters/original\nwhat is this\n"):
        put(tmp_path, {"deck.txt": text})
        done = run(tmp_path, "check", ".")
        assert done.status != 0 and "deck.txt" in done.out + done.err and "Skipped" not in done.err
    put(tmp_path, {"broken.yaml": "hello: [1,2\n"})
    done = run(tmp_path, "check", ".")
    assert done.status == 2 and "broken.yaml:1:8: error: not valid YAML" in done.err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        # Width, letter case and blanks don't matter.
        *((asked, "duel-masters/commander") for asked in ("ＤＭＣ", "dmコマンダー", "DM コマンダー")),
        ("ﾃﾞｭｴﾏｼﾞｯｸ", "duel-masters/duemagic"),
        ("Modern ", "magic/modern"),
        # A wrong name is answered with the nearest, or with where all of them are.
        *((asked, "= DMコマンダー（duel-masters/commander）") for asked in ("コマンダー", "ｺﾏﾝﾀﾞｰ")),
        ("殿堂", "duel-masters/hall-zero"),
        ("デュエマジク", "duel-masters/duemagic"),
        ("xyzzy", "deckcheck formats"),
    ],
)
def test_a_format_is_found_by_its_name(tmp_path: Path, asked: str, said: str) -> None:
    done = run(tmp_path, "formats", "show", asked, lang="ja")
    assert said in (done.err if done.status else done.out.partition("\n")[0])


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_list_of_formats_fits_eighty_columns_that_stand_below_each_other(
    tmp_path: Path, lang: str
) -> None:
    lines = run(tmp_path, "formats", lang=lang).out.splitlines()
    assert len(lines) > 18 and max(map(cells, lines)) <= 80
    editions = [line.rpartition("  ")[0] for line in lines if line.endswith(("  初版", "  第6版"))]
    assert lang == "en" or (len(editions) == 2 and len(set(map(cells, editions))) == 1)


def test_a_named_list_without_a_format_hears_where_its_cards_may_be_played(tmp_path: Path) -> None:
    put(tmp_path, {"forty.txt": FORTY})
    # Where nothing else is wrong with the deck comes first.
    first = "advance, duel-masters/amadeus, duel-masters/hall-zero, duel-masters/original and 3 more"
    said = f"its cards may be played in duel-masters/{first}: give --format"
    assert said in run(tmp_path, "check", "forty.txt").err
    assert "may be played" not in run(tmp_path, "check", ".").err, "in a folder no format is tried"


def test_verbose_lists_every_skipped_file_with_the_reason(folder: Path) -> None:
    more = {"house.yaml": "format: club/x\nrules: []\n", "settings.toml": "x = 1\n", "old.txt": FORTY}
    put(folder, more)
    (folder / "lost.txt").symlink_to("lost.txt")
    err = run(folder, "check", ".", "--exclude", "old.txt", "--verbose").err
    for line in (
        "Skipped: ./house.yaml (holds cards, a format, a banlist, an event or results)",
        "Skipped: ./lost.txt (a broken link)",
        "Skipped: ./notes.txt (too few of its lines are cards)",
        "Skipped: ./old.txt (excluded)",
        "Skipped: ./settings.toml (lists end in .txt, .csv, ",
    ):
        assert line in err
    assert "and 2 more" not in err


# Words

SLIPS = "# format: original\n4 フェアリー・ギフト\n36 ボルシャック・ドラゴン\nなにか変な行 だ\n"
STATUSES = re.compile(
    r"(?i)\b(hall of fame|premium|banned|restricted|limited|forbidden|legal|illegal|undecided|free)\b"
)


def test_statuses_are_translated_wherever_japanese_is_spoken(tmp_path: Path) -> None:
    put(tmp_path, {"deck.txt": SLIPS})
    for words in (
        ("check", "deck.txt", "--as-of", "2026-08-20"),
        ("which", "deck.txt", "--as-of", "2026-08-20"),
        ("impact", "deck.txt", "--from", "2022-01-01", "--to", "2026-08-20"),
        ("cards", "show", "フェアリー・ギフト", "--as-of", "2026-08-20"),
        ("rule", "premium", "--format", "original"),
    ):
        out = run(tmp_path, *words, lang="ja").out
        # Ids of rules and formats, and files, are the same in every language.
        said = re.sub(r"［[\w-]+］|[\w-]+/[\w/.-]+|^  [−+] [\w-]+:|^premium ", "", out, flags=re.MULTILINE)
        assert "プレミアム殿堂" in said
        assert STATUSES.findall(said) == [], (words, out)


THROUGH = {
    "en": r"only known to be complete through 2026-08-22|not known: Modern banned and restricted list \(2026-08-22\)",
    "ja": "2026-08-22までの分しか|「モダンの禁止・制限カード」2026-08-22",
}


@pytest.mark.parametrize("lang", THROUGH)
@pytest.mark.parametrize("output", OUTPUT_FORMATS)
def test_every_output_says_after_which_day_changes_are_not_known(
    output: str, lang: str, tmp_path: Path
) -> None:
    put(tmp_path, {"deck.txt": "60 Plains\n"})
    for day, said in (("2026-08-22", 0), ("2026-08-23", 1)):
        words = ("check", "deck.txt", "-f", "modern", "--output-format", output, "--as-of", day)
        done = run(tmp_path, *words, lang=lang)
        lines = (done.out + done.err).splitlines()
        assert done.status == 0 and sum(bool(re.search(THROUGH[lang], line)) for line in lines) == said


def test_a_format_behind_which_only_other_programs_end_the_line_is_told(tmp_path: Path) -> None:
    put(tmp_path, {"deck.txt": "# format: duel-masters/original\u2028# deck: X\n4 青銅の鎧\n"})
    done = run(tmp_path, "check", "deck.txt")
    assert done.status == 3
    assert "deck.txt:1:1: undecided[invalid-line]: an invisible character in this line ends it" in done.out
