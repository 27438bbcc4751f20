"""The notations as people meet them on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from factories import commands
from factories.commands import Done, run_here
from factories.notations import ENDINGS, SAMPLES

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.rewriting.conversion import TARGETS

FORMAT = "duel-masters/original"
A, B = "天災 デドダム", "青銅の鎧"
COD = f"""<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <zone name="main">
        <card number="5" name="{A}"/>
        <card number="4" name="{B}"/>
    </zone>
</cockatrice_deck>
"""


def deckcheck(*words: str, cwd: Path, given: str = "", lang: str = "en") -> Done:
    return commands.deckcheck(*words, cwd=cwd, given=given, DECKCHECK_LANG=lang)


def test_the_options_name_every_notation() -> None:
    assert {"text", *get_args(opt.ForeignNotation)} == {"text", "csv", "tsv", "yaml", "json", *NAMES}
    assert {"canonical", *get_args(opt.ForeignNotation)} == {*TARGETS}


def test_a_finding_points_to_the_line_of_the_element(tmp_path: Path) -> None:
    (tmp_path / "deck.cod").write_text(COD, encoding="utf-8")
    done = deckcheck(
        "check", "deck.cod", "-f", FORMAT, "--as-of", "2025-09-01", "--output-format", "concise", cwd=tmp_path
    )
    assert done.status == 1
    assert f"deck.cod:4:32: error[copies] 5 copies of {A}; at most 4 allowed\n" in done.out


def test_the_notation_is_named_on_every_command_that_reads_lists(tmp_path: Path) -> None:
    """Without its heading a list for XMage's `SB:` is as good as any other text, unless it is named."""
    text = f"4 {A}\n4 {B}\n"
    common = ("-f", FORMAT, "--notation", "forge")
    odd = f"4 {A}|SET|1\n4 {B}+|SET\n"
    (tmp_path / "odd.txt").write_text(odd, encoding="utf-8")
    said = deckcheck(
        "check", "odd.txt", *common, "--as-of", "2025-09-01", "--output-format", "concise", cwd=tmp_path
    )
    assert said.out.splitlines()[0] == "odd.txt: error[main-size] Main deck: 8 cards; exactly 40 needed"
    assert "unknown" not in said.out
    made = deckcheck("convert", "odd.txt", *common, "--to", "arena", cwd=tmp_path)
    assert (made.status, made.out) == (0, f"Deck\n{text}")
    assert "legal in:" in deckcheck("which", "odd.txt", "--notation", "forge", cwd=tmp_path).out.replace(
        "illegal in:", "legal in:"
    )
    impact = deckcheck(
        "impact", "odd.txt", "--from", "2025-08-01", "--to", "2025-09-01", *common, cwd=tmp_path
    )
    assert (impact.status, "1 unchanged" in impact.out) == (0, True)
    fixed = deckcheck("fmt", "-", *common, cwd=tmp_path, given=odd)
    assert (fixed.status, fixed.out) == (0, f"4 x {A} # |SET|1\n4 x {B} # |SET\n")
    wrong = deckcheck("check", "odd.txt", "-f", FORMAT, "--notation", "cockatrice", cwd=tmp_path)
    assert wrong.status == 2 and "not readable as XML" in wrong.err


def test_what_fails_halfway_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(f"4 x {A}\n\nサイドボード\n1 x {B}\n???4\n", encoding="utf-8")
    assert run_here("convert", tmp_path / "deck.txt", "-f", FORMAT, "--to", "dek", "-o", tmp_path / "x") == 2
    assert [one.name for one in tmp_path.iterdir()] == ["deck.txt"]


def test_folders_hold_these_files_too(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        (tmp_path / f"{name}.{ENDINGS[name].upper()}").write_text(text, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    found = [Path(one.path).name for one in find_decks([str(tmp_path)]) if isinstance(one, DeckFile)]
    assert found == sorted(f"{name}.{ENDINGS[name].upper()}" for name in SAMPLES)
