"""Zones that a list doesn't name: those of its format, the side that may begin at an empty line, and the first cards."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from msgspec.structs import replace

from deckcheck.decklists.decoding import clean_line, compiled, shape_of
from deckcheck.decklists.lines import GAP_BEGINS_SIDE, ROWS, USUAL, Label, Why
from deckcheck.decklists.vocabulary import Vocabulary, heading_of
from deckcheck.decklists.zones_and_totals import doubt_below
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNCLEAR, FindingId
from deckcheck.model.format import AllCopies, Format, Linear, Predicate
from deckcheck.model.game import Game
from deckcheck.rules.clauses import PreparedClause
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate
from deckcheck.rules.predicates import YES, World, holds
from deckcheck.support.messages import Words, _, series, shortened

_LEAST_GROUPS = 2
_MOST_NAMED = 4
_MOST_SEPARATED = 4
"""In a list of more cards than this, with an empty line after each, only wider gaps mean anything."""


class ImpliedZones:
    """The zones of cards by what a format says of their zones and sizes."""

    def __init__(self, format: Format, game: Game) -> None:
        self._format, self._game = format, game
        self._first = game.default_zone
        """The zone of cards under no heading."""
        bounds = {zone: _bounds(format, zone) for zone in {self._first, *format.zones}}
        self._least = bounds[self._first][0]
        self._most_in = {zone: most for zone, (_, most) in bounds.items()}
        self._second = format.exchange[-1] if format.exchange else self._first
        """The zone whose cards a player may exchange with those of the first one."""
        self._most_second = self._most_in[self._second]

    # Cards in zones that the format doesn't have.

    def in_format(
        self,
        deck: Deck,
        catalog: Catalog,
        keeps_rules: Callable[[Sequence[Entry], str], bool],
        as_text: Callable[[], Deck] | None = None,
    ) -> Deck:
        """The deck with its cards in the zones of the format.

        If a notation has no word for a zone, the format may say in which zone lists put its cards instead
        (`listed_as`). They move to their zone, with a diagnostic, unless it has cards already. `keeps_rules` tells
        whether cards keep the rules about a zone. `as_text` reads the list again without regard to empty lines; None if
        they have no meaning.
        """
        zones = self._format.zones
        used = {entry.zone for entry in deck.entries}
        if used <= zones.keys():
            return deck
        for listed in dict.fromkeys(listed.zone for listed in self._format.listed_as.values()):
            entries = [entry for entry in deck.entries if entry.zone == listed]
            if entries and listed not in zones:
                homes = self._homes(entries, catalog, listed, used)
                in_homes = [replace(entry, zone=zone) for zone, moved in homes.items() for entry in moved]
                if homes and all(keeps_rules(in_homes, zone) for zone in homes):
                    for zone, moved in homes.items():
                        deck = self._with_moved(deck, moved, zone)
                    return deck
        return deck if as_text is None else as_text()

    def _homes(
        self, entries: Sequence[Entry], catalog: Catalog, listed: str, used: set[str]
    ) -> dict[str, list[Entry]]:
        """The zones whose cards are listed in zone `listed`, with their entries; {} if they don't fit.

        A zone with a condition gets the cards that meet it, unless none would remain for the zone without one.
        """
        open_zones = {
            zone: home
            for zone, home in self._format.listed_as.items()
            if home.zone == listed and zone not in used
        }
        first = next((zone for zone, home in open_zones.items() if home.where is None), None)
        homes: dict[str, list[Entry]] = {}
        for entry in entries:
            meets = (
                zone for zone, home in open_zones.items() if home.where and _meet(entry, home.where, catalog)
            )
            zone = next(meets, first)
            if zone is None:
                return {}
            homes.setdefault(zone, []).append(entry)
        if first is not None and first not in homes:
            homes = {first: list(entries)}
        fits = (
            sum(entry.copies for entry in there) <= open_zones[zone].most for zone, there in homes.items()
        )
        return homes if all(fits) else {}

    def _with_moved(self, deck: Deck, moved: Sequence[Entry], zone: str) -> Deck:
        # Names as written, which may be in another language than the card table.
        written = [_("“{card}”", card=entry.written) for entry in moved]
        message = _(
            "counted in “{name}”, for this format has no “{listed}”: {cards}",
            name=self._format.zones[zone],
            listed=self._game.zones[moved[0].zone].name,
            cards=shortened(written, _MOST_NAMED),
        )
        deck = _in_zone(deck, moved, zone)
        return _with_diagnostic(deck, FindingId.MOVED_TO_HOME_ZONE, message, moved[0], moved[0].zone)

    def by_headings(self, deck: Deck) -> Deck:
        """The deck with the cards under unknown headings in the first zone, if they complete it: the headings sort its cards."""
        headings = [item for item in deck.diagnostics if item.id == FindingId.UNKNOWN_ZONE and item.may_head]
        unknown = {item.zone for item in headings if item.zone}
        headed = [entry for entry in deck.entries if entry.zone in unknown]
        groups = dict.fromkeys(entry.zone for entry in headed)
        is_clear = all(item.id != FindingId.INVALID_LINE for item in deck.diagnostics)
        copies = _copies(deck.entries, self._first, *groups)
        # A single group may be another zone or another deck.
        if len(groups) < _LEAST_GROUPS or not is_clear or copies != self._least:
            return deck
        known = tuple(
            item for item in deck.diagnostics if item.id != FindingId.UNKNOWN_ZONE or item.zone not in unknown
        )
        message = _(
            "counted in “{main}”, since the cards under {headings} complete it",
            main=self._format.zones[self._first],
            headings=series([_("“{card}”", card=zone) for zone in groups]),
        )
        deck = replace(_in_zone(deck, headed, self._first), diagnostics=known)
        return _with_diagnostic(deck, FindingId.MOVED_TO_HOME_ZONE, message, headed[0], self._first)

    # Blocks of cards below empty lines and others.

    def with_told_parts(self, deck: Deck, words: Vocabulary) -> Deck:
        """The deck, with what is told where another list or zone may begin without a heading, as the sizes say."""
        is_told = any(item.may_head and item.zone is None for item in deck.diagnostics)
        if deck.notation not in ROWS or is_told:
            return deck
        copies: dict[str, int] = {}
        for entry in deck.entries:
            copies[entry.zone] = copies.get(entry.zone, 0) + entry.copies
        full = [zone for zone in copies if copies[zone] > self._most_in.get(zone, sys.maxsize)]
        doubt: Diagnostic | None = None
        if copies and self._first not in copies:
            doubt = self._begin_of_first(deck, full)
        elif full or copies.get(self._first, 0) > (self._least or sys.maxsize):
            doubt = self._begin_of_list(deck, words, copies, full) or self._begin_of_column(deck)
        doubt = doubt or self._begin_below_sum(deck)
        return deck if doubt is None else deck.with_diagnostic(doubt)

    def _begin_of_first(self, deck: Deck, full: Sequence[str]) -> Diagnostic | None:
        """What is told in a list without cards of the first zone where they may begin: between two cards of another, or below a card of one with too many."""
        for index, (before, entry) in enumerate(pairwise(deck.entries), 1):
            if entry.zone == before.zone in self._game.zones and _rows_above(deck, index):
                most = self._most_in.get(entry.zone, sys.maxsize)
                if _copies(deck.entries[:index], entry.zone) > most:
                    # Not even all cards above can be in that zone.
                    break
                return _doubt_above(deck, index, Why.MAY_BEGIN_FIRST)
        for entry in deck.entries:
            if entry.zone in full:
                return doubt_below(Why.MAY_BEGIN_FIRST, entry.line, entry.column, entry.written)
        return None

    def _begin_of_list(
        self, deck: Deck, words: Vocabulary, copies: Mapping[str, int], full: Sequence[str]
    ) -> Diagnostic | None:
        """What is told of the lines between two cards if a whole deck may be above, and another one below."""
        above, rest, least = 0, dict(copies), self._least or sys.maxsize
        for index, (before, entry) in enumerate(pairwise(deck.entries), 1):
            above += before.copies if before.zone == self._first else 0
            rest[before.zone] -= before.copies
            parts, is_first = (above, rest[entry.zone]), entry.zone == self._first
            rows = _rows_above(deck, index) if min(parts) >= least - USUAL else ()
            if not rows or not (is_first or entry.zone == before.zone):
                continue
            # Blocks of one large deck rarely have the copies of the smallest one.
            if entry.zone in full or (is_first and (least in parts or _has_words(words, rows))):
                return _doubt_above(deck, index, _OTHER_LIST)
        return None

    def _begin_below_sum(self, deck: Deck) -> Diagnostic | None:
        """What is told of a line with the sum of all cards above, or of those of the first zone, if these fill it."""
        above = whole = 0
        for index, (before, entry) in enumerate(pairwise(deck.entries), 1):
            above += before.copies if before.zone == self._first else 0
            whole += before.copies
            sums = [str(whole)] if whole > above >= (self._least or sys.maxsize) else []
            sums += [str(above)] if above == self._least and entry.zone == self._first else []
            rows = _rows_above(deck, index) if sums and entry.zone in (before.zone, self._first) else ()
            for row in rows:
                numbers = compiled("[0-9]+").findall(shape_of(row))
                if len(numbers) == 1 and numbers[0] in sums:
                    return _doubt_above(deck, index, _BELOW_SUM)
        return None

    def _begin_of_column(self, deck: Deck) -> Diagnostic | None:
        """What is told of the first card beside others if these fill the first zone exactly, and those beside may be the second."""
        beside = [entry for above, entry in pairwise(deck.entries) if entry.line == above.line]
        copies = _copies(beside, self._first)
        is_filled = _copies(deck.entries, self._first) - copies == self._least
        if not self._format.exchange or not is_filled or not 0 < copies <= self._most_second:
            return None
        why = _OTHER_COLUMN.filled(other=self._format.zones[self._second])
        return doubt_below(why, beside[0].line, beside[0].column, beside[0].written)

    def by_sizes(self, deck: Deck, words: Vocabulary) -> Deck:
        """The deck of a list without headings, whose last block is the second zone if the sizes prove it; a diagnostic says that it is or may be."""
        is_clear = self._least is not None and not any(item.id in UNCLEAR for item in deck.diagnostics)
        has_side = any(entry.zone == self._second for entry in deck.entries)
        if deck.notation in GAP_BEGINS_SIDE and is_clear and has_side:
            return self._without_large_block(deck)
        if deck.notation not in ROWS:
            return deck
        index = self._proven_begin(deck, words) if is_clear else None
        return self._with_possible_block(deck, words) if index is None else self._with_block(deck, index)

    def _proven_begin(self, deck: Deck, words: Vocabulary) -> int | None:
        """The index of the entry with which the second zone begins, if the sizes prove it."""
        sums = [0, *accumulate(entry.copies * (entry.zone == self._first) for entry in deck.entries)]
        has_second = any(entry.zone == self._second for entry in deck.entries)
        begins = [] if has_second else _block_begins(deck)
        for index in (index for index in begins if not _has_title(words, deck, index)):
            rest = sums[-1] - sums[index]
            is_exact = index == begins[-1] and self._least == self._most_in[self._first]
            fits = rest == self._most_second or (is_exact and 0 < rest <= self._most_second)
            if sums[index] == self._least and fits:
                return index
        return None

    def _without_large_block(self, deck: Deck) -> Deck:
        """The deck of a notation in which an empty line begins the second zone, with its blocks in the first one if they are too many."""
        block = [entry for entry in deck.entries if entry.zone == self._second]
        if _copies(block, self._second) <= self._most_second:
            return deck
        rest = deck.entries[deck.entries.index(block[0]) :]
        # A mark on its own line, not an empty line, put a card there.
        resumes = any(entry.zone == self._first for entry in rest)
        if resumes or any(entry.zone not in (self._first, self._second) for entry in deck.entries):
            return deck
        together = _in_zone(deck, block, self._first)
        sums = [0, *accumulate(entry.copies for entry in deck.entries)]
        if sums[-1] == self._least:
            return self._with_doubt(together, block[0])
        begins = (
            index
            for index in _block_begins(deck)
            if sums[index] == self._least and sums[-1] - sums[index] <= self._most_second
        )
        index = next(begins, None)
        return deck if index is None else self._with_block(together, index)

    def _with_possible_block(self, deck: Deck, words: Vocabulary) -> Deck:
        """The deck with a diagnostic if the cards above its last block may be all of the first zone."""
        zones = {self._first, *self._implied_homes(deck)}
        begins = _block_begins(deck)
        if not begins or any(entry.zone not in zones for entry in deck.entries):
            return deck
        index = begins[-1]
        above = _copies(deck.entries[:index], self._first)
        in_block = _copies(deck.entries[index:], self._first)
        least, whole = self._least or 0, above + in_block
        # A rule ("---") parts cards that are too many for the first zone.
        parts = any(map(str.strip, _rows_above(deck, index))) and whole > least
        may_be_second = above >= least or (in_block <= self._most_second and whole != least)
        if not (may_be_second or parts) or in_block >= above or _has_title(words, deck, index):
            return deck
        return self._with_doubt(deck, deck.entries[index])

    def other_reading(self, deck: Deck) -> tuple[Deck, Deck, dict[str, tuple[int, int]]] | None:
        """The deck with the last block in the second zone, and the deck that says so; None if its sizes rule that out.

        Then, in which zones of the latter, and behind which line and column, cards may belong to another zone.
        """
        zones, first = self._format.zones, self._first
        place, gap = next(
            (pair for pair in enumerate(deck.diagnostics) if pair[1].id == FindingId.EMPTY_LINE), (0, None)
        )
        if gap is None:
            return None
        held = {first, *self._implied_homes(deck)}
        block = [entry for entry in deck.entries if entry.line >= gap.line and entry.zone in held]
        in_second = _in_zone(deck, block, self._second)
        whole, above = (_copies(one.entries, first) for one in (deck, in_second))
        if self._least is not None and (whole == self._least or above < self._least - USUAL):
            return None
        message = _(
            "the cards from here may belong to “{main}” or to “{other}”, and the verdict depends on it (put the "
            "heading “{other}” above, or join both blocks)",
            main=zones[first],
            other=zones[self._second],
        )
        doubt = replace(gap, id=FindingId.UNKNOWN_ZONE, message=message)
        before, after = deck.diagnostics[:place], deck.diagnostics[place + 1 :]
        return (
            replace(in_second, diagnostics=(*before, *after)),
            replace(deck, diagnostics=(*before, doubt, *after)),
            dict.fromkeys(held, (gap.line, 0)),
        )

    def _implied_homes(self, deck: Deck) -> set[str]:
        """The zones to which cards under no heading moved."""
        moved = (item.zone for item in deck.diagnostics if item.id == FindingId.MOVED_TO_HOME_ZONE)
        if self._first not in moved:
            return set()
        at_home = {
            entry.zone for entry in deck.entries if {card.home for card in entry.cards} == {entry.zone}
        }
        return at_home - {self._first}

    def _with_block(self, deck: Deck, index: int) -> Deck:
        """The deck with its entries from that index in the second zone, and a diagnostic."""
        block = [entry for entry in deck.entries[index:] if entry.zone == self._first]
        message = _(
            "counted in “{other}”: the cards above fill “{main}” exactly; put that heading above",
            main=self._format.zones[self._first],
            other=self._format.zones[self._second],
        )
        deck = _in_zone(deck, block, self._second)
        return _with_diagnostic(deck, FindingId.EMPTY_LINE, message, deck.entries[index], self._second)

    def _with_doubt(self, deck: Deck, entry: Entry) -> Deck:
        """The deck with a diagnostic that the second zone may begin at an entry."""
        message = _(
            "counted in “{main}”, too; if “{other}” begins here, put that heading above",
            main=self._format.zones[self._first],
            other=self._format.zones[self._second],
        )
        return _with_diagnostic(deck, FindingId.EMPTY_LINE, message, entry, self._second)


def _bounds(format: Format, zone: str) -> tuple[int | None, int]:
    """The least (None: any number) and most cards (sys.maxsize) in a zone on every day; what other cards add doesn't count."""
    least, most = list[int](), [sys.maxsize]
    for clause in (clause for rule in format.rules for clause in rule.clauses):
        zones, where = clause.selection.zones or (), clause.selection.where
        is_of_all = zone in zones and isinstance(clause.measure, AllCopies) and not where
        if not is_of_all or clause.loop or clause.when or clause.since or clause.until:
            continue
        bounds = (clause.low, clause.high)
        low, high = (bound.base if isinstance(bound, Linear) else bound for bound in bounds)
        least += [low] if low is not None and zones == (zone,) else []
        most += [high] if high is not None else clause.one_of or []
    return max(least, default=None), min(most)


_OTHER_LIST = _("the cards above and those below may each be a deck (are these two lists pasted into one?)")
_BELOW_SUM = _(
    "the cards below may be in another zone, for this sum is that of a whole deck (put a heading here)"
)
_OTHER_COLUMN = _("this column may be “{other}” (put the names of the zones above the columns)")


def _doubt_above(deck: Deck, index: int, why: Words) -> Diagnostic:
    """What is told of the lines above the entry at that index: of the first with anything in it."""
    rows = _rows_above(deck, index)
    nth = next((nth for nth, row in enumerate(rows) if row.strip()), 0)
    line = min(deck.entries[index - 1].line + 1 + nth, deck.entries[index].line)
    return doubt_below(why, line, 1, rows[nth].strip())


def _copies(entries: Sequence[Entry], *zones: str) -> int:
    """The copies of the entries in some zones."""
    return sum(entry.copies for entry in entries if entry.zone in zones)


def _has_words(words: Vocabulary, rows: Sequence[str]) -> bool:
    """Whether one of some lines has words other than those for a kind of card."""
    written = [shape_of(row).strip() for row in rows if not _separates(row)]
    return any(not isinstance(heading_of(words, shape), Label) for shape in written)


def _meet(entry: Entry, where: Predicate, catalog: Catalog) -> bool:
    world = World("", {}, catalog)
    return bool(entry.cards) and all(holds(where, card, world) == YES for card in entry.cards)


def _in_zone(deck: Deck, moved: Sequence[Entry], zone: str) -> Deck:
    entries = (replace(entry, zone=zone) if entry in moved else entry for entry in deck.entries)
    return replace(deck, entries=tuple(entries))


def _separates(line: str) -> bool:
    """Whether a line is empty, or a rule such as "---"."""
    return not any(map(str.isalnum, line))


def _block_begins(deck: Deck) -> list[int]:
    """The indexes of entries below gaps; if each card has one, of those below a wider gap or a rule such as "---"."""
    gaps = dict[int, list[str]]()
    for index in range(1, len(deck.entries)):
        gap = [row.strip() for row in _rows_above(deck, index) if _separates(row)]
        if gap:
            gaps[index] = gap
    if len(deck.entries) == len(gaps) + 1 > _MOST_SEPARATED:
        usual = min(map(len, gaps.values()))
        return [index for index, gap in gaps.items() if len(gap) > usual or any(gap)]
    return list(gaps)


def _has_title(words: Vocabulary, deck: Deck, index: int) -> bool:
    """Whether there are words between the entry at that index and the one above it, other than the sum of those above or heads.

    A comment is no title unless it sorts cards.
    """
    rows = _rows_above(deck, index)
    if rows and _sums_up(deck, index, rows[0]):
        rows = rows[1:]
    heads = [clean_line(row)[0] for row in deck.lines[: deck.entries[0].line - 1]]
    titles = (row for row in rows if row not in heads and not compiled(_NO_TITLE).fullmatch(row))
    return any(
        not row.lstrip().startswith(("#", "//"))
        or isinstance(heading_of(words, shape_of(row).strip()), Label)
        for row in titles
    )


def _rows_above(deck: Deck, index: int) -> Sequence[str]:
    """The cleaned lines between the entry at that index and the one above it; on one line of a web page, the cells."""
    above, entry = deck.entries[index - 1], deck.entries[index]
    first = deck.lines[above.line - 1] if above.line else ""
    if above.line < entry.line:
        rows = [clean_line(row)[0] for row in deck.lines[above.line : entry.line - 1]]
        return ["", *rows] if "</" in first and compiled(_END_OF_BLOCK).search(first) else rows
    between = first[above.column - 1 : entry.column - 1]
    if compiled(_END_OF_CELL).search(between) and "<br" in first:
        return [""]
    return clean_line(between)[0].split("\t")[1:-1] if "<" in between else []


_END_OF_BLOCK, _END_OF_CELL = r"(?i)</(?:ul|ol|table)\s*>", r"(?i)</t[dh]\s*>"
"""Matches tags of a web page with which a list or table ends, or a cell of one."""


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


def _with_diagnostic(deck: Deck, id: str, message: Words, entry: Entry, zone: str) -> Deck:
    return deck.with_diagnostic(Diagnostic(id, message, entry.line, entry.column, zone, entry.written))


# Cards on top of a list.

_WITHOUT_HEADINGS = frozenset({"text", "moxfield", "arena"})
"""The notations in which the first cards may stand under no heading."""
_MOST_ON_TOP = 3
_MOST_TRIED = 200


class TopCards:
    """Finds the cards of the zones `on_top` in lists that don't name these zones; `first` is the default zone."""

    def __init__(self, format: Format, clauses: Sequence[PreparedClause], first: str) -> None:
        self._format, self._clauses, self._first = format, clauses, first
        self._zones = format.on_top

    def placed(self, deck: Deck) -> Deck:
        """The deck with its first cards in the zones `on_top`, and a diagnostic; the deck itself if it names one of them."""
        placed = 0
        names_one = any(entry.zone in self._zones for entry in deck.entries)
        if names_one or deck.notation not in _WITHOUT_HEADINGS:
            return deck
        for zone in self._zones:
            count = self._count_of(deck, placed, zone)
            deck = _in_zone(deck, deck.entries[placed : placed + count], zone)
            placed += count
            if not count:
                break
        if placed and placed < len(deck.entries) and any(map(str.strip, _rows_above(deck, placed))):
            deck = _with_title(deck)
        for zone in dict.fromkeys(entry.zone for entry in deck.entries[:placed]):
            moved = [entry for entry in deck.entries[:placed] if entry.zone == zone]
            message = _(
                "on top without a heading, so counted in “{zone}”: {cards}",
                zone=self._format.zones[zone],
                cards=series([_("“{card}”", card=entry.written) for entry in moved]),
            )
            deck = _with_diagnostic(deck, FindingId.MOVED_TO_HOME_ZONE, message, moved[0], zone)
        return deck

    def doubted(self, deck: Deck, is_open: Callable[[Deck], bool]) -> Deck | None:
        """The deck with no cards in the zones `on_top` and a diagnostic, if with others there it `is_open` or legal.

        None if the list says itself which these are, or if no others may be there.
        """
        own = [
            item
            for item in deck.diagnostics
            if item.id == FindingId.MOVED_TO_HOME_ZONE and item.zone in self._zones
        ]
        top = sum(entry.zone in self._zones for entry in deck.entries)
        if (top and not own) or deck.notation not in _WITHOUT_HEADINGS or _is_apart(deck, top):
            return None
        bare = _in_zone(deck, deck.entries[:top], self._first)
        bare = replace(bare, diagnostics=tuple(item for item in deck.diagnostics if item not in own))
        others = self._others(bare, bare.entries[:top])
        if not (any(map(is_open, others)) if top else next(others, None)):
            return None
        zone = self._zones[0]
        name = self._format.zones[zone]
        message = _("it isn't clear which cards are in “{zone}” (write that heading above them)", zone=name)
        return _with_diagnostic(bare, FindingId.UNKNOWN_ZONE, message, bare.entries[0], self._first)

    def _count_of(self, deck: Deck, start: int, zone: str) -> int:
        """How many cards from an index on are in a zone, of whose rules they keep all; 0 if none are."""
        for count in range(min(_MOST_ON_TOP, len(deck.entries) - start), 0, -1):
            first = deck.entries[start : start + count]
            may_stand = all(entry.zone == self._first and entry.cards for entry in first)
            if may_stand and self.keeps_rules(_in_zone(deck, first, zone).entries, zone):
                return count
        return 0

    def keeps_rules(self, entries: Iterable[Entry], zone: str) -> bool:
        """Whether those of the entries in a zone and in the zones on top before it keep all rules about these zones."""
        earlier = self._zones[: self._zones.index(zone) + 1]
        there = [entry for entry in entries if entry.zone in earlier]
        clauses = [
            prepared
            for prepared in self._clauses
            if prepared.clause.selection.zones
            and set(prepared.clause.selection.zones).issubset(earlier)
            and prepared.clause.when is None
        ]
        contents = tally(there, 0, frozenset(earlier))
        outcomes, _assumptions = evaluate(clauses, contents)
        return not outcomes

    def _others(self, deck: Deck, taken: Sequence[Entry]) -> Iterator[Deck]:
        """The deck with each other card that alone keeps the rules of the first zone there."""
        zone = self._zones[0]
        for entry in deck.entries[:_MOST_TRIED]:
            other = _in_zone(deck, [entry], zone)
            if (entry,) != taken and entry.cards and self.keeps_rules(other.entries, zone):
                yield other


def _with_title(deck: Deck) -> Deck:
    """The deck with the line above its first cards as its name, since these are in a zone on top, whatever it says."""
    doubts = [item for item in deck.diagnostics if item.message == Why.TITLE_OR_HEADING]
    if not doubts:
        return deck
    rest = tuple(item for item in deck.diagnostics if item not in doubts)
    return replace(deck, diagnostics=rest, header={"deck": doubts[0].written, **deck.header})


def _is_apart(deck: Deck, top: int) -> bool:
    """Whether an empty line parts the first cards from the others."""
    return 0 < top < len(deck.entries) and not all(map(str.strip, _rows_above(deck, top)))
