"""`deckcheck sheet`: a list, an event or a format in; sheets for print out."""

import re
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.judge import check, games_of
from deckcheck.checking.session import FormatCache, Session
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.language import user_language
from deckcheck.cli.private import spare, spare_event, write_private
from deckcheck.cli.project import language_of, project, wish_of
from deckcheck.cli.screen import complain, is_terminal
from deckcheck.registration.entries.fields import said_of
from deckcheck.registration.entries.header import read_player
from deckcheck.registration.model import Player
from deckcheck.registration.sheets.event import sheets_of
from deckcheck.registration.sheets.make import empty_sheet, sheet_of
from deckcheck.registration.sheets.model import Page
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import _
from deckcheck.support.safetext import about

_NOT_FOR_EVENTS = (
    *("format", "as_of", "best_of", "cards", "config", "isolated", "notation"),
    *("name", "reading", "handle", "id", "table"),
)
"""What an event's file says itself, or the entries do."""

_UNSETTLED = _("no sheet, since it can't be told which of a player's lists counts")


class Asked(NamedTuple):
    """The options of `deckcheck sheet` as they were given; `typed` names those that stand on the command line."""

    path: str | None
    format: str | None = None
    output: str | None = None
    pdf: bool = False
    font: str | None = None
    empty: bool = False
    player: Player = Player()
    lang: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    notation: str | None = None
    config: str | None = None
    isolated: bool = False
    typed: frozenset[str] = frozenset()

    @property
    def as_pdf(self) -> bool:
        """Whether it is to be a PDF."""
        return self.pdf or (self.output or "").lower().endswith(".pdf")


def run(asked: Asked) -> int:
    """Write the sheets and return the exit status, which is 0.

    Raises UserError for what can't be read, can't be drawn or can't be written.
    """
    if asked.font is not None and not asked.as_pdf:
        raise wrong(_("--font goes with --pdf"))
    if asked.as_pdf and asked.output is None and is_terminal(sys.stdout):
        raise wrong(_("a PDF can't be shown on a terminal: name a file with -o"))
    tell_first_time(asked.lang or user_language())
    if asked.path is None:
        pages: Sequence[Page] = _of_format(asked)
    elif is_event(asked.path):
        pages = _of_event(asked, Path(asked.path))
    else:
        pages = [_of_deck(asked, asked.path)]
    write_private(_rendered(pages, asked), asked.output)
    return 0


def _rendered(pages: Sequence[Page], asked: Asked) -> bytes:
    if asked.as_pdf:
        from deckcheck.registration.sheets import pdf

        return pdf.render(pages, asked.font)
    from deckcheck.registration.sheets import html

    return html.render(pages).encode("utf-8", "backslashreplace")


def is_event(path: str) -> bool:
    """Whether a file describes an event: a YAML mapping with the key `event`. Standard input never does."""
    if path == STANDARD_INPUT or not is_file(Path(path)):
        return False
    data = read_bytes(Path(path))
    if b"event" not in data:
        return False
    from deckcheck.support.yamlfile import load_yaml

    try:
        found = load_yaml(Path(path)).data
    except UserError:
        # A broken event shall be told as such; a list in any notation may be broken YAML.
        return path.lower().endswith((".yaml", ".yml")) and re.search(rb"(?m)^event[ \t]*:", data) is not None
    return isinstance(found, dict) and "event" in found


def _lang(said: str) -> Literal["ja", "en"]:
    return "ja" if said == "ja" else "en"


def _of_format(asked: Asked) -> list[Page]:
    """An empty sheet of the format that is asked for."""
    if not asked.empty:
        raise wrong(_("name a deck or an event's file (or ask for an empty sheet with --empty)"))
    if asked.format is None:
        raise wrong(_("--empty needs --format or an event's file"))
    settings = project(["."], config=asked.config, isolated=asked.isolated)
    wish = wish_of(settings, cards=asked.cards)
    format = FormatCache(wish.folders).load(asked.format, wish.cards)
    return [
        empty_sheet(
            format,
            asked.as_of or date.today().isoformat(),
            _lang(language_of(settings, asked.lang)),
            player=asked.player,
            best_of=asked.best_of,
        )
    ]


def _of_deck(asked: Asked, path: str) -> Page:
    if asked.empty:
        raise wrong(
            _("--empty goes with --format or an event's file"),
            path=path,
        )
    settings = project([path], config=asked.config, isolated=asked.isolated)
    wish = wish_of(
        settings,
        format=asked.format,
        as_of=asked.as_of,
        best_of=asked.best_of,
        cards=asked.cards,
        notation=asked.notation,
    )
    opened = Session(wish).open(_the_one(path))
    try:
        # A judge holds the sheet, and judges ignore nothing.
        report = check(
            opened.deck, opened.format, as_of=opened.as_of, best_of=opened.best_of, suppressions=False
        )
    except UserError as error:
        raise opened.placed(error) from error
    if asked.output is not None and path != STANDARD_INPUT:
        spare(asked.output, [Path(path)])
    best_of = games_of(opened.deck, opened.best_of)
    ending = "" if path == STANDARD_INPUT else Path(path).suffix.lower()
    own = said_of(read_player(opened.text, ending)).player
    player = own._replace(**{key: value for key, value in asked.player._asdict().items() if value})
    lang = _lang(asked.lang or own.language or language_of(settings, None))
    return sheet_of(report, opened.format, lang, player=player, best_of=best_of)


def _the_one(path: str) -> DeckFile:
    """The list at that path. Raises UserError when it is not there, or a folder."""
    if path != STANDARD_INPUT and Path(path).is_dir():
        raise wrong(
            _("a folder: name one list, or an event's file"),
            path=path,
        )
    for found in find_decks([path]):
        if isinstance(found, UserError):
            raise found
        return found
    raise wrong(_("no deck"), path=path)


def _of_event(asked: Asked, path: Path) -> Sequence[Page]:
    from deckcheck.registration.desk import open_desk, roster_of
    from deckcheck.registration.log import read_log, standing

    said = [key for key in _NOT_FOR_EVENTS if key in asked.typed]
    if said:
        options = ", ".join("--" + key.replace("_", "-") for key in said)
        raise wrong(
            _("not with an event's file, which says this itself: {options}", options=options),
            path=str(path),
        )
    desk = open_desk(path)
    event = desk.event
    if asked.output is not None:
        spare_event(asked.output, event)
    lang = _lang(asked.lang or user_language())
    always = "lang" in asked.typed
    if asked.empty:
        mine = lang if always else _lang(event.language or lang)
        return [empty_sheet(desk.format, event.as_of, mine, event=event, best_of=event.best_of)]
    log = read_log(event.log, event.id)
    made = sheets_of(roster_of(desk, log), lang, standing(log), always=always)
    if made.unsettled:
        complain(about(_UNSETTLED, made.unsettled).in_(lang) + "\n")
    if not made.pages:
        raise wrong(_("there is no list to make a sheet of"), path=str(path))
    return made.pages
