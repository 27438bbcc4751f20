"""Lists of other people: what is read of them, and what becomes of a history."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from factories.lflist import lflist
from factories.mtgjson import atomic, entry
from factories.scryfall import printed, scryfall
from factories.ygopro_files import cdb, packed
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.importers.banlist_updates import history_with, status_on
from deckcheck.importers.source_kinds import KINDS, day_in, list_kind_of, month_in
from deckcheck.importers.yugioh import banlists as read_lists
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import UserError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return lflist(tmp_path)


def test_the_lists_of_an_lflist(file: Path) -> None:
    ocg, tcg, plain = read_lists(file)
    assert (ocg.id, ocg.title, ocg.date) == ("ocg", "2026.10.1 OCG", "2026-10-01")
    assert ocg.statuses == {"100": "forbidden", "200": "limited", "300": "semi-limited"} and ocg.free is None
    # The format calls this list otherwise, and a month is no day.
    assert (tcg.id, tcg.undated_title, tcg.date, tcg.month_only) == ("advanced", "TCG", "2026-11-01", True)
    assert not ocg.month_only and ocg.others is None
    assert (plain.id, plain.date, plain.others) == ("plain-list", None, "forbidden")
    assert plain.statuses == {"100": FREE_STATUS}


def test_comments_and_lists_that_count_in_another_way(tmp_path: Path) -> None:
    path = tmp_path / "lflist.conf"
    path.write_text("!2026.3 A\n-- forbidden\n//\n100 0\n!2026.03 B\n$genesys\n100 33 -- points\n", "utf-8")
    one, other = read_lists(path)
    assert (one.statuses, one.refused, one.date) == ({"100": "forbidden"}, None, "2026-03-01")
    assert other.refused is not None and other.statuses == {}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("100 0\n", 1, "before the name of a list"),
        ("!A\n100\n", 2, "not a line with a passcode"),
        ("!A\n100 0\n\n100 1\n", 4, "another number of copies"),
        ("!A\n100 4\n", 2, "0 to 3: 4"),
        ("!A\n100 -1\n", 2, "0 to 3: -1"),
        ("!A\nBlue Dragon 1\n", 2, "not a line with a passcode"),
        ("# nothing\n", None, "contains no list"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    path = tmp_path / "lflist.conf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said) as caught:
        read_lists(path)
    assert caught.value.problems[0].line == line


@given(st.binary(max_size=300))
def test_any_bytes_are_lists_or_a_mistake(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lflist.conf"
        path.write_bytes(data)
        try:
            lists = read_lists(path)
        except UserError:
            return
        assert lists


def test_legalities_are_a_list_a_format(tmp_path: Path) -> None:
    path = tmp_path / "AtomicCards.json"
    data = {
        "A": [entry("A", legalities={"modern": "Banned", "vintage": "Restricted", "legacy": "Legal"})],
        "B": [entry("B", legalities={"modern": "Legal", "vintage": "Legal"})],
        "C": [entry("C", legalities=None)],
        "A-A": [entry("A-A", isRebalanced=True, legalities={"modern": "Banned"})],
    }
    path.write_bytes(atomic(data))
    modern, vintage = KINDS["mtgjson"].source.banlists(path, lambda _: None)
    assert (modern.id, modern.date, modern.statuses) == ("modern", "2026-11-20", {"A": "banned"})
    assert modern.free == {"B"}
    assert vintage.statuses == {"A": "restricted"} and vintage.free == {"B"}


def test_the_file_name_tells_the_day_of_scryfall(tmp_path: Path) -> None:
    path = tmp_path / "default-cards-20261118100506.json"
    # A printing that is legal nowhere says nothing of the card.
    path.write_bytes(
        scryfall(
            [
                printed("A", legalities={"modern": "banned"}),
                printed("A", "gld", legalities={"modern": "not_legal"}),
            ]
        )
    )
    (modern,) = KINDS["scryfall"].source.banlists(path, lambda _: None)
    assert (modern.date, modern.statuses, modern.free) == ("2026-11-18", {"A": "banned"}, frozenset())


def test_days_in_names() -> None:
    assert day_in("2024.4.8 TCG") == "2024-04-08"
    assert day_in("oracle-cards-20261118100506.json") == "2026-11-18"
    assert day_in("from 2024/12/09") == "2024-12-09"
    for none in ("2024.12 TCG", "GOAT", "2024.13.45", "12024-01-01", ""):
        assert day_in(none) is None, none
    assert month_in("2024.12 TCG") == "2024-12-01" and month_in("GOAT 2005-4") == "2005-04-01"
    for none in ("2024.13 TCG", "2024", "12024.1", "2024.123", "2024.4.31", ""):
        assert month_in(none) is None, none


HISTORIES = st.dictionaries(
    st.dates().map(str), st.sampled_from(["banned", "restricted", FREE_STATUS]), max_size=6
).map(lambda days: history_of(sorted(days.items())))


def history_of(changes: list[tuple[str, str]]) -> list[dict[str, str]]:
    made: list[dict[str, str]] = []
    for day, status in changes:
        if status != (made[-1]["status"] if made else FREE_STATUS):
            made.append({"from": day, "status": status})
    return made


@given(HISTORIES, st.dates().map(str), st.sampled_from(["banned", "restricted", FREE_STATUS]))
def test_a_history_with_one_day_more(history: list[dict[str, str]], day: str, status: str) -> None:
    made = history_with(history, day, status)
    assert status_on(made, day) == status
    # What was told of every day before stays, and what was told for a later day as well.
    days = sorted({one["from"] for one in history} | {one["from"] for one in made})
    for other in days:
        if other < day or (other > day and any(day < one["from"] <= other for one in history)):
            assert status_on(made, other) == status_on(history, other)
    statuses = [FREE_STATUS, *(one["status"] for one in made)]
    assert all(one != other for one, other in itertools.pairwise(statuses))
    assert [one["from"] for one in made] == sorted({one["from"] for one in made})
    assert history_with(made, day, status) == made
    if status_on(history, day) == status:
        assert made == history


def test_another_kind_of_file_holds_no_lists(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content in (b"4 Mountain\n", b"{}", b"", packed(b"!A\n100 0\n", "gz")):
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"--from"):
            list_kind_of(path)
    with pytest.raises(UserError, match="not a file with banlists"):
        list_kind_of(cdb(tmp_path / "cards.cdb"))
    path.write_bytes(packed(b"cards: []", "gz"))
    with pytest.raises(UserError) as caught:
        list_kind_of(path)
    hint = caught.value.problems[0].hint
    assert hint is not None and hint.en.endswith("mtgjson, scryfall, lflist")
