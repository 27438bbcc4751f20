"""`deckcheck rule`: from an id to what is written about it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

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
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of, project, wish_of
from deckcheck.cli.screen import output, tell_problems, wants_color, width_of
from deckcheck.formats.lookup import format_file
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.report.writer import RenderOptions


def run(
    rule: str | None,
    format: str | None,
    lang: str | None,
    cards: Sequence[str],
    *,
    config: str | None,
    isolated: bool,
) -> int:
    """Write what the rule means in every format that has it, or in one; without a rule all ids.

    Raises UserError for an id that nobody has and for a format that can't be used.
    """
    settings = project([], config=config, isolated=isolated)
    wish = wish_of(settings, cards=cards)
    said = language_of(settings, lang)
    tell_first_time(said)
    load = FormatCache(wish.folders).load
    look = RenderOptions(said, wants_color("auto", sys.stdout), width_of(sys.stdout))
    shelf, problems = index_formats(load, wish.folders, wish.cards)
    asked: Sequence[IndexedFormat] = shelf
    if format is not None:
        asked = [IndexedFormat(format_file(format, folders=wish.folders), load(format, wish.cards))]
    elif problems:
        tell_problems(problems, said)
    if rule is None:
        text = render_list(rules_of(asked), look, engine=format is None)
    elif rule in ENGINE_IDS:
        game = game_showing(rule, [one.format.format.game for one in asked])
        text = render_engine_page(engine_page(rule, game, load), look)
    else:
        pages = pages_of(rule, asked)
        if not pages:
            raise no_such_rule(rule, shelf, None if format is None else asked[0].format.format.id)
        text = render_pages(pages, look)
    with output(None, exact=False) as write:
        write(text)
    return 0
