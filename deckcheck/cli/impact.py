"""`deckcheck impact`: lists and two days in, the decks that change between them out."""

# The annotations are read by typer, so they are no strings here.

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import (
    BestOf,
    Cards,
    ColorChoice,
    Config,
    ExitZero,
    Format,
    Isolated,
    Lang,
    Notation,
    OutputFile,
    day,
)
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.formats.banlistfile import Announcement
    from deckcheck.report.impact import Days

NONE_WORSE, SOME_WORSE, NOT_CHECKED = 0, 1, 2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "impact",
        no_args_is_help=True,
        help=_(
            "Find the decks whose verdict changes when the banlists change between two "
            "dates, and the entries that cause it."
        ).key,
        epilog=_(
            "Exit status: 0 no deck gets a worse verdict; 1 some deck does; 2 something could not be checked."
        ).key,
    )(impact)


@command
def impact(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=_(
                "Decklist files, folders, or - for standard input. Dates given in a deck (# date: …) are ignored."
            ).key,
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="DATE|FILE.yaml",
            help=_("The later day, or a banlist file with announced changes that are not yet in force.").key,
        ),
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="DATE", callback=day, help=_("The earlier day (default: today).").key),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="DATE",
            callback=day,
            help=_("The later day if --to is a file (default: the newest day in it).").key,
        ),
    ] = None,
    format: Format = None,
    best_of: BestOf = None,
    output_format: Annotated[
        Literal["text", "json", "markdown"], typer.Option("--output-format", help=_("Output format.").key)
    ] = "text",
    output: OutputFile = None,
    lang: Lang = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
    exit_zero: ExitZero = False,
) -> int:
    import sys

    from deckcheck.analysis.impact import AnnouncementError, Comparison
    from deckcheck.checking.walk import DeckFile, find_decks
    from deckcheck.cli.project import check_options, language_of, project_settings, protect_lists
    from deckcheck.cli.terminal import Progress, for_each, tell_first_time, wants_color
    from deckcheck.cli.terminal import output as writing
    from deckcheck.formats.banlistfile import unused_announcement
    from deckcheck.report.impact import Impact, Impacts, render_json, render_markdown, render_text
    from deckcheck.report.writer import RenderOptions

    settings = project_settings(paths, config=config, isolated=isolated)
    spoken = language_of(settings, lang)
    options = check_options(settings, format=format, best_of=best_of, cards=cards, notation=notation)
    days, announcement = _days(from_, to, on)
    items = list(find_decks(paths, settings=settings))
    if output is not None:
        protect_lists(output, items, *([] if announcement is None else [announcement.path]))
    tell_first_time(spoken)
    compared = Comparison(options, days, announcement).compare
    impacts: list[Impact] = []
    used: set[str] = set()

    def work(found: DeckFile, __progress: Progress) -> None:
        outcome = compared(found)
        used.update(outcome.lists)
        impacts.extend([] if outcome.impact is None else [outcome.impact])

    done = for_each(items, spoken, work, fatal=AnnouncementError)
    decks = len(items) - done.failed
    if announcement is not None and decks and announcement.banlist not in used:
        raise unused_announcement(announcement, used)
    turned = tuple(impact for impact in impacts if impact.turned)
    touched = tuple(impact for impact in impacts if not impact.turned)
    found = Impacts(days, turned, touched, decks, done.failed, done.problems)
    renderers = {"text": render_text, "json": render_json, "markdown": render_markdown}
    as_text = output_format == "text"
    look = RenderOptions(spoken, as_text and wants_color(color, None if output is not None else sys.stdout))
    with writing(output, exact=not as_text) as write:
        write(renderers[output_format](found, look))
    if done.failed:
        return NOT_CHECKED
    return SOME_WORSE if found.worse and not exit_zero else NONE_WORSE


def _days(from_: str | None, to: str, on: str | None) -> "tuple[Days, Announcement | None]":
    from deckcheck.formats.banlistfile import read_announcement
    from deckcheck.report.impact import Announced, Days
    from deckcheck.support.dates import day_of_option, today

    before = from_ or today().isoformat()
    announcement, announced = None, None
    if to.lower().endswith((".yaml", ".yml")):
        announcement = read_announcement(to)
        announced = Announced(announcement.path, announcement.banlist)
        after = on or announcement.newest
    elif on is not None:
        raise user_error(_("--on can only be used if --to is a file"))
    else:
        after = day_of_option("--to", to, hint=_("the name of a banlist file must end in .yaml"))
    if before > after:
        raise user_error(
            _("--from: {before} is after {after}", before=before, after=after),
            hint=_("use --from to set the earlier day (default: today)") if from_ is None else None,
        )
    return Days(before, after, announced), announcement
