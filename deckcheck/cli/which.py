"""`deckcheck which`: lists in, the formats in which they are legal out."""

import typer

from deckcheck.analysis.which import write_matches
from deckcheck.checking.deck_files import DeckSearch
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.text import render_options
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import write_paths

app = App()


@app.command(
    help=N_("Find the formats in which a deck is legal, and what keeps it out of the others."),
    epilog="deckcheck which deck.txt\ndeckcheck which - --output-format json",
)
def which(
    ctx: typer.Context,
    paths: opt.Paths,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(None, as_of, best_of, notation=notation)
    session = run.session(config, paths, options)
    is_text = output_format == "text"
    look = render_options(run.lang, color, plain=not is_text)
    search = DeckSearch(session.options.settings)
    items = list(search.decks(paths))
    repeated = opt.same_options(options, config)
    verdicts = write_matches(items, session, look, is_text=is_text, check_options=repeated)
    # Excluded files beside others are no mistake.
    skipped = list(search.passed_over) if items else search.excluded
    write_paths(_("Skipped (not a decklist, or excluded)"), skipped, run.lang)
    return Status.ERROR if verdicts is None else opt.status_of(verdicts)
