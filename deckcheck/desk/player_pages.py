"""The pages of an event for players: check, submit, come back by the private link, correct, withdraw.

Here, too, is the application for an event: these pages, those for the organiser and those for everybody.
"""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from markupsafe import Markup
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from deckcheck.desk.app import answer_to, form_of, language_of, make_app, page, serve
from deckcheck.desk.check_pool import CheckPool, problems_of
from deckcheck.desk.limits_and_security import Address
from deckcheck.desk.organiser import OrganiserPages
from deckcheck.registration import acceptance
from deckcheck.registration.event import Event, EventSession, Folder, open_event
from deckcheck.registration.log import Log, read_log
from deckcheck.registration.submissions import Player, Submission, read_stored, store_submission
from deckcheck.support.dates import now
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_TOKEN_BYTES = 16


class PlayerPages:
    """The pages for the players of one event."""

    def __init__(self, pool: CheckPool, event: Event, format_name: Words) -> None:
        self._pool = pool
        self._event = event
        self._format_name = format_name
        self._folder = folder_of(event)
        self._asked = tuple(dict.fromkeys(("name", *event.required, *event.fields)))
        """The fields that the event asks for."""

    def routes(self) -> list[Route]:
        """The addresses of these pages."""
        paths = ("/", "/mine/{token}")
        return [
            *(Route(path, self.show) for path in paths),
            *(Route(path, self.post, methods=["POST"]) for path in paths),
        ]

    async def show(self, request: Request) -> Response:
        """The empty form; by a private link, what was received, its verdict, and the form to correct it."""
        own = await asyncio.to_thread(self._own_submissions, request)
        if not own:
            return await self._page(request, own, {})
        fields = {**own[-1].player.filled, "list": own[-1].text or ""}
        return await self._page(request, own, fields, await answer_to(request, fields))

    async def post(self, request: Request) -> Response:
        """Check the list, or store it, or withdraw, and lead to the private page."""
        own = await asyncio.to_thread(self._own_submissions, request)
        fields = await form_of(request)
        wanted = fields.get("do")
        try:
            if wanted == "submit":
                token = request.path_params.get("token") or secrets.token_urlsafe(_TOKEN_BYTES)
                await asyncio.to_thread(self._submit, token, own, fields)
                return RedirectResponse(f"/mine/{token}", 303)
            if own and wanted == "withdraw":
                await asyncio.to_thread(self._require_open, own)
                ids = [one.id for one in own]
                await self._pool.run(withdraw, self._event.path, self._event.language or "ja", ids)
                return RedirectResponse(request.url.path, 303)
        except UserError as error:
            return await self._page(request, own, fields, problems=problems_of(error, language_of(request)))
        return await self._page(request, own, fields, await answer_to(request, fields))

    def _submit(self, token: str, own: Sequence[Submission], fields: Mapping[str, str]) -> None:
        """Store what was posted, as of now. Raises UserError for empty fields and an empty list."""
        when = now()
        if own:
            self._require_open(own)
            fields = {**own[-1].player.filled, **fields}
            # What came last is what counts, also of several in one second.
            when = max(when, (own[-1].submitted or when) + timedelta(seconds=1))
        values = {field: " ".join(fields.get(field, "").split()) for field in self._asked}
        for field in self._event.required:
            if not values[field]:
                raise user_error(_("fill in: {field}", field=self._event.field_name(field)))
        if not fields["list"].strip():
            raise user_error(_("paste the list"))
        player = Player().with_fields({field: value for field, value in values.items() if value})
        store_submission(self._folder, token, player, fields["list"], when)

    def _require_open(self, own: Sequence[Submission]) -> None:
        """Raises UserError if what was submitted can't be changed on the page any more."""
        if self._is_closed() or _has_withdrawn(own, self._log()):
            raise user_error(_("this can no longer be changed here; ask the organiser"))

    def _is_closed(self) -> bool:
        return self._event.deadline is not None and now() > self._event.deadline

    def _log(self) -> Log:
        try:
            return read_log(self._event)
        except UserError:
            # What a player submitted is there all the same, and the organiser hears of the log.
            return Log()

    def _own_submissions(self, request: Request) -> Sequence[Submission]:
        """The player's submissions, the latest last; () without a private link. Raises HTTPException for a wrong one."""
        token = request.path_params.get("token")
        if token is None:
            return ()
        own = read_stored(self._folder, token, tuple(self._event.fields))
        if not own:
            raise HTTPException(404)
        return own

    async def _page(
        self,
        request: Request,
        own: Sequence[Submission],
        fields: Mapping[str, str],
        answer: Markup | None = None,
        problems: Sequence[str] = (),
    ) -> Response:
        """The form; by a private link with what was received and how that stands."""
        values: dict[str, object] = {
            "event": self._event,
            "format_name": self._format_name,
            "is_closed": self._is_closed(),
            "asked": self._asked,
            "fields": fields,
            "answer": answer,
            "problems": problems,
        }
        if own:
            values |= await asyncio.to_thread(self._standing, own)
        template = "desk/mine.html" if own else "desk/submit.html"
        return page(language_of(request), template, 422 if problems else 200, **values)

    def _standing(self, own: Sequence[Submission]) -> dict[str, object]:
        """What was received by a private link, and what the log says of it."""
        log, ids = self._log(), {one.id for one in own}
        receipts = [number for number, receipt in log.receipts.items() if receipt.submission in ids]
        return {
            "stored": own[-1],
            "receipt": receipts[-1] if receipts else None,
            "has_withdrawn": _has_withdrawn(own, log),
        }


def _has_withdrawn(own: Sequence[Submission], log: Log) -> bool:
    gone = {id for withdrawal in log.withdrawals.values() for id in withdrawal.submissions}
    return any(one.id in gone for one in own)


def withdraw(event: Path, lang: str, own: Sequence[str]) -> None:
    """Write into the log that the player with these submissions no longer takes part. Raises UserError."""
    decision = acceptance.decided(_("the player").in_(lang), _("withdrew on the page").in_(lang))
    acceptance.withdraw(open_event(event), own[-1], decision, now=now(), own=own)


def folder_of(event: Event) -> Path:
    """The folder in which the event's page stores lists: the first one among its entries. Raises UserError."""
    for source in event.sources:
        if isinstance(source, Folder):
            return source.path
    raise user_error(
        _("no folder of lists is among the entries, so a page can't store any"),
        path=str(event.path),
        hint=_("add a folder, such as “- lists”, to entries"),
    )


# The application for an event


def make_event_app(session: EventSession, pool: CheckPool, address: Address, key: str) -> Starlette:
    """The application for an event; `key` opens the organiser's pages. Raises UserError if no list can be stored."""
    event = replace(session.event, path=session.event.path.absolute())
    players = PlayerPages(pool, event, session.format.format.name)
    organiser = OrganiserPages(pool, event.path, key, secure=address.is_secure)
    return make_app(pool, address, [*players.routes(), *organiser.routes()])


def serve_event(session: EventSession, address: Address, lang: str) -> None:
    """Serve the pages of an event until ^C. Raises UserError."""
    key = secrets.token_urlsafe(16)
    serve(
        lambda: make_event_app(session, CheckPool.of_processes(session.options), address, key),
        address,
        lang,
        _("for players: {url}", url=address.url),
        _("for the organiser, and nobody else: {url}", url=f"{address.url}/desk?key={key}"),
    )
