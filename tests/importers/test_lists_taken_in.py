"""Lists of other people, merged into dated lists of one's own by `deckcheck banlists import`."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_here
from factories.lflist import lflist
from factories.mtgjson import atomic, entry
from factories.ygopro_files import cdb, packed

from deckcheck.formats.loading import load_game
from deckcheck.importers.card_imports import import_card_pool
from deckcheck.importers.source_kinds import KINDS
from deckcheck.support.documents import load_yaml, require_shape

pytestmark = pytest.mark.usefixtures("fewer_cards")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return lflist(tmp_path)


@pytest.fixture
def paper(tmp_path: Path) -> None:
    """The cards of the sample database are the user's own."""
    import_card_pool(load_game("yugioh"), KINDS["ygopro"], cdb(tmp_path / "cards.cdb"))


Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`deckcheck banlists import` in a folder of its own; what it prints, and its status with `status=`."""
    monkeypatch.chdir(tmp_path)

    def running(*arguments: object, status: int = 0, lang: str = "en") -> str:
        ended = run_here("banlists", "import", *arguments, "--lang", lang)
        said = "".join(capsys.readouterr())
        assert ended == status, said
        return said

    return running


def entries(path: Path) -> dict[str, list[tuple[str, str]]]:
    """The history of each card in a list, which keeps to the schema."""
    document = load_yaml(path)
    require_shape(document, "banlist")
    return {
        one["card"]: [(change["from"], change["status"]) for change in one["history"]]
        for one in document.data["cards"]
    }


@pytest.mark.usefixtures("paper")
def test_a_list_becomes_a_dated_one(file: Path, run: Run, tmp_path: Path) -> None:
    said = run(file, "--to", "lists", "--list", "ocg", "--id", "club/paper")
    path = tmp_path / "lists" / "club" / "paper.yaml"
    assert (
        said
        == f"club/paper (from 2026-10-01): 3 added, 0 changed, 0 removed, 0 unchanged: {Path('lists/club/paper.yaml')}\n"
    )
    assert entries(path) == {
        "Fused Paper": [("2026-10-01", "limited")],
        "Paper Dragon": [("2026-10-01", "forbidden")],
        "Swinging Paper": [("2026-10-01", "semi-limited")],
    }
    assert load_yaml(path).data["complete_through"] == "2026-10-01"


@pytest.mark.usefixtures("paper")
def test_the_next_list_keeps_the_history(file: Path, run: Run, tmp_path: Path) -> None:
    run(file, "--to", "lists", "--list", "ocg", "--id", "club/paper")
    later = tmp_path / "later.conf"
    later.write_text("!2027.1.1 OCG\n100 0\n200 2\n1000 0\n", encoding="utf-8")
    said = run(later, "--to", "lists", "--id", "club/paper")
    assert "1 added, 1 changed, 1 removed, 1 unchanged" in said
    path = tmp_path / "lists" / "club" / "paper.yaml"
    after = {
        "Fused Paper": [("2026-10-01", "limited"), ("2027-01-01", "semi-limited")],
        "Paper Dragon": [("2026-10-01", "forbidden")],
        "Swinging Paper": [("2026-10-01", "semi-limited"), ("2027-01-01", "free")],
        "Lady Paper": [("2027-01-01", "forbidden")],
    }
    assert entries(path) == after
    assert load_yaml(path).data["complete_through"] == "2027-01-01"
    # The same again, or the older one again, changes nothing.
    written = path.read_bytes()
    run(later, "--to", "lists", "--id", "club/paper")
    run(file, "--to", "lists", "--list", "ocg", "--id", "club/paper")
    assert path.read_bytes() == written


@pytest.mark.usefixtures("paper")
def test_the_bundled_list_is_what_goes_before(file: Path, run: Run, tmp_path: Path) -> None:
    run(file, "--to", "lists", "--list", "ocg", "-q")
    path = tmp_path / "lists" / "yugioh" / "ocg.yaml"
    found = entries(path)
    bundled = entries(Path(__file__).parents[2] / "banlists/yugioh/ocg.yaml")["Pot of Greed"]
    assert bundled[-1][1] == "forbidden" and found["Pot of Greed"] == [*bundled, ("2026-10-01", "free")]
    assert found["Paper Dragon"] == [("2026-10-01", "forbidden")]
    assert (
        load_yaml(path).data["name"]
        == load_yaml(Path(__file__).parents[2] / "banlists/yugioh/ocg.yaml").data["name"]
    )


@pytest.mark.usefixtures("paper")
def test_unknown_passcodes_are_told_and_the_list_is_not_complete(
    file: Path, run: Run, tmp_path: Path
) -> None:
    said = run(file, "--to", "lists", "--list", "TCG", "--since", "2026-11-03", "--id", "club/tcg")
    assert "skipped (no single card with this name in the card table): 999999" in said
    path = tmp_path / "lists" / "club" / "tcg.yaml"
    assert entries(path) == {"Paper Dragon": [("2026-11-03", "forbidden")]}
    assert "complete_through" not in load_yaml(path).data


def test_what_cannot_be_taken_in(file: Path, run: Run, tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        return run(file, *arguments, status=2)

    assert "“Plain list” has no date" in refused("--to", "lists")
    assert "import the cards first" in refused("--list", "ocg", "--to", "lists")
    assert "there is no “xyz”" in refused("--list", "xyz")
    assert "there are 3" in refused("--id", "a/b")
    assert "“2026-02-30” is not a valid date" in refused("--since", "2026-02-30")
    assert "unknown source 'nobody'" in refused("--from", "nobody")
    assert not (tmp_path / "lists").exists()


@pytest.fixture
def magic(tmp_path: Path) -> Callable[[dict[str, dict[str, str]]], Path]:
    """A file with the legalities given by card, whose cards are the user's own."""

    def made(cards: dict[str, dict[str, str]], date: str | None = "2026-11-20") -> Path:
        path = tmp_path / "AtomicCards.json.gz"
        data = {name: [entry(name, legalities=said)] for name, said in cards.items()}
        path.write_bytes(packed(atomic(data, date), "gz"))
        import_card_pool(load_game("magic"), KINDS["mtgjson"], path)
        return path

    return made


def test_every_format_of_the_data_becomes_a_list(magic: Any, run: Run, tmp_path: Path) -> None:
    run(
        magic({"Tin Kite": {"modern": "Banned", "oldtimes": "Restricted"}, "Bell": {"modern": "Legal"}}),
        "--to",
        "lists",
    )
    assert entries(tmp_path / "lists/magic/oldtimes.yaml") == {"Tin Kite": [("2026-11-20", "restricted")]}
    modern = entries(tmp_path / "lists/magic/modern.yaml")
    assert modern["Tin Kite"] == [("2026-11-20", "banned")]
    # The new data doesn't speak of this one, so nobody knows whether it is free.
    assert modern["Skullclamp"] == [("2011-08-12", "banned")]
    said = run(
        magic({"Tin Kite": {"modern": "Legal"}, "Bell": {"modern": "Banned"}}, "2026-12-01"), "--to", "lists"
    )
    assert "1 added, 0 changed, 1 removed" in said and "not mentioned in the new data): " in said
    modern = entries(tmp_path / "lists/magic/modern.yaml")
    assert modern["Tin Kite"] == [("2026-11-20", "banned"), ("2026-12-01", "free")]
    assert modern["Bell"] == [("2026-12-01", "banned")]


def test_the_list_is_found_by_the_format(magic: Any, run: Run, tmp_path: Path) -> None:
    """Written where the settings say, it stands in place of the bundled one."""
    from deckcheck.checking.judge import load_format
    from deckcheck.config.settings import settings_for

    (tmp_path / "deckcheck.toml").write_text('banlists = ["own lists"]\n', encoding="utf-8")
    (tmp_path / "own lists").mkdir()
    run(magic({"Skullclamp": {"modern": "Legal"}, "Bell": {"modern": "Banned"}}))
    assert (tmp_path / "own lists" / "magic" / "modern.yaml").is_file()
    (used,) = load_format("magic/modern", folders=settings_for(["."]).folders).format.banlists
    listed = {
        next(iter(entry.sides[0])): [change.status for change in entry.history] for entry in used.entries
    }
    assert listed["Bell"] == ["banned"] and listed["Skullclamp"] == ["banned", "free"]


def test_what_stands_in_an_own_list_stays(magic: Any, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lists" / "mine.yaml"
    path.parent.mkdir()
    path.write_text(
        "banlist: magic/modern\nname: {ja: 私の一覧, en: 'Mine: \"all\"'}\n"
        "source: {title: T, editions: [{edition: '1', date: 2020-01-01}]}\n"
        "unconfirmed:\n  seen_by: 2026-01-01\n  changes:\n    - {card: Bell, from: free, to: banned}\n"
        "    - {card: Tin Kite, from: free, to: banned}\n"
        "cards:\n  - card: bell\n    history:\n      - {from: 2020-01-01, status: banned}\n"
        "      - {from: 2021-01-01, status: free}\n"
        "combinations:\n  - sides: [[Bell], [Tin Kite]]\n    history: [{from: 2022-02-02, status: banned}]\n",
        encoding="utf-8",
    )
    before = load_yaml(path).data
    run(magic({"Bell": {"modern": "Banned"}, "Tin Kite": {"modern": "Legal"}}), "--to", "lists")
    data = load_yaml(path).data
    assert {key: data[key] for key in ("name", "source", "combinations")} == {
        key: before[key] for key in ("name", "source", "combinations")
    }
    assert [one["card"] for one in data["unconfirmed"]["changes"]] == ["Tin Kite"]
    assert entries(path) == {
        "bell": [("2020-01-01", "banned"), ("2021-01-01", "free"), ("2026-11-20", "banned")]
    }


def test_a_disk_that_is_full_leaves_the_old_list(
    magic: Any, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(magic({"Bell": {"modern": "Banned"}}), "--to", "lists")
    path = tmp_path / "lists/magic/modern.yaml"
    before = path.read_bytes()
    newer = magic({"Bell": {"modern": "Legal"}, "Tin Kite": {"modern": "Banned"}}, "2026-12-01")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr("deckcheck.importers.banlist_updates.write_atomically", full)
    assert "can't be written: No space left" in run(newer, "--to", "lists", status=2)
    assert path.read_bytes() == before and [*path.parent.iterdir()] == [path]


def test_in_japanese(magic: Any, run: Run) -> None:
    path = magic({"Bell": {"modern": "Banned"}})
    said = run(path, "--to", "lists", lang="ja")
    assert said.startswith("magic/modern（2026-11-20から）: 追加1枚、変更0枚、解除0枚、変更なし0枚: ")
    assert "新しいデータにないので前のままです" in said
