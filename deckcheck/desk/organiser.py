"""The organiser's pages of an event, behind a key: the roster, lists, acceptance, letters, sheets, deck checks.

What they show and do is done in other processes by functions that open the event anew, so that what commands or other
desks did meanwhile counts.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from deckcheck.desk.app import form_of, language_of, page
from deckcheck.desk.check_pool import CheckPool, list_with_findings, problems_of
from deckcheck.desk.limits_and_security import SHEET_POLICY
from deckcheck.registration import acceptance, deck_checks
from deckcheck.registration.acceptance import failures
from deckcheck.registration.deck_checks import draw, share_of
from deckcheck.registration.event import EventSession, open_event
from deckcheck.registration.log import read_log, write_receipts
from deckcheck.registration.notices import notice, notices, notices_csv
from deckcheck.registration.roster import STATES, Roster, Row, build_roster
from deckcheck.registration.roster_tables import render_csv, render_json, submitted_words
from deckcheck.registration.sheet import render_html as render_sheets
from deckcheck.registration.sheet import sheets_of
from deckcheck.support.dates import now
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _, p_
from deckcheck.support.templates import render

COOKIE = "key"
_HOME = "/desk"
_MOST_SECONDS = 60.0
_LONGEST = 200

FILES: Mapping[str, tuple[str, Callable[[Roster, str], str]]] = {
    "roster.csv": ("text/csv", render_csv),
    "roster.json": ("application/json", render_json),
    "letters.csv": ("text/csv", lambda read, _lang: notices_csv(notices(read))),
}
"""The files for other programs, each with its media type and what it holds; the letters are for a mail merge."""

Fields = Mapping[str, str]
"""What was asked or posted, and the parts of the address, by their names."""


class OrganiserPages:
    """The pages for the organiser of one event."""

    def __init__(self, pool: CheckPool, event: Path, key: str, *, secure: bool) -> None:
        self._pool = pool
        self._event = event
        self._key = key
        self._secure = secure

    def routes(self) -> list[Route]:
        """The addresses of these pages; all ask for the key."""
        return [
            Route(_HOME, self.home),
            Route("/desk/accept", self._page(partial(decide, accept)), methods=["POST"]),
            Route("/desk/withdraw", self._page(partial(decide, withdraw)), methods=["POST"]),
            Route("/desk/submissions/{who}", self._page(player)),
            Route("/desk/sheets", self._page(sheets)),
            *(Route(f"/desk/{name}", self._page(partial(file, name))) for name in FILES),
            Route("/desk/draw", self._page(draw_decks)),
            Route("/desk/checks/{who}", self._page(deck_check)),
            Route("/desk/checks/{who}", self._page(partial(deck_check, is_posted=True)), methods=["POST"]),
        ]

    async def home(self, request: Request) -> Response:
        """The roster; the link with the key opens it and sets the cookie."""
        key = request.query_params.get("key")
        if key is None:
            return await self._page(roster)(request)
        if not self._is_key(key):
            return page(language_of(request), "desk/locked.html", 403)
        # A page of its own leads on: a browser sends a strict cookie only where this site asked for the page.
        response = page(language_of(request), "desk/opened.html")
        response.set_cookie(COOKIE, key, path=_HOME, secure=self._secure, httponly=True, samesite="strict")
        response.headers["Refresh"] = f"0; url={_HOME}"
        return response

    def _is_key(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self._key.encode())

    def _page(self, show: Callable[..., Response]) -> Callable[[Request], Awaitable[Response]]:
        """What answers a request: one of the functions below, if the browser has the key."""

        async def answered(request: Request) -> Response:
            lang = language_of(request)
            if not self._is_key(request.cookies.get(COOKIE, "")):
                return page(lang, "desk/locked.html", 403)
            asked = request.query_params if request.method == "GET" else await form_of(request)
            fields = {**asked, **request.path_params}
            return await self._pool.run(show, self._event, lang, fields, seconds=_MOST_SECONDS)

        return answered


# What the pages show and do, run in other processes; all raise UserError


def roster(event: Path, lang: str, fields: Fields, sentences: Sequence[str] = ()) -> Response:
    """The submissions that a filter chooses, and what came of a decision."""
    read = build_roster(open_event(event))
    chosen = fields.get("show", "")
    rows = sorted(read.rows, key=lambda row: row.player.reading or row.player.called)
    return page(
        lang,
        "desk/roster.html",
        event=read.event,
        rows=[row for row in rows if _passes(row, chosen)],
        notes=read.notes,
        filters=_FILTERS,
        numbers={id: sum(_passes(row, id) for row in rows) for id in _FILTERS},
        chosen=chosen,
        states=STATES,
        failures=failures,
        submitted_words=submitted_words,
        sentences=sentences,
    )


_FILTERS: Mapping[str, Words] = {
    "": _("all"),
    **STATES,
    "late": p_("note", "late"),
    "twice": _("registered more than once"),
    "waiting": _("not yet accepted"),
    "accepted": _("accepted"),
}


_CHOOSE: Mapping[str, Callable[[Row], bool]] = {
    "": lambda _row: True,
    "late": lambda row: row.late is True,
    "twice": lambda row: bool(row.others),
    "waiting": lambda row: not row.is_frozen and row.counts is not False,
    "accepted": lambda row: row.is_frozen,
}
"""What the filters choose that aren't states."""


def _passes(row: Row, chosen: str) -> bool:
    """Whether a submission is among those of a filter."""
    return _CHOOSE[chosen](row) if chosen in _CHOOSE else row.told_state == chosen


def player(event: Path, lang: str, fields: Fields, sentences: Sequence[str] = ()) -> Response:
    """One submission with its list, its findings and the letter to its player, and what came of a decision."""
    read = build_roster(open_event(event))
    row = read.find(fields["who"])
    report = row.report
    return page(
        lang,
        "desk/player.html",
        row=row,
        fields={read.event.field_name(id): given for id, given in row.player.filled.items()},
        submitted=submitted_words(row, read.event),
        failures=failures(row, read.event),
        listed=report and list_with_findings(report, read.format, lang, corrected=False),
        letter=notice(row, read, read.event.language_of(row.player, lang)),
        states=STATES,
        sentences=sentences,
    )


def file(name: str, event: Path, lang: str, _fields: Fields) -> Response:
    """One of FILES."""
    media_type, render_file = FILES[name]
    text = render_file(build_roster(open_event(event)), lang)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type=media_type)


def sheets(event: Path, lang: str, fields: Fields) -> Response:
    """The sheets of all players, or of one submission, as a page to print."""
    read, who = build_roster(open_event(event)), fields.get("who", "")
    pages, _unclear = sheets_of(read, lang, [read.find(who)] if who else ())
    if not pages:
        raise user_error(_("there is no list to print yet"))
    return HTMLResponse(render_sheets(pages), headers={"Content-Security-Policy": SHEET_POLICY})


Action = Callable[[EventSession, str, Fields], Sequence[str]]
"""A decision about one submission, or about all ("" for `who`); returns what came of it, in words."""


def decide(action: Action, event: Path, lang: str, fields: Fields) -> Response:
    """Decide, and show what came of it."""
    try:
        sentences = action(open_event(event), lang, fields)
    except UserError as error:
        sentences = problems_of(error, lang)
    return (player if fields.get("who") else roster)(event, lang, fields, sentences)


def accept(session: EventSession, lang: str, fields: Fields) -> Sequence[str]:
    """Accept one submission, or all that may be.

    With a judge (`by`) and a `reason`, also one that may not be accepted otherwise.
    """
    who, by, reason = fields.get("who", ""), fields.get("by", ""), fields.get("reason", "")
    override = acceptance.decided(by, reason) if by.strip() or reason.strip() else None
    done = acceptance.accept(session, now=now(), only=[who] if who else [], override=override)
    write_receipts(done.log, session.event.receipts)
    return render("desk/accepted.txt", lang, done=done).splitlines()


def withdraw(session: EventSession, lang: str, fields: Fields) -> Sequence[str]:
    """Write into the log that a player no longer takes part."""
    override = acceptance.decided(fields.get("by", ""), fields.get("reason", ""))
    done = acceptance.withdraw(session, fields.get("who", ""), override, now=now())
    name = done.row.player.called or done.row.id
    return (_("{player}: withdrawn (entry {number})", player=name, number=done.entry.number).in_(lang),)


def draw_decks(event: Path, lang: str, fields: Fields) -> Response:
    """The form for a draw and, with a seed, the decks that are drawn."""
    share, seed = fields.get("share", "10%")[:_LONGEST], fields.get("seed", "")[:_LONGEST]
    drawn = None
    problems: Sequence[str] = ()
    if seed:
        try:
            drawn = draw(read_log(open_event(event).event), share_of(share), seed)
        except UserError as error:
            problems = problems_of(error, lang)
    return page(lang, "desk/draw.html", share=share, seed=seed, drawn=drawn, problems=problems)


def deck_check(event: Path, lang: str, fields: Fields, *, is_posted: bool = False) -> Response:
    """The registered list of a player and the form for a deck check; how a posted deck compares, which the log then says."""
    session = open_event(event)
    entry = deck_checks.find_receipt(fields["who"], session.event)
    comparison = None
    problems: Sequence[str] = ()
    try:
        if is_posted and not fields.get("by", "").strip():
            raise user_error(_("name the judge who checked the deck"))
        if is_posted:
            comparison = deck_checks.check_deck(
                session,
                entry,
                fields["list"],
                "deck",
                between_games=fields.get("between_games") == "yes",
                by=fields["by"].strip(),
                who=fields["who"],
            )
    except UserError as error:
        problems = problems_of(error, lang)
    return page(
        lang,
        "desk/deck_check.html",
        422 if problems else 200,
        entry=entry,
        zones=session.format.zone_names,
        comparison=comparison,
        fields=fields if is_posted else {},
        problems=problems,
    )
