"""The user's own cards: imported once, there in every later run."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.assemble import arrange, gather
from deckcheck.cards.check import Vocabulary, vocabulary
from deckcheck.cards.corrections import Cards
from deckcheck.cards.places import imported_file, sources_of
from deckcheck.cards.record import normal
from deckcheck.cards.source import MOST_BYTES, MOST_CARDS, read_cards
from deckcheck.model.game import Game
from deckcheck.support.errors import wrong
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _


class ImportResult(NamedTuple):
    """What an import did to the table as it was before, by numbers of cards; `path` is the store."""

    added: int
    changed: int
    unchanged: int
    path: Path


def import_cards(game: Game, file: Path, *, bundled: Path | None = None) -> ImportResult:
    """Adds the cards of `file` to the user's own, all of them or none.

    JSON lines, or YAML by the file's ending. A card that is known already is
    replaced. `bundled` is the folder of the game's own files, if not the
    shipped one. Raises UserError when anything in `file` is wrong, or when the
    store can't be written.
    """
    words = vocabulary(game)
    new = _read(file, words)
    before = gather(game, sources_of(game, (), bundled))
    # The names that a card is made of may stand in any of the sources.
    arrange(game, before._replace(cards=before.cards | new))
    path = imported_file(game)
    kept = _read(path, words) if path.exists() else {}
    merged = kept | new
    if len(merged) > MOST_CARDS:
        raise wrong(_("too many cards (at most {most_cards:,})", most_cards=MOST_CARDS))
    if _plain(merged, game) != _plain(kept, game):
        _store(path, _plain(merged, game))
    known = _plain(before.cards, game)
    added = sum(key not in known for key in new)
    unchanged = sum(known.get(key) == record for key, record in _plain(new, game).items())
    return ImportResult(added, len(new) - added - unchanged, unchanged, path)


def _read(path: Path, words: Vocabulary) -> Cards:
    found = read_cards(path, read_bytes(path, most=MOST_BYTES), words)
    return {words.fold(item.record["name"]): item for item in found}


def _plain(cards: Cards, game: Game) -> dict[str, dict[str, Any]]:
    return {key: normal(item.record, game) for key, item in cards.items()}


def _store(path: Path, records: dict[str, dict[str, Any]]) -> None:
    lines = "".join(
        json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records.values()
    )
    data = lines.encode()
    if len(data) > MOST_BYTES:
        raise wrong(
            _("would grow too large (at most {most_bytes:,} bytes)", most_bytes=MOST_BYTES),
            path=str(path),
        )
    try:
        write_atomically(path, data)
    except OSError as error:
        raise cannot_write(path, error) from error
