"""Paths that can't be what they are given as: links to themselves, no name at all, and pipes that nobody writes to."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from factories.commands import deckcheck
from factories.examples import amount, within

LIST = "4 Lightning Bolt\n56 Mountain\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deck.txt").write_text(LIST, encoding="utf-8")
    (tmp_path / "cards.json").write_text("[]", encoding="utf-8")
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    "words",
    [
        "check deck.txt -f modern --output loop",
        "check deck.txt -f modern --report json=loop",
        "check deck.txt -f modern --output loop/report.txt",
        "sheet deck.txt -f modern --output loop",
        "convert deck.txt --game magic --to csv --output loop",
        "convert deck.txt --game magic --to csv --output loop --force",
        "impact deck.txt -f modern --from 2024-01-01 --to loop",
        "import cards.json --game magic --into loop",
        "import cards.json --game magic --into ''",
        "check loop -f modern",
        "init loop",
        "event init loop",
    ],
)
def test_a_path_that_leads_nowhere_is_one_message_and_status_2(folder: Path, words: str, lang: str) -> None:
    given = [word if word != "''" else "" for word in words.split()]
    done = deckcheck(*given, "--lang", lang, cwd=folder)
    assert done.status == 2
    assert "Traceback" not in done.err
    assert (
        len([line for line in done.err.splitlines() if ("エラー：" if lang == "ja" else "error: ") in line])
        == 1
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize(
    "words", ["check deck -f modern", "check . -f modern", "which deck", "convert deck --game magic --to csv"]
)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(folder: Path, words: str) -> None:
    os.mkfifo(folder / "deck")
    os.mkfifo(folder / "pipe.txt")
    start = time.monotonic()
    done = deckcheck(*words.split(), cwd=folder)
    assert time.monotonic() - start < 60
    assert done.status in (0, 2)
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "line", ["Forest Mountain {n} x", "{n} 山 林 {n}", "4 Foo Bar {n}", "{n}a b 3 x c{n}", "4 Lightnin Bolt"]
)
def test_many_short_lines_take_seconds(folder: Path, line: str) -> None:
    text = "".join(f"{line.format(n=number % 9)}\n" for number in range(amount(4900, 2000)))
    (folder / "long.txt").write_text(text, encoding="utf-8")
    # Some two seconds for 4,900; work that grows with the square of the lines would take minutes.
    with within(amount(20, 8)):
        done = deckcheck("check", "long.txt", "-f", "modern", cwd=folder)
    assert done.status in (1, 2, 3)
    assert "Traceback" not in done.err
