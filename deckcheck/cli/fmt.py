"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

import sys

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.terminal import Progress, for_each, show, wants_color, write_messages, write_paths
from deckcheck.report.text import painter
from deckcheck.rewriting.files import LeftAlone, Rewriter
from deckcheck.support.messages import _, n_
from deckcheck.support.safe_text import safe

DONE, WOULD_CHANGE, NOT_DONE = 0, 1, 2


@command(
    _(
        "Rewrite decklists in one canonical notation. Cards, counts, zones and comments stay; a file with an "
        "unreadable line is left alone."
    ),
    "* format cards games notation config isolated color lang",
    epilog=_(
        "Exit status: 0 done (with --check or --diff: nothing would change); 1 with --check or --diff: something "
        "would change; 2 something could not be formatted."
    ),
    help_if_bare=True,
)
def fmt(
    run: Run,
    paths: list[str] = opt.argument(
        _(
            "Decklist files, folders, or - for standard input to standard output (which also turns CSV, YAML, "
            "JSON and the notations of other tools into text)."
        ),
        "PATH...",
    ),
    check: bool = opt.flag(_("Write nothing; list the files that would change.")),
    diff: bool = opt.flag(_("Write nothing; show what would change.")),
) -> int:
    project = open_project(run, paths)
    excluded: list[str] = []
    left: dict[LeftAlone, list[str]] = {"structured": [], "foreign": []}
    items = list(find_decks(paths, left["structured"], project.settings, excluded))
    rewriter = Rewriter(project.options, paths)
    paint = painter(wants_color(run.color, sys.stdout))
    progress = Progress(len(items), run.lang)
    dry = check or diff
    changes: list[bool] = []

    def work(found: DeckFile) -> None:
        file = rewriter.format(found)
        if isinstance(file, str):
            left[file].append(found.path)
            return
        shown = dry and file.changes
        if shown or found.path == STANDARD_INPUT:
            progress.clear()
        if shown:
            show(file.diff(found.path, run.lang, paint) if diff else safe(found.path) + "\n")
        elif not dry and found.path == STANDARD_INPUT:
            show(file.after, exact=True)
        elif not dry:
            file.save()
        changes.append(file.changes)

    failed = for_each(items, progress, work)
    write_paths(_("Skipped (not a text decklist)"), left["structured"], run.lang)
    foreign = _("Skipped (in another tool's notation; `deckcheck convert --to canonical` rewrites it)")
    write_paths(foreign, left["foreign"], run.lang)
    if not items:
        write_paths(_("Nothing to format: all files are excluded"), excluded, run.lang)
    changed, same = sum(changes), changes.count(False)
    if dry:
        done = n_("{n} file would be reformatted", "{n} files would be reformatted", changed)
    else:
        done = n_("{n} file reformatted", "{n} files reformatted", changed)
    summary = _("{done}, {same} unchanged", done=done, same=same)
    if failed:
        summary = _(
            "{done}, {same} unchanged, {failed} could not be formatted", done=done, same=same, failed=failed
        )
    if dry or not all(isinstance(item, DeckFile) and item.path == STANDARD_INPUT for item in items):
        write_messages(run.lang, summary)
    if failed:
        return NOT_DONE
    return WOULD_CHANGE if dry and changed else DONE
