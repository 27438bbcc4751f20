"""Rules with what shows them: for each id the formats that have it, and the cases that break and keep it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.checking.cases import Expected, expected_of
from deckcheck.checking.format_index import IndexedFormat
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.session import Load
from deckcheck.decklists.decode import decode
from deckcheck.formats.find import shown_path, source_file
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, Finding, Report
from deckcheck.report.describe import rule_infos
from deckcheck.report.rulepages import EnginePage, Example, RulePage
from deckcheck.report.writer import RuleInfo
from deckcheck.support.errors import UserError, suggest, wrong
from deckcheck.support.files import read_bytes, shipped
from deckcheck.support.messages import Localized, _

Case = tuple[Path, Deck, Expected]

EXAMPLES = "engine.examples"
"""The folder beside a game's formats with lists that show the engine's ids: ID.txt, ID.mended.txt, and
ID.cards.yaml where cards of one's own belong to it. Each names its format."""


def rules_of(shelf: Sequence[IndexedFormat]) -> tuple[RuleInfo, ...]:
    """Every rule of these formats, format by format."""
    return tuple(info for one in shelf for info in rule_infos(one.format.format, one.format.game_data.game))


def pages_of(id: str, shelf: Sequence[IndexedFormat]) -> tuple[RulePage, ...]:
    """The rule of that id in each of these formats that has it, with a case that breaks it and one that keeps it."""
    pages = []
    for one in shelf:
        for info in rule_infos(one.format.format, one.format.game_data.game):
            if info.id == id:
                breaks, keeps = _shown(info, one)
                pages.append(RulePage(info, one.format.format.title, breaks, keeps))
    return tuple(pages)


def game_showing(id: str, games: Sequence[str]) -> str:
    """The first of the games that has lists for that id of the engine; where none has, the first."""
    shown = (game for game in games if (shipped("formats") / game / EXAMPLES / f"{id}.txt").is_file())
    return next(shown, games[0])


def engine_page(id: str, game: str, load: Load) -> EnginePage:
    """An id of the engine with the lists that show it; a game may have none."""
    folder = shipped("formats") / game / EXAMPLES
    beside = folder / f"{id}.cards.yaml"
    cards = (str(beside),) if beside.is_file() else ()
    breaks = _list_shown(folder / f"{id}.txt", id, cards, load)
    return EnginePage(id, breaks, _list_shown(folder / f"{id}.mended.txt", id, cards, load))


def no_such_rule(id: str, shelf: Sequence[IndexedFormat], asked: str | None = None) -> UserError:
    """What to say of an id that no format of the shelf has, or, where one was asked for, that this one lacks."""
    known = {
        info.id: [one.format for one in rules_of(shelf) if one.id == info.id] for info in rules_of(shelf)
    }
    listing = _("deckcheck rule lists them all")
    if asked is not None and id in known:
        listed = ", ".join(known[id])
        return wrong(
            _("{asked} has no rule {id!r}", asked=asked, id=id),
            hint=_("it is a rule of {listed}", listed=listed),
        )
    near = suggest(id, sorted({*known, *ENGINE_IDS}))
    message = Localized("か".join(f"「{one}」" for one in near), " or ".join(map(repr, near)))
    hint = _("did you mean {message}? {listing}", message=message, listing=listing) if near else listing
    return wrong(_("there is no rule {id!r}", id=id), hint=hint)


def _shown(info: RuleInfo, one: IndexedFormat) -> tuple[Example | None, Example | None]:
    """A case in which the rule is broken alone, and one that sits on its bound."""
    id = info.id
    breaking: list[Case] = []
    keeping: list[Case] = []
    for file, deck, expected in _cases(info, one):
        if expected.rules == {id}:
            breaking.append((file, deck, expected))
        if id in expected.bound:
            keeping.append((file, deck, expected))
    broken = _first(breaking, id, one.format)
    kept = next((case for case in _apt(keeping, id) if _holds(id, case[1], one.format)), None)
    return broken, None if kept is None else Example(shown_path(kept[0]), kept[2].note)


def _apt(cases: Sequence[Case], id: str) -> list[Case]:
    """The plainest first: those that are called after the rule, in few words, with few cards."""
    return sorted(
        cases,
        key=lambda case: (
            not case[0].name.startswith(id),
            len(case[0].stem),
            len(case[1].entries),
            str(case[0]),
        ),
    )


def _cases(info: RuleInfo, one: IndexedFormat) -> Iterator[Case]:
    """The cases of the format, and of the one that the rule is taken over from, that speak of the rule.

    What is wrong with them is for `formats test` to tell.
    """
    id = info.id
    folders = {one.file.with_suffix(".cases"), source_file(info.source.path).with_suffix(".cases")}
    for file in sorted(case for folder in folders for case in folder.rglob("[!.]*")):
        try:
            text = decode(read_bytes(file), shown_path(file)) if file.is_file() else ""
            if id in text:
                deck = read_deck(one.format, text, shown_path(file))
                yield file, deck, expected_of(deck)
        except UserError:
            continue


def _first(cases: Sequence[Case], id: str, format: LoadedFormat) -> Example | None:
    for file, deck, expected in _apt(cases, id):
        report = _judged(deck, format)
        found = () if report is None else _of(id, report)
        # What nobody can tell breaks nothing.
        if report is not None and found and all(one.verdict == "violated" for one in found):
            return Example(shown_path(file), expected.note, report=report._replace(findings=found))
    return None


def _holds(id: str, deck: Deck, format: LoadedFormat) -> bool:
    report = _judged(deck, format)
    return report is not None and not _of(id, report)


def _judged(deck: Deck, format: LoadedFormat) -> Report | None:
    try:
        return check(deck, format)
    except UserError:
        return None


def _of(id: str, report: Report) -> tuple[Finding, ...]:
    return tuple(one for one in report.findings if one.rule == id)


def _list_shown(file: Path, id: str, cards: tuple[str, ...], load: Load) -> Example | None:
    if not file.is_file():
        return None
    text = decode(read_bytes(file), shown_path(file))
    lines = tuple(line for line in text.splitlines() if not line.startswith("# format:"))
    reference = text.partition("# format:")[2].partition("\n")[0].strip()
    report = check(text, load(reference, cards), path=shown_path(file))
    found = _of(id, report)
    return Example(
        shown_path(file), Localized("", ""), lines, report._replace(findings=found) if found else None
    )
