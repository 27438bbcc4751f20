"""Hypothesis strategies for the decks of a format, for the tests of programs that make, change or judge decks.

They need hypothesis and `deckcheck[prove]`.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from hypothesis import strategies as st

from deckcheck.analysis.card_classes import ClauseOnDay, FormatOnDay
from deckcheck.analysis.deck_model import MOST_COPIES, DeckModel
from deckcheck.analysis.witness import list_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_SECONDS = 30.0
_MOST_WEIGHTS = 12
"""How many classes of cards get a random weight in the objective, which makes decks differ."""


def legal_decks(format: LoadedFormat, as_of: str | None = None) -> st.SearchStrategy[str]:
    """Lists of decks that are legal on an ISO date (default: today), with the format and the day in the header.

    Raises UserError, when it is drawn from, if there is no such deck.
    """
    return _lists(format, as_of, _legal)


def breaking_decks(format: LoadedFormat, rule: str, as_of: str | None = None) -> st.SearchStrategy[str]:
    """Lists of decks that break the rule with this id for certain, and no other error of the format.

    Raises UserError for an unknown rule and, when it is drawn from, if there is no such deck.
    """
    return _lists(format, as_of, _breaking, rule)


def decks_on_bound(format: LoadedFormat, rule: str, as_of: str | None = None) -> st.SearchStrategy[str]:
    """Lists of legal decks that are exactly on a bound of the rule with this id, such as its most copies.

    Raises UserError for an unknown rule and, when it is drawn from, if there is no such deck.
    """
    return _lists(format, as_of, _on_bound, rule)


def _lists(
    format: LoadedFormat, as_of: str | None, models: "_Models", rule: str | None = None
) -> st.SearchStrategy[str]:
    if rule is not None and rule not in {each.id for each in format.format.rules}:
        raise user_error(_("there is no rule {rule!r} in {format}", rule=rule, format=format.format.id))
    day = today().isoformat() if as_of is None else day_of_option("as_of", as_of)
    decks = st.deferred(lambda: st.just(_Decks(format, day, models, rule)))
    # One model serves all examples of a test.
    return st.shared(decks, key=(id(format), day, models, rule)).flatmap(
        lambda found: st.integers(0, 2**32 - 1).map(found.draw)
    )


class _Decks:
    """The decks of a format on a day that some models describe, which are asked in turn."""

    def __init__(self, format: LoadedFormat, as_of: str, models: "_Models", rule: str | None) -> None:
        self._format, self._as_of = format, as_of
        on_day = FormatOnDay(format, as_of)
        of_rule = [clause for clause in on_day.clauses if clause.clause.rule.id == rule]
        self._models = list(models(on_day, of_rule))

    def draw(self, seed: int) -> str:
        """The list of the deck with this number."""
        chance = Random(seed)
        for model in self._models:
            weights = [
                chance.randint(-9, 9) * names.copies(None)
                for names in chance.sample(model.names, min(_MOST_WEIGHTS, len(model.names)))
            ]
            solution = model.solve(_SECONDS, sum(weights))
            if solution.values is not None:
                copies = model.deck(solution.values, lambda names, most: chance.sample(names, most))
                header = {"format": self._format.format.id, "as-of": self._as_of}
                return list_of(copies, self._format, "en", header)
        raise user_error(_("no deck like this was found for {format}", format=self._format.format.id))


_Models = Callable[[FormatOnDay, Sequence[ClauseOnDay]], Iterator[DeckModel]]
"""The models for the clauses of a rule."""


def _legal(on_day: FormatOnDay, _of_rule: Sequence[ClauseOnDay]) -> Iterator[DeckModel]:
    yield _model(on_day, on_day.errors, (), on_day.default_zone)


def _breaking(on_day: FormatOnDay, of_rule: Sequence[ClauseOnDay]) -> Iterator[DeckModel]:
    firm = [clause for clause in on_day.errors if clause not in of_rule]
    # A card in a wrong zone may be all that breaks the rule.
    for default_zone in (on_day.default_zone, None):
        yield _model(on_day, firm, of_rule, default_zone, of_rule)


def _on_bound(on_day: FormatOnDay, of_rule: Sequence[ClauseOnDay]) -> Iterator[DeckModel]:
    # Every legal deck has so few of what is forbidden.
    has_ban = any(clause.clause.clause.is_ban for clause in of_rule)
    tight = [] if has_ban else [each for clause in of_rule for each in on_day.tighter(clause)]
    yield _model(on_day, on_day.errors, tight, on_day.default_zone)


def _model(
    on_day: FormatOnDay,
    firm: Sequence[ClauseOnDay],
    violated: Sequence[ClauseOnDay],
    default_zone: str | None,
    relaxed: Sequence[ClauseOnDay] = (),
) -> DeckModel:
    """The decks that keep clauses and break one of others."""
    model = DeckModel(on_day.zones, on_day.classes, firm, relaxed, default_zone)
    size = sum(names.copies(None) for names in model.names)
    model.logic.require(size <= MOST_COPIES)
    ways = [model.logic.literal() for _ in violated]
    for clause, way in zip(violated, ways, strict=True):
        model.require_violated(clause, way)
    if violated:
        model.logic.require_any(ways)
    return model
