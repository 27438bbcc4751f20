"""What a sheet says beside names and numbers, in both languages."""

from collections.abc import Mapping, Sequence

from deckcheck.model.finding import Verdict
from deckcheck.registration.sheets.model import Line, Page, Required, Sum, Total
from deckcheck.support.messages import OR, Words, _, p_

WORDS: Mapping[str, Words] = {
    "decklist": _("Decklist"),
    "name": _("Name"),
    "name-read": _("Name (reading)"),
    "table": _("Table"),
    "handle": _("Handle"),
    "id": _("Player ID"),
    "event": _("Event"),
    "organiser": _("Organiser"),
    "date": _("Date"),
    "format": _("Format"),
    "lists": _("Lists in force (newest change)"),
    "verdict": _("Verdict"),
    "copies": p_("copies", "No."),
    "card": _("Card name"),
    "continued": _(" (continued)"),
    "together": _("Total"),
    "not-played": _("not a zone of this format"),
    "unsure": _("* not one certain card; as written in the list"),
    "findings": _("Findings"),
    "signature": _("Signature"),
    "declaration": _("This list matches the deck that I play."),
    "signed-on": p_("signature", "Date"),
    "official": _("Official use"),
    "checked-at": _("Deck check at"),
    "judge": _("Judge"),
    "result": _("Result"),
    "match": _("match"),
    "mismatch": _("mismatch"),
    "fingerprint": _("Fingerprint"),
    "no-fingerprint": _("no fingerprint"),
    "no-change": _("no change"),
}

STAMPS: Mapping[Verdict, Words] = {
    "illegal": _("NOT LEGAL"),
    "undecided": _("UNDECIDED"),
}
"""What is written across a sheet that is not legal."""

MARKS = _("*")
BOX = "□"
APART = _(" · ")
"""Between things on one line."""
_MOST_COUNTS = 12
_JOINED = p_("beside", ", ")
_OR = OR


def as_of_words(page: Page) -> str:
    """By the rules of which day the deck was judged."""
    return _("rules of {day}", day=page.as_of).in_(page.lang)


def required_words(wanted: Required, lang: str) -> str:
    """What is required, short: "50", "0–12", "0か12", "40以上"."""
    if wanted.one_of is not None:
        return _OR.in_(lang).join(map(str, wanted.one_of))
    low, high = wanted.low, wanted.high
    if wanted.step and (low is not None or high is not None):
        base = low if low is not None else high or 0
        return _JOINED.in_(lang).join([str(base), str(base + wanted.step), "…"])
    if high is None:
        return "" if low is None else _("at least {low}", low=low).in_(lang)
    return str(high) if low == high else f"{low or 0}–{high}"


def found_words(found: tuple[int, int]) -> str:
    """A count, or the two that it may be."""
    return str(found[0]) if found[0] == found[1] else f"{found[0]}–{found[1]}"


def total_words(total: Total, lang: str) -> tuple[str | None, str]:
    """What was found (None: left to the pen) and what is required ("" for nothing)."""
    wanted = "" if total.required is None else required_words(total.required, lang)
    return None if total.found is None else found_words(total.found), wanted


def copies_words(line: Line) -> str:
    """How many of a card."""
    return found_words((line.copies, line.most))


def sum_words(one: Sum, lang: str) -> str:
    """What is added up."""
    return ("＋" if lang == "ja" else " + ").join(one.titles)


def counts_of(page: Page) -> Sequence[tuple[str, str]]:
    """What a judge counts: the zones of the format, each with what is required; as many as find room."""
    zones = [(one.title, total_words(one.total, page.lang)[1]) for one in page.zones if one.played]
    return zones[:_MOST_COUNTS]
