"""`deckcheck impact` for stored decks: compares each deck that a change may affect, as it does lists."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import pyarrow as pa

from deckcheck.analysis.impact import Impact, Transition
from deckcheck.bulk.changes import AffectedDecks, Moment
from deckcheck.bulk.columns import list_rows
from deckcheck.bulk.runs import map_parts
from deckcheck.bulk.stored_files import Part, are_lists
from deckcheck.bulk.verdicts import BatchJudge
from deckcheck.bulk.whole_decks import DeckIndex
from deckcheck.checking.judge import read_deck
from deckcheck.checking.session import OpenedDeck
from deckcheck.config.settings import DeckSettings
from deckcheck.model.deck import Deck
from deckcheck.support.errors import Problem


class StoredPart(NamedTuple):
    """A part, the change by which to compare its decks, and their settings."""

    part: Part
    transition: Transition
    best_of: int | None
    settings: DeckSettings


class ComparedPart(NamedTuple):
    """The impacts on the decks of a part and the number of all its decks, or why it can't be read."""

    decks: int = 0
    impacts: tuple[Impact, ...] = ()
    problems: tuple[Problem, ...] = ()


def compared_parts(
    stored: Sequence[StoredPart], advance: Callable[[int], object] = lambda _decks: None
) -> Iterator[ComparedPart]:
    """What a change does to the decks of each part; `advance` is called with numbers of decks."""
    finders, judges = [], []
    for item in stored:
        change, days = item.transition, item.transition.days
        moments = Moment(change.before, days.before), Moment(change.after, days.after)
        # A grading may count findings that aren't from rules, such as that a card isn't released yet.
        finders.append(AffectedDecks(*moments, item.best_of, every=item.settings.grading is not None))
        judges.append(BatchJudge(change.after, days.after, item.best_of))

    def work(part: int, batch: pa.RecordBatch) -> tuple[int, list[Impact]]:
        item = stored[part]
        batch, number = finders[part].of(batch)
        decks = _lists(batch, item) if are_lists(batch.schema.names) else judges[part].decks(batch)
        impacts = []
        for name, deck in decks:
            named = deck._replace(path=item.part.path, header={**deck.header, "deck": str(name)})
            opened = OpenedDeck("", named, item.transition.after, None, item.best_of, item.settings, False)
            impact = item.transition.impact_on(opened)
            if impact is not None:
                impacts.append(impact)
        return number, impacts

    pieces = map_parts([item.part for item in stored], work, DeckIndex())
    for _part, group in groupby(pieces, key=lambda piece: piece.part):
        decks, impacts, problems = 0, list[Impact](), tuple[Problem, ...]()
        for piece in group:
            problems = problems or piece.problems
            if piece.result is not None:
                number, found = piece.result
                decks += number
                impacts += found
                advance(number)
        yield ComparedPart(problems=problems) if problems else ComparedPart(decks, tuple(impacts))


def _lists(batch: pa.RecordBatch, item: StoredPart) -> Iterator[tuple[object, Deck]]:
    decks, texts = list_rows(batch)
    for name, text in zip(decks.to_pylist(), texts, strict=True):
        # Anything unreadable was found when decks were chosen.
        yield name, read_deck(item.transition.after, text, item.part.path)
