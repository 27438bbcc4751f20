"""`deckcheck rule`: what a rule means."""

from deckcheck.analysis import rule_pages
from deckcheck.checking.session import index_formats
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.terminal import render_options, show, write_problems
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import any_broken, known_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.messages import _


@command(
    _("Explain a rule, with an example that breaks it and one that keeps it. Without an ID, list all rules."),
    "lang cards games config isolated",
)
def rule(
    run: Run,
    rule: str | None = opt.argument(_("Rule ID."), "RULE", default=None),
    format: str | None = opt.option(_("Show only the rules of this format."), "ID|FILE", "--format", "-f"),
) -> int:
    project = open_project(run, [])
    options, load = project.options, project.formats.load
    look = render_options(run.lang)
    known = known_formats(options.folders)
    # Formats take seconds to load, and those of other games have no such rule.
    every_game = rule is None or any_broken(options.folders.formats)
    wanted = None if every_game else {entry.id.partition("/")[0] for entry in known if rule in entry.rules}
    every, problems = index_formats(load, options.folders, options.cards, wanted)
    formats = every
    if format is not None:
        formats = (project.load_format(format),)
    elif problems:
        write_problems(problems, run.lang)
    if rule is None:
        text = rule_pages.render_list(rule_pages.rules_of(formats), look, engine=format is None)
    elif rule in ENGINE_IDS:
        games = known_games(options.folders) if format is None else [formats[0].format.game]
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
    return 0
