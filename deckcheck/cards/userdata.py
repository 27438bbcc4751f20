"""The user's own cards, imported once and there in every later run: from a card file, or from somebody else's data."""

import contextlib
import itertools
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards.cardfile import (
    MOST_BYTES,
    MOST_CARDS,
    MOST_LINE,
    Record,
    Vocabulary,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.compile import arrange, gather
from deckcheck.cards.corrections import Cards
from deckcheck.cards.importers.merge import Merge, Notes
from deckcheck.cards.importers.registry import Kind
from deckcheck.cards.importers.staging import Staging, identity, remove
from deckcheck.cards.importers.stream import Advance
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.game import Game
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_read, cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _


class ImportResult(NamedTuple):
    """What an import did to the table as it was before, by numbers of cards; `path` is the store."""

    added: int
    changed: int
    unchanged: int
    path: Path


class BulkImport(NamedTuple):
    """What a large file did to the table, and what was left out, by reason.

    `date` is the day of the data, where it is stated; `resumed` says how many
    entries had been read by an import that was cut off.
    """

    result: ImportResult
    date: str | None
    resumed: int
    left_out: Mapping[str, int]
    notes: Notes


def import_cards(game: Game, file: Path, *, bundled: Path | None = None) -> ImportResult:
    """Add the cards of a card file to the user's own, all of them or none; a card that is known is replaced.

    `bundled` is another folder of the game's own files. Raises UserError when
    anything in `file` is wrong, or when the store can't be written.
    """
    words = vocabulary(game)
    new = _read(file, words)
    before = gather(game, sources_of(game, (), bundled))
    # The cards that a card is made of may be in any of the sources.
    arrange(game, before._replace(cards=before.cards | new))
    store = imported_file(game)
    kept = _read(store, words) if store.exists() else {}
    known, stored, merged = _plain(before.cards), _plain(kept), _plain(kept | new)
    if merged != stored:
        try:
            _store(store, [line_of(record) for record in merged.values()])
        except OSError as error:
            raise cannot_write(store, error) from error
    added = sum(key not in known for key in new)
    unchanged = sum(known.get(key) == record for key, record in _plain(new).items())
    return ImportResult(added, len(new) - added - unchanged, unchanged, store)


def _read(path: Path, words: Vocabulary) -> Cards:
    found = read_cards(path, read_bytes(path, most=MOST_BYTES), words)
    return {words.fold(item.record["name"]): item for item in found}


def _plain(cards: Cards) -> dict[str, Record]:
    return {key: normal(item.record) for key, item in cards.items()}


def _store(path: Path, lines: list[bytes]) -> None:
    """Write a card file. Raises OSError, and UserError where it would be too large."""
    if len(lines) > MOST_CARDS:
        raise too_many_cards()
    data = b"".join(lines)
    if len(data) > MOST_BYTES:
        raise user_error(_("would grow too large (at most {most:,} bytes)", most=MOST_BYTES), path=str(path))
    write_atomically(path, data, durable=True)


def import_bulk(
    game: Game,
    kind: Kind,
    file: Path,
    advance: Advance = lambda _count: None,
    *,
    bundled: Path | None = None,
) -> BulkImport:
    """Add the cards of a large file of somebody else's to the user's own, all of them or none, in little memory.

    A card that is known is replaced, but keeps other names and printings. An
    import that was cut off goes on where it was when the same file is given.
    `advance` gets how many more bytes of the file are done. Raises UserError
    when the file is broken, or when something can't be written.
    """
    from filelock import FileLock, Timeout

    store = imported_file(game)
    try:
        file_id = identity(file, kind.id)
    except OSError as error:
        raise cannot_read(file, error) from error
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(store.with_name(".import.lock"), timeout=0):
            return _imported(game, kind, file, file_id, advance, bundled)
    except Timeout as error:
        hint = _("wait for it to finish, then try again")
        raise user_error(_("another import is running"), path=str(store), hint=hint) from error
    except sqlite3.Error as error:
        raise user_error(_("can't be written: {reason}", reason=str(error)), path=str(store)) from error
    except OSError as error:
        raise cannot_write(store, error) from error


def _imported(
    game: Game, kind: Kind, file: Path, file_id: str, advance: Advance, bundled: Path | None
) -> BulkImport:
    place = imported_file(game).with_name(".import.sqlite")
    staging = Staging(place, file_id, kind.united)
    resumed, keep = staging.done, True
    try:
        if not staging.complete:
            for found in itertools.islice(kind.source.read(file, advance), resumed, None):
                staging.add(found)
            staging.finish()
        some_printings = kind.some_printings and not staging.repeated
        merge = Merge(game, staging, bundled, some_printings=some_printings)
        result = _merged(imported_file(game), merge, staging)
        keep = False
    except UserError:
        # A broken file won't be whole another time.
        keep = staging.complete
        raise
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        # Damaged, so the next import begins anew.
        keep = False
        raise
    finally:
        staging.close()
        if not keep:
            with contextlib.suppress(OSError):
                remove(place)
    return BulkImport(result, staging.date, resumed, dict(staging.left_out), merge.notes)


def _merged(store: Path, merge: Merge, staging: Staging) -> ImportResult:
    added = changed = unchanged = 0
    new: dict[str, bytes] = {}
    for record in merge.cards():
        plain = normal(record)
        line = line_of(plain)
        if len(line) > MOST_LINE:
            staging.left_out["flawed"] += 1
            continue
        key = merge.words.fold(record["name"])
        known = merge.earlier.record(key)
        added += known is None
        unchanged += known == plain
        changed += known is not None and known != plain
        new[key] = line
    if not new:
        raise user_error(_("it holds no card"))
    # The user's own cards of which the file says nothing stay.
    _store(store, [*(merge.earlier.line(key) for key in merge.earlier.own if key not in new), *new.values()])
    return ImportResult(added, changed, unchanged, store)
