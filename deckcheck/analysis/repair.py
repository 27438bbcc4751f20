"""Lists and their repairs: what prevents one, what its owner asks for, and the list with the changed copies."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.analysis.repair_search import Change, Repair, repair
from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, NotADecklistError
from deckcheck.checking.judge import GameData, LoadedFormat
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import OpenedDeck, read_list
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header_directives_comments import games_of
from deckcheck.formats.grammar import Context
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, FindingId, Report
from deckcheck.report.findings import diagnostic_finding, uncertain_findings
from deckcheck.report.json import json_answer
from deckcheck.report.results import Places, RenderOptions
from deckcheck.report.text import Progress, answer
from deckcheck.rewriting.deck_edits import Copies, copies_of, judged, names_in_language_of, with_copies
from deckcheck.rewriting.diff_and_save import Rewrite, rewritten
from deckcheck.support.documents import of_option
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Words, _, card_name, fields_of, shortened
from deckcheck.support.templates import render
from deckcheck.support.terminal import painter, show


class RepairedList(Struct, frozen=True):
    """A list with its repair (None if no legal deck was found, but `remaining` findings).

    `text` is the list to use instead: itself if it is legal already and keeps to what was asked. `warnings` are the check's
    about the legal deck.
    """

    opened: OpenedDeck
    report: Report
    text: str
    repair: Repair | None = None
    remaining: tuple[Finding, ...] = ()
    warnings: tuple[Words, ...] = ()

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The list and its repair as plain values, by schemas/repair.schema.json."""
        repair = self.repair
        return {
            "path": self.report.deck.path,
            **fields_of(self.report, ("format", "as_of", "verdict"), lang),
            "distance": repair and repair.distance,
            "proven": repair is not None and repair.is_proven,
            "bound": repair and repair.bound,
            "warnings": self.warnings,
            "changes": repair.changes if repair else (),
            "choices": repair.choices if repair else (),
            "remaining": [fields_of(finding, ("rule", "message"), lang) for finding in self.remaining],
            "deck": repair and self.text,
        }


class Repairer:
    """Repairs lists by the same options; `pool` is the path of a collection."""

    def __init__(self, keep: Sequence[str], without: Sequence[str], pool: str | None) -> None:
        self._keep, self._without, self._pool_path = keep, without, pool
        self._pools: dict[str, Mapping[str, int]] = {}

    def repaired(self, opened: OpenedDeck) -> RepairedList:
        """The list with its repair. Raises UserError if it can't be read or judged with certainty."""
        report, format = opened.check(strict=True), opened.format
        data, best_of = format.game_data, games_of(opened.deck, opened.best_of)
        removed = self._uncertain_entries(opened)
        rest = tuple(entry for entry in opened.deck.entries if entry not in removed)
        certain = replace(opened, deck=replace(opened.deck, entries=rest))
        problems = list(obstacles(certain.check(strict=True) if removed else report))
        if problems:
            raise UserError(problems)
        # The other names may be of cards that the deck has, or of any.
        asked = [name for name in self._without if name not in removed.values()]
        without, keep = _cards(data, "without", asked), _cards(data, "keep", self._keep)
        copies = copies_of(certain.deck)
        _refuse_contradictions(keep, without, copies, opened.deck.path)
        pool = self._pool(data)
        result = repair(copies, format, report.as_of, best_of, keep=keep, without=without, pool=pool)
        if not isinstance(result, Repair):
            return RepairedList(opened, report, opened.text, remaining=result)
        if not result.distance and not removed:
            return RepairedList(opened, report, opened.text, result, warnings=_warnings(report))
        changes = [Change(entry.zone, entry.written, entry.copies, 0) for entry in removed]
        further = sum(change.before for change in changes)
        result = replace(
            result,
            distance=result.distance + further,
            bound=result.bound + further,
            changes=(*changes, *result.changes),
        )
        text = with_copies(format, opened.text, opened.deck, result.copies)
        after = judged(result.copies, format, report.as_of, best_of)
        return RepairedList(opened, report, text, result, warnings=_warnings(after))

    def _uncertain_entries(self, opened: OpenedDeck) -> dict[Entry, str]:
        """The entries of uncertain cards that are to be left out, with the name by which that is asked."""
        fold = opened.format.game_data.catalog.fold
        removed: dict[Entry, str] = {}
        for entry in opened.deck.entries:
            names = {fold(name) for name in (entry.written, *(card.name for card in entry.cards))}
            named = [name for name in self._without if entry.card is None and fold(name) in names]
            if named:
                removed[entry] = named[0]
        return removed

    def _pool(self, data: GameData) -> Mapping[str, int]:
        """The copies of each card in the collection. Raises UserError for lines that can't be read with certainty."""
        path, game = self._pool_path, data.game.id
        if path is None:
            return {}
        if game not in self._pools:
            deck = data.read(decode(read_list(path), path), path)
            unread = (item for item in deck.diagnostics if item.id == FindingId.INVALID_LINE)
            findings = [*map(diagnostic_finding, unread), *uncertain_findings(deck, data.catalog)]
            if findings:
                places = Places(deck)
                raise UserError([_problem(finding, deck, places) for finding in findings])
            if not deck.entries:
                raise user_error(_("no cards in this collection"), path=path)
            owned = Counter[str]()
            for held in copies_of(deck).values():
                owned.update(held)
            self._pools[game] = owned
        return self._pools[game]


def _refuse_contradictions(keep: Sequence[str], without: Sequence[str], copies: Copies, path: str) -> None:
    """Raise UserError if a card to keep isn't in the deck, or is to be left out."""
    for name in keep:
        if not any(name in held for held in copies.values()):
            raise user_error(_("--keep: the deck has no {name!r}", name=name), path=path)
        if name in without:
            raise user_error(_("--keep and --without name the same card: {name!r}", name=name))


def obstacles(report: Report) -> Iterator[Problem]:
    """Yields what prevents a list from being read or judged with certainty, and so repaired, in the check's words.

    `report` must not ignore findings.
    """
    deck, places = report.deck, Places(report.deck)
    for finding in report.uncertain:
        problem = _problem(finding, deck, places)
        if finding.rule in (FindingId.UNKNOWN_CARD, FindingId.AMBIGUOUS_NAME):
            option = shlex.join(["--without", finding.cards[0].name])
            hint = finding.hint or _("correct the line")
            problem = replace(problem, hint=_("{hint} (or take it out: {option})", hint=hint, option=option))
        yield problem


def _problem(finding: Finding, deck: Deck, places: Places) -> Problem:
    """A finding as a problem with the line of a list, which can't be used because of it."""
    problem = Problem(finding.message, deck.path, hint=finding.hint)
    for mark in places.of(finding)[:1]:
        line = deck.lines[mark.line - 1]
        return replace(problem, line=mark.line, column=mark.column, length=mark.length, excerpt=line)
    return problem


def _cards(data: GameData, option: str, names: Iterable[str]) -> list[str]:
    """The names of the cards that the words of an option mean. Raises UserError."""
    context = Context(data.game, data.catalog)
    cards = [context.card_name(word) for word in of_option(option, names).under(option)]
    context.refuse()
    return cards


def _warnings(report: Report) -> tuple[Words, ...]:
    return tuple(finding.message for finding in report.findings if finding.severity == "warning")


_MOST_NAMED = 5


def write_repairs(
    items: Sequence[Item],
    open_list: Callable[[DeckFile], OpenedDeck | None],
    repairer: Repairer,
    look: RenderOptions,
    *,
    output_format: Literal["text", "json", "diff"],
    save: bool = False,
) -> list[RepairedList] | None:
    """Write the repair of each list that `open_list` opens (None: skip it), and `save` it in the list itself.

    A list from standard input that is to be saved is only written to standard output. Returns the repaired lists; None if
    some list couldn't be repaired because of an error.
    """
    progress, done = Progress(len(items), look.lang, quiet=output_format == "json"), list[RepairedList]()

    def work(deck: DeckFile) -> None:
        opened = open_list(deck)
        if opened is None:
            raise NotADecklistError(deck.path)
        repaired = repairer.repaired(opened)
        done.append(repaired)
        progress.clear()
        if save and deck.path == STANDARD_INPUT:
            show(repaired.text, exact=True)
        elif output_format == "diff":
            show(_diff(repaired, look))
        elif output_format == "text":
            show(_text(repaired, look))
        if save and deck.path != STANDARD_INPUT and repaired.text != opened.text:
            rewritten(deck, opened, repaired.text).save()

    failed = for_each(items, progress, work)
    if output_format == "json":
        show(json_answer({"decks": done, "errors": [*progress.problems]}, look.lang), exact=True)
    return None if failed else done


def _diff(repaired: RepairedList, look: RenderOptions) -> str:
    """The changes as a diff of the list; "" without any, and if no legal deck was found, why."""
    if repaired.repair is None:
        return _text(repaired, look)
    if not repaired.repair.distance:
        return ""
    path, text = repaired.opened.deck.path, repaired.opened.text
    rewrite = Rewrite(path, text, repaired.text, text.encode(), repaired.text.encode())
    return rewrite.diff(path, look.lang, painter(look.color))


def _text(repaired: RepairedList, look: RenderOptions) -> str:
    """The lines that say what to change in a list, why nothing was found, or that it is legal."""
    repair, opened = repaired.repair, repaired.opened
    changes = changes_text(repair, opened.format, opened.deck, look.lang) if repair else ""
    return answer("repair.txt", look, repaired=repaired, repair=repair, changes=changes)


def changes_text(repair: Repair, format: LoadedFormat, deck: Deck, lang: str) -> str:
    """What a repair changes in a list, with names in the language of the list, one thing a line."""
    spelt = names_in_language_of(deck, format)

    def cards(names: Sequence[str], most: int | None = None) -> Words:
        return shortened([card_name(spelt(name)) for name in names], most or len(names))

    zones = format.zone_names
    return render("changes.txt", lang, repair=repair, zones=zones, spelt=spelt, cards=cards, most=_MOST_NAMED)


class SmallChange(Struct, frozen=True):
    """A repair with its changes in words, one a line."""

    repair: Repair
    text: str


def small_change(report: Report, format: LoadedFormat, best_of: int | None, lang: str) -> SmallChange | None:
    """The repair of a checked deck; None if it isn't illegal or isn't certain, or if none is found."""
    if not report.is_repairable:
        return None
    result = repair(copies_of(report.deck), format, report.as_of, best_of)
    if not isinstance(result, Repair):
        return None
    return SmallChange(result, changes_text(result, format, report.deck, lang))
