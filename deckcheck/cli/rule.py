"""`deckcheck rule`: what a rule means."""

import typer

from deckcheck.analysis import rule_pages
from deckcheck.checking.session import index_formats
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command
from deckcheck.cli.run import Run, Status
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import any_broken, known_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.report.screen import render_options, write_problems
from deckcheck.support.messages import N_
from deckcheck.support.terminal import show

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    help=N_(
        "Explain a rule, with an example that breaks it and one that keeps it. Without an ID, list all rules."
    ),
    epilog="deckcheck rule copies\ndeckcheck rule --format original",
)
def rule(
    ctx: typer.Context,
    rule: opt.RuleName = None,
    format: opt.FormatChosen = None,
    config: opt.Config = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    project = run.project(config)
    options, load = project.options, project.formats.load
    look = render_options(run.lang)
    known = known_formats(project.folders)
    # Formats take seconds to load, and those of other games have no such rule.
    every_game = rule is None or any_broken(project.folders.formats)
    wanted = None if every_game else {entry.id.partition("/")[0] for entry in known if rule in entry.rules}
    every, problems = index_formats(load, project.folders, options.cards, wanted)
    formats = every
    if format is not None:
        formats = (project.load_format(format),)
    elif problems:
        write_problems(problems, run.lang)
    if rule is None:
        text = rule_pages.render_list(rule_pages.rules_of(formats), look, engine=format is None)
    elif rule in ENGINE_IDS:
        games = known_games(project.folders) if format is None else [formats[0].format.game]
        page = rule_pages.engine_page(rule, rule_pages.game_showing(rule, games), load)
        text = rule_pages.render_engine_page(page, look)
    else:
        pages = rule_pages.pages_of(rule, formats)
        if not pages:
            named_format = None if format is None else formats[0].format.id
            having = [info.format for info in rule_pages.rules_of(every) if info.id == rule]
            ids = {id for entry in known for id in entry.rules}
            raise rule_pages.no_such_rule(rule, ids, having, named_format)
        text = rule_pages.render_pages(pages, look)
    show(text)
    return Status.OK
