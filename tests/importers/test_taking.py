"""A large file is taken in as a whole or not at all, and is bounded."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile
from pathlib import Path

import pytest
from factories.card_imports import Take, left_beside
from factories.examples import examples
from factories.mtgjson import ATOMIC, all_printings, atomic
from factories.scryfall import printed, scryfall
from factories.ygopro_files import PACKINGS, packed
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers import card_imports, json_stream
from deckcheck.importers.source_kinds import KINDS, kind_named, kind_of
from deckcheck.support.errors import UserError

GAME = load_game("magic")


@pytest.mark.parametrize("how", PACKINGS)
@pytest.mark.parametrize("content", [atomic(), all_printings(), scryfall()])
def test_a_packed_file_is_the_same_file(content: bytes, how: str, take: Take, store: Path) -> None:
    take(content)
    plain = store.read_bytes()
    store.unlink()
    # The content tells how it is packed, and not the name.
    taken = take(packed(content, how), "download.bin")
    assert store.read_bytes() == plain and taken.added == len(plain.splitlines())


@pytest.mark.parametrize("how", ["plain", *PACKINGS])
def test_a_truncated_file_replaces_nothing(how: str, take: Take, store: Path, good: bytes) -> None:
    for content in (atomic(), scryfall()):
        whole = content if how == "plain" else packed(content, how)
        end = len(whole.rstrip())
        for size in sorted({*range(60, end, max(end // 12, 1)), end - 1, end - 2}):
            with pytest.raises(UserError) as caught:
                take(whole[:size], "cut")
            assert caught.value.problems[0].path is not None
            assert store.read_bytes() == good and not left_beside(store)


def test_where_a_file_ends_too_early_is_told(take: Take) -> None:
    content = atomic()
    with pytest.raises(UserError, match=f"ends too early, after {len(content) - 20:,} bytes"):
        take(content[:-20])


def test_where_a_file_is_no_json_is_told(take: Take, good: bytes, store: Path) -> None:
    lines = scryfall().split(b"\n")
    lines[4] = lines[4].replace(b'"cmc": ', b'"cmc": x', 1)
    with pytest.raises(UserError) as caught:
        take(b"\n".join(lines))
    assert (caught.value.problems[0].line, "not valid JSON" in str(caught.value)) == (5, True)
    assert store.read_bytes() == good


@pytest.mark.parametrize(
    "content",
    [
        b'{"data": 7}',
        b'{"meta": {"date": 7}}',
        b'{"meta": {}, "data": []}',
        b'{"meta": {}, "data": {"x": 7}}',
        b'{"meta": {}, "data": {}}',
        b'{"data": {"x": ' + b"[" * 5000 + b"]" * 5000 + b"}}",
        b"[]",
        b"[{}]",
        b"[{}] x",
        b"[{}, ",
        b'[{"object": "card", "name": "\xff"}]',
        scryfall() + b"x",
        atomic() + b"{}",
    ],
)
def test_files_of_that_form_with_nothing_in_them(
    content: bytes, good: bytes, store: Path, most_bundled: Path | None
) -> None:
    file_kind = "scryfall" if content.lstrip().startswith(b"[") else "mtgjson"
    file = store.parent / "odd.json"
    file.write_bytes(content)
    with pytest.raises(UserError):
        card_imports.import_card_pool(GAME, KINDS[file_kind], file, bundled=most_bundled)
    assert store.read_bytes() == good


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(all_printings()) - 1), byte=st.integers(0, 255))
def test_one_wrong_byte_is_an_error_or_another_table_and_never_a_crash(
    at: int, byte: int, tmp_path: Path, most_bundled: Path | None
) -> None:
    data = bytearray(all_printings())
    data[at] = byte
    file = tmp_path / "odd.json"
    file.write_bytes(bytes(data))
    try:
        card_imports.import_card_pool(GAME, KINDS["mtgjson"], file, bundled=most_bundled)
    except UserError:
        return
    open_catalog(GAME, bundled=most_bundled)


def test_progress_tells_every_byte_once(take: Take) -> None:
    for content in (atomic(), packed(scryfall(), "gz"), packed(atomic(), "zip")):
        told: list[int] = []
        take(content, "some", advance=told.append)
        assert len(content) <= sum(told) <= 2 * len(content)


def test_a_place_that_cannot_be_written_is_told(take: Take, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(UserError, match="can't be written"):
        take(atomic())


def test_own_cards_stay_beside_the_imported_ones(take: Take, store: Path) -> None:
    store.parent.mkdir(parents=True)
    store.write_text(
        '{"name":"My Own","mana_value":3}\n{"name":"tin kite","mana_value":9}\n', encoding="utf-8"
    )
    taken = take(atomic({"Tin Kite": ATOMIC["Tin Kite"]}))
    assert (taken.added, taken.changed) == (0, 1)
    cards = [json.loads(line) for line in store.read_text("utf-8").splitlines()]
    assert [(one["name"], one["mana_value"]) for one in cards] == [("My Own", 3), ("Tin Kite", 2)]


def test_a_spoilt_table_is_told_with_its_line(take: Take, store: Path) -> None:
    store.parent.mkdir(parents=True)
    store.write_text('{"name":"My Own"}\n\n{"name":', encoding="utf-8")
    with pytest.raises(UserError) as caught:
        take(atomic())
    assert (caught.value.problems[0].path, caught.value.problems[0].line) == (str(store), 3)


def test_the_imported_cards_come_before_the_bundled_ones(take: Take, bundle: Path) -> None:
    (bundle / "cards.jsonl").write_text(
        '{"name":"Tin Kite","mana_value":7}\n{"name":"Old Kite"}\n', encoding="utf-8"
    )
    taken = take(atomic({"Tin Kite": ATOMIC["Tin Kite"]}))
    assert (taken.added, taken.changed) == (0, 1)
    table = open_catalog(GAME, bundled=bundle)
    assert table.find("Tin Kite")[0].facts["mana_value"] == 2 and len(table) == 2


def zipped(names: list[str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, atomic())
    return buffer.getvalue()


def test_a_zip_holds_one_file(take: Take) -> None:
    assert take(zipped(["folder/", "folder/AtomicCards.json"])).added == 9
    for names in ([], ["a.json", "b.json"]):
        with pytest.raises(UserError, match=rf"the ZIP file holds {len(names)} files"):
            take(zipped(names), "other.zip")


def test_the_directory_of_a_zip_is_bounded_before_it_is_read(
    take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = zipped([f"{'x' * 200}{number}.json" for number in range(100)])
    with pytest.raises(UserError, match="the ZIP file holds 100 files"):
        take(content, "many.zip")
    monkeypatch.setattr(json_stream, "_MOST_DIRECTORY", 20_000)
    with pytest.raises(UserError, match="with too many files"):
        take(content, "more.zip")


@pytest.mark.parametrize("how", PACKINGS)
def test_what_grows_beyond_measure_is_refused(how: str, take: Take, good: bytes, store: Path) -> None:
    bomb = packed(b'{"data": {"x": [' + b" " * 80_000_000 + b"]}}", how)
    assert len(bomb) < 1_000_000
    with pytest.raises(UserError, match=r"packed beyond all measure|too large"):
        take(bomb, f"bomb.{how}")
    assert store.read_bytes() == good


def test_one_endless_card_is_refused(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckcheck.importers.scryfall._MOST_CARD", 100_000)
    with pytest.raises(UserError, match="one entry is too large"):
        take(scryfall([printed("Kite", oracle_text="x" * 500_000)]))


def test_deep_nesting_is_refused(take: Take) -> None:
    deep = b"[" * (json_stream.MOST_DEPTH + 5) + b"]" * (json_stream.MOST_DEPTH + 5)
    with pytest.raises(UserError, match="nested too deeply"):
        take(b'[{"object": "card", "new": ' + deep + b"}]")


def test_a_whole_file_has_an_end(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MOST_BYTES", 1000)
    with pytest.raises(UserError, match="too large"):
        take(atomic())


def test_files_are_known_by_their_content(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for content, kind in (
        (atomic(), "mtgjson"),
        (b"\xef\xbb\xbf \n" + all_printings(), "mtgjson"),
        (scryfall(), "scryfall"),
        (b'{"name": "Own Card"}\n', None),
        (b"cards: []\n", None),
        (b"", None),
    ):
        file.write_bytes(content)
        found = kind_of(file)
        assert (found and found.id) == kind
        if kind is not None:
            file.write_bytes(gzip.compress(content))
            assert kind_of(file) == found
    file.write_bytes(gzip.compress(b'{"name": "Own Card"}'))
    with pytest.raises(UserError, match="--from"):
        kind_of(file)
    assert kind_named("Scryfall").id == "scryfall"
    with pytest.raises(UserError, match="choose from mtgjson, scryfall, ygopro"):
        kind_named("somebody")


def test_without_the_library_the_way_to_get_it_is_told(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ijson", None)
    with pytest.raises(UserError, match=r"deckcheck\[import\]"):
        take(atomic())
