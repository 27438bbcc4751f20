"""Takes a large file of somebody else's cards into the user's own: all of it or nothing, and in little memory."""

import contextlib
import itertools
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.assemble import gather
from deckcheck.cards.check import Vocabulary, vocabulary
from deckcheck.cards.importers.fit import Unknown
from deckcheck.cards.importers.found import LeftOut, Stamp
from deckcheck.cards.importers.kinds import Kind, source
from deckcheck.cards.importers.settle import Told, earlier, forget_earlier, remember, settled
from deckcheck.cards.importers.staging import Staging, cannot_keep, forget, identity
from deckcheck.cards.places import imported_file, sources_of
from deckcheck.cards.record import normal
from deckcheck.cards.source import MOST_BYTES, MOST_CARDS, MOST_LINE, each_card
from deckcheck.cards.userdata import ImportResult
from deckcheck.model.game import Game
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import cannot_read, write_atomically
from deckcheck.support.messages import _

Advance = Callable[[int], None]


class Taken(NamedTuple):
    """What became of a file: what it did to the table, and what of it isn't there, and why.

    `date` is the day of the data, as far as it is told; `resumed` how many
    things had been read by an import that was cut off. `left_out` counts by
    reason.
    """

    result: ImportResult
    date: str | None
    resumed: int
    left_out: Mapping[str, int]
    told: Told


def take_in(
    game: Game,
    kind: Kind,
    file: Path,
    advance: Advance = lambda _unused: None,
    *,
    bundled: Path | None = None,
) -> Taken:
    """Adds the cards of `file` to the user's own, all of them or none.

    A card that is known already is replaced; other names and printings of it
    of which the file says nothing are kept. What was read is kept beside the
    table until all is done, and used again when the same file is given.
    `advance` is told how many more bytes of the file are done. Raises UserError
    when the file is broken, or when something can't be written.
    """
    from filelock import FileLock, Timeout

    store = imported_file(game)
    place = store.with_name(".import.sqlite")
    try:
        of = identity(file, kind.id)
    except OSError as error:
        raise cannot_read(file, error) from error
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(store.with_name(".import.lock"), timeout=0):
            return _taken(game, kind, file, of, place, advance, bundled)
    except Timeout as error:
        raise wrong(
            _("another import is going on"),
            path=str(store),
            hint=_("wait for it to end, and try again"),
        ) from error
    except (sqlite3.Error, OSError) as error:
        raise cannot_keep(store, error) from error


def _taken(
    game: Game, kind: Kind, file: Path, of: str, place: Path, advance: Advance, bundled: Path | None
) -> Taken:
    module = source(kind)
    staging = Staging(place, of, module.UNITED)
    try:
        resumed = staging.done
        if not staging.complete:
            try:
                for found in itertools.islice(module.read(file, advance), resumed, None):
                    staging.add(found if isinstance(found, LeftOut | Stamp) else module.card_of(found))
            except UserError:
                # A broken file won't be whole another time.
                staging.close()
                forget(place)
                raise
            staging.finish()
        some = module.PRINTINGS_MAY_MISS and not staging.repeated
        told = Told([], [], Unknown())
        result = _stored(game, staging, told, bundled, some)
        taken = Taken(result, staging.date, resumed, dict(staging.left_out), told)
    except sqlite3.DatabaseError as error:
        if not isinstance(error, sqlite3.OperationalError):
            # Spoilt, so that the next one begins anew.
            staging.close()
            forget(place)
        raise
    finally:
        staging.close()
    with contextlib.suppress(OSError):
        forget(place)
    return taken


def _stored(game: Game, staging: Staging, told: Told, bundled: Path | None, some: bool) -> ImportResult:
    words = vocabulary(game)
    store = imported_file(game)
    _remember_all(game, staging, words, store, bundled)
    added = changed = unchanged = size = 0
    lines: dict[str, bytes] = {}
    for record in settled(staging, words, told, some_printings=some):
        plain = normal(record, game)
        key = words.fold(record["name"])
        line = _line(plain)
        if len(line) > MOST_LINE:
            staging.left_out["flawed"] += 1
            continue
        known = earlier(staging, key)
        added += known is None
        unchanged += known == plain
        changed += known is not None and known != plain
        lines[key] = line
    if not lines:
        raise wrong(_("there is no card in it"))
    written: list[bytes] = []
    for line in itertools.chain(_others(staging, lines), lines.values()):
        written.append(line)
        size += len(line)
        if size > MOST_BYTES:
            raise wrong(
                _("would grow too large (at most {most_bytes:,} bytes)", most_bytes=MOST_BYTES),
                path=str(store),
            )
    if len(written) > MOST_CARDS:
        raise wrong(_("too many cards (at most {most_cards:,})", most_cards=MOST_CARDS))
    # Only the staging is needed from here on if this fails.
    staging.database.rollback()
    write_atomically(store, b"".join(written), durable=True)
    return ImportResult(added, changed, unchanged, store)


def _remember_all(game: Game, staging: Staging, words: Vocabulary, store: Path, bundled: Path | None) -> None:
    """Put the table as it was beside what was read, so that never all of it is in memory."""
    forget_earlier(staging)
    sources = sources_of(game, (), bundled)
    before = gather(game, sources._replace(imported=store.with_name(".none")))
    for key, item in before.cards.items():
        remember(staging, key, normal(item.record, game), own=False)
    if store.exists():
        for item in each_card(store, words):
            remember(staging, words.fold(item.record["name"]), normal(item.record, game), own=True)


def _others(staging: Staging, new: Mapping[str, Any]) -> Iterator[bytes]:
    """The user's own cards of which the file says nothing."""
    for key, record in staging.database.execute("SELECT key, record FROM earlier WHERE own ORDER BY key"):
        if key not in new:
            yield _line(json.loads(record))


def _line(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
