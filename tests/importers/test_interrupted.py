"""Taking a large file in goes on where it was cut off, and leaves the old table or the new one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.card_imports import Take, left_beside
from factories.mtgjson import atomic
from factories.scryfall import DEFAULT, printed, scryfall

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers import card_imports
from deckcheck.importers.source_kinds import KINDS
from deckcheck.support.errors import UserError

GAME = load_game("magic")


class Stop(BaseException):
    """As a kill: nothing catches it."""


def interrupted(monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> list[int]:
    """Raise on the `at`-th write: of an entry of the journal, of the table, of its new name."""
    calls = [0]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            calls[0] += 1
            if calls[0] == at:
                raise error
            return real(*args, **more)

        return call

    monkeypatch.setattr(card_imports.Journal, "add", counted(card_imports.Journal.add))
    monkeypatch.setattr(os, "fsync", counted(os.fsync))
    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    return calls


@pytest.mark.parametrize(
    "error",
    [Stop(), OSError(errno.ENOSPC, "No space left")],
    ids=["kill", "disk"],
)
def test_whatever_breaks_at_whichever_write_the_table_is_the_old_or_the_new(
    error: BaseException, tmp_path: Path, good: bytes, take: Take, store: Path
) -> None:
    monkeypatch = pytest.MonkeyPatch()
    content = scryfall(DEFAULT)
    (tmp_path / "cards.json").write_bytes(content)
    with monkeypatch.context() as patch:
        patch.setattr(card_imports, "_STEP", 4)
        writes = interrupted(patch, 10**9, error)
        take(content)
    new = store.read_bytes()
    assert new != good and writes[0] > 15
    for at in range(1, writes[0] + 1):
        store.write_bytes(good)
        with monkeypatch.context() as patch:
            patch.setattr(card_imports, "_STEP", 4)
            interrupted(patch, at, error)
            expected = (UserError,) if isinstance(error, OSError) else (type(error),)
            with pytest.raises(expected):
                take(content)
        # The last write of all is of the folder, when the new table is there.
        assert store.read_bytes() in (good, new)
        assert store.read_bytes() == good or at >= writes[0] - 1
        # And it goes on from there.
        with monkeypatch.context() as patch:
            patch.setattr(card_imports, "_STEP", 4)
            take(content)
        assert store.read_bytes() == new and not left_beside(store)


KILLED = """
import os, signal, sys
from pathlib import Path
from deckcheck.importers import card_imports
from deckcheck.importers.source_kinds import KINDS
from deckcheck.formats.loading import load_game
card_imports._STEP = 3
left = int(sys.argv[2])
def killing(real):
    def call(*args, **more):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **more)
    return call
card_imports.Journal.add = killing(card_imports.Journal.add)
Path.replace = killing(Path.replace)
bundled = Path(sys.argv[3]) if sys.argv[3:] else None
card_imports.import_card_pool(load_game("magic"), KINDS["scryfall"], Path(sys.argv[1]), bundled=bundled)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("at", [1, 5, 8, 13, 15, 16, 17])
def test_a_killed_import_leaves_a_good_table_and_the_next_one_goes_on(
    at: int, tmp_path: Path, most_bundled: Path | None
) -> None:
    file = tmp_path / "cards.json"
    file.write_bytes(scryfall(DEFAULT))
    command = [
        sys.executable,
        "-c",
        KILLED,
        str(file),
        str(at),
        *([] if most_bundled is None else [str(most_bundled)]),
    ]
    done = subprocess.run(command, timeout=60, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    store = tmp_path / "data" / "magic" / "cards.jsonl"
    assert not store.exists()
    open_catalog(GAME, bundled=most_bundled)
    taken = card_imports.import_card_pool(GAME, KINDS["scryfall"], file, bundled=most_bundled)
    assert (taken.resumed > 0) == (at > 1)
    assert len(store.read_bytes().splitlines()) == 9 and taken.left_out["token"] == 1


def test_what_was_read_is_used_again_for_the_same_file_only(
    take: Take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = scryfall(DEFAULT)
    whole = take(content)
    expected = whole.path.read_bytes()
    whole.path.unlink()
    monkeypatch.setattr(card_imports, "_STEP", 5)

    def cut(at: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            interrupted(patch, at, Stop())
            with pytest.raises(Stop):
                take(content)

    cut(9)
    again = take(content)
    assert again.resumed == 8 and again.left_out == whole.left_out
    assert again.path.read_bytes() == expected
    again.path.unlink()
    cut(9)
    # A touched file may be another one.
    os.utime(tmp_path / "cards.json", ns=(1, 1))
    assert take(content).resumed == 0
    whole.path.unlink()
    cut(9)
    assert take(scryfall([*DEFAULT, printed("One More")])).resumed == 0


def test_a_finished_reading_is_not_repeated(take: Take, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            card_imports,
            "write_atomically",
            lambda *_, **__: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")),
        )
        with pytest.raises(UserError, match=r"can't be written: full"):
            take(atomic())
    told: list[int] = []
    monkeypatch.setattr("deckcheck.importers.mtgjson.read", lambda *_: pytest.fail("read again"))
    assert take(atomic(), advance=told.append).resumed == 11
    assert store.exists() and not told


@pytest.mark.parametrize("harm", ["rubbish", "empty", "torn", "flipped", "zeros"])
def test_what_was_kept_and_spoilt_meanwhile_is_read_anew(harm: str, take: Take, store: Path) -> None:
    whole = take(scryfall(DEFAULT))
    expected = store.read_bytes()
    store.unlink()
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, 12, Stop())
        with pytest.raises(Stop):
            take(scryfall(DEFAULT))
    journal = store.parent / ".import.journal"
    kept = journal.read_bytes()
    lines = kept.splitlines(keepends=True)
    middle = len(b"".join(lines[:6])) + 60
    journal.write_bytes(
        {
            "rubbish": b"SQLite format 3\0 and then rubbish\n" * 100,
            "empty": b"",
            "torn": kept[:middle],
            "flipped": kept[:middle] + bytes([kept[middle] ^ 1]) + kept[middle + 1 :],
            "zeros": kept[:middle] + bytes(len(kept) - middle),
        }[harm]
    )
    again = take(scryfall(DEFAULT))
    assert again.resumed == (0 if harm in ("rubbish", "empty") else 5)
    assert again.left_out == whole.left_out
    assert store.read_bytes() == expected and not left_beside(store)


def test_two_imports_at_once(take: Take, good: bytes, store: Path) -> None:
    from filelock import FileLock

    with (
        FileLock(store.with_name(".import.lock")),
        pytest.raises(UserError, match="another import is running"),
    ):
        take(atomic())
    assert store.read_bytes() == good
