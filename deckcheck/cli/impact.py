"""`deckcheck impact`: lists and two days in, the decks that change between them out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from deckcheck.analysis.impact import (
    AnnouncementError,
    Comparison,
    Days,
    Impact,
    Impacts,
    render_json,
    render_markdown,
    render_text,
)
from deckcheck.bulk.stored_files import find_parts, hold_stored_decks, holds_stored_decks
from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.cli.bulk import SKIPPED, require_arrow, rules_of_parts
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import Project, open_project, protect_inputs, protect_lists
from deckcheck.cli.terminal import Progress, for_each, render_options, show, write_paths
from deckcheck.formats.banlist_files import read_announcement, unused_announcement
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

NONE_WORSE, SOME_WORSE, NOT_CHECKED = 0, 1, 2
_RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}


@command(
    _(
        "Find the decks whose verdict changes when the banlists change between two dates, and the entries that "
        "cause it."
    ),
    "* format best_of output lang color cards games notation config isolated exit_zero",
    epilog=_(
        "Exit status: 0 no deck gets a worse verdict; 1 some deck does; 2 something could not be checked."
    ),
    help_if_bare=True,
)
def impact(
    run: Run,
    paths: list[str] = opt.argument(
        _(
            "Decklist files, files of stored decks as for bulk, folders, or - for standard input. Dates given in a deck (# date: …) are ignored."
        ),
        "PATH...",
    ),
    to: str = opt.option(
        _("The later day, or a banlist file with announced changes that are not yet in force."),
        "DATE|FILE.yaml",
        default=...,
    ),
    from_: str | None = opt.option(
        _("The earlier day (default: today)."), "DATE", "--from", convert=day_of_option
    ),
    on: str | None = opt.option(
        _("The later day if --to is a file (default: the newest day in it)."),
        "DATE",
        convert=day_of_option,
    ),
    output_format: Literal["text", "json", "markdown"] = opt.option(_("Output format."), default="text"),
) -> int:
    project = open_project(run, paths)
    days = _days(from_, to, on)
    announcement = days.announcement
    comparison = Comparison(project.options, days)
    compare = _compare_stored if hold_stored_decks(paths) else _compare_lists
    found = compare(run, paths, project, comparison, days)
    if announcement is not None and found.decks and announcement.banlist not in comparison.lists:
        raise unused_announcement(announcement, comparison.lists)
    as_text = output_format == "text"
    look = render_options(run.lang, run.color, file=run.output, plain=not as_text)
    show(_RENDERERS[output_format](found, look), exact=not as_text, file=run.output)
    if found.failed:
        return NOT_CHECKED
    worse = any(impact.worse for impact in found.impacts)
    return SOME_WORSE if worse and not run.exit_zero else NONE_WORSE


def _compare_lists(
    run: Run, paths: Sequence[str], project: Project, comparison: Comparison, days: Days
) -> Impacts:
    items = list(find_decks(paths, settings=project.settings))
    protect_lists(run.output, items, *_files_of(days))
    progress, impacts = Progress(len(items), run.lang), list[Impact]()

    def work(found: DeckFile) -> None:
        impact = comparison.compare(found)
        if impact is not None:
            impacts.append(impact)

    failed = for_each(items, progress, work, fatal=AnnouncementError)
    return Impacts(days, tuple(impacts), len(items) - failed, failed, tuple(progress.problems))


def _compare_stored(
    run: Run, paths: Sequence[str], project: Project, comparison: Comparison, days: Days
) -> Impacts:
    require_arrow()
    from deckcheck.bulk.runs import StoredPart, compared_parts

    parts, others, problems = find_parts(paths)
    lists = [part.path for part in parts if not holds_stored_decks(part.path)]
    parts = [part for part in parts if part.path not in lists]
    write_paths(SKIPPED, [*lists, *others], run.lang)
    progress = Progress(0, run.lang)
    progress.write_messages(problems)
    protect_inputs(run.output, [Path(file) for file in (*(part.path for part in parts), *_files_of(days))])
    stored = [
        StoredPart(part, comparison.transition(rules.format), rules.best_of, rules.settings)
        for part, rules in zip(parts, rules_of_parts(parts, project), strict=True)
    ]
    impacts, decks, failed = list[Impact](), 0, len(problems)
    for compared in compared_parts(stored, progress.advance):
        progress.write_messages(compared.problems)
        impacts += compared.impacts
        decks += compared.decks
        failed += bool(compared.problems)
    progress.clear()
    return Impacts(days, tuple(impacts), decks, failed, tuple(progress.problems))


def _files_of(days: Days) -> list[str]:
    return [] if days.announcement is None else [days.announcement.path]


def _days(from_: str | None, to: str, on: str | None) -> Days:
    before = from_ or today().isoformat()
    announcement = None
    if to.lower().endswith((".yaml", ".yml")):
        announcement = read_announcement(to)
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
    return Days(before, after, announcement)
