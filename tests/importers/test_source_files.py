"""A large file is imported as a whole or not at all, and within bounds."""

from __future__ import annotations

import contextlib
import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.examples import examples
from factories.files import put
from factories.scryfall import DEFAULT, printed, scryfall
from factories.ygopro_files import PACKINGS, packed
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from deckcheck.formats.loading import load_game
from deckcheck.importers import scryfall as source
from deckcheck.importers import source_files
from deckcheck.importers.own_cards import ImportResult, import_card_pool
from deckcheck.importers.scryfall import SCRYFALL
from deckcheck.support.errors import UserError

Take = Callable[..., ImportResult]


@pytest.fixture
def good(take: Take, store: Path) -> bytes:
    """A good table that must stay; its content."""
    take(scryfall([printed("Tin Kite")]), "good.json")
    return store.read_bytes()


@pytest.mark.parametrize("how", PACKINGS)
def test_a_packed_file_is_the_same_file(how: str, take: Take, store: Path) -> None:
    take(scryfall())
    plain = store.read_bytes()
    store.unlink()
    # The content tells how it is packed, and not the name.
    taken = take(packed(b"\xef\xbb\xbf \n" + scryfall(), how), "download.bin")
    assert store.read_bytes() == plain and taken.added == len(plain.splitlines())


@pytest.mark.parametrize("how", ["plain", *PACKINGS])
def test_a_truncated_file_replaces_nothing(how: str, take: Take, store: Path, good: bytes) -> None:
    whole = scryfall() if how == "plain" else packed(scryfall(), how)
    end = len(whole.rstrip())
    for size in sorted({*range(60, end, max(end // 12, 1)), end - 1, end - 2}):
        with pytest.raises(UserError) as caught:
            take(whole[:size], "cut")
        assert caught.value.problems[0].path is not None
        assert store.read_bytes() == good


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b"[]",
        b"[{}]",
        b"[{}] x",
        b"[{}, ",
        b'[{"object": "card", "name": "\xff"}]',
        b'[{"object": "card", "new": ' + b"[" * 5000 + b"]" * 5000 + b"}]",
        scryfall() + b"x",
        b"",
    ],
)
def test_files_with_nothing_in_them(content: bytes, tmp_path: Path, bundle: Path) -> None:
    file = put(tmp_path / "odd.json", content)
    with pytest.raises(UserError):
        import_card_pool(load_game("magic"), SCRYFALL, source.read(file), bundled=bundle)
    assert not list(tmp_path.rglob("*.jsonl"))


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(scryfall(DEFAULT)) - 1), byte=st.integers(0, 255))
def test_one_wrong_byte_is_an_error_or_another_table(at: int, byte: int, take: Take) -> None:
    data = bytearray(scryfall(DEFAULT))
    data[at] = byte
    with contextlib.suppress(UserError, AssertionError):
        take(bytes(data))


def test_progress_counts_every_byte_once(tmp_path: Path) -> None:
    file = tmp_path / "cards"
    file.write_bytes(scryfall())
    counts: list[int] = []
    assert list(source.read(file, counts.append))
    assert sum(counts) == len(scryfall())


def zipped(names: list[str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, scryfall())
    return buffer.getvalue()


def test_a_zip_holds_one_file(take: Take) -> None:
    of_a_mac = ["__MACOSX/._oracle-cards.json"]
    assert take(zipped(["folder/", "folder/oracle-cards.json", *of_a_mac])).added == 8
    for names in ([], ["a.json", "b.json"]):
        with pytest.raises(UserError, match=rf"the ZIP file holds {len(names)} files"):
            take(zipped(names), "other.zip")


@pytest.mark.parametrize("how", PACKINGS)
def test_what_grows_beyond_measure_is_refused(
    how: str, take: Take, good: bytes, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "MOST_ITEM", 500_000)
    bomb = packed(b'[{"x": [' + b" " * 8_000_000 + b"]}]", how)
    assert len(bomb) < 100_000
    with pytest.raises(UserError, match=r"one entry is too large"):
        take(bomb, f"bomb.{how}")
    assert store.read_bytes() == good


MANY = zipped([f"{'x' * 200}{number}.json" for number in range(100)])
ENDLESS = scryfall([printed("Kite", oracle_text="x" * 500_000)])


@pytest.mark.parametrize(
    ("limits", "content", "said"),
    [
        ({}, scryfall().rstrip()[:-20], f"ends too early, after {len(scryfall().rstrip()) - 20:,} bytes"),
        ({}, scryfall().replace(b'"cmc": ', b'"cmc": x', 1), "not valid JSON"),
        # The directory of a ZIP file is bounded before it is read.
        ({"_MOST_DIRECTORY": 20_000}, MANY, "with too many files"),
        ({"MOST_ITEM": 100_000}, ENDLESS, "one entry is too large"),
        ({"MOST_BYTES": 1000, "MOST_ITEM": 1000}, scryfall(), "too large"),
    ],
)
def test_what_is_too_large_or_spoilt_is_told_and_replaces_nothing(
    limits: dict[str, int],
    content: bytes,
    said: str,
    take: Take,
    good: bytes,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, most in limits.items():
        monkeypatch.setattr(source_files, name, most)
    with pytest.raises(UserError, match=said):
        take(content, "more")
    assert store.read_bytes() == good


def test_without_the_library_the_way_to_get_it_is_told(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ijson", None)
    with pytest.raises(UserError, match=r"deckcheck\[import\]"):
        take(scryfall())
