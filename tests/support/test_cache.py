"""What is kept between runs is never older than what it came from, and may always be missing."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

import pytest
from factories.files import put
from factories.garden_game import GARDEN, Shelf, card, opened

from deckcheck.formats.loading import load_format, load_game
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError

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


def test_a_result_is_kept_until_its_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "file"
    put(file, "one")
    make = Maker(file)
    assert [cached("x", make.file, dict, make) for _ in range(3)] == [{"read": "one"}] * 3
    assert make.times == 1
    put(file, "two")
    assert cached("x", make.file, dict, make) == {"read": "two"}
    file.unlink()
    assert cached("x", make.file, dict, make) == {"read": None}
    assert cached("x", make.file, dict, make) == {"read": None}
    assert make.times == 3
    put(file, "three")
    assert cached("x", make.file, dict, make) == {"read": "three"}
    # It may be refused for a reason of its own, or have been kept in another form.
    for valid, times in ((True, 4), (False, 5)):
        cached("x", make.file, dict, make, lambda _, valid=valid: valid)  # type: ignore[misc]
        assert make.times == times
    assert cached("y", make.file, list, lambda: ([1, 2], [make.file])) == [1, 2]
    assert cached("y", make.file, dict, make) == {"read": "three"}
    assert make.times == 6


def test_whatever_is_damaged_is_never_used_but_made_anew(tmp_path: Path, folder: Path) -> None:
    make = Maker(tmp_path / "file")
    cached("x", make.file, dict, make)
    [stored] = folder.glob("x-*.json")
    whole = stored.read_bytes()
    flipped = [
        whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :]
        for place in range(len(whole))
        for bit in (4,)
    ]
    # The last ones have the right checksum.
    forms = (b"[]", b"null", b'{"from": 3}', b'{"from": [["a\\u0000b", null]], "value": 1}', b"[" * 200_000)
    checked = [f"{zlib.crc32(form):08x}\n".encode() + form for form in forms]
    for content in (b"", b"\xff\xfe\x00", *flipped, *checked):
        stored.write_bytes(content)
        times = make.times
        for _again in range(2):
            assert cached("x", make.file, dict, make) == {"read": None}
            assert make.times == times + 1, content[:80]


def test_where_nothing_can_be_kept_all_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file stands where the folder would be")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    make = Maker(tmp_path / "file")
    with monkeypatch.context() as patch:
        # Root may write anywhere.
        patch.setattr(os, "open", refuse)
        assert cached("x", make.file, dict, make) == {"read": None}
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(blocked / "cache"))
    assert cached("x", make.file, dict, make) == {"read": None}
    assert make.times == 2
    assert load_game("duel-masters").id == "duel-masters"


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
    put(file, FORMAT.format(most=2).replace("at_most", "at_mots"))
    for _ in range(2):
        with pytest.raises(UserError, match="at_mots"):
            load_format(str(file), opened())
    assert not list(folder.glob("format-kept-*"))


def test_a_kept_format_says_the_same_as_a_fresh_one_even_if_damaged(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "kept.yaml"
    put(file, FORMAT.format(most=2))
    fresh = load_format(str(file), opened())
    [stored] = folder.glob("format-*.json")
    assert load_format(str(file), opened()) == fresh
    content = json.loads(stored.read_bytes().partition(b"\n")[2])
    for value in ({}, None, [], {"cards": "other"}, {"cards": GARDEN.version}):
        data = json.dumps(content | {"value": value}).encode()
        stored.write_bytes(f"{zlib.crc32(data):08x}\n".encode() + data)
        assert load_format(str(file), opened()) == fresh
