"""The organiser's pages of an event, behind a key: the roster, lists, acceptance, letters, sheets, deck checks.

What they show and do is done in other processes by functions that open the event anew, so that what commands or other
desks did meanwhile counts.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import Desk, form_of, language_of, page
from deckcheck.desk.check_pool import marked_lines, notes_on_deck, problems_of
from deckcheck.desk.security import SHEET_POLICY
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
from deckcheck.support.messages import SEMICOLON, Words, _, p_, plain, series

COOKIE = "key"
_HOME = "/desk"
_MOST_SECONDS = 60.0
_LONGEST = 200

FILES = {"roster.csv": "text/csv", "roster.json": "application/json", "letters.csv": "text/csv"}
"""The media types of the files for other programs: the roster, and the letters to all players for a mail merge."""

Values = Mapping[str, Any]
"""What a template shows, by its names."""

Endpoint = Callable[[Request], Awaitable[Response]]


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
            self._route("/desk/accept", self.deciding(accept), "POST"),
            self._route("/desk/withdraw", self.deciding(withdraw), "POST"),
            self._route("/desk/submissions/{id}", self.player, "GET"),
            self._route("/desk/sheets", self.sheets, "GET"),
            *(self._route(f"/desk/{name}", self.download(name), "GET") for name in FILES),
            self._route("/desk/draw", self.draw, "GET"),
            self._route("/desk/checks/{id}", self.show_check, "GET"),
            self._route("/desk/checks/{id}", self.check, "POST"),
        ]

    def _route(self, path: str, endpoint: Endpoint, method: str) -> Route:
        async def only_with_key(request: Request) -> Response:
            if not self._has_key(request):
                return self._locked(request)
            return await endpoint(request)

        return Route(path, only_with_key, methods=[method])

    def _has_key(self, request: Request) -> bool:
        return secrets.compare_digest(request.cookies.get(COOKIE, "").encode(), self._key.encode())

    def _locked(self, request: Request) -> Response:
        return page(request, "desk/locked.html", 403)

    async def home(self, request: Request) -> Response:
        """The roster; the link with the key opens it and sets the cookie."""
        key = request.query_params.get("key")
        if key is not None:
            if not secrets.compare_digest(key.encode(), self._key.encode()):
                return self._locked(request)
            # A page of its own leads on: a browser sends a strict cookie only where this site asked for the page.
            response = page(request, "desk/opened.html")
            response.set_cookie(
                COOKIE, key, path=_HOME, secure=self._secure, httponly=True, samesite="strict"
            )
            response.headers["Refresh"] = f"0; url={_HOME}"
            return response
        if not self._has_key(request):
            return self._locked(request)
        return await self._roster(request, ())

    async def player(self, request: Request) -> Response:
        """One submission."""
        return await self._player(request, request.path_params["id"], ())

    def deciding(self, decide: Callable[..., Sequence[str]]) -> Endpoint:
        """Decides about a submission, or about all of them, and shows what came of it."""

        async def decided(request: Request) -> Response:
            fields = await form_of(request)
            who = fields.get("who", "")
            try:
                by, reason = fields.get("by", ""), fields.get("reason", "")
                sentences: Sequence[str] = await self._run(request, decide, who, by, reason)
            except UserError as error:
                sentences = problems_of(error, language_of(request))
            if who:
                return await self._player(request, who, sentences)
            return await self._roster(request, sentences)

        return decided

    async def sheets(self, request: Request) -> Response:
        """The sheets to print."""
        who = request.query_params.get("who", "")
        text = await self._run(request, sheets, who)
        return HTMLResponse(text, headers={"Content-Security-Policy": SHEET_POLICY})

    def download(self, name: str) -> Endpoint:
        """Gives a file to save."""

        async def given(request: Request) -> Response:
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            text = await self._run(request, file, name)
            return Response(text, headers=headers, media_type=f"{FILES[name]}; charset=utf-8")

        return given

    async def draw(self, request: Request) -> Response:
        """The form for a draw and, with a seed, the decks that are drawn."""
        share = request.query_params.get("share", "10%")[:_LONGEST]
        seed = request.query_params.get("seed", "")[:_LONGEST]
        drawn = None
        problems: tuple[str, ...] = ()
        if seed:
            try:
                drawn = await self._run(request, draw_decks, share, seed)
            except UserError as error:
                problems = problems_of(error, language_of(request))
        return page(request, "desk/draw.html", share=share, seed=seed, drawn=drawn, problems=problems)

    async def show_check(self, request: Request) -> Response:
        """The form for a deck check."""
        view = await self._run(request, registered, request.path_params["id"])
        return page(
            request, "desk/deck_check.html", view=view, text="", by="", between_games=False, problems=()
        )

    async def check(self, request: Request) -> Response:
        """Compare the typed deck with the registered list."""
        who = request.path_params["id"]
        fields = await form_of(request)
        text, by = fields.get("list", ""), fields.get("by", "")
        between_games = fields.get("between_games") == "yes"
        problems: Sequence[str] = ()
        try:
            view = await self._run(request, verify, who, text, between_games, by)
        except UserError as error:
            problems = problems_of(error, language_of(request))
            view = await self._run(request, registered, who)
        values = {"view": view, "text": text, "by": by, "between_games": between_games, "problems": problems}
        return page(request, "desk/deck_check.html", 422 if problems else 200, **values)

    async def _roster(self, request: Request, sentences: Sequence[str]) -> Response:
        values = await self._run(request, roster)
        chosen = request.query_params.get("show", "")
        entries = sorted(values["entries"], key=lambda entry: _called(entry["player"]))
        filters = [
            Filter(id, name, sum(_passes(entry, id) for entry in entries)) for id, name in _FILTERS.items()
        ]
        return page(
            request,
            "desk/roster.html",
            event=values["event"],
            summary=values["summary"],
            notes=values["notes"],
            times=values["times"],
            entries=[entry for entry in entries if _passes(entry, chosen)],
            filters=[choice for choice in filters if choice.number or not choice.id],
            chosen=chosen,
            states=STATES,
            sentences=sentences,
        )

    async def _player(self, request: Request, who: str, sentences: Sequence[str]) -> Response:
        values = await self._run(request, player, who)
        address = quote(values["entry"]["id"], safe="")
        return page(
            request, "desk/player.html", **values, states=STATES, sentences=sentences, address=address
        )

    async def _run(self, request: Request, function: Callable[..., Any], *arguments: object) -> Any:
        """The result of one of the functions below. Raises UserError, and HTTPException when there is no time."""
        return await self._desk.run(
            function, self._event, language_of(request), *arguments, seconds=_MOST_SECONDS
        )


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


def roster(_options: CheckOptions, event: Path, lang: str) -> Values:
    """The roster as in its JSON, and the `times` of the submissions, by id, as the clocks at the event show them."""
    entries = _roster(event)
    times = {row.id: submitted_words(row, entries.event) for row in entries.rows}
    return {**roster_values(entries, lang), "times": times}


def file(_options: CheckOptions, event: Path, lang: str, name: str) -> str:
    """The text of one of FILES."""
    entries = _roster(event)
    match name:
        case "roster.csv":
            return render_csv(entries, lang)
        case "roster.json":
            return render_json(entries, lang)
    return notices_csv(notices(entries))


def sheets(_options: CheckOptions, event: Path, lang: str, who: str) -> str:
    """The sheets of all players, or of one submission, as a page to print."""
    entries = _roster(event)
    pages, _unclear = sheets_of(entries, lang, [entries.find(who)] if who else ())
    if not pages:
        raise user_error(_("there is no list to print yet"))
    return render_sheets(pages)


def player(_options: CheckOptions, event: Path, lang: str, who: str) -> Values:
    """One submission as in the roster's JSON, with its list, its findings and the letter to its player."""
    entries = _roster(event)
    row = entries.find(who)
    report = row.report
    return {
        "entry": entry_values(row, entries.event, lang),
        "fields": {entries.event.field_name(id).in_(lang): given for id, given in row.player.filled.items()},
        "submitted": submitted_words(row, entries.event),
        "lines": () if report is None else marked_lines(report, entries.format, lang),
        "notes": () if report is None else notes_on_deck(report, lang),
        # The list is shown as it is where it couldn't be read.
        "text": (row.submission.text or "") if report is None else "",
        "letter": notice(row, entries, entries.event.language_of(row.player, lang)),
    }


def accept(_options: CheckOptions, event: Path, lang: str, who: str, by: str, reason: str) -> tuple[str, ...]:
    """Accept one submission, or all that may be ("" for `who`); what was frozen and what was refused, in words.

    With a judge (`by`) and a `reason`, also one that may not be accepted otherwise.
    """
    session = EventSession.open(event)
    override = acceptance.decided(by, reason) if by.strip() or reason.strip() else None
    done = acceptance.accept(session, now=now(), only=[who] if who else [], override=override)
    write_receipts(done.log, session.event.receipts)
    sentences = [
        _(
            "{player}: accepted (receipt {number})",
            player=one.row.player.called or one.row.id,
            number=one.entry.number,
        ).in_(lang)
        for one in done.accepted
    ]
    for refusal in done.refused:
        name = refusal.row.player.called or refusal.row.id
        reasons = series(refusal.reasons, SEMICOLON)
        sentences.append(_("{player}: not accepted: {reasons}", player=name, reasons=reasons).in_(lang))
    return tuple(sentences) or (_("nothing to accept").in_(lang),)


def withdraw(
    _options: CheckOptions, event: Path, lang: str, who: str, by: str, reason: str
) -> tuple[str, ...]:
    """Write into the log that a player no longer takes part; what was written, in words."""
    override = acceptance.decided(by, reason)
    session = EventSession.open(event)
    done = acceptance.withdraw(session, who, override, now=now())
    write_receipts(done.log, session.event.receipts)
    name = done.row.player.called or done.row.id
    return (_("{player}: withdrawn (entry {number})", player=name, number=done.entry.number).in_(lang),)


def draw_decks(_options: CheckOptions, event: Path, _lang: str, share: str, seed: str) -> Values:
    """The decks drawn for a check, as in the JSON of `event draw`."""
    opened = EventSession.open(event).event
    log = read_log(opened.log, opened.id)
    return draw_values(draw(log, share_of(share), seed))


def registered(_options: CheckOptions, event: Path, lang: str, who: str) -> Values:
    """The registered list of a player."""
    session = EventSession.open(event)
    return _check_values(deck_checks.find_receipt(who, session.event), session, lang)


def verify(
    _options: CheckOptions, event: Path, lang: str, who: str, text: str, between_games: bool, by: str
) -> Values:
    """Compare a typed deck with the registered list, and write the result into the log."""
    session = EventSession.open(event)
    entry = deck_checks.find_receipt(who, session.event)
    if not by.strip():
        raise user_error(_("name the judge who checked the deck"))
    # A list was accepted under the format of its receipt, which the event may have left since.
    format = session.rules_of(entry.receipt.format.id).format
    deck = deck_checks.typed_deck(text, "deck", format)
    comparison = deck_checks.verify(entry.receipt, deck, format, between_games=between_games)
    deck_checks.record_check(
        session.event, entry, comparison, between_games=between_games, by=by.strip(), path=who
    )
    return _check_values(entry, session, lang, deck_checks.comparison_values(comparison, entry))


def _check_values(entry: Entry, session: EventSession, lang: str, compared: Values | None = None) -> Values:
    """The registered list, and how a typed one `compared` to it, as in the JSON of `verify`."""
    receipt, names = entry.receipt, session.format.format.zones
    cards: dict[str, dict[str, int]] = {}
    for copies in receipt.listed.copies:
        zone = names[copies.zone].in_(lang) if copies.zone in names else copies.zone
        cards.setdefault(zone, {})[copies.card] = copies.copies
    return {
        "player": receipt.player.called or str(entry.number),
        "receipt": entry.number,
        "cards": cards,
        "comparison": plain(compared, lang),
    }


def _roster(event: Path) -> Roster:
    session = EventSession.open(event)
    return build_roster(session, read_log(session.event.log, session.event.id))
