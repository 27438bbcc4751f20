"""`deckcheck rule`: what a rule means."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import Cards, Config, Isolated, Lang
from deckcheck.support.messages import _


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "rule",
        help=_(
            "Explain a rule, with an example that breaks it and one that keeps it. Without an ID, list all rules."
        ).key,
    )(rule)


@command
def rule(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help=_("Rule ID.").key)] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="ID|FILE", help=_("Show only the rules of this format.").key),
    ] = None,
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    import sys

    from deckcheck.analysis.rulepages import (
        engine_page,
        game_showing,
        no_such_rule,
        pages_of,
        render_engine_page,
        render_list,
        render_pages,
        rules_of,
    )
    from deckcheck.checking.format_index import IndexedFormat, index_formats
    from deckcheck.checking.session import FormatCache
    from deckcheck.cli.project import check_options, language_of, project_settings
    from deckcheck.cli.terminal import output, tell_first_time, tell_problems, wants_color, width_of
    from deckcheck.formats.lookup import format_file
    from deckcheck.model.finding import ENGINE_IDS
    from deckcheck.report.writer import RenderOptions

    settings = project_settings([], config=config, isolated=isolated)
    options = check_options(settings, cards=cards)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    load = FormatCache(options.folders).load
    look = RenderOptions(spoken, wants_color("auto", sys.stdout), width_of(sys.stdout))
    every, problems = index_formats(load, options.folders, options.cards)
    formats = every
    if format is not None:
        formats = (IndexedFormat(format_file(format, folders=options.folders), load(format, options.cards)),)
    elif problems:
        tell_problems(problems, spoken)
    if rule is None:
        text = render_list(rules_of(formats), look, engine=format is None)
    elif rule in ENGINE_IDS:
        game = game_showing(rule, [shelved.format.format.game for shelved in formats])
        text = render_engine_page(engine_page(rule, game, load), look)
    else:
        pages = pages_of(rule, formats)
        if not pages:
            raise no_such_rule(rule, every, None if format is None else formats[0].format.format.id)
        text = render_pages(pages, look)
    with output(None, exact=False) as write:
        write(text)
    return 0
