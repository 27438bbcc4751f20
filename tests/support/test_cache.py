"""What is kept between runs is never older than what it came from, and may always be missing."""

from __future__ import annotations

import json
import os
import stat
import zlib
from pathlib import Path
from typing import Any

import pytest
from factories.garden_game import GARDEN, ROSE, Shelf, card, deck_of, load, opened

from deckcheck.checking.judge import check
from deckcheck.formats.loading import load_format, load_game
from deckcheck.support.cache import cache_folder, cached, stamp
from deckcheck.support.errors import UserError
from deckcheck.support.files import write_atomically

FORMAT = "format: garden/kept\nname: Kept\nzones: {{main: {{}}}}\nrules:\n  - {{id: size, at_most: {most}}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(place))
    return place


class Maker:
    """Counts how often something is made from a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.times = 0

    def __call__(self) -> tuple[Any, list[Path]]:
        self.times += 1
        return {"read": self.file.read_text() if self.file.exists() else None}, [self.file]


def rewrite(file: Path, text: str) -> None:
    """Another content with another time, even where two writes fall into one tick of the clock."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text)
    os.utime(file, ns=(before + 10**9, before + 10**9))


def test_a_result_is_kept_until_its_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "file"
    rewrite(file, "one")
    make = Maker(file)
    assert [cached("x", make.file, make) for _ in range(3)] == [{"read": "one"}] * 3
    assert make.times == 1
    rewrite(file, "two")
    assert cached("x", make.file, make) == {"read": "two"}
    file.unlink()
    assert cached("x", make.file, make) == {"read": None}
    assert cached("x", make.file, make) == {"read": None}
    assert make.times == 3
    rewrite(file, "three")
    assert cached("x", make.file, make) == {"read": "three"}


def test_a_result_may_be_refused_for_a_reason_of_its_own(tmp_path: Path) -> None:
    make = Maker(tmp_path / "file")
    cached("x", make.file, make)
    assert cached("x", make.file, make, lambda value: value == {"read": None}) == {"read": None}
    assert make.times == 1
    cached("x", make.file, make, lambda _: False)
    assert make.times == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"7",
        b"{}",
        b'{"from": 3, "value": 1}',
        b'{"from": [3], "value": 1}',
        b'{"from": [["a", 1, 2]], "value": 1}',
        b'{"from": [["a\\u0000b", null]], "value": 1}',
        b'{"from": [], "value": {}}',
        b"[" * 200_000,
    ],
    ids=lambda content: repr(content[:20]),
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, folder: Path, content: bytes) -> None:
    make = Maker(tmp_path / "file")
    cached("x", make.file, make)
    [file] = folder.glob("x-*.json")
    file.write_bytes(content)
    assert cached("x", make.file, make) == {"read": None}
    assert make.times == 2
    assert cached("x", make.file, make) == {"read": None}
    assert make.times == 2


def test_where_nothing_can_be_kept_all_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file stands where the folder would be")
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(blocked / "cache"))
    make = Maker(tmp_path / "file")
    assert [cached("x", make.file, make) for _ in range(2)] == [{"read": None}] * 2
    assert make.times == 2
    assert load_game("duel-masters").id == "duel-masters"


def test_a_folder_that_may_not_be_written_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(closed))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    make = Maker(tmp_path / "file")
    # Root may write anywhere, so the refusal is made by hand as well.
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        assert [cached("x", make.file, make) for _ in range(2)] == [{"read": None}] * 2
    assert list(closed.iterdir()) == []
    closed.chmod(stat.S_IRWXU)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deep" / "file"
    write_atomically(file, b"one")
    assert file.read_bytes() == b"one"

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"
    assert [one.name for one in file.parent.iterdir()] == ["file"]


def test_a_stamp_tells_size_and_time(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert stamp(file) is None
    rewrite(file, "abc")
    before = stamp(file)
    assert before is not None
    assert before[0] == 3
    rewrite(file, "xyz")
    assert stamp(file) != before


def test_the_folder_is_the_one_that_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == folder
    monkeypatch.delenv("DECKCHECK_CACHE_DIR")
    assert cache_folder().name == "deckcheck"


def test_a_format_that_changes_is_read_anew(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "kept.yaml"
    rewrite(file, FORMAT.format(most=2))
    deck = deck_of((ROSE, 3))
    assert check(deck, load(file), as_of="2020-01-01").verdict == "illegal"
    [stored] = folder.glob("format-*.json")
    first = stored.read_bytes()
    assert check(deck, load(file), as_of="2020-01-01").verdict == "illegal"
    assert stored.read_bytes() == first
    rewrite(file, FORMAT.format(most=3))
    assert check(deck, load(file), as_of="2020-01-01").verdict == "legal"
    assert stored.read_bytes() != first


def test_a_kept_format_says_the_same_as_a_fresh_one(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "kept.yaml"
    rewrite(file, FORMAT.format(most=2))
    fresh = load_format(str(file), opened())
    assert list(folder.glob("format-*.json"))
    assert load_format(str(file), opened()) == fresh


def test_a_format_is_read_anew_when_a_file_that_it_leans_on_changes(tmp_path: Path) -> None:
    base, file, listed = tmp_path / "base.yaml", tmp_path / "kept.yaml", tmp_path / "list.yaml"
    rewrite(base, FORMAT.format(most=2))
    rewrite(
        file,
        "format: garden/child\nname: C\nextends: base.yaml\nbanlists: [list.yaml]\n"
        "rules: [{id: ban, where: {status: out}, at_most: 0}]\n",
    )
    history = "banlist: garden/l\nname: L\ncards: [{{card: {card}, history: [{{from: 2000-01-01, status: out}}]}}]\n"
    rewrite(listed, history.format(card="Rose"))
    assert check(deck_of((ROSE, 1)), load(file), as_of="2020-01-01").verdict == "illegal"
    rewrite(listed, history.format(card="Iris"))
    assert check(deck_of((ROSE, 1)), load(file), as_of="2020-01-01").verdict == "legal"
    rewrite(base, FORMAT.format(most=0))
    assert check(deck_of((ROSE, 1)), load(file), as_of="2020-01-01").verdict == "illegal"


def test_a_format_is_read_anew_when_the_cards_change(tmp_path: Path) -> None:
    class Later(Shelf):
        @property
        def version(self) -> str:
            return "2"

    file = tmp_path / "kept.yaml"
    file.write_text(
        "format: garden/k\nname: K\nzones: {main: {}}\nrules: [{id: no-rose, where: {name: rose}, at_most: 0}]\n"
    )
    load_format(str(file), opened())
    with pytest.raises(UserError, match="there is no card 'rose'"):
        load_format(str(file), opened(Later([card("Iris")])))


def test_a_broken_format_is_never_kept(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "kept.yaml"
    rewrite(file, FORMAT.format(most=2).replace("at_most", "at_mots"))
    for _ in range(2):
        with pytest.raises(UserError, match="at_mots"):
            load_format(str(file), opened())
    assert not list(folder.glob("format-kept-*"))


def test_a_damaged_kept_format_is_read_anew(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "kept.yaml"
    rewrite(file, FORMAT.format(most=2))
    fresh = load_format(str(file), opened())
    [stored] = folder.glob("format-*.json")
    content = json.loads(stored.read_bytes().partition(b"\n")[2])
    for value in ({}, None, [], {"cards": "other"}, {"cards": GARDEN.version}):
        data = json.dumps(content | {"value": value}).encode()
        stored.write_bytes(f"{zlib.crc32(data):08x}\n".encode() + data)
        assert load_format(str(file), opened()) == fresh


def test_whichever_byte_is_damaged_what_it_says_is_never_used(tmp_path: Path, folder: Path) -> None:
    make = Maker(tmp_path / "file")
    cached("x", make.file, make)
    [stored] = folder.glob("x-*.json")
    whole = stored.read_bytes()
    for at in range(len(whole)):
        for bit in (1, 4, 32):
            stored.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            times = make.times
            assert cached("x", make.file, make) == {"read": None}
            assert make.times == times + 1, (at, bit)
