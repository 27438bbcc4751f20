"""What a settings file says reaches every deck as it should, from wherever it is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.settings_folder import put, read, said, settled_folder
from msgspec.structs import replace

from deckcheck.config.settings import NO_SETTINGS, DeckSettings, settings_for, settings_of
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError

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
    return settled_folder(tmp_path, monkeypatch)


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
    top = said(got, "a.txt")
    assert top == DeckSettings(
        "duel-masters/original",
        Source("deckcheck.toml", 1),
        "2026-01-01",
        3,
        Grading(
            frozenset(["copies", "deck-size"]),
            Source("deckcheck.toml", 13),
            {"own-facts": Source("deckcheck.toml", 14)},
            {"not-yet-released": "error"},
        ),
    )
    below = said(got, "duemagic/deep/b.txt")
    assert below == DeckSettings(
        "duel-masters/duemagic",
        Source("deckcheck.toml", 19),
        "2025-06-01",
        1,
        Grading(
            None,
            Source("deckcheck.toml", 22),
            {"own-facts": Source("deckcheck.toml", 14), "total-mismatch": Source("deckcheck.toml", 23)},
            {"not-yet-released": "info", "copies": "warning"},
        ),
    )


def test_an_empty_file_says_nothing(folder: Path) -> None:
    got = read(folder, "")
    assert said(got, "a.txt") == DeckSettings()
    assert replace(got, file=None, tables=()) == NO_SETTINGS


def test_of_several_tables_the_last_that_says_it_counts(folder: Path) -> None:
    got = read(
        folder,
        'format = "a"\nignore = ["copies"]\n'
        '[[decks]]\npath = "*.txt"\nformat = "b"\nas-of = "2020-01-01"\nselect = ["deck-size"]\n'
        '[[decks]]\npath = "x*"\nbest-of = 3\nignore = ["own-facts"]\n'
        '[[decks]]\npath = ["x1.txt", "y/"]\nformat = "c"\nseverity = {copies = "info"}\n',
    )
    one = said(got, "x1.txt")
    assert (one.format, one.format_source) == ("c", Source("deckcheck.toml", 14))
    assert (one.as_of, one.best_of) == ("2020-01-01", 3)
    assert one.grading is not None
    assert one.grading.select == {"deck-size"}
    assert set(one.grading.ignore) == {"copies", "own-facts"}
    assert one.grading.severity == {"copies": "info"}
    assert said(got, "z.txt").format == "b"
    assert said(got, "y/z.csv").format == "c"
    assert said(got, "z.csv").format == "a"


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
    assert [path for path in meant + others if said(got, path).format] == meant
    assert [path for path in meant + others if said(got, str(folder / path)).format] == meant
    assert [path for path in meant + others if said(got, f"./{path}").format] == meant
    assert said(got, "-").format is None, "standard input without a name stands in no folder"
    assert said(got, f"../{folder.name}x/a.txt").format is None
    assert said(got, str(folder.parent / "a.txt")).format is None


def test_paths_count_from_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "inner").mkdir()
    put(folder, 'format = "x.yaml"\nformats = ["formats"]\ncards = ["new.yaml"]\nexclude = ["/a.txt"]\n[[decks]]\npath="inner/"\nformat="y"\n')  # fmt: skip
    monkeypatch.chdir(folder / "inner")
    got = settings_for(["."])
    assert got.file == str(Path("..", "deckcheck.toml"))
    assert got.folders.formats == (Path("../formats"),)
    assert got.cards == (Path("../new.yaml"),)
    [excluded] = got.excluded
    assert excluded.excluded("../a.txt")
    assert not excluded.excluded("a.txt")
    assert said(got, "a.txt").format == "y"
    assert said(got, "../a.txt").format == str(Path("..", "x.yaml"))


def test_folders_elsewhere_are_the_users_own_business(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    got = read(folder, f"formats = ['{other}', '../{folder.name}/formats']\n")
    assert got.folders.formats == (other, Path(f"../{folder.name}/formats"))


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
    assert said(got, "deck.txt").format_source == Source("pyproject.toml", 4)
    assert said(got, "a/deck.txt").format_source == Source("pyproject.toml", 7)
    put(folder, 'format = "z"\n')
    assert said(settings_for(["deck.txt"]), "deck.txt").format == "z", "deckcheck.toml comes first"
    assert said(settings_of("pyproject.toml"), "deck.txt").format == "x", "unless it is asked for"


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nname = "x"\n',
        '[project]\ndependencies = ["deckcheck"]\n',
        "[tool]\nx = 1\n# deckcheck\n",
        "tool = 3 # deckcheck\n",
        "tool.ruff = 1 # deckcheck\n",
    ],
)
def test_a_pyproject_without_our_table_is_none_of_ours(folder: Path, text: str) -> None:
    put(folder, 'lang = "ja"\n')
    put(folder, text, "a/pyproject.toml")
    for _ in range(2):
        assert settings_for(["a/deck.txt"]).lang == "ja"
    with pytest.raises(UserError, match="there is no"):
        settings_of("a/pyproject.toml")


def test_a_pyproject_of_others_need_not_be_right(folder: Path) -> None:
    put(folder, "[[[ broken\n", "pyproject.toml")
    assert settings_for(["deck.txt"]) == NO_SETTINGS


def test_mistakes_in_a_pyproject_have_their_place(folder: Path) -> None:
    put(folder, '[tool.other]\nfromat = 1\n\n[tool.deckcheck]\nfromat = "x"\n', "pyproject.toml")
    with pytest.raises(UserError) as caught:
        settings_for(["deck.txt"])
    [problem] = caught.value.problems
    assert problem.in_("en") == "pyproject.toml:5:1: unknown key 'fromat' (did you mean 'format'?)"
    put(folder, "[tool]\ndeckcheck = 3\n", "pyproject.toml")
    with pytest.raises(UserError) as caught:
        settings_for(["deck.txt"])
    assert caught.value.problems[0].in_("en").startswith("pyproject.toml:2:1: 3 is not allowed here")


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
    grading = said(got, "a.txt").grading
    assert grading is not None
    assert set((grading.select or ()) if key == "select" else grading.ignore) == set(names)


def test_while_a_format_is_broken_nobody_knows_all_rules(folder: Path) -> None:
    put(folder, "format: club/broken\nrules: [\n", "formats/broken.yaml")
    assert said(read(folder, 'formats = ["formats"]\nignore = ["whatever"]\n'), "a").grading is not None
    got = read(folder, 'format = "none.yaml"\nignore = ["whatever"]\n')
    assert said(got, "a").grading is not None
