"""The pages of an event for players: check, submit, come back by the private link, correct, withdraw."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from deckcheck.desk import check_pool, organiser
from deckcheck.desk.app import Checked, Desk, corrected, form_of, language_of, page
from deckcheck.desk.check_pool import Question
from deckcheck.registration.event import Event, Folder
from deckcheck.registration.log import read_log
from deckcheck.registration.submissions import Links, Player, Submission, read_stored, store_submission
from deckcheck.support.dates import now
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _


class Standing(Struct, frozen=True):
    """How a player's submission stands."""

    accepted: int | None = None
    """The number of the receipt in force."""
    withdrawn: bool = False


class PlayerPages:
    """The pages for the players of one event."""

    def __init__(self, desk: Desk, event: Event, format_name: Words) -> None:
        self._desk = desk
        self._event = event
        self._format_name = format_name
        self._folder = folder_of(event)
        self._links = Links(event.links)

    def routes(self) -> list[Route]:
        """The addresses of these pages."""
        return [
            Route("/", self.show, methods=["GET"]),
            Route("/", self.post, methods=["POST"]),
            Route("/mine/{token}", self.show_mine, methods=["GET"]),
            Route("/mine/{token}", self.post_mine, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """The empty form."""
        return self._form_page(request, {}, Checked())

    async def post(self, request: Request) -> Response:
        """Check the list, or store it and lead to the private page."""
        fields = corrected(await form_of(request))
        if fields.get("do") != "submit":
            return self._form_page(request, fields, await self._checked(request, fields))
        try:
            stored = await self._store(fields)
            token = await asyncio.to_thread(self._links.create, stored.id)
        except UserError as error:
            problems = check_pool.problems_of(error, language_of(request))
            return self._form_page(request, fields, Checked(problems=problems), status=422)
        return RedirectResponse(f"/mine/{token}", 303)

    async def show_mine(self, request: Request) -> Response:
        """What was received, its verdict, and the form to correct it."""
        own = self._own_submissions(request)
        stored = await asyncio.to_thread(self._stored, own[-1])
        fields = {**stored.player.filled, "list": stored.text or ""}
        return await self._mine_page(request, own, stored, fields, await self._checked(request, fields))

    async def post_mine(self, request: Request) -> Response:
        """Check, correct or withdraw."""
        own = self._own_submissions(request)
        fields = corrected(await form_of(request))
        stored = await asyncio.to_thread(self._stored, own[-1])
        wanted = fields.get("do")
        if wanted not in ("submit", "withdraw"):
            checked = await self._checked(request, fields)
            return await self._mine_page(request, own, stored, fields, checked)
        try:
            standing = await asyncio.to_thread(self._standing, own)
            if self._is_closed() or standing.withdrawn:
                raise user_error(_("this can no longer be changed here; ask the organiser"))
            if wanted == "withdraw":
                lang = self._event.language or "ja"
                await self._desk.run(
                    organiser.withdraw,
                    self._event.path,
                    language_of(request),
                    own[-1],
                    _("the player").in_(lang),
                    _("withdrew on the page").in_(lang),
                )
            else:
                corrected_one = await self._store({**stored.player.filled, **fields})
                token = request.path_params["token"]
                await asyncio.to_thread(self._links.add, token, corrected_one.id)
        except UserError as error:
            problems = check_pool.problems_of(error, language_of(request))
            checked = Checked(problems=problems)
            return await self._mine_page(request, own, stored, fields, checked, status=422)
        return RedirectResponse(request.url.path, 303)

    async def _store(self, fields: Mapping[str, str]) -> Submission:
        """Store what was posted, as of now. Raises UserError for empty fields and for an empty list."""
        player = self._player(fields)
        for field in self._asked():
            if field in self._event.required and not player.filled.get(field, "").strip():
                raise user_error(_("fill in: {field}", field=self._event.field_name(field)))
        text = fields.get("list", "")
        if not text.strip():
            raise user_error(_("paste the list"))
        return await asyncio.to_thread(store_submission, self._folder, player, text, now())

    def _player(self, fields: Mapping[str, str]) -> Player:
        values = {field: " ".join(fields.get(field, "").split()) for field in self._asked()}
        return Player().with_fields({field: value for field, value in values.items() if value})

    def _asked(self) -> tuple[str, ...]:
        """The fields that the event asks for, each once."""
        return tuple(dict.fromkeys(("name", *self._event.required, *self._event.fields)))

    def _own_submissions(self, request: Request) -> Sequence[str]:
        """The ids of the player's submissions, oldest first. Raises HTTPException for a link that there isn't."""
        own = self._links.find(request.path_params["token"])
        if not own:
            raise HTTPException(404)
        return own

    def _stored(self, id: str) -> Submission:
        """A player's submission. Raises HTTPException if the organiser removed its file."""
        try:
            return read_stored(self._folder, id, tuple(self._event.fields))
        except UserError:
            raise HTTPException(404) from None

    def _standing(self, own: Sequence[str]) -> Standing:
        log = read_log(self._event)
        receipts = [number for number, receipt in log.receipts.items() if receipt.submission in own]
        withdrawn = any(set(own) & set(withdrawal.submissions) for withdrawal in log.withdrawals.values())
        return Standing(receipts[-1] if receipts else None, withdrawn)

    def _is_closed(self) -> bool:
        return self._event.deadline is not None and now() > self._event.deadline

    async def _checked(self, request: Request, fields: Mapping[str, str]) -> Checked:
        # The event's format, day and games count in any case.
        question = Question(fields.get("list", ""), lang=language_of(request))
        return await self._desk.checked(question, fields)

    def _form_page(
        self, request: Request, fields: Mapping[str, str], checked: Checked, status: int = 200
    ) -> Response:
        return page(
            request,
            "desk/submit.html",
            status,
            **self._values(request, fields),
            **asdict(checked),
        )

    async def _mine_page(
        self,
        request: Request,
        own: Sequence[str],
        stored: Submission,
        fields: Mapping[str, str],
        checked: Checked,
        status: int = 200,
    ) -> Response:
        standing = await asyncio.to_thread(self._standing, own)
        received = stored.submitted
        return page(
            request,
            "desk/mine.html",
            status,
            submission=stored.id,
            received="" if received is None else self._event.local_time(received),
            standing=standing,
            closed=self._is_closed() or standing.withdrawn,
            late=_is_late(received, self._event.deadline),
            **self._values(request, fields),
            **asdict(checked),
        )

    def _values(self, request: Request, fields: Mapping[str, str]) -> dict[str, object]:
        event, lang = self._event, language_of(request)
        return {
            "event": event,
            "format_name": self._format_name,
            "deadline": "" if event.deadline is None else event.local_time(event.deadline),
            "over": self._is_closed(),
            "asked": {field: _label(event.field_name(field), lang) for field in self._asked()},
            "fields": fields,
            "text": fields.get("list", ""),
        }


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


def _is_late(received: datetime | None, deadline: datetime | None) -> bool:
    return received is not None and deadline is not None and received > deadline


def _label(words: Words, lang: str) -> str:
    """The name of a field as its label."""
    name = words.in_(lang)
    return name[:1].upper() + name[1:]
