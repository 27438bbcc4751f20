"""`deckcheck fmt` as people run it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from factories.commands import Done, deckcheck, run_here
from factories.io_failures import at_call

from deckcheck.rewriting import diff_and_save
from deckcheck.rewriting.diff_and_save import Rewrite, replace_file
from deckcheck.support.errors import UserError
from deckcheck.support.terminal import painter

FORMAT = str(Path(__file__).parent.parent / "fixtures" / "format.yaml")
A = "天災 デドダム"
ROUGH = f"■メイン\n《{A}》×4 # 初動\n・青銅の鎧 ×4枚\n"
NEAT = f"メインデッキ\n4 x {A} # 初動\n4 x 青銅の鎧\n"


def fmt(*words: str, given: bytes = b"", cwd: Path, format: str | None = FORMAT) -> Done:
    chosen = () if format is None else ("-f", format)
    return deckcheck("fmt", *chosen, *words, cwd=cwd, given=given)


def put(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def test_mode_and_symbolic_links_stay(tmp_path: Path) -> None:
    put(tmp_path, real=ROUGH)
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.chmod(0o640)
    link.symlink_to("real.txt")
    assert fmt("link.txt", cwd=tmp_path).status == 0
    assert link.is_symlink() and real.read_text("utf-8") == NEAT
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_only_plain_files_are_rewritten(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(UserError) as caught:
        replace_file(str(tmp_path / "pipe.txt"), b"x")
    assert "not a regular file" in caught.value.problems[0].in_("en")


def test_whatever_fails_the_list_is_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    def refuse(_name: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    put(tmp_path, rough=ROUGH)
    with at_call(-1, refuse) as calls:
        fmt("rough.txt", cwd=tmp_path)
    ended = set()
    for number in range(len(calls)):
        put(tmp_path, rough=ROUGH)
        with at_call(number, refuse):
            done = fmt("rough.txt", cwd=tmp_path)
        assert done.status == 0 or "Permission denied" in done.err
        [left] = tmp_path.iterdir()
        ended.add((done.status, left.read_text("utf-8")))
    assert {(2, ROUGH)} <= ended <= {(2, ROUGH), (0, NEAT)}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_in_a_folder_that_is_read_only_the_list_stays(tmp_path: Path) -> None:
    put(tmp_path, rough=ROUGH)
    tmp_path.chmod(0o500)
    try:
        done = fmt("rough.txt", cwd=tmp_path)
    finally:
        tmp_path.chmod(0o700)
    assert done.status == 2 and "rough.txt: error: can't be written" in done.err
    assert (tmp_path / "rough.txt").read_text("utf-8") == ROUGH


def test_the_format_is_that_of_the_option_then_the_list_then_the_settings(tmp_path: Path) -> None:
    def status(name: str, format: str | None = None) -> int:
        return fmt("--check", f"{name}.txt", cwd=tmp_path, format=format).status

    named, wrong = (f"# format: {one}\n{ROUGH}" for one in ("duel-masters/original", "nowhere"))
    put(tmp_path, rough=ROUGH, named=named, wrong=wrong)
    assert (status("rough"), status("named"), status("wrong")) == (2, 1, 2)
    assert status("wrong", FORMAT) == 1
    for format, rough in (("nowhere", 2), ("duel-masters/original", 1)):
        (tmp_path / "deckcheck.toml").write_text(f'format = "{format}"\n', "utf-8")
        assert (status("rough"), status("named")) == (rough, 1)


def test_zones_have_the_names_that_their_format_gives_them(tmp_path: Path) -> None:
    own = "format: own\nname: {ja: 小, en: Own}\ngame: duel-masters\nzones:\n  main: {name: {ja: 本体, en: Body}}\n"
    (tmp_path / "own.yaml").write_text(own + "rules: [{id: size, at_most: 60}]\n", "utf-8")
    put(tmp_path, rough=ROUGH, english=f"Main deck\n4 {A}\n")
    assert fmt("rough.txt", "english.txt", cwd=tmp_path, format="own.yaml").status == 0
    assert (tmp_path / "rough.txt").read_text("utf-8") == NEAT.replace("メインデッキ", "本体")
    assert (tmp_path / "english.txt").read_text("utf-8") == f"Body\n4 x {A}\n"
    done = fmt("-", cwd=tmp_path, format="own.yaml", given=f"name,count\n{A},2\n".encode())
    assert done.out == f"本体\n2 x {A}\n"


def test_an_instruction_in_a_table_is_not_lost(tmp_path: Path) -> None:
    done = fmt("-", cwd=tmp_path, given=f"name,count\n{A},2 # deckcheck: ignore[copies] why\n".encode())
    assert (done.status, done.out) == (2, "") and "an instruction to deckcheck would move" in done.err


def test_nothing_in_a_diff_plays_tricks() -> None:
    shown = Rewrite("-", "4 x\x1b[31m\ta\x0bb\n", "1", b"", b"").diff("a\x1b.txt", "en", painter(False))
    assert shown == (
        "--- a\\x1b.txt\n+++ a\\x1b.txt\n@@ -1 +1 @@\n-4 x\\x1b[31m\ta\\x0bb\n+1\n\\ No newline at end of file\n"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such links and pipes here")
def test_what_a_link_in_a_folder_leads_to_is_not_rewritten(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text(ROUGH, encoding="utf-8")
    (tmp_path / "decks").mkdir()
    link = tmp_path / "decks" / "link.txt"
    link.symlink_to(outside)
    put(tmp_path / "decks", rough=ROUGH)
    done = fmt("decks", cwd=tmp_path)
    assert done.status == 0 and "link.txt" in done.err
    assert outside.read_text("utf-8") == ROUGH
    assert (tmp_path / "decks" / "rough.txt").read_text("utf-8") == NEAT
    assert fmt("decks/link.txt", cwd=tmp_path).status == 0
    assert outside.read_text("utf-8") == NEAT and link.is_symlink()
    os.mkfifo(tmp_path / "pipe.txt")
    assert fmt("--check", "pipe.txt", cwd=tmp_path).status == 2


def test_a_list_that_changes_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, rough=ROUGH)
    file = tmp_path / "rough.txt"
    monkeypatch.setattr(
        diff_and_save, "read_list", lambda path: Path(path).read_bytes() + "1 x 青銅の鎧\n".encode()
    )
    assert run_here("fmt", "-f", FORMAT, file) == 2
    assert "changed while it was being rewritten" in capsys.readouterr().err
    assert file.read_text("utf-8") == ROUGH
