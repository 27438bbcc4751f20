"""What a case says of itself.

The decks of `NAME.yaml` stand in the folder `NAME.cases`, in any notation. A
case's header says what is to be found: `# expect: legal`, or the ids of all
findings (`# expect: singleton, deck-size`), or a verdict and ids (`# expect:
legal, altered-text`; "undecided" has to be said). A legal case may name the
rules on whose bound it sits (`# bound: deck-size`). `# note:` says in words
what a case shows, and `# note-ja:` says it in Japanese; where there is only
one of them, it serves both languages. These three are comments in every
notation.
"""

import re
from typing import NamedTuple, get_args

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Verdict
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Localized, _

VERDICTS: tuple[str, ...] = get_args(Verdict)

_SAID = re.compile(r"\s*(?:#+|//)\s*(bound|note(?:-ja)?)\s*[:：]\s*(.*?)\s*$")


class Expected(NamedTuple):
    """What a case says of itself. `verdict` None: that which follows from the findings.

    Of a case without a note both sides of `note` are empty.
    """

    verdict: str | None
    rules: frozenset[str]
    bound: frozenset[str]
    note: Localized


def expected_of(deck: Deck) -> Expected:
    """What the header of a case says. Raises UserError when it doesn't say what is expected."""
    if not deck.header.get("expect"):
        raise wrong(_("it says no expect"), path=deck.path)
    said = {found[1]: found[2] for found in map(_SAID.match, deck.lines) if found}
    words = _words(deck.header["expect"])
    verdicts = [word for word in words if word in VERDICTS]
    if len(verdicts) > 1:
        raise wrong(_("it expects two verdicts"), path=deck.path)
    note, japanese = said.get("note", ""), said.get("note-ja", "")
    return Expected(
        verdicts[0] if verdicts else None,
        frozenset(words) - frozenset(VERDICTS),
        frozenset(_words(said.get("bound", ""))),
        Localized(japanese or note, note or japanese),
    )


def _words(listed: str) -> list[str]:
    return [word for word in re.split(r"[\s,、]+", listed) if word]
