"""What is wrong in a settings file is told with its place."""

from __future__ import annotations

import string
from pathlib import Path
from typing import NamedTuple

import pytest
from factories.examples import examples
from factories.settings_folder import put, read, said, settled_folder
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.config.settings import settings_of
from deckcheck.model.format import Source
from deckcheck.support.documents import MOST_PROBLEMS
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.toml import MOST_BYTES as MOST_TOML_BYTES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return settled_folder(tmp_path, monkeypatch)


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
    Mistake('exclude = ["# all"]\n', "1:12", "'# all' matches nothing: paths are relative to the folder of this file", "「# all」に当てはまるファイルはありません（このファイルのフォルダから数えます）"),
    Mistake('[[decks]]\npath = "./a/**"\n', "2:1", "'./a/**' matches nothing: paths are relative to the folder of this file", "「./a/**」に当てはまるファイルはありません（このファイルのフォルダから数えます）"),
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
    Mistake('decks = [{path = "a"}, {path = ["b", "c\\\\"]}]\n', "1:38", "'c\\\\' is not a valid pattern", "「c\\」はパターンとして読めません"),
    Mistake('[[decks]]\npath = "a"\nignore = ["invalid-line"]\n', "3:11", "'invalid-line' can't be ignored (a deck with something unknown in it is never called legal)", "「invalid-line」は無視できません（分からないものがあるデッキを「問題なし」にはできません）"),
    Mistake('[[decks]]\npath = "a"\n[decks.severity]\ncopis = "info"\n', "4:1", "there is no rule 'copis' (did you mean 'copies'?)", "「copis」という規則はありません（「copies」のことですか）"),
    Mistake('lang = ja\n', "1:8", "not valid TOML: Invalid value", "TOMLとして読めません: Invalid value"),
    Mistake('lang = "ja"\nlang = "en"\n', "2:12", "not valid TOML: Cannot overwrite a value", "TOMLとして読めません: Cannot overwrite a value"),
    Mistake('lang = """\n', "2:1", "not valid TOML: Unterminated string", "TOMLとして読めません: Unterminated string"),
    Mistake('\n\nlang = "天災\n', "3:11", "not valid TOML: Illegal character '\\n'", "TOMLとして読めません: Illegal character '\\n'"),
]  # fmt: skip


def problems_of(folder: Path, text: str | bytes) -> tuple[Problem, ...]:
    put(folder, text)
    with pytest.raises(UserError) as caught:
        settings_of("deckcheck.toml")
    return caught.value.problems


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.text for one in MISTAKES])
def test_a_mistake_is_told_with_its_place(mistake: Mistake, folder: Path) -> None:
    [problem] = problems_of(folder, mistake.text)
    assert problem.in_("en") == f"deckcheck.toml:{mistake.at}: {mistake.en}"
    assert problem.in_("ja") == f"deckcheck.toml:{mistake.at}: {mistake.ja}"
    assert problem.line is not None
    assert problem.excerpt == mistake.text.split("\n")[problem.line - 1]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    told = problems_of(folder, 'select = ["copis"]\nas-of = "2026-02-30"\nformats = ["x"]\nignore = ["invalid-line"]\n')  # fmt: skip
    assert [problem.line for problem in told] == [1, 2, 3, 4]
    assert len(problems_of(folder, "".join(f"key{at} = 1\n" for at in range(99)))) == MOST_PROBLEMS


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
    [problem] = problems_of(folder, text)
    assert (problem.path, problem.line, problem.message.en) == ("deckcheck.toml", line, said)


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(folder: Path) -> None:
    got = read(folder, b'\xef\xbb\xbflang = "ja"\r\n[[decks]]\r\npath = "a.txt"\r\nformat = "x"\r\n')
    assert said(got, "a.txt").format_source == Source("deckcheck.toml", 4)


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
