"""The organiser's pages of an event, behind a key: the roster, lists, acceptance, letters, sheets, deck checks.

What they show and do is done in other processes by functions that open the event anew, so that what commands or other
desks did meanwhile counts.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import Desk, form_of, language_of, page
from deckcheck.desk.check_pool import list_with_findings, problems_of
from deckcheck.desk.limits_and_security import SHEET_POLICY
from deckcheck.registration import acceptance, deck_checks
from deckcheck.registration.deck_checks import draw, draw_values, share_of
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import Entry, read_log, write_receipts
from deckcheck.registration.notices import notice, notices, notices_csv
from deckcheck.registration.roster import STATES, Roster, build_roster
from deckcheck.registration.roster_tables import (
    entry_values,
    render_csv,
    render_json,
    roster_values,
    submitted_words,
)
from deckcheck.registration.sheet import render_html as render_sheets
from deckcheck.registration.sheet import sheets_of
from deckcheck.support.dates import now
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _, p_, plain
from deckcheck.support.templates import render

COOKIE = "key"
_HOME = "/desk"
_MOST_SECONDS = 60.0
_LONGEST = 200

FILES = {"roster.csv": "text/csv", "roster.json": "application/json", "letters.csv": "text/csv"}
"""The media types of the files for other programs: the roster, and the letters to all players for a mail merge."""

Fields = Mapping[str, str]
"""What was asked or posted, and the parts of the address, by their names."""


class View(Struct, frozen=True):
    """A page: its template, and what that shows by its names."""

    template: str
    values: Mapping[str, Any]
    status: int = 200


class Text(Struct, frozen=True):
    """A whole text for the browser: the sheets to print, or a file for other programs."""

    text: str
    media_type: str
    headers: Mapping[str, str]


class Filter(Struct, frozen=True):
    """A choice of submissions, with the number of those that it shows."""

    id: str
    name: Words
    number: int


def new_key() -> str:
    """A key of 128 random bits."""
    return secrets.token_urlsafe(16)


class OrganiserPages:
    """The pages for the organiser of one event."""

    def __init__(self, desk: Desk, event: Path, key: str, *, secure: bool) -> None:
        self._desk = desk
        self._event = event
        self._key = key
        self._secure = secure

    def routes(self) -> list[Route]:
        """The addresses of these pages; all ask for the key."""
        return [
            Route(_HOME, self.home, methods=["GET"]),
            Route("/desk/accept", self._page(partial(decide, accept)), methods=["POST"]),
            Route("/desk/withdraw", self._page(partial(decide, withdraw)), methods=["POST"]),
            Route("/desk/submissions/{who}", self._page(player), methods=["GET"]),
            Route("/desk/sheets", self._page(sheets), methods=["GET"]),
            *(Route(f"/desk/{name}", self._page(partial(file, name)), methods=["GET"]) for name in FILES),
            Route("/desk/draw", self._page(draw_decks), methods=["GET"]),
            Route("/desk/checks/{who}", self._page(registered), methods=["GET"]),
            Route("/desk/checks/{who}", self._page(verify), methods=["POST"]),
        ]

    async def home(self, request: Request) -> Response:
        """The roster; the link with the key opens it and sets the cookie."""
        key = request.query_params.get("key")
        if key is None:
            return await self._page(roster)(request)
        if not secrets.compare_digest(key.encode(), self._key.encode()):
            return page(request, "desk/locked.html", 403)
        # A page of its own leads on: a browser sends a strict cookie only where this site asked for the page.
        response = page(request, "desk/opened.html")
        response.set_cookie(COOKIE, key, path=_HOME, secure=self._secure, httponly=True, samesite="strict")
        response.headers["Refresh"] = f"0; url={_HOME}"
        return response

    def _page(self, show: Callable[..., View | Text]) -> Callable[[Request], Awaitable[Response]]:
        """What answers a request: one of the functions below, if the browser has the key."""

        async def answered(request: Request) -> Response:
            key = request.cookies.get(COOKIE, "")
            if not secrets.compare_digest(key.encode(), self._key.encode()):
                return page(request, "desk/locked.html", 403)
            asked = request.query_params if request.method == "GET" else await form_of(request)
            view = await self._desk.pool.run(
                show,
                self._event,
                language_of(request),
                {**asked, **request.path_params},
                seconds=_MOST_SECONDS,
            )
            if isinstance(view, Text):
                return Response(view.text, headers=view.headers, media_type=view.media_type)
            return page(request, view.template, view.status, **view.values)

        return answered


_FILTERS: Mapping[str, Words] = {
    "": _("all"),
    "legal": STATES["legal"],
    "illegal": STATES["illegal"],
    "undecided": STATES["undecided"],
    "missing": STATES["missing"],
    "unreadable": STATES["unreadable"],
    "late": p_("note", "late"),
    "twice": _("registered more than once"),
    "waiting": _("not yet accepted"),
    "accepted": _("accepted"),
    "withdrawn": STATES["withdrawn"],
}


def _called(player: Mapping[str, str | None]) -> str:
    """What a player is looked for by."""
    return player["reading"] or player["name"] or player["handle"] or player["id"] or ""


def _passes(entry: Mapping[str, Any], chosen: str) -> bool:
    """Whether a submission, as in the roster's JSON, is among those of a filter."""
    match chosen:
        case "late":
            return entry["late"] is True
        case "twice":
            return bool(entry["others"])
        case "accepted":
            return bool(entry["frozen"])
        case "waiting":
            return not entry["frozen"] and entry["counts"] is not False and entry["withdrawn"] is None
        case "withdrawn":
            return entry["withdrawn"] is not None
        case "":
            return True
    return entry["state"] == chosen and entry["withdrawn"] is None


# What the pages show and do, run in other processes; all raise UserError


def roster(
    _options: CheckOptions, event: Path, lang: str, fields: Fields, sentences: Sequence[str] = ()
) -> View:
    """The submissions as in the roster's JSON, those of a filter, and what came of a decision."""
    read = _roster(event)
    values = roster_values(read, lang)
    entries = sorted(values.pop("entries"), key=lambda entry: _called(entry["player"]))
    chosen = fields.get("show", "")
    filters = [
        Filter(id, name, sum(_passes(entry, id) for entry in entries)) for id, name in _FILTERS.items()
    ]
    chosen_values = {
        "entries": [entry for entry in entries if _passes(entry, chosen)],
        # As the clocks at the event show them.
        "times": {row.id: submitted_words(row, read.event) for row in read.rows},
        "filters": [choice for choice in filters if choice.number or not choice.id],
        "chosen": chosen,
        "states": STATES,
        "sentences": sentences,
    }
    return View("desk/roster.html", values | chosen_values)


def player(
    _options: CheckOptions, event: Path, lang: str, fields: Fields, sentences: Sequence[str] = ()
) -> View:
    """One submission as in the roster's JSON, with its list, its findings and the letter to its player."""
    entries = _roster(event)
    row = entries.find(fields["who"])
    report = row.report
    values = {
        "entry": entry_values(row, entries.event, lang),
        "fields": {entries.event.field_name(id).in_(lang): given for id, given in row.player.filled.items()},
        "submitted": submitted_words(row, entries.event),
        "listed": report and list_with_findings(report, entries.format, lang, corrected=False),
        # The list is shown as it is where it couldn't be read.
        "text": (row.submission.text or "") if report is None else "",
        "letter": notice(row, entries, entries.event.language_of(row.player, lang)),
        "states": STATES,
        "sentences": sentences,
    }
    return View("desk/player.html", values)


def file(name: str, _options: CheckOptions, event: Path, lang: str, _fields: Fields) -> Text:
    """One of FILES."""
    entries = _roster(event)
    match name:
        case "roster.csv":
            text = render_csv(entries, lang)
        case "roster.json":
            text = render_json(entries, lang)
        case _:
            text = notices_csv(notices(entries))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Text(text, f"{FILES[name]}; charset=utf-8", headers)


def sheets(_options: CheckOptions, event: Path, lang: str, fields: Fields) -> Text:
    """The sheets of all players, or of one submission, as a page to print."""
    entries, who = _roster(event), fields.get("who", "")
    pages, _unclear = sheets_of(entries, lang, [entries.find(who)] if who else ())
    if not pages:
        raise user_error(_("there is no list to print yet"))
    return Text(render_sheets(pages), "text/html", {"Content-Security-Policy": SHEET_POLICY})


def decide(
    action: Callable[..., Sequence[str]], options: CheckOptions, event: Path, lang: str, fields: Fields
) -> View:
    """Decide about a submission, or about all of them ("" for `who`), and show what came of it."""
    who = fields.get("who", "")
    try:
        sentences = action(options, event, lang, who, fields.get("by", ""), fields.get("reason", ""))
    except UserError as error:
        sentences = problems_of(error, lang)
    return (player if who else roster)(options, event, lang, fields, sentences)


def accept(_options: CheckOptions, event: Path, lang: str, who: str, by: str, reason: str) -> Sequence[str]:
    """Accept one submission, or all that may be ("" for `who`); what was frozen and what was refused, in words.

    With a judge (`by`) and a `reason`, also one that may not be accepted otherwise.
    """
    session = EventSession.open(event)
    override = acceptance.decided(by, reason) if by.strip() or reason.strip() else None
    done = acceptance.accept(session, now=now(), only=[who] if who else [], override=override)
    write_receipts(done.log, session.event.receipts)
    return render("desk/accepted.txt", lang, done=done).splitlines()


def withdraw(
    _options: CheckOptions,
    event: Path,
    lang: str,
    who: str,
    by: str,
    reason: str,
    own: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """Write into the log that a player no longer takes part; what was written, in words.

    `own` are the submissions of the player who asks for it; None: the organiser does.
    """
    override = acceptance.decided(by, reason)
    session = EventSession.open(event)
    done = acceptance.withdraw(session, who, override, now=now(), own=own)
    write_receipts(done.log, session.event.receipts)
    name = done.row.player.called or done.row.id
    return (_("{player}: withdrawn (entry {number})", player=name, number=done.entry.number).in_(lang),)


def draw_decks(_options: CheckOptions, event: Path, lang: str, fields: Fields) -> View:
    """The form for a draw and, with a seed, the decks that are drawn, as in the JSON of `event draw`."""
    share, seed = fields.get("share", "10%")[:_LONGEST], fields.get("seed", "")[:_LONGEST]
    values: dict[str, Any] = {"share": share, "seed": seed, "drawn": None, "problems": ()}
    if seed:
        try:
            opened = EventSession.open(event).event
            log = read_log(opened)
            values["drawn"] = draw_values(draw(log, share_of(share), seed))
        except UserError as error:
            values["problems"] = problems_of(error, lang)
    return View("desk/draw.html", values)


def registered(_options: CheckOptions, event: Path, lang: str, fields: Fields) -> View:
    """The registered list of a player, and the form for a deck check."""
    session = EventSession.open(event)
    return _check_view(session, deck_checks.find_receipt(fields["who"], session.event), lang, {})


def verify(_options: CheckOptions, event: Path, lang: str, fields: Fields) -> View:
    """Compare a typed deck with the registered list, and write the result into the log."""
    session = EventSession.open(event)
    entry = deck_checks.find_receipt(fields["who"], session.event)
    by, between_games = fields.get("by", "").strip(), fields.get("between_games") == "yes"
    try:
        if not by:
            raise user_error(_("name the judge who checked the deck"))
        # A list was accepted under the format of its receipt, which the event may have left since.
        format = session.rules_of(entry.receipt.format.id).format
        deck = deck_checks.typed_deck(fields.get("list", ""), "deck", format)
        comparison = deck_checks.verify(entry.receipt, deck, format, between_games=between_games)
        deck_checks.record_check(
            session.event, entry, comparison, between_games=between_games, by=by, path=fields["who"]
        )
    except UserError as error:
        return _check_view(session, entry, lang, fields, problems=problems_of(error, lang))
    return _check_view(session, entry, lang, fields, deck_checks.comparison_values(comparison, entry))


def _check_view(
    session: EventSession,
    entry: Entry,
    lang: str,
    fields: Fields,
    compared: Mapping[str, object] | None = None,
    problems: Sequence[str] = (),
) -> View:
    """The registered list, how a typed one `compared` to it, as in the JSON of `verify`, and the form as it was filled in."""
    receipt, names = entry.receipt, session.format.format.zones
    cards: dict[str, dict[str, int]] = {}
    for copies in receipt.listed.copies:
        zone = names[copies.zone].in_(lang) if copies.zone in names else copies.zone
        cards.setdefault(zone, {})[copies.card] = copies.copies
    values = {
        "player": receipt.player.called or str(entry.number),
        "receipt": entry.number,
        "cards": cards,
        "comparison": plain(compared, lang),
        "text": fields.get("list", ""),
        "by": fields.get("by", ""),
        "between_games": fields.get("between_games") == "yes",
        "problems": problems,
    }
    return View("desk/deck_check.html", values, 422 if problems else 200)


def _roster(event: Path) -> Roster:
    session = EventSession.open(event)
    return build_roster(session, read_log(session.event))
