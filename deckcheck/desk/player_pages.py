"""The pages of an event for players: check, submit, come back by the private link, correct, withdraw."""

import asyncio
from collections.abc import Mapping, Sequence
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
from deckcheck.registration.players import Links
from deckcheck.registration.submissions import Player, Submission, read_stored, store_submission
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
            Route("/mine/{token}", self.show, methods=["GET"]),
            Route("/mine/{token}", self.post, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """The empty form; by a private link, what was received, its verdict, and the form to correct it."""
        own = self._own_submissions(request)
        if not own:
            return await self._page(request, own, {}, Checked())
        stored = await asyncio.to_thread(self._stored, own[-1])
        fields = {**stored.player.filled, "list": stored.text or ""}
        return await self._page(request, own, fields, await self._checked(request, fields))

    async def post(self, request: Request) -> Response:
        """Check the list, or store it, or withdraw, and lead to the private page."""
        own = self._own_submissions(request)
        fields = corrected(await form_of(request))
        wanted = fields.get("do")
        if wanted != "submit" and not (own and wanted == "withdraw"):
            return await self._page(request, own, fields, await self._checked(request, fields))
        try:
            if wanted == "withdraw":
                await self._withdraw(request, own)
                return RedirectResponse(request.url.path, 303)
            token = await asyncio.to_thread(self._submit, request.path_params.get("token"), own, fields)
        except UserError as error:
            problems = check_pool.problems_of(error, language_of(request))
            return await self._page(request, own, fields, Checked(problems=problems), status=422)
        return RedirectResponse(f"/mine/{token}", 303)

    def _submit(self, token: str | None, own: Sequence[str], fields: Mapping[str, str]) -> str:
        """Store what was posted, as of now; the token of its link. Raises UserError for empty fields and an empty list."""
        if own:
            self._require_open(own)
            fields = {**self._stored(own[-1]).player.filled, **fields}
        player = self._player(fields)
        for field in self._asked():
            if field in self._event.required and not player.filled.get(field, "").strip():
                raise user_error(_("fill in: {field}", field=self._event.field_name(field)))
        text = fields.get("list", "")
        if not text.strip():
            raise user_error(_("paste the list"))
        stored = store_submission(self._folder, player, text, now())
        if token is None:
            return self._links.create(stored.id)
        self._links.add(token, stored.id)
        return token

    async def _withdraw(self, request: Request, own: Sequence[str]) -> None:
        await asyncio.to_thread(self._require_open, own)
        lang = self._event.language or "ja"
        await self._desk.pool.run(
            organiser.withdraw,
            self._event.path,
            language_of(request),
            own[-1],
            _("the player").in_(lang),
            _("withdrew on the page").in_(lang),
            tuple(own),
        )

    def _require_open(self, own: Sequence[str]) -> None:
        """Raises UserError if what was submitted can't be changed on the page any more."""
        if self._is_closed() or self._standing(own).withdrawn:
            raise user_error(_("this can no longer be changed here; ask the organiser"))

    def _player(self, fields: Mapping[str, str]) -> Player:
        values = {field: " ".join(fields.get(field, "").split()) for field in self._asked()}
        return Player().with_fields({field: value for field, value in values.items() if value})

    def _asked(self) -> tuple[str, ...]:
        """The fields that the event asks for, each once."""
        return tuple(dict.fromkeys(("name", *self._event.required, *self._event.fields)))

    def _own_submissions(self, request: Request) -> Sequence[str]:
        """The ids of the player's submissions, oldest first; () without a private link. Raises HTTPException for a wrong one."""
        token = request.path_params.get("token")
        own = () if token is None else self._links.find(token)
        if token is not None and not own:
            raise HTTPException(404)
        return own

    def _stored(self, id: str) -> Submission:
        """A player's submission. Raises HTTPException if the organiser removed its file."""
        try:
            return read_stored(self._folder, id, tuple(self._event.fields))
        except UserError:
            raise HTTPException(404) from None

    def _standing(self, own: Sequence[str]) -> Standing:
        try:
            log = read_log(self._event)
        except UserError:
            # What a player submitted is there all the same, and the organiser hears of the log.
            return Standing()
        receipts = [number for number, receipt in log.receipts.items() if receipt.submission in own]
        withdrawn = any(set(own) & set(withdrawal.submissions) for withdrawal in log.withdrawals.values())
        return Standing(receipts[-1] if receipts else None, withdrawn)

    def _is_closed(self) -> bool:
        return self._event.deadline is not None and now() > self._event.deadline

    async def _checked(self, request: Request, fields: Mapping[str, str]) -> Checked:
        # The event's format, day and games count in any case.
        question = Question(fields.get("list", ""), lang=language_of(request))
        return await self._desk.checked(question, fields)

    async def _page(
        self,
        request: Request,
        own: Sequence[str],
        fields: Mapping[str, str],
        checked: Checked,
        status: int = 200,
    ) -> Response:
        """The form; by a private link with what was received and how that stands."""
        event, lang = self._event, language_of(request)
        values: dict[str, object] = {
            "event": event,
            "format_name": self._format_name,
            "deadline": "" if event.deadline is None else event.local_time(event.deadline),
            "over": self._is_closed(),
            "asked": {field: _label(event.field_name(field), lang) for field in self._asked()},
            "fields": fields,
            "text": fields.get("list", ""),
            **asdict(checked),
        }
        if not own:
            return page(request, "desk/submit.html", status, **values)
        stored = await asyncio.to_thread(self._stored, own[-1])
        standing = await asyncio.to_thread(self._standing, own)
        received = stored.submitted
        values |= {
            "submission": stored.id,
            "received": "" if received is None else event.local_time(received),
            "standing": standing,
            "closed": self._is_closed() or standing.withdrawn,
            "late": received is not None and event.deadline is not None and received > event.deadline,
        }
        return page(request, "desk/mine.html", status, **values)


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


def _label(words: Words, lang: str) -> str:
    """The name of a field as its label."""
    name = words.in_(lang)
    return name[:1].upper() + name[1:]
