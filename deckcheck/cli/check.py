"""`deckcheck check`: many lists in, results and an exit status out."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from typing import Any, Literal, NamedTuple

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks, why_skipped
from deckcheck.checking.session import CheckOptions, Item, Request, check_paths
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Run, command, exit_status_of
from deckcheck.cli.project import check_options, note_card_tables, project_settings, protect_lists
from deckcheck.config.settings import NO_SETTINGS, Settings, Shown, settings_lines, with_exclude, with_rules
from deckcheck.report.writer import OUTPUT_FORMATS, OutputFormat, RenderOptions, Results, Writer
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _, series
from deckcheck.support.safe_text import safe

_SKIPPED = _("Skipped (not a decklist)")

ALL_LEGAL, SOME_ILLEGAL, NOT_CHECKED, SOME_UNDECIDED = 0, 1, 2, 3

_EXCLUSIVE = {
    "statistics": ("output_format",),
    "diff": ("output", "report", "statistics", "watch"),
    "watch": ("report",),
    "show_settings": ("fix", "diff", "watch", "output", "report", "show_files"),
    "show_files": ("fix", "diff", "watch", "output", "report"),
}
"""Parameters, each with others that can't be used with it, since one of the two would have no effect."""


@command(
    _("Check decks."),
    "format as_of best_of output lang color cards games notation exit_zero config isolated *",
    epilog=_(
        "Exit status: 0 every deck is legal; 1 some deck is illegal; 2 something could not be checked; "
        "3 no deck is illegal, but some are undecided."
    ),
    help_if_bare=(
        _("Which decks? deckcheck check FILE or FOLDER…, or - for standard input"),
        _(
            "A list names its format in a line “# format: NAME”, or give --format NAME (see deckcheck formats)."
        ),
        _("All options: deckcheck check --help"),
    ),
)
def check(
    run: Run,
    paths: list[str] = opt.PATHS,
    output_format: OutputFormat | None = opt.option(
        _("Output format (default: text)."), env="DECKCHECK_OUTPUT_FORMAT"
    ),
    report: list[str] = opt.option(
        _("Also write the results to this file, in this output format (repeatable)."), "FORMAT=FILE"
    ),
    unknown: Literal["error", "warn"] | None = opt.option(
        _("How to treat missing card data (default: error). With warn, it does not lead to exit status 3."),
        env="DECKCHECK_UNKNOWN",
    ),
    select: list[str] = opt.option(_("Report only these rules."), "RULE,..."),
    ignore: list[str] = opt.option(_("Do not report these rules."), "RULE,..."),
    exclude: list[str] = opt.option(
        _("Skip paths that match this .gitignore-style pattern (repeatable)."), "PATTERN"
    ),
    force_exclude: bool = opt.flag(_("Apply exclusions to paths named on the command line, too.")),
    stdin_filename: str | None = opt.option(_("File name to use for standard input."), "NAME"),
    statistics: bool = opt.flag(_("Show only the number of findings of each rule.")),
    verbose: bool = opt.flag(
        _("Of many decks, show those without findings, too, and why files are skipped.")
    ),
    watch: bool = opt.flag(_("Check again whenever a file changes.")),
    fix: bool = opt.flag(
        _(
            "Fix what is certain, then check: names of at least 5 characters with exactly one card at edit "
            "distance 1 and no other within 2 (numbers are never changed), and repeated lines for one card in "
            "one zone. A deck on standard input is written to standard output and not checked."
        ),
    ),
    diff: bool = opt.flag(_("Show as a diff what --fix would change, without writing or checking.")),
    show_settings: bool = opt.flag(_("Show the settings in force.")),
    show_files: bool = opt.flag(_("List the files that would be checked.")),
) -> int:
    opt.refuse_pairs(run.typed, _EXCLUSIVE)
    reports = _reports(report, run.output)

    def settings_now() -> Settings:
        found = project_settings(run, paths, stdin_filename)
        found = with_rules(found, opt.split(select), opt.split(ignore), run.format)
        return with_exclude(found, exclude, force_exclude)

    def once() -> int:
        settings = settings_now()
        if show_settings:
            terminal.show_lines(settings_lines(settings, _settings_of(run), run.lang), run.lang)
            return ALL_LEGAL
        if show_files:
            return _show_files(paths, settings, run.lang, stdin_filename)
        note_card_tables(run, settings.folders)
        request = Request(
            check_options(run, settings, stdin_filename),
            "statistics" if statistics else output_format or settings.output_format or "text",
            RenderOptions(run.lang, lenient=(unknown or settings.unknown) == "warn", verbose=verbose),
            tuple(reports.values()),
        )
        files = (run.output, *reports)
        status = check_lists(run, paths, request, settings=settings, files=files, fix=fix, diff=diff)
        return ALL_LEGAL if run.exit_zero and status != NOT_CHECKED else status

    if not watch:
        return once()
    if (output_format or settings_now().output_format or "text") != "text" or run.output is not None:
        raise user_error(_("--watch only works with text output on the screen"))
    if STANDARD_INPUT in paths:
        raise user_error(_("--watch cannot be used with standard input"))
    from deckcheck.cli.watch import files_to_watch, watch_files

    return watch_files(
        lambda: exit_status_of(once, run),
        lambda: files_to_watch(paths, run.format, run.cards, settings_now),
        run.lang,
    )


def _reports(values: Sequence[str], output: str | None) -> dict[str, str]:
    """The formats of further reports by their files. Raises UserError for an unknown one or a file named twice."""
    found: dict[str, str] = {}
    places = set[str]() if output is None else {os.path.realpath(output)}
    for value in values:
        format, _equals, file = value.partition("=")
        if format not in OUTPUT_FORMATS or not file:
            hint = _("write FORMAT=FILE with one of {formats}", formats=series(OUTPUT_FORMATS))
            raise user_error(_("--report: “{value}” names no format and file", value=value), hint=hint)
        place = os.path.realpath(file)
        if place in places:
            raise user_error(_("--report: two reports would be written to this file"), path=file)
        places.add(place)
        found[file] = format
    return found


def _settings_of(run: Run) -> dict[str, Shown]:
    """The options and variables that are also settings."""
    from deckcheck.support.documents import load_schema

    found = {}
    for key in load_schema("config")["properties"]:
        name = key.replace("-", "_")
        value = run.typed.get(name, run.variables.get(name))
        if name in ("select", "ignore"):
            value = opt.split(value)
        if value:
            found[key] = value, f"DECKCHECK_{name.upper()}" if name in run.variables else f"--{key}"
    return found


def _show_files(paths: Sequence[str], settings: Settings, lang: str, stdin_name: str | None) -> int:
    """Write the path of every list that would be checked, one per line; the status is 2 if one is missing."""
    items = list(find_decks(paths, settings=settings, stdin_name=stdin_name))
    terminal.show_lines((item.path for item in items if isinstance(item, DeckFile)), lang)
    problems = [problem for item in items if isinstance(item, UserError) for problem in item.problems]
    terminal.write_problems(problems, lang)
    return NOT_CHECKED if problems else ALL_LEGAL


def check_lists(
    run: Run,
    paths: Sequence[str],
    request: Request,
    *,
    settings: Settings = NO_SETTINGS,
    files: Sequence[str | None] = (None,),
    fix: bool = False,
    diff: bool = False,
) -> int:
    """Check every list under `paths`, write the results, and return the exit status.

    `files` are those of the request's output (None: standard output) and reports. With `fix` lists are corrected before;
    with `diff` that is only shown. Raises UserError when the results can't be written.
    """
    skipped: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, skipped, settings, excluded, request.check.stdin_name))
    for file in files:
        protect_lists(file, items)
    lang = run.lang
    if not items:
        terminal.write_paths(_SKIPPED, skipped, lang)
        terminal.write_paths(_("Nothing to check: all files are excluded"), excluded, lang)
    failed = 0
    if fix or diff:
        items, changed, failed = fix_paths(
            items, request.check, lang, named=paths, diff=diff, color=run.color
        )
        if diff or not items:
            return NOT_CHECKED if failed else SOME_ILLEGAL if diff and changed else ALL_LEGAL
    plain = request.output not in ("text", "statistics")
    look = terminal.render_options(lang, run.color, file=files[0], plain=plain)
    look = look._replace(brief=len(items) > 1, lenient=request.render.lenient, verbose=request.render.verbose)
    total = _check(items, request._replace(render=look), files)
    skipped += total.skipped
    if look.verbose:
        reasons = (*why_skipped(skipped, settings), *((path, _("excluded")) for path in excluded))
        lines = (_("Skipped: {path} ({reason})", path=safe(path), reason=why) for path, why in reasons)
        terminal.write_messages(lang, *lines)
    else:
        terminal.write_paths(_SKIPPED, skipped, lang)
    if total.skipped and not total.size:
        raise user_error(_("no decks in this folder"), path=paths[0])
    status = status_of(total.verdicts, failed + total.failed)
    if (
        status == SOME_ILLEGAL
        and len(items) == 1
        and not plain
        and files[0] is None
        and terminal.is_terminal(sys.stdout)
    ):
        _suggest_repair(items[0], run)
    return ALL_LEGAL if status == SOME_UNDECIDED and look.lenient else status


def status_of(verdicts: Mapping[Any, int], failed: int) -> int:
    """The exit status for the numbers of verdicts and of lists that couldn't be checked."""
    if failed:
        return NOT_CHECKED
    if verdicts["illegal"]:
        return SOME_ILLEGAL
    return SOME_UNDECIDED if verdicts["undecided"] else ALL_LEGAL


def _suggest_repair(item: Item, run: Run) -> None:
    """Name the command that finds the smallest change to an illegal deck, if its solver is installed."""
    from shlex import join

    from deckcheck.analysis import has_solver

    if isinstance(item, DeckFile) and item.path != STANDARD_INPUT and has_solver():
        command = join(["deckcheck", "repair", *map(safe, (item.path, *run.repeated()))])
        advice = _("smallest change that makes it legal: {command}", command=command)
        terminal.show(f"\n{advice.in_(run.lang)}\n")


class _Sink:
    """The destination of one writer's output, written as it comes."""

    def __init__(self, writer: Writer, write: terminal.Write) -> None:
        self.writer, self._write = writer, write
        self._before = writer.opening
        self._gathered: list[Any] = []

    def add(self, fragments: Sequence[Any]) -> None:
        """Write the fragments of some decks, or keep them for the end."""
        if self.writer.gathers:
            self._gathered += chain.from_iterable(fragments)
        elif fragments:
            self._write(self._before + self.writer.separator.join(fragments))
            self._before = self.writer.separator

    def close(self, total: Results) -> None:
        """Write the output after all decks."""
        total.fragments = self._gathered
        opening = "" if total.decks and not self.writer.gathers else self.writer.opening
        self._write(opening + self.writer.closing(total))


def _check(items: Sequence[Item], request: Request, files: Sequence[str | None]) -> Results:
    """Check the lists and write the results, each output to its file."""
    total, progress = Results(), terminal.Progress(len(items), request.render.lang)
    # Results on the same terminal would be mixed with the bar.
    beside_bar = files[0] is None and terminal.is_terminal(sys.stdout)
    with ExitStack() as stack:
        sinks = [
            _Sink(writer, stack.enter_context(terminal.output(file, exact=writer.exact)))
            for writer, file in zip(request.writers(), files, strict=True)
        ]
        for results in stack.enter_context(closing(check_paths(items, request))):
            if beside_bar:
                progress.clear()
            for sink, fragments in zip(sinks, zip(*results.fragments, strict=True), strict=False):
                sink.add(fragments)
            progress.write_messages(results.problems)
            total.add(results)
            progress.advance(results.size)
        progress.clear()
        for sink in sinks:
            sink.close(total)
    if total.own_facts and not sinks[0].writer.tells_own_facts:
        from deckcheck.report.text import own_lines

        for line in own_lines(total, request.render.lang):
            terminal.write_stderr(f"{line}\n")
    return total


# Fixing


class Fixed(NamedTuple):
    """The lists of a run left to check, how many were (or would be) changed, and how many failed."""

    items: list[Item]
    changed: int
    failed: int


def fix_paths(
    items: Sequence[Item],
    options: CheckOptions,
    lang: str,
    *,
    named: Sequence[str] = (),
    diff: bool = False,
    color: terminal.Color = "auto",
) -> Fixed:
    """Correct the certain mistakes of every list, and report each on standard error; with `diff` only show them.

    Links are followed only if they are `named`. Standard input is written to standard output and not left to check. A list
    that can't be read is left for the check to report, if one follows.
    """
    from deckcheck.report.text import painter
    from deckcheck.rewriting.files import Rewriter

    rewriter, paint = Rewriter(options, named), painter(terminal.wants_color(color, sys.stdout))
    lists = [item for item in items if diff or isinstance(item, DeckFile)]
    progress = terminal.Progress(len(lists), lang)
    changed = 0

    def work(found: DeckFile) -> None:
        nonlocal changed
        is_input, shown = found.path == STANDARD_INPUT, options.shown_name(found.path)
        try:
            opened = rewriter.open(found)
        except UserError:
            if is_input or diff:
                raise
            return
        if opened is None:
            return
        file = rewriter.correct(found, opened)
        changed += bool(file.fixes)
        if file.fixes or is_input:
            progress.clear()
        if diff:
            terminal.show(file.diff(shown, lang, paint) if file.fixes else "")
            return
        if is_input:
            terminal.show(file.after, exact=True)
        else:
            file.save()
        for fix in file.fixes:
            change = f"{safe(fix.was)} → {safe(fix.now)}"
            terminal.write_stderr(f"{safe(shown)}:{fix.line}: {change}\n")

    failed = terminal.for_each(lists, progress, work)
    left = [item for item in items if not isinstance(item, DeckFile) or item.path != STANDARD_INPUT]
    return Fixed(left, changed, failed)
