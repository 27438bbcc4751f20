"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

# The annotations are read by typer, so they are no strings here.

from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import Cards, ColorChoice, Config, Isolated, Lang, Notation
from deckcheck.support.messages import Message, _, n_

if TYPE_CHECKING:
    from deckcheck.report.text import Paint
    from deckcheck.rewriting.files import FormattedFile

DONE, WOULD_CHANGE, NOT_DONE = 0, 1, 2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "fmt",
        no_args_is_help=True,
        short_help=_("Rewrite decklists in one canonical notation.").key,
        help=_(
            "Rewrite decklists in one canonical notation. Cards, counts, zones and comments stay; a file with an "
            "unreadable line is left alone."
        ).key,
        epilog=_(
            "Exit status: 0 done (with --check or --diff: nothing would change); 1 with --check or --diff: something "
            "would change; 2 something could not be formatted."
        ).key,
    )(fmt)


@command
def fmt(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=_(
                "Decklist files, folders, or - for standard input to standard output (which also turns CSV, YAML, "
                "JSON and the notations of other tools into text)."
            ).key,
        ),
    ],
    check: Annotated[
        bool, typer.Option("--check", help=_("Write nothing; list the files that would change.").key)
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help=_("Write nothing; show what would change.").key)
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            envvar="DECKCHECK_FORMAT",
            help=_("Format, which tells the game (default: from the deck or the settings).").key,
        ),
    ] = None,
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
    color: ColorChoice = "auto",
    lang: Lang = None,
) -> int:
    import sys

    from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
    from deckcheck.cli.project import check_options, language_of, project_settings
    from deckcheck.cli.terminal import Progress, complain, for_each, tell_first_time, tell_paths, wants_color
    from deckcheck.report.text import painter
    from deckcheck.rewriting.files import leads_away, make_file_formatter
    from deckcheck.support.errors import UserError

    settings = project_settings(paths, config=config, isolated=isolated)
    options = check_options(settings, format=format, cards=cards, notation=notation)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    others: list[str] = []
    foreign: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, others, settings, excluded))
    formatted = make_file_formatter(options)
    paint = painter(wants_color(color, sys.stdout))
    dry = check or diff
    changes: list[bool] = []

    def work(found: DeckFile, progress: Progress) -> None:
        file = "structured" if leads_away(found.path, paths) else formatted(found)
        if isinstance(file, str):
            (foreign if file == "foreign" else others).append(found.path)
            return
        if found.path == STANDARD_INPUT or (dry and file.changes):
            progress.clear()
        _finish(found.path, file, spoken, paint, check=check, diff=diff)
        changes.append(file.changes)

    failed = for_each(items, spoken, work).failed
    tell_paths(_("Skipped (not a text decklist)"), others, spoken)
    tell_paths(
        _("Skipped (in another tool's notation; `deckcheck convert --to canonical` rewrites it)"),
        foreign,
        spoken,
    )
    if not items:
        tell_paths(_("Nothing to format: all files are excluded"), excluded, spoken)
    if dry or any(isinstance(item, UserError) or item.path != STANDARD_INPUT for item in items):
        complain(_summary(changes, failed, dry=dry).in_(spoken) + "\n")
    if failed:
        return NOT_DONE
    return WOULD_CHANGE if dry and any(changes) else DONE


def _finish(path: str, file: "FormattedFile", lang: str, paint: "Paint", *, check: bool, diff: bool) -> None:
    """Show a formatted list, name it, or write it."""
    from deckcheck.checking.walk import STANDARD_INPUT
    from deckcheck.cli.terminal import output
    from deckcheck.rewriting.files import diff_of, replace_file
    from deckcheck.support.safetext import safe

    if diff or check:
        if file.changes:
            shown = (
                diff_of(path, file.before, file.after, lang=lang, paint=paint) if diff else safe(path) + "\n"
            )
            with output(None, exact=False) as write:
                write(shown)
    elif path == STANDARD_INPUT:
        with output(None, exact=True) as write:
            write(file.after)
    elif file.changes:
        replace_file(path, file.after.encode())


def _summary(changes: list[bool], failed: int, *, dry: bool) -> Message:
    changed = sum(changes)
    done = (
        n_("{n} file would be reformatted", "{n} files would be reformatted", changed)
        if dry
        else n_("{n} file reformatted", "{n} files reformatted", changed)
    )
    same = len(changes) - changed
    if failed:
        return _(
            "{done}, {same} unchanged, {failed} could not be formatted", done=done, same=same, failed=failed
        )
    return _("{done}, {same} unchanged", done=done, same=same)
