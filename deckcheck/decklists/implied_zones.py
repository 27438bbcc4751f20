"""Zones that a list doesn't name: those of its format, and the side that may begin at an empty line."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled, shape_of
from deckcheck.decklists.lines import GAP_BEGINS_SIDE, USUAL
from deckcheck.decklists.vocabulary import Vocabulary, leading_zone
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNCLEAR, FindingId
from deckcheck.model.format import AllCopies, Format, Linear, Predicate
from deckcheck.support.messages import Words, _, series, shortened

_LEAST_GROUPS = 2
_MOST_NAMED = 4
_MOST_SEPARATED = 4
"""In a list of more cards than this, with an empty line after each, the empty lines mean nothing."""


def fit_zones(
    deck: Deck,
    format: Format,
    catalog: Catalog,
    names: Mapping[str, Words],
    keeps_rules: Callable[[Sequence[Entry], str], bool],
    as_text: Callable[[], Deck] | None = None,
) -> Deck:
    """The deck with its cards in the zones of the format.

    If a notation has no word for a zone, the format may say in which zone lists put its cards instead
    (`listed_as`). They move to their zone, with a diagnostic, unless it has cards already. `names` are the game's
    zone names; `keeps_rules` tells whether cards keep the rules about a zone. `as_text` reads the list again without regard to empty lines; None if they have no meaning.
    """
    # A zone that the format doesn't have can't begin at an empty line.
    known = [
        item for item in deck.diagnostics if item.id != FindingId.EMPTY_LINE or item.zone in format.zones
    ]
    deck = replace(deck, diagnostics=tuple(known))
    used = {entry.zone for entry in deck.entries}
    if used <= format.zones.keys():
        return deck
    for listed in dict.fromkeys(listed.zone for listed in format.listed_as.values()):
        entries = [entry for entry in deck.entries if entry.zone == listed]
        if entries and listed not in format.zones:
            homes = _homes(entries, format, catalog, listed, used)
            in_homes = [replace(entry, zone=zone) for zone, moved in homes.items() for entry in moved]
            if homes and all(keeps_rules(in_homes, zone) for zone in homes):
                for zone, moved in homes.items():
                    deck = _with_moved(deck, moved, zone, format.zones[zone], names[listed])
                return deck
    return deck if as_text is None else as_text()


def _homes(
    entries: Sequence[Entry], format: Format, catalog: Catalog, listed: str, used: set[str]
) -> dict[str, list[Entry]]:
    """The zones whose cards are listed in zone `listed`, with their entries; {} if they don't fit.

    A zone with a condition gets the cards that meet it, unless none would remain for the zone without one.
    """
    open_zones = {
        zone: (home.most, home.where)
        for zone, home in format.listed_as.items()
        if home.zone == listed and zone not in used
    }
    first = next((zone for zone, (_most, where) in open_zones.items() if where is None), None)
    homes: dict[str, list[Entry]] = {}
    for entry in entries:
        meets = (
            zone
            for zone, (_most, where) in open_zones.items()
            if where is not None and _meet(entry, where, catalog)
        )
        zone = next(meets, first)
        if zone is None:
            return {}
        homes.setdefault(zone, []).append(entry)
    if first is not None and first not in homes:
        homes = {first: list(entries)}
    fits = all(sum(entry.copies for entry in there) <= open_zones[zone][0] for zone, there in homes.items())
    return homes if fits else {}


def _meet(entry: Entry, where: Predicate, catalog: Catalog) -> bool:
    from deckcheck.rules.predicates import YES, World, holds

    world = World("", {}, catalog)
    return bool(entry.cards) and all(holds(where, card, world) == YES for card in entry.cards)


def _with_moved(deck: Deck, moved: Sequence[Entry], zone: str, name: Words, listed: Words) -> Deck:
    # Names as written, which may be in another language than the card table.
    written = [_("“{card}”", card=entry.written) for entry in moved]
    message = _(
        "counted in “{name}”, for this format has no “{listed}”: {cards}",
        name=name,
        listed=listed,
        cards=shortened(written, _MOST_NAMED),
    )
    entries = tuple(replace(entry, zone=zone) if entry in moved else entry for entry in deck.entries)
    return _with_diagnostic(
        replace(deck, entries=entries), FindingId.MOVED_TO_HOME_ZONE, message, moved[0], moved[0].zone
    )


class _Sizes(Struct, frozen=True):
    """How many cards a format asks for in its first zone and allows in the second; None: any number."""

    least: int | None
    exact: bool
    most_second: int | None


def _sizes(format: Format, first: str, second: str) -> _Sizes:
    """The sizes of two zones by the rules that hold on every day; what other cards add doesn't count."""
    least: int | None = None
    exact, most = False, None
    for clause in (clause for rule in format.rules for clause in rule.clauses):
        zones, where = clause.selection.zones or (), clause.selection.where
        is_of_all = isinstance(clause.measure, AllCopies) and not where
        if not is_of_all or clause.loop or clause.when or clause.since or clause.until:
            continue
        low = clause.low.base if isinstance(clause.low, Linear) else clause.low
        if zones == (first,) and low is not None:
            least, exact = max(low, least or 0), clause.exact
        if second in zones and first not in zones:
            most = clause.high if isinstance(clause.high, int) else most
    return _Sizes(least, exact, most)


def fit_sizes(deck: Deck, format: Format, first: str) -> Deck:
    """The deck of a list without headings, whose blocks below empty lines or rules are zones if the sizes prove it.

    `first` is the zone of cards under no heading; the second is the last with which the format exchanges cards. A
    diagnostic says so, or that the last block may be the second zone.
    """
    if deck.notation not in {"text", *GAP_BEGINS_SIDE}:
        return deck
    second = format.exchange[-1]
    sizes = _sizes(format, first, second)
    fitted = _with_proven_block(deck, format, first, second, sizes)
    if (
        fitted is not deck
        or deck.notation != "text"
        or any(item.id == FindingId.EMPTY_LINE for item in deck.diagnostics)
    ):
        return fitted
    return _with_possible_block(deck, format, first, second, sizes)


def _with_proven_block(deck: Deck, format: Format, first: str, second: str, sizes: _Sizes) -> Deck:
    """The deck with the zones of its blocks that the sizes prove; the deck itself if they prove none."""
    if sizes.least is None or any(item.id in UNCLEAR for item in deck.diagnostics):
        return deck
    in_block = [entry for entry in deck.entries if entry.zone == second]
    if deck.notation in GAP_BEGINS_SIDE:
        rest, whole = (sum(entry.copies for entry in part) for part in (in_block, deck.entries))
        if rest <= (sizes.most_second or 0) or any(
            entry.zone not in (first, second) for entry in deck.entries
        ):
            return deck
        if any(entry.zone == first for entry in deck.entries[deck.entries.index(in_block[0]) :]):
            # A mark on its own line, not an empty line, put a card there.
            return deck
        # The cards below are too many for the second zone.
        together = replace(deck, entries=tuple(replace(entry, zone=first) for entry in deck.entries))
        if whole == sizes.least:
            message = _together(format.zones[first], format.zones[second])
            return _with_diagnostic(together, FindingId.EMPTY_LINE, message, in_block[0], second)
        sums = [0, *accumulate(entry.copies for entry in deck.entries)]
        begins = [
            index
            for index in _block_begins(deck)
            if sums[index] == sizes.least and whole - sums[index] <= (sizes.most_second or 0)
        ]
        return _with_block(together, begins[0], format, first, second) if begins else deck
    sums = [0, *accumulate(entry.copies * (entry.zone == first) for entry in deck.entries)]
    begins = [] if in_block else _block_begins(deck, _separates)
    for index in (index for index in begins if not _has_title(deck, index)):
        rest = sums[-1] - sums[index]
        fits = index == begins[-1] and sizes.exact and 0 < rest <= (sizes.most_second or 0)
        if sums[index] == sizes.least and (rest == sizes.most_second or fits):
            return _with_block(deck, index, format, first, second)
    return deck


def _with_possible_block(deck: Deck, format: Format, first: str, second: str, sizes: _Sizes) -> Deck:
    """The deck with a diagnostic if the cards above its last block may be all of the first zone."""
    homes = _implied_homes(deck, first)
    begins = _block_begins(deck, _separates)
    if not begins or sizes.least is None or any(entry.zone not in {first, *homes} for entry in deck.entries):
        return deck
    index = begins[-1]
    above, in_block = (
        sum(entry.copies for entry in entries if entry.zone == first)
        for entries in (deck.entries[:index], deck.entries[index:])
    )
    # A rule ("---") parts cards that are too many for the first zone.
    parts = any(map(str.strip, _rows_above(deck, index))) and above + in_block > sizes.least
    if (above < sizes.least and not parts) or 2 * in_block >= above or _has_title(deck, index):
        return deck
    message = _together(format.zones[first], format.zones[second])
    return _with_diagnostic(deck, FindingId.EMPTY_LINE, message, deck.entries[index], second)


def _implied_homes(deck: Deck, first: str) -> set[str]:
    """The zones to which cards under no heading moved."""
    if not any(item.id == FindingId.MOVED_TO_HOME_ZONE and item.zone == first for item in deck.diagnostics):
        return set()
    return {entry.zone for entry in deck.entries if {card.home for card in entry.cards} == {entry.zone}} - {
        first
    }


def fit_headings(deck: Deck, format: Format, first: str) -> Deck:
    """The deck with the cards under unknown headings in the first zone, if they complete it: the headings sort its cards."""
    unknown = {
        item.zone
        for item in deck.diagnostics
        if item.id == FindingId.UNKNOWN_ZONE and item.may_head and item.zone
    }
    headed = [entry for entry in deck.entries if entry.zone in unknown]
    groups = dict.fromkeys(entry.zone for entry in headed)
    is_clear = all(item.id != FindingId.INVALID_LINE for item in deck.diagnostics)
    # A single group may be another zone or another deck.
    if len(groups) < _LEAST_GROUPS or not is_clear:
        return deck
    copies = sum(entry.copies for entry in deck.entries if entry.zone in {first, *groups})
    if copies != _sizes(format, first, first).least:
        return deck
    known = tuple(
        item for item in deck.diagnostics if item.id != FindingId.UNKNOWN_ZONE or item.zone not in unknown
    )
    entries = tuple(replace(entry, zone=first) if entry in headed else entry for entry in deck.entries)
    message = _(
        "counted in “{main}”, since the cards under {headings} complete it",
        main=format.zones[first],
        headings=series([_("“{card}”", card=zone) for zone in groups]),
    )
    deck = replace(deck, entries=entries, diagnostics=known)
    return _with_diagnostic(deck, FindingId.MOVED_TO_HOME_ZONE, message, headed[0], first)


def _with_block(deck: Deck, index: int, format: Format, first: str, second: str) -> Deck:
    """The deck with its entries from index `at` in the second zone, and a diagnostic."""
    known = tuple(item for item in deck.diagnostics if item.id != FindingId.EMPTY_LINE)
    entries = tuple(
        replace(entry, zone=second) if place >= index and entry.zone == first else entry
        for place, entry in enumerate(deck.entries)
    )
    message = _(
        "counted in “{other}”: the cards above fill “{main}” exactly; put that heading above",
        main=format.zones[first],
        other=format.zones[second],
    )
    deck = replace(deck, entries=entries, diagnostics=known)
    return _with_diagnostic(deck, FindingId.EMPTY_LINE, message, deck.entries[index], second)


class OtherReading(Struct, frozen=True):
    """A deck as it would be if its last block were the second zone, and the deck that says so.

    `unsure_after`: in which zones of the latter, and below which line, cards may belong to another zone.
    """

    deck: Deck
    doubted: Deck
    unsure_after: Mapping[str, int]


def other_reading(deck: Deck, format: Format, first: str) -> OtherReading | None:
    """The other reading of a deck whose last block may be the second zone; None if its sizes rule that out."""
    place, gap = next(
        (pair for pair in enumerate(deck.diagnostics) if pair[1].id == FindingId.EMPTY_LINE), (0, None)
    )
    if gap is None or gap.zone is None or gap.zone not in format.zones or first not in format.zones:
        return None
    second, sizes = gap.zone, _sizes(format, first, gap.zone)
    zones = {first, *_implied_homes(deck, first)}
    in_second = tuple(
        replace(entry, zone=second) if entry.line >= gap.line and entry.zone in zones else entry
        for entry in deck.entries
    )
    whole, above = (sum(e.copies for e in row if e.zone == first) for row in (deck.entries, in_second))
    # If it lacked more than the copies of one forgotten line, it would not be a first zone.
    if sizes.least is not None and (whole == sizes.least or above < sizes.least - USUAL):
        return None
    message = _(
        "the cards from here may belong to “{main}” or to “{other}”, and the verdict depends on it (put the "
        "heading “{other}” above, or join both blocks)",
        main=format.zones[first],
        other=format.zones[second],
    )
    doubt = replace(gap, id=FindingId.UNKNOWN_ZONE, message=message)
    before, after = deck.diagnostics[:place], deck.diagnostics[place + 1 :]
    return OtherReading(
        replace(deck, entries=in_second, diagnostics=(*before, *after)),
        replace(deck, diagnostics=(*before, doubt, *after)),
        dict.fromkeys(zones, gap.line - 1),
    )


def _together(main: Words, other: Words) -> Words:
    return _(
        "counted in “{main}”, too; if “{other}” begins here, put that heading above", main=main, other=other
    )


def _is_empty(line: str) -> bool:
    return not line.strip()


def _separates(line: str) -> bool:
    """Whether a line is empty, or a rule such as "---"."""
    return not any(map(str.isalnum, line))


def _block_begins(deck: Deck, is_gap: Callable[[str], bool] = _is_empty) -> list[int]:
    """The indexes of entries below gaps; [] if each card has one, so that they mean nothing."""
    begins = [index for index in range(1, len(deck.entries)) if any(map(is_gap, _rows_above(deck, index)))]
    return [] if len(deck.entries) == len(begins) + 1 > _MOST_SEPARATED else begins


def _has_title(deck: Deck, index: int) -> bool:
    """Whether there are words between the entry at that index and the one above it, other than the sum of those above."""
    rows = _rows_above(deck, index)
    if rows and _sums_up(deck, index, rows[0]):
        rows = rows[1:]
    return not all(map(compiled(_NO_TITLE).fullmatch, rows))


def _rows_above(deck: Deck, index: int) -> Sequence[str]:
    """The lines between the entry at that index and the one above it."""
    return deck.lines[deck.entries[index - 1].line : deck.entries[index].line - 1]


def _sums_up(deck: Deck, index: int, row: str) -> bool:
    """Whether a line below the entry above that index has the sum of the entries up to the words above them."""
    numbers = compiled(r"[0-9]+").findall(shape_of(row))
    if len(numbers) != 1:
        return False
    total, first = 0, index
    while first and (first == index or all(map(_separates, _rows_above(deck, first)))):
        first -= 1
        total += deck.entries[first].copies
    return numbers == [str(total)]


_NO_TITLE = r"[\W_]*[x×]?\s*(?:\d{1,3}[^\W\d]?)?[\W_]*"
"""An empty line, signs, or the count of the card above."""


def note_empty_line(words: Vocabulary, names: Mapping[str, Words], deck: Deck) -> Deck:
    """The deck of a plain text, with a diagnostic if its last cards may have been meant for the side.

    This is the case if no zone is named, and the last block of cards after an empty line has no title and
    fewer than half of the copies above it. Empty lines after each card mean nothing.
    """
    whole, deck = deck, replace(deck, entries=tuple(e for e in deck.entries if e.zone not in words.aside))
    if len(deck.entries) < 2 or any(entry.zone != words.default for entry in deck.entries):
        return whole
    from deckcheck.decklists.notations.registry import SIDE, zone_of

    side, begins = zone_of(words, SIDE), _block_begins(deck)
    if side is None or not begins:
        return whole
    first = begins[-1]
    copies_below = sum(entry.copies for entry in deck.entries[first:])
    if _has_title(deck, first) or 2 * copies_below >= sum(entry.copies for entry in deck.entries):
        return whole
    message = _together(names[words.default], names[side])
    return _with_diagnostic(whole, FindingId.EMPTY_LINE, message, deck.entries[first], side)


def note_zone_of_one_line(words: Vocabulary, names: Mapping[str, Words], deck: Deck) -> Deck:
    """The deck of a plain text, with a diagnostic on the first card after a line that begins with a zone word.

    Such a word applies to its own line only. There is no diagnostic if the word is a mark for cards, precedes
    several, begins the list, or is the card's home.
    """
    marks = {"".join(filter(str.isalnum, word)) for word in words.marks}
    cards_on = Counter(entry.line for entry in deck.entries)
    first = next((entry.line for entry in deck.entries if entry.zone == words.default), 0)
    for before, entry in pairwise(deck.entries):
        rows = deck.lines[before.line - 1 : entry.line]
        if before.zone == words.default or entry.zone != words.default or before.line < first:
            continue
        above, own = (leading_zone(words, shape_of(row)) for row in (rows[0], rows[-1]))
        between = any(char.isalnum() for row in rows[1:-1] for char in row)
        at_home = bool(before.cards) and all(card.home == before.zone for card in before.cards)
        if between or at_home or own is not None or above is None or cards_on[before.line] > 1:
            continue
        if "".join(filter(str.isalnum, shape_of(rows[0])[: above.start])) not in marks:
            message = _(
                "counted in “{main}”, for “{zone}” above holds for its own line only; if it goes on, put it on a "
                "line of its own",
                main=names[words.default],
                zone=names[before.zone],
            )
            return _with_diagnostic(deck, FindingId.ZONE_OF_ONE_LINE, message, entry, entry.zone)
    return deck


def _with_diagnostic(deck: Deck, id: str, message: Words, entry: Entry, zone: str) -> Deck:
    return deck.with_diagnostic(Diagnostic(id, message, entry.line, entry.column, zone, entry.written))
