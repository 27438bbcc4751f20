"""The organiser's pages of an event, behind a key: the roster, lists, acceptance, letters, sheets, deck checks."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from deckcheck.desk import organiser
from deckcheck.desk.app import Desk
from deckcheck.desk.checks import problems_of
from deckcheck.desk.pages import form_of, language_of, page
from deckcheck.desk.security import SHEET_POLICY
from deckcheck.registration.players import STATES
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Words, _, p_

COOKIE = "key"
_HOME = "/desk"
_MOST_SECONDS = 60.0
_LONGEST = 200

Endpoint = Callable[[Request], Awaitable[Response]]


class Filter(NamedTuple):
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
            self._route("/desk/accept", self.deciding(organiser.accept), "POST"),
            self._route("/desk/withdraw", self.deciding(organiser.withdraw), "POST"),
            self._route("/desk/submissions/{id}", self.player, "GET"),
            self._route("/desk/sheets", self.sheets, "GET"),
            *(self._route(f"/desk/{name}", self.download(name), "GET") for name in organiser.FILES),
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
        text = await self._run(request, organiser.sheets, who)
        return HTMLResponse(text, headers={"Content-Security-Policy": SHEET_POLICY})

    def download(self, name: str) -> Endpoint:
        """Gives a file to save."""

        async def given(request: Request) -> Response:
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            text = await self._run(request, organiser.file, name)
            return Response(text, headers=headers, media_type=f"{organiser.FILES[name]}; charset=utf-8")

        return given

    async def draw(self, request: Request) -> Response:
        """The form for a draw and, with a seed, the decks that are drawn."""
        share = request.query_params.get("share", "10%")[:_LONGEST]
        seed = request.query_params.get("seed", "")[:_LONGEST]
        drawn = None
        problems: tuple[str, ...] = ()
        if seed:
            try:
                drawn = await self._run(request, organiser.drawn, share, seed)
            except UserError as error:
                problems = problems_of(error, language_of(request))
        return page(request, "desk/draw.html", share=share, seed=seed, drawn=drawn, problems=problems)

    async def show_check(self, request: Request) -> Response:
        """The form for a deck check."""
        view = await self._run(request, organiser.registered, request.path_params["id"])
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
            view = await self._run(request, organiser.verify, who, text, between_games, by)
        except UserError as error:
            problems = problems_of(error, language_of(request))
            view = await self._run(request, organiser.registered, who)
        values = {"view": view, "text": text, "by": by, "between_games": between_games, "problems": problems}
        return page(request, "desk/deck_check.html", 422 if problems else 200, **values)

    async def _roster(self, request: Request, sentences: Sequence[str]) -> Response:
        view = await self._run(request, organiser.roster)
        values = view.values
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
            times=view.times,
            entries=[entry for entry in entries if _passes(entry, chosen)],
            filters=[choice for choice in filters if choice.number or not choice.id],
            chosen=chosen,
            states=STATES,
            sentences=sentences,
        )

    async def _player(self, request: Request, who: str, sentences: Sequence[str]) -> Response:
        view = await self._run(request, organiser.player, who)
        return page(
            request,
            "desk/player.html",
            **view._asdict(),
            states=STATES,
            sentences=sentences,
            address=quote(view.entry["id"], safe=""),
        )

    async def _run(self, request: Request, function: Callable[..., Any], *arguments: object) -> Any:
        """The result of a function of `organiser`. Raises UserError, and HTTPException when there is no time."""
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
