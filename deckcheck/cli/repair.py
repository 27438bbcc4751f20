"""`deckcheck repair`: illegal lists in, the nearest legal decks out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.analysis import require_solver
from deckcheck.analysis.repair_wording import change_lines, clash_words, doubts_about, headline, problem_of
from deckcheck.analysis.witness import copies_of, judged, names_in_language_of
from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.checking.judge import GameData
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.cli.terminal import Progress, for_each, output, render_options, show_values, write_paths
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import day_of, games_of
from deckcheck.model.deck import Entry
from deckcheck.model.finding import Report
from deckcheck.report.findings import diagnostic_finding, suggestion, uncertain_findings
from deckcheck.report.json import problem_object
from deckcheck.report.text import painter
from deckcheck.report.wording import LABELS, Label
from deckcheck.rewriting.deck_edits import encoded, with_copies
from deckcheck.rewriting.files import Rewrite, Rewriter, bytes_of, replace_file
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, Words, _, card_series, p_
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.analysis.repair import Change, Clash, Repair, Wishes

_LEAST_SECONDS, _MOST_SECONDS = 0.1, 3600


class _Answer:
    """The result for one list; `found` is None if the deck is legal already."""

    def __init__(self, opened: OpenedDeck, report: Report, found: "Repair | Clash | None", lang: str) -> None:
        self.opened, self.report, self.found = opened, report, found
        self.repair: Repair | None = None if found is None or found.tag == "clash" else found
        self.clash: Clash | None = None if found is None or found.tag == "repair" else found
        self.text = opened.text
        if self.repair is not None:
            self.text = with_copies(opened.format, opened.text, opened.deck, self.repair.copies, lang)

    @property
    def warnings(self) -> tuple[Words, ...]:
        """The check's warnings about the legal deck."""
        report = self.report
        if self.repair is not None:
            best_of = games_of(self.opened.deck, self.opened.best_of)
            report = judged(self.repair.copies, self.opened.format, report.as_of, best_of)
        findings = () if self.clash is not None else report.findings
        return tuple(finding.message for finding in findings if finding.severity == "warning")

    @property
    def status(self) -> Status:
        """The exit status of this list alone."""
        if self.found is None:
            return Status.OK
        return Status.PROBLEMS if self.repair else Status.UNDECIDED


app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Find the legal deck nearest to an illegal one: the fewest copies to take out and to put in, where a move "
        "between zones counts once. Requires pip install 'deckcheck[prove]'."
    ),
    epilog=examples("deckcheck repair deck.txt", "deckcheck repair deck.txt --keep 天災デドダム --diff")
    + N_(
        "Exit status: 0 every deck is legal already; 1 repaired; 2 something could not be checked; "
        "3 for some deck there is no legal deck in reach."
    ),
)
def repair(
    ctx: typer.Context,
    decks: opt.Decks,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=opt.card_names,
            help=N_("Keep all copies of this card (repeatable)."),
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", autocompletion=opt.card_names, help=N_("Do without this card (repeatable).")
        ),
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=N_(
                "Of cards that the deck lacks, put in those of this collection first (a list in any notation)."
            ),
        ),
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=_LEAST_SECONDS,
            max=_MOST_SECONDS,
            help=N_("Seconds to search for each deck."),
        ),
    ] = 10.0,
    diff: Annotated[bool, typer.Option("--diff", help=N_("Show the changes as a diff of the list."))] = False,
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help=N_("Change the list itself. A deck on standard input is written to standard output."),
        ),
    ] = False,
    format: opt.Format = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    as_text = output_format == "text"
    opt.refuse_together("--diff", diff, {"--write": write, "--output-format": not as_text})
    opt.refuse_together("--write", write, {"--output-format": not as_text})
    options = CheckOptions(format, as_of, best_of, tuple(cards or ()), notation=notation)
    project = open_project(run, decks, options, games=games, config=config)
    look = render_options(run.lang, color, plain=not as_text)
    skipped: list[str] = []
    items = list(find_decks(decks, skipped, project.settings))
    # A link is rewritten only if it is named.
    open_list = Rewriter(project.options, decks).open if write else Session(project.options).open
    wish_options = _WishOptions(keep or (), without or (), pool)
    progress, done = Progress(len(items), run.lang), list[_Answer]()
    with output(None, exact=not as_text or (write and STANDARD_INPUT in decks)) as show:

        def work(found: DeckFile) -> None:
            opened = open_list(found)
            if opened is None:
                skipped.append(found.path)
                return
            answer = _answer(opened, wish_options, time_limit, run.lang)
            done.append(answer)
            progress.clear()
            if write and found.path == STANDARD_INPUT:
                show(answer.text)
                return
            if diff:
                show(_diff(answer, run.lang, look.color))
            elif as_text:
                show("".join(f"{line}\n" for line in _lines(answer, run.lang, look.color)))
            if write and answer.repair is not None:
                old = bytes_of(found, opened)
                replace_file(found.path, encoded(answer.text, old, found.path))

        failed = for_each(items, progress, work, quiet=not as_text)
    if not as_text:
        # By schemas/repair.schema.json.
        errors = [problem_object(problem, run.lang) for problem in progress.problems]
        show_values(
            {"decks": [_deck_object(answer, run.lang) for answer in done], "errors": errors}, run.lang
        )
    write_paths(_("Skipped (not a decklist, or excluded)"), skipped, run.lang)
    return Status.ERROR if failed or not items else max((answer.status for answer in done), default=Status.OK)


def _answer(opened: OpenedDeck, wish_options: "_WishOptions", seconds: float, lang: str) -> _Answer:
    """The nearest legal deck for a list. Raises UserError if it can't be checked."""
    report = opened.check(strict=True)
    certain, gone, wishes = wish_options.of(opened)
    doubts = list(doubts_about(certain.check(strict=True) if gone else report, opened.format))
    if doubts:
        raise UserError(doubts)
    if wishes is None:
        return _Answer(opened, report, None, lang)
    from deckcheck.analysis import repair as search

    day = day_of(opened.deck, opened.as_of)
    games = games_of(opened.deck, opened.best_of)
    try:
        found: Repair | Clash = search.repair(
            copies_of(certain.deck), opened.format, day, wishes, seconds=seconds, best_of=games
        )
    except UserError as error:
        raise opened.placed(error) from error
    if found.tag == "repair":
        out = sum(change.before for change in gone)
        changes = (*gone, *found.changes)
        found = found._replace(distance=found.distance + out, bound=found.bound + out, changes=changes)
    unchanged = found.tag == "repair" and not found.distance
    return _Answer(opened, report, None if unchanged else found, lang)


class _WishOptions:
    """The wishes for every deck, from options; `pool` is the path of a collection."""

    def __init__(self, keep: Sequence[str], without: Sequence[str], pool: str | None) -> None:
        self._keep, self._without, self._pool = keep, without, pool
        self._pools: dict[str, dict[str, int]] = {}

    def of(self, opened: OpenedDeck) -> "tuple[OpenedDeck, tuple[Change, ...], Wishes | None]":
        """The deck without uncertain cards named by --without, the changes for these, and the wishes for the rest.

        The wishes are None if the deck is legal and fulfils them already. Raises UserError.
        """
        data, deck = opened.format.game_data, opened.deck
        fold = data.catalog.fold
        gone: dict[Entry, str] = {}
        for entry in deck.entries:
            names = {entry.written, *(card.name for card in entry.cards)}
            named = [name for name in self._without if fold(name) in map(fold, names)]
            if named and (entry.card is None or entry.copies != entry.most):
                gone[entry] = named[0]
        opened = opened._replace(deck=deck._replace(entries=tuple(e for e in deck.entries if e not in gone)))
        without = [_card(data, name, "--without") for name in self._without if name not in gone.values()]
        kept = [_card(data, name, "--keep") for name in self._keep]
        held = {entry.card.name for entry in opened.deck.entries if entry.card and entry.copies}
        for name in kept:
            if name not in held:
                raise user_error(_("--keep: the deck has no {name!r}", name=name), path=deck.path)
            if name in without:
                raise user_error(_("--keep and --without name the same card: {name!r}", name=name))
        if self._pool is not None and data.game.id not in self._pools:
            self._pools[data.game.id] = _pool(data, self._pool)
        if not gone and not (held & {*without}) and opened.check(strict=True).verdict == "legal":
            return opened, (), None
        require_solver(deck.path)
        from deckcheck.analysis.repair import Change, Wishes

        changes = (Change(entry.zone, entry.written, entry.copies, 0) for entry in gone)
        wishes = Wishes(tuple(kept), tuple(without), self._pools.get(data.game.id))
        return opened, tuple(changes), wishes


def _card(data: GameData, name: str, option: str) -> str:
    """The name of the only card that `name` can mean. Raises UserError."""
    cards = data.catalog.find(name)
    if len(cards) == 1:
        return cards[0].name
    if cards:
        names = card_series(card.name for card in cards)
        raise user_error(_("{option}: {name!r} can mean {cards}", option=option, name=name, cards=names))
    hint = suggestion(data.catalog.suggest(name))
    raise user_error(_("{option}: there is no card {name!r}", option=option, name=name), hint=hint)


def _pool(data: GameData, path: str) -> dict[str, int]:
    """The copies of each card in a collection. Raises UserError for lines that can't be read with certainty."""
    deck = data.read(decode(read_list(path), path), path)
    unread = (item for item in deck.diagnostics if item.id == "invalid-line")
    findings = [*map(diagnostic_finding, unread), *uncertain_findings(deck, data.catalog)]
    if findings:
        raise UserError([problem_of(finding, deck) for finding in findings])
    if not deck.entries:
        raise user_error(_("no cards in this collection"), path=path)
    owned = Counter[str]()
    for held in copies_of(deck).values():
        owned.update(held)
    return owned


# Outputs


def _diff(answer: _Answer, lang: str, color: bool) -> str:
    if answer.repair is None:
        return "".join(f"{line}\n" for line in _lines(answer, lang, color)) if answer.clash else ""
    path = answer.opened.deck.path
    old, new = answer.opened.text.encode(), answer.text.encode()
    return Rewrite(path, answer.opened.text, answer.text, old, new).diff(path, lang, painter(color))


def _lines(answer: _Answer, lang: str, color: bool) -> Iterator[str]:
    """The result in words."""
    report, paint = answer.report, painter(color)
    path = paint(safe(report.deck.path) + ":", "bold")
    name, day = safe(report.format_name.in_(lang)), report.as_of
    if answer.repair is not None:
        found, format = answer.repair, answer.opened.format
        for line in (
            headline(found, name, day),
            *change_lines(found, format, names_in_language_of(answer.opened.deck, format)),
        ):
            text = safe(line.in_(lang))
            yield f"{path} {text}" if path else f"  {text}"
            path = ""
    elif answer.clash is not None:
        yield f"{path} " + _(
            "no deck in reach is legal in {format} ({day}); these clash:", format=name, day=day
        ).in_(lang)
        for words in clash_words(answer.clash, answer.opened.format):
            yield from (f"  {safe(line)}" for line in words.in_(lang).split("\n"))
        if not answer.clash.minimal:
            yield "  " + _("(with more time some of them might turn out not to matter)").in_(lang)
    else:
        yield f"{path} " + _("legal in {format} ({day}); nothing to change", format=name, day=day).in_(lang)
    for warning in answer.warnings:
        label = LABELS[Label.WARNING].in_(lang)
        yield "  " + safe(p_("problem", "{label}: {message}", label=label, message=warning).in_(lang))


def _deck_object(answer: _Answer, lang: str) -> dict[str, Any]:
    report, found, clash = answer.report, answer.repair, answer.clash
    legal = answer.found is None
    return {
        "path": report.deck.path,
        "format": report.format,
        "as_of": report.as_of,
        "verdict": report.verdict,
        "distance": 0 if legal else None if found is None else found.distance,
        "proven": legal or (clash is not None and clash.minimal) or (found is not None and found.proven),
        "bound": 0 if legal else None if found is None else found.bound,
        "warnings": [warning.in_(lang) for warning in answer.warnings],
        "changes": [
            {"zone": change.zone, "name": change.name, "from": change.before, "to": change.after}
            for change in (() if found is None else found.changes)
        ],
        "choices": [
            {
                "zone": choice.zone,
                "direction": "in" if choice.added else "out",
                "copies": choice.copies,
                "name": choice.name,
                "examples": list(choice.examples),
                "among": choice.among,
                "most": min(choice.most, choice.copies),
                "facts": [{"attribute": attribute, "value": value} for attribute, value in choice.facts],
            }
            for choice in (() if found is None else found.choices)
        ],
        "clash": None
        if clash is None
        else {
            "rules": list(clash.rules),
            "keep": list(clash.keep),
            "without": list(clash.without),
            "message": [words.in_(lang) for words in clash_words(clash, answer.opened.format)],
        },
        "deck": None if clash is not None else answer.text,
    }
