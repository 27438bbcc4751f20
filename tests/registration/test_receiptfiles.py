"""Receipts in files of their own: whole, of the log, and nothing that proves anything is written over."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from factories.random_lists import receipt

from deckcheck.registration.log import Log, extend, write_receipts
from deckcheck.registration.receipts import Entry
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_page
from deckcheck.support import files
from deckcheck.support.errors import UserError


def a_log(folder: Path, number: int, name: str = "山田") -> Log:
    made = [receipt(player=Player(f"{name}{at}", id=str(at))) for at in range(number)]
    return extend(folder / f"{name}.jsonl", "cup", lambda _: made)[0]


def receipt_page(entry: Entry) -> bytes:
    return json_page(entry.content).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cup.receipts"


def test_each_stands_there_as_the_log_has_it(tmp_path: Path, folder: Path) -> None:
    log = a_log(tmp_path, 20)
    assert write_receipts(log, folder) is None
    assert write_receipts(log, folder) is None
    for entry in log.entries:
        assert (folder / f"{entry.number:04}.json").read_bytes() == receipt_page(entry)
        assert stat.S_IMODE((folder / f"{entry.number:04}.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff\xfe", b"x" * 5_000_000])
def test_a_broken_one_is_written_anew(tmp_path: Path, folder: Path, broken: bytes) -> None:
    log = a_log(tmp_path, 2)
    write_receipts(log, folder)
    (folder / "0002.json").write_bytes(broken)
    assert write_receipts(log, folder) is None
    assert (folder / "0002.json").read_bytes() == receipt_page(log.entries[1])
    assert sorted(file.name for file in folder.iterdir()) == ["0001.json", "0002.json"]


def test_a_receipt_of_another_log_is_kept(tmp_path: Path, folder: Path) -> None:
    """It may be what proves that the log was made anew."""
    old, new = a_log(tmp_path, 2), a_log(tmp_path, 2, "鈴木")
    write_receipts(old, folder)
    before = [file.read_bytes() for file in sorted(folder.iterdir())]
    note = write_receipts(new, folder)
    assert note is not None and note.in_("en").startswith("2 receipts in cup.receipts differ from the log")
    assert [file.read_bytes() for file in sorted(folder.iterdir())] == before


def test_a_full_disk_is_told_and_leaves_no_half_file(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = a_log(tmp_path, 3)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", full)
        with pytest.raises(UserError, match="No space left"):
            write_receipts(log, folder)
    assert list(folder.iterdir()) == []
    assert write_receipts(log, folder) is None and len(list(folder.iterdir())) == 3
