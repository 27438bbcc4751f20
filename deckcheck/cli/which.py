"""`deckcheck which`: lists in, the formats in which they are legal out."""

from deckcheck.analysis.which import FormatFinder, FormatMatches, render_text, which_object
from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.terminal import Progress, for_each, output, render_options, write_paths
from deckcheck.report.json import json_line
from deckcheck.support.messages import _

LEGAL, ILLEGAL, NOT_READ, UNDECIDED = 0, 1, 2, 3


@command(
    _("Find the formats in which a deck is legal, and what keeps it out of the others."),
    "as_of best_of output_format lang color cards games notation config isolated",
    epilog=_(
        "Exit status: 0 every deck is legal in some format; 1 some deck is legal in none; 2 something could not be "
        "read; 3 no deck is illegal everywhere, but some are undecided."
    ),
    help_if_bare=True,
)
def which(
    run: Run,
    decks: list[str] = opt.DECKS,
) -> int:
    project = open_project(run, decks)
    as_text = run.output_format == "text"
    look = render_options(run.lang, run.color, plain=not as_text)
    repeated = run.repeated()
    skipped: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(decks, skipped, project.settings, excluded))
    fitting = FormatFinder(project.options)
    progress = Progress(len(items), run.lang)
    done: list[FormatMatches] = []
    with output(None, exact=not as_text) as write:

        def work(found: DeckFile) -> None:
            fits, problems = fitting.fit(found)
            progress.write_messages(problems, quiet=not as_text)
            if as_text:
                progress.clear()
                write(("\n" if done else "") + render_text(fits, look, repeated))
            done.append(fits)

        failed = for_each(items, progress, work, quiet=not as_text)
        if not as_text:
            write(json_line(which_object(done, tuple(progress.problems), run.lang)) + "\n")
    # Excluded files in a folder are no mistake.
    left_out = skipped or ([] if done or progress.problems else excluded)
    write_paths(_("Skipped (not a decklist, or excluded)"), left_out, run.lang)
    verdicts = {fits.verdict for fits in done}
    # A format that could not be tried may be one in which a deck is legal.
    if failed or (progress.problems and verdicts != {"legal"}):
        return NOT_READ
    return ILLEGAL if "illegal" in verdicts else UNDECIDED if "undecided" in verdicts else LEGAL
