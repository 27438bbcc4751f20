"""Fingerprints of many decks: the hashes of `model.finding.fingerprint`, of canonical JSON as an array of bytes."""

from hashlib import sha256

import numpy as np
import pyarrow as pa

from deckcheck.bulk.columns import Array
from deckcheck.bulk.deck_arrays import COPIES_BITS, Block
from deckcheck.model.card import Card
from deckcheck.support.hashes import canonical, message

_USUAL = 4
"""Up to this number of copies, a card and its number are one text."""
_TEXTS = _USUAL + 1
_MOST = (1 << COPIES_BITS) - 1


class Fingerprints:
    """Fingerprints of decks of a game. `zones` and `cards` are in canonical order.

    The JSON of a deck is composed of numbered texts: what is around the cards, numbers of copies, and for each card
    its name with 1 to 4 copies or none, as the first of its zone and after another.
    """

    def __init__(self, game: str, zones: tuple[str, ...], cards: tuple[Card, ...]) -> None:
        empty = message("deck", {"game": game, "cards": {}, "unknown": {}})
        head, end = empty.split(b"{}", 1)
        begins = [canonical(zone) + b":{" for zone in zones]
        self._around = [
            b"}}" + end,
            empty,
            *(head + b"{" + zone for zone in begins),
            *(b"}," + zone for zone in begins),
        ]
        self._zones = len(zones)
        self._first_card = len(self._around) + (1 << COPIES_BITS)
        self._cards = cards
        # Most texts are never used.
        self._text_cache = pa.array([], pa.large_binary())
        self._known = np.full(self._first_card + len(cards) * 2 * _TEXTS, -1, np.int32)

    def of(self, block: Block, wanted: Array) -> list[str | None]:
        """The fingerprints of the decks of a block; None for those that aren't wanted.

        Wanted decks must not have more copies of a card than COPIES_BITS can hold.
        """
        groups, copies = block.groups, block.copies
        many = np.flatnonzero(copies > _USUAL)
        codes = block.card * (2 * _TEXTS) + copies
        codes[many] -= copies[many]
        codes += self._first_card + _TEXTS
        codes[groups.start] -= _TEXTS
        is_first = np.diff(groups.deck, prepend=-1) > 0
        openings = 2 + groups.zone + np.where(is_first, 0, self._zones)
        lengths = np.bincount(groups.deck, weights=groups.length, minlength=block.size).astype(np.int64)
        # At the same place come the number of a row, the ends of decks, and the opening of a zone.
        places = np.concatenate([many + 1, np.cumsum(lengths), groups.start])
        others = np.concatenate([len(self._around) + (copies[many] & _MOST), lengths == 0, openings])
        codes = np.insert(codes, places, others)
        ends = np.flatnonzero(codes < 2)
        text = self._texts(codes)
        places = np.frombuffer(text.buffers()[1], np.int64)[np.append(0, ends + 1)].tolist()
        data = memoryview(text.buffers()[2])
        return [
            sha256(data[start:end]).hexdigest() if each else None
            for start, end, each in zip(places, places[1:], wanted.tolist(), strict=False)
        ]

    def _texts(self, codes: Array) -> pa.LargeBinaryArray:
        """The texts with these numbers."""
        known = self._known[codes]
        if len(known) and known.min() < 0:
            new = np.unique(codes[known < 0])
            self._known[new] = np.arange(len(new)) + len(self._text_cache)
            made = pa.array(map(self._text, new.tolist()), pa.large_binary())
            self._text_cache = pa.concat_arrays([self._text_cache, made])
            known = self._known[codes]
        return self._text_cache.take(pa.array(known))

    def _text(self, code: int) -> bytes:
        if code < len(self._around):
            return self._around[code]
        if code < self._first_card:
            return b"%d" % (code - len(self._around))
        place, copies = divmod(code - self._first_card, _TEXTS)
        number, is_behind = divmod(place, 2)
        return (
            b"," * is_behind
            + canonical(self._cards[number].name)
            + b":"
            + (b"%d" % copies if copies else b"")
        )
