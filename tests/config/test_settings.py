"""What a settings file says reaches every deck, from wherever it is found, and what is wrong in it is told."""

from __future__ import annotations

import string
from pathlib import Path
from typing import NamedTuple

import pytest
from factories import files
from factories.errors import problem_of, problems_of
from factories.examples import examples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.config import NO_SETTINGS, DeckSettings, Settings, settings_for, settings_of
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading
from deckcheck.support.documents import MOST_PROBLEMS, load_schema
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.toml import MOST_BYTES as MOST_TOML_BYTES

ALL_KEYS = """\
format = "duel-masters/original"
as-of = "2026-01-01"
best-of = 3
lang = "ja"
unknown = "warn"
output-format = "concise"
formats = ["formats"]
banlists = ["lists"]
cards = ["cards", "new.yaml"]
exclude = ["drafts/", "*.old.txt"]
respect-gitignore = false
force-exclude = true
select = ["copies", "deck-size"]
ignore = ["own-facts"]
severity = {not-yet-released = "error"}
games = ["yard"]
[[decks]]
path = "duemagic/**"
format = "duel-masters/duemagic"
as-of = 2025-06-01
best-of = 1
select = []
ignore = ["total-mismatch"]
severity = {not-yet-released = "info", copies = "warning"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("formats", "lists", "cards"):
        (tmp_path / name).mkdir()
    (tmp_path / "new.yaml").write_text("cards: []\n")
    return tmp_path


def put(folder: Path, text: str | bytes, name: str = "deckcheck.toml") -> Path:
    """Write a settings file, or another."""
    return files.put(folder / name, text)


def read(folder: Path, text: str | bytes) -> Settings:
    put(folder, text)
    return settings_of("deckcheck.toml")


def test_every_key_reaches_its_place(folder: Path) -> None:
    assert {line.split()[0] for line in ALL_KEYS.splitlines() if line[0] not in "[n"} >= set(
        load_schema("config")["properties"]
    ) - {"severity", "decks"}, "all keys are tried here"
    (folder / "cards" / "b.jsonl").write_text("")
    (folder / "cards" / "deep").mkdir()
    (folder / "cards" / "deep" / "a.yml").write_text("cards: []\n")
    (folder / "cards" / "notes.txt").write_text("")
    (folder / "yard").mkdir()
    (folder / "yard" / "game.yaml").write_text("")
    got = read(folder, ALL_KEYS)
    assert got.file == "deckcheck.toml"
    assert got.folders.formats == (Path("formats"), Path("yard"))
    assert got.folders.banlists == (Path("lists"), Path("yard"))
    assert got.folders.games == (Path("yard"),)
    assert got.cards == (Path("cards/b.jsonl"), Path("cards/deep/a.yml"), Path("new.yaml"))
    assert (got.lang, got.unknown, got.output_format) == ("ja", "warn", "concise")
    assert (got.respect_gitignore, got.force_exclude) == (False, True)
    assert got.formats == ("duel-masters/original", "duel-masters/duemagic")
    [excluded] = got.excluded
    assert [excluded.excluded(path, folder) for path, folder in (("drafts", True), ("a.old.txt", False), ("a.txt", False))] == [True, True, None]  # fmt: skip
    own = Source("deckcheck.toml", 14)
    top, inner = got.for_deck("a.txt"), got.for_deck("duemagic/deep/b.txt")
    assert (top.format_source, inner.format_source) == (
        Source("deckcheck.toml", 1),
        Source("deckcheck.toml", 19),
    )
    assert top == DeckSettings(
        "duel-masters/original",
        top.format_node,
        "2026-01-01",
        3,
        Grading(
            frozenset(["copies", "deck-size"]),
            Source("deckcheck.toml", 13),
            {"own-facts": own},
            {"not-yet-released": "error"},
        ),
    )
    assert inner == DeckSettings(
        "duel-masters/duemagic",
        inner.format_node,
        "2025-06-01",
        1,
        Grading(
            None,
            Source("deckcheck.toml", 22),
            {"own-facts": own, "total-mismatch": Source("deckcheck.toml", 23)},
            {"not-yet-released": "info", "copies": "warning"},
        ),
    )


def test_an_empty_file_says_nothing(folder: Path) -> None:
    got = read(folder, "")
    assert got.for_deck("a.txt") == DeckSettings()
    assert replace(got, file=None, tables=()) == NO_SETTINGS


def test_of_several_tables_the_last_that_says_it_counts(folder: Path) -> None:
    got = read(
        folder,
        'format = "a"\nignore = ["copies"]\n'
        '[[decks]]\npath = "*.txt"\nformat = "b"\nas-of = "2020-01-01"\nselect = ["deck-size"]\n'
        '[[decks]]\npath = "x*"\nbest-of = 3\nignore = ["own-facts"]\n'
        '[[decks]]\npath = ["x1.txt", "y/"]\nformat = "c"\nseverity = {copies = "info"}\n',
    )
    one = got.for_deck("x1.txt")
    assert (one.format, one.format_source) == ("c", Source("deckcheck.toml", 14))
    assert (one.as_of, one.best_of) == ("2020-01-01", 3)
    assert one.grading.select == {"deck-size"}
    assert set(one.grading.ignore) == {"copies", "own-facts"}
    assert one.grading.severity == {"copies": "info"}
    assert got.for_deck("z.txt").format == "b"
    assert got.for_deck("y/z.csv").format == "c"
    assert got.for_deck("z.csv").format == "a"


@pytest.mark.parametrize(
    ("pattern", "meant", "others"),
    [
        ('"league/**"', ["league/a.txt", "league/b/c.txt"], ["a.txt", "x/league/a.txt", "league"]),
        ('"league/"', ["league/a.txt", "x/league/a.txt"], ["league", "leagues/a.txt"]),
        ('"/league/"', ["league/a.txt"], ["x/league/a.txt"]),
        ('"*.txt"', ["a.txt", "x/y.txt"], ["a.csv"]),
        ('"x/*.txt"', ["x/y.txt"], ["x/y/z.txt", "z/x/y.txt"]),
        ('"**/x/*.txt"', ["x/y.txt", "z/x/y.txt"], ["x/y/z.txt"]),
        ('["league/", "!league/old/"]', ["league/a.txt"], ["league/old/a.txt"]),
        ('["!a.txt", "a.txt"]', ["a.txt"], ["b.txt"]),
        ('"天災/**"', ["天災/デドダム.txt"], ["デドダム.txt"]),
        ('"[ab].txt"', ["a.txt", "c/b.txt"], ["c.txt", "[ab].txt"]),
        ('"*"', ["a.txt", "b/c.txt"], []),
    ],
)
def test_which_decks_a_table_means(folder: Path, pattern: str, meant: list[str], others: list[str]) -> None:
    got = read(folder, f'[[decks]]\npath = {pattern}\nformat = "x"\n')
    assert [path for path in meant + others if got.for_deck(path).format] == meant
    assert [path for path in meant + others if got.for_deck(str(folder / path)).format] == meant
    assert [path for path in meant + others if got.for_deck(f"./{path}").format] == meant
    assert got.for_deck("-").format is None, "standard input without a name stands in no folder"
    assert got.for_deck(f"../{folder.name}x/a.txt").format is None
    assert got.for_deck(str(folder.parent / "a.txt")).format is None


def test_paths_count_from_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "inner").mkdir()
    put(folder, 'format = "x.yaml"\nformats = ["formats"]\ncards = ["new.yaml"]\nexclude = ["/a.txt"]\n[[decks]]\npath="inner/"\nformat="y"\n')  # fmt: skip
    monkeypatch.chdir(folder / "inner")
    elsewhere = read(folder / "inner", "formats = ['..', '../../']\n")
    assert elsewhere.folders.formats == (Path(".."), Path("../..")), "the user's own business"
    (folder / "inner" / "deckcheck.toml").unlink()
    got = settings_for(["."])
    assert got.file == str(Path("..", "deckcheck.toml"))
    assert got.folders.formats == (Path("../formats"),)
    assert got.cards == (Path("../new.yaml"),)
    [excluded] = got.excluded
    assert excluded.excluded("../a.txt")
    assert not excluded.excluded("a.txt")
    assert got.for_deck("a.txt").format == "y"
    assert got.for_deck("../a.txt").format == str(Path("..", "x.yaml"))


# Where the file is found.


def test_the_nearest_file_counts(folder: Path) -> None:
    put(folder, 'lang = "ja"\n')
    put(folder, 'lang = "en"\n', "a/deckcheck.toml")
    put(folder, "", "a/b/deck.txt")
    put(folder, "", "c/deck.txt")
    assert settings_for(["a/b/deck.txt"]).lang == "en"
    assert settings_for(["a/b"]).file == str(Path("a", "deckcheck.toml"))
    assert settings_for(["a/b/deck.txt", "c/deck.txt"]).lang == "ja", "the nearest one above all of them"
    assert settings_for(["a/b/nowhere.txt"]).lang == "en"
    assert settings_for([]).lang == "ja"
    assert settings_for(["bad\0name"]).lang == "ja"
    assert settings_for([str(folder / "a" / "b" / "deck.txt")]).lang == "en"
    assert settings_for([str(folder.parent)]) == NO_SETTINGS


def test_a_table_in_pyproject(folder: Path) -> None:
    put(folder, '[project]\nname = "x"\n[tool.deckcheck]\nformat = "x"\n[[tool.deckcheck.decks]]\npath = "a/"\nformat = "y"\n', "pyproject.toml")  # fmt: skip
    got = settings_for(["deck.txt"])
    assert got.file == "pyproject.toml"
    assert got.for_deck("deck.txt").format_source == Source("pyproject.toml", 4)
    assert got.for_deck("a/deck.txt").format_source == Source("pyproject.toml", 7)
    put(folder, 'format = "z"\n')
    assert settings_for(["deck.txt"]).for_deck("deck.txt").format == "z", "deckcheck.toml comes first"
    assert settings_of("pyproject.toml").for_deck("deck.txt").format == "x", "unless it is asked for"


def test_a_pyproject_without_our_table_is_none_of_ours_and_need_not_be_right(folder: Path) -> None:
    put(folder, 'lang = "ja"\n')
    for text in (
        '[project]\nname = "x"\n',
        '[project]\ndependencies = ["deckcheck"]\n',
        "[tool]\nx = 1\n# deckcheck\n",
        "tool = 3 # deckcheck\n",
        "tool.ruff = 1 # deckcheck\n",
    ):
        put(folder, text, "a/pyproject.toml")
        for _ in range(2):
            assert settings_for(["a/deck.txt"]).lang == "ja"
        with pytest.raises(UserError, match="there is no"):
            settings_of("a/pyproject.toml")
    put(folder, "[[[ broken\n", "a/pyproject.toml")
    assert settings_for(["a/deck.txt"]).lang == "ja"


def test_mistakes_in_a_pyproject_have_their_place(folder: Path) -> None:
    put(folder, '[tool.other]\nfromat = 1\n\n[tool.deckcheck]\nfromat = "x"\n', "pyproject.toml")
    problem = problem_of(settings_for, ["deck.txt"])
    assert problem.in_("en") == "pyproject.toml:5:1: unknown key 'fromat' (did you mean 'format'?)"
    put(folder, "[tool]\ndeckcheck = 3\n", "pyproject.toml")
    told = problem_of(settings_for, ["deck.txt"]).in_("en")
    assert told.startswith("pyproject.toml:2:1: 3 is not allowed here")


def test_any_file_may_be_named(folder: Path) -> None:
    put(folder, 'lang = "ja"\n', "sub/other.toml")
    assert settings_of("sub/other.toml").lang == "ja"
    for name in ("none.toml", "sub"):
        with pytest.raises(UserError):
            settings_of(name)


# Which rules may be named.


def own_rule(folder: Path, rule: str) -> Path:
    return put(
        folder,
        f"format: club/own\ngame: duel-masters\nname: Own\nzones: {{main: {{}}}}\nrules: [{{id: {rule}, at_most: 3}}]\n",
        "formats/own.yaml",
    )


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_rules_of_all_formats_and_of_the_engine_may_be_named(folder: Path, key: str) -> None:
    own_rule(folder, "my-rule")
    put(folder, own_rule(folder, "my-rule").read_text().replace("my-rule", "third-rule"), "third.yaml")
    names = ["my-rule", "copies", "third-rule", *sorted(ENGINE_IDS - UNCLEAR - {"invalid-suppression"})]
    listed = ", ".join(f'"{name}"' for name in names)
    got = read(folder, f'formats = ["formats"]\nformat = "third.yaml"\n{key} = [{listed}]\n')
    grading = got.for_deck("a.txt").grading
    assert set((grading.select or ()) if key == "select" else grading.ignore) == set(names)


def test_while_a_format_is_broken_nobody_knows_all_rules(folder: Path) -> None:
    put(folder, "format: club/broken\nrules: [\n", "formats/broken.yaml")
    assert read(folder, 'formats = ["formats"]\nignore = ["whatever"]\n').for_deck("a").grading != Grading()
    got = read(folder, 'format = "none.yaml"\nignore = ["whatever"]\n')
    assert got.for_deck("a").grading != Grading()


# What is wrong in it.


class Mistake(NamedTuple):
    text: str
    at: str
    en: str
    ja: str


MISTAKES = [
    Mistake('fromat = "x"\n', "1:1", "unknown key 'fromat' (did you mean 'format'?)", "「fromat」というキーはありません（「format」のことですか）"),
    Mistake('\n[severty]\na = "b"\n', "2:2", "unknown key 'severty' (did you mean 'severity'?)", "「severty」というキーはありません（「severity」のことですか）"),
    Mistake('format = 3\n', "1:1", "3 is not allowed here; text is needed", "「3」は使えません（文字列が必要です）"),
    Mistake('format = ""\n', "1:1", "this is empty", "空です"),
    Mistake('as-of = "soon"\n', "1:1", "'soon' is malformed (write it like 2020-01-31)", "「soon」は書式が違います（2020-01-31 のように書きます）"),
    Mistake('as-of = "2026-02-30"\n', "1:1", "“2026-02-30” is not a valid date", "「2026-02-30」という日はありません"),
    Mistake('as-of = 2026-01-01T00:00:00\n', "1:1", "'2026-01-01T00:00:00' is malformed (write it like 2020-01-31)", "「2026-01-01T00:00:00」は書式が違います（2020-01-31 のように書きます）"),
    Mistake('best-of = "3"\n', "1:1", "'3' is text: remove the quotes", "「3」は文字列です。引用符を外してください"),
    Mistake('best-of = 0\n', "1:1", "must be at least 1", "1以上で書きます"),
    Mistake('lang = "fr"\n', "1:1", "'fr' is not one of ja, en", "「fr」は使えません（ja、enのどれか）"),
    Mistake('formats = "formats"\n', "1:1", "formats is not allowed here; a list is needed", "「formats」は使えません（リストが必要です）"),
    Mistake('formats = [\n  "formats", # ours\n  "format",\n]\n', "3:3", "there is no folder 'format'", "「format」というフォルダはありません"),
    Mistake('banlists = ["new.yaml"]\n', "1:13", "there is no folder 'new.yaml'", "「new.yaml」というフォルダはありません"),
    Mistake('cards = ["new.yaml", "old.yaml"]\n', "1:22", "there is no file or folder 'old.yaml'", "「old.yaml」というファイルもフォルダもありません"),
    Mistake('exclude = ["a", "b\\\\"]\n', "1:17", "'b\\\\' is not a valid pattern", "「b\\」はパターンとして読めません"),
    Mistake('exclude = ["[z-a]"]\n', "1:12", "'[z-a]' is not a valid pattern", "「[z-a]」はパターンとして読めません"),
    Mistake('exclude = ["# all"]\n', "1:12", "'# all' matches nothing: it is empty or a comment, or has . or .. in it", "「# all」に当てはまるファイルはありません（空かコメントか、「.」や「..」があります）"),
    Mistake('[[decks]]\npath = "./a/**"\n', "2:1", "'./a/**' matches nothing: it is empty or a comment, or has . or .. in it", "「./a/**」に当てはまるファイルはありません（空かコメントか、「.」や「..」があります）"),
    Mistake('respect-gitignore = "no"\n', "1:1", "no is not allowed here; true or false is needed", "「no」は使えません（true か false が必要です）"),
    Mistake('select = ["copes"]\n', "1:11", "there is no rule 'copes' (did you mean 'copies'?)", "「copes」という規則はありません（「copies」のことですか）"),
    Mistake('ignore = ["unknown-card"]\n', "1:11", "'unknown-card' can't be ignored (a deck with something unknown in it is never called legal)", "「unknown-card」は無視できません（分からないものがあるデッキを「問題なし」にはできません）"),
    Mistake('ignore = ["invalid-suppression"]\n', "1:11", "'invalid-suppression' can't be ignored (it reports suppressions that make no sense)", "「invalid-suppression」は無視できません（無視の指定そのものが読めない、という知らせです）"),
    Mistake('severity."invalid-line" = "info"\n', "1:10", "the severity of 'invalid-line' can't be changed (a deck with something unknown in it is never called legal)", "「invalid-line」の重さは変えられません（分からないものがあるデッキを「問題なし」にはできません）"),
    Mistake('[decks]\npath = "a"\n', "1:2", "{…} is not allowed here; a list is needed", "「{…}」は使えません（リストが必要です）"),
    Mistake('[[decks]]\nformat = "x"\n', "1:1", "missing: path", "次のキーが必要です: path"),
    Mistake('[[decks]]\npath = []\n', "2:1", "this is empty", "空です"),
    Mistake('[[decks]]\npath = "a"\n[[decks]]\npath = "b"\nbest_of = 1\n', "5:1", "unknown key 'best_of' (did you mean 'best-of'?)", "「best_of」というキーはありません（「best-of」のことですか）"),
    Mistake('[[decks]]\npath = "a"\nas-of = "2026-13-01"\n', "3:1", "“2026-13-01” is not a valid date", "「2026-13-01」という日はありません"),
    Mistake('decks = [{path = "a"}, {path = ["b", "c\\\\"]}]\n', "1:1", "[2].path[2]: 'c\\\\' is not a valid pattern", "[2].path[2]: 「c\\」はパターンとして読めません"),
    Mistake('[[decks]]\npath = "a"\nignore = ["invalid-line"]\n', "3:11", "'invalid-line' can't be ignored (a deck with something unknown in it is never called legal)", "「invalid-line」は無視できません（分からないものがあるデッキを「問題なし」にはできません）"),
    Mistake('[[decks]]\npath = "a"\n[decks.severity]\ncopis = "info"\n', "4:1", "there is no rule 'copis' (did you mean 'copies'?)", "「copis」という規則はありません（「copies」のことですか）"),
    Mistake('lang = ja\n', "1:8", "not valid TOML: Invalid value", "TOMLとして読めません: Invalid value"),
    Mistake('lang = "ja"\nlang = "en"\n', "2:12", "not valid TOML: Cannot overwrite a value", "TOMLとして読めません: Cannot overwrite a value"),
    Mistake('lang = """\n', "2:1", "not valid TOML: Unterminated string", "TOMLとして読めません: Unterminated string"),
    Mistake('\n\nlang = "天災\n', "3:11", "not valid TOML: Illegal character '\\n'", "TOMLとして読めません: Illegal character '\\n'"),
]  # fmt: skip


def mistakes_in(folder: Path, text: str | bytes) -> tuple[Problem, ...]:
    return problems_of(read, folder, text)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.text for one in MISTAKES])
def test_a_mistake_is_told_with_its_place(mistake: Mistake, folder: Path) -> None:
    [problem] = mistakes_in(folder, mistake.text)
    assert problem.in_("en") == f"deckcheck.toml:{mistake.at}: {mistake.en}"
    assert problem.in_("ja") == f"deckcheck.toml:{mistake.at}: {mistake.ja}"
    assert problem.line is not None
    assert problem.excerpt == mistake.text.split("\n")[problem.line - 1]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    told = mistakes_in(folder, 'select = ["copis"]\nas-of = "2026-02-30"\nformats = ["x"]\nignore = ["invalid-line"]\n')  # fmt: skip
    assert [problem.line for problem in told] == [1, 2, 3, 4]
    assert len(mistakes_in(folder, "".join(f"key{at} = 1\n" for at in range(99)))) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (b'lang = "ja"\n# \xff\n', 2, "not UTF-8"),
        (b"a = " + b"9" * 5000, 1, "the number is too large"),
        (b"\na = " + b"[" * 60 + b"]" * 60, None, "nested too deeply"),
        (b"a = " + b"[" * 30_000, None, "nested too deeply"),
        (b"a = " + b"{a = " * 30_000, None, "nested too deeply"),
        (b"\n" + b"a." * 30_000 + b"a = 1", 2, "the key is too long"),
        (b"[" + b'"".' * 30_000 + b"a]", 1, "the key is too long"),
        (b"#" * (MOST_TOML_BYTES + 1), None, "too large (at most 262,144 bytes)"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_out_of_all_bounds(folder: Path, text: bytes, line: int | None, said: str) -> None:
    [problem] = mistakes_in(folder, text)
    assert (problem.path, problem.line, problem.message.en) == ("deckcheck.toml", line, said)


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(folder: Path) -> None:
    got = read(folder, b'\xef\xbb\xbflang = "ja"\r\n[[decks]]\r\npath = "a.txt"\r\nformat = "x"\r\n')
    assert got.for_deck("a.txt").format_source == Source("deckcheck.toml", 4)


@examples(60)
@given(st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_whatever_bytes_are_settings_or_a_mistake(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    file = put(folder, content)
    try:
        settings_of(str(file))
    except UserError as error:
        assert {problem.path for problem in error.problems} == {str(file)}
