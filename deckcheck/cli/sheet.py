"""`deckcheck sheet`: a list, an event or a format in; sheets for print out."""

# The annotations are read by typer, so they are no strings here.

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from deckcheck.checking.judge import games_of
from deckcheck.checking.session import CheckOptions, FormatCache, Session
from deckcheck.checking.walk import STANDARD_INPUT
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import command
from deckcheck.cli.project import (
    Project,
    open_event,
    open_project,
    protect_event,
    protect_inputs,
    single_list,
)
from deckcheck.registration.log import read_log
from deckcheck.registration.sheet_content import Page, sheet_of, sheets_of
from deckcheck.registration.sheet_layout import render_html, render_pdf
from deckcheck.registration.submissions import Player, read_sender
from deckcheck.support.dates import today
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import _, series

_NOT_FOR_EVENTS = (
    *("format", "as_of", "best_of", "cards", "config", "isolated", "notation"),
    *("name", "reading", "handle", "id", "table"),
)
"""What an event's file says itself, or the entries do."""


@command(
    _(
        "Make printable A4 decklist sheets, in HTML or PDF: one page for a deck, or for an event file one page for "
        "each player, in table order. Findings that a list asks to ignore still appear on the sheet."
    ),
    epilog=_(
        "Exit status: 0 written (the sheet of an illegal deck says so); 2 something could not be read. Sheets "
        "contain names, so the output file is readable by its owner only."
    ),
    help_if_bare=True,
    private=True,
)
def sheet(
    context: typer.Context,
    path: str | None = opt.argument(
        _("Decklist file, - for a deck on standard input, or an event file (event.yaml)."),
        "DECK|EVENT",
        default=None,
        show_default=False,
    ),
    format: opt.Format = None,
    output: opt.OutputFile = None,
    pdf: bool = opt.flag(
        "--pdf",
        _("Make a PDF (implied by an output file ending in .pdf); requires pip install 'deckcheck[pdf]'."),
    ),
    font: str | None = opt.option(
        _("Font to embed in the PDF (default: an installed Japanese font); fonts in a .ttc count from 0."),
        "FILE[#N]",
    ),
    empty: bool = opt.flag(
        "--empty", _("Make a blank sheet to fill in by hand (with --format or an event file).")
    ),
    name: str | None = opt.option(
        _(
            "Player name (default: the list's “# player: …” line; other fields likewise, such as “# table: …”)."
        ),
        "TEXT",
    ),
    reading: str | None = opt.option(_("Reading of the name in kana."), "TEXT"),
    handle: str | None = opt.option(_("Handle."), "TEXT"),
    id: str | None = opt.option(_("Player ID."), "TEXT"),
    table: str | None = opt.option(_("Table number."), "TEXT"),
    lang: opt.Lang = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    cards: opt.Cards = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    isolated: opt.Isolated = False,
) -> int:
    typed = opt.given(context, "COMMANDLINE")
    as_pdf = pdf or (output or "").lower().endswith(".pdf")
    if font is not None and not as_pdf:
        raise user_error(_("--font can only be used with --pdf"))
    if as_pdf and output is None and terminal.is_terminal(sys.stdout):
        raise user_error(_("a PDF cannot be shown on a terminal; write it to a file with -o"))
    pages: Sequence[Page]
    if path is not None and is_event(path):
        unsuitable = ["--" + key.replace("_", "-") for key in _NOT_FOR_EVENTS if key in typed]
        if unsuitable:
            message = _(
                "cannot be used with an event file, which sets them itself: {options}",
                options=series(unsuitable),
            )
            raise user_error(message, path=path)
        pages = _of_event(path, output, lang, empty=empty, always="lang" in typed)
    elif empty and path is not None:
        raise user_error(_("--empty can only be used with --format or an event file"), path=path)
    elif path is None and not empty:
        raise user_error(_("name a deck or an event file (or use --empty for a blank sheet)"))
    else:
        given = CheckOptions(format, as_of, best_of, tuple(cards or ()), notation=notation)
        player = Player(name, reading, handle, id, table)
        if path is not None:
            project = open_project([path], lang, config, isolated, given)
            pages = [_of_deck(path, project, player, lang, output)]
        elif format is None:
            raise user_error(_("--empty requires --format or an event file"))
        else:
            project = open_project(["."], lang, config, isolated, given)
            options = project.options
            rules = FormatCache(options.folders).load(format, options.cards)
            day = options.as_of or today().isoformat()
            pages = [sheet_of(rules, project.lang, day, player=player, best_of=options.best_of)]
    data = render_pdf(pages, font) if as_pdf else render_html(pages).encode("utf-8", "backslashreplace")
    terminal.write_private(data, output)
    return 0


def is_event(path: str) -> bool:
    """Whether a file describes an event: a YAML mapping with the key `event`. Standard input never does."""
    if path == STANDARD_INPUT or not is_file(Path(path)):
        return False
    data = read_bytes(Path(path))
    if b"event" not in data:
        return False
    try:
        found = load_yaml(Path(path)).data
    except UserError:
        # A broken event shall be told as such; a list in any notation may be broken YAML.
        return path.lower().endswith((".yaml", ".yml")) and re.search(rb"(?m)^event[ \t]*:", data) is not None
    return isinstance(found, dict) and "event" in found


def _of_deck(path: str, project: Project, player: Player, lang: str | None, output: str | None) -> Page:
    """The sheet of one list; `player` wins over what the list says of its player."""
    opened = Session(project.options).open(single_list(path))
    # A judge holds the sheet, and judges ignore nothing.
    report = opened.check(strict=True)
    if output is not None and path != STANDARD_INPUT:
        protect_inputs(output, [Path(path)])
    own = read_sender(opened.text, path).player
    shown = own._replace(**{key: value for key, value in player.given.items() if value})
    spoken = lang or own.language or project.lang
    best_of = games_of(opened.deck, opened.best_of)
    return sheet_of(opened.format, spoken, report.as_of, report=report, player=shown, best_of=best_of)


def _of_event(
    path: str, output: str | None, lang: str | None, *, empty: bool, always: bool
) -> Sequence[Page]:
    """The sheets of an event; `always` in the language of the option, whatever the lists say."""
    spoken = lang or terminal.user_language()
    session = open_event(path, spoken)
    event = session.event
    if output is not None:
        protect_event(output, event)
    if empty:
        mine = spoken if always else event.language or spoken
        return [sheet_of(session.format, mine, event.as_of, event=event, best_of=event.best_of)]
    pages, unclear = sheets_of(session.roster(read_log(event.log, event.id).receipts), spoken, always=always)
    terminal.tell_paths(_("no sheet (which of the player's lists counts cannot be decided)"), unclear, spoken)
    if not pages:
        raise user_error(_("no lists to make sheets of"), path=path)
    return pages
