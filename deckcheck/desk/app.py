"""The pages for everybody: a text area, a format, a day; the verdict and the list with its findings.

Here, too, is what all pages share: the language of a request, forms, templates, errors.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import DecodeError, Struct, ValidationError, convert, json
from msgspec.structs import asdict, replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from deckcheck.desk import check_pool
from deckcheck.desk.check_pool import Answer, CheckPool, Correction, Question
from deckcheck.desk.limits_and_security import Address, Guard
from deckcheck.formats.loading import known_games, load_game
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.templates import render

STATIC = Path(__file__).parent / "static"

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")
_COOKIE = "lang"
_ACCEPTED = re.compile(r"([a-z]+)(?:-[a-z0-9-]+)?(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?\s*(?:,|$)")
_YEAR = 365 * 24 * 60 * 60
_MOST_FIELDS = 100


# What all pages share


def language_of(request: Request) -> Language:
    """ "ja" or "en": as chosen on the page, then as the cookie keeps it, then as the browser prefers; English if neither."""
    accepted = _ACCEPTED.findall(request.headers.get("accept-language", "").lower())
    weights = {
        language: float(weight or 1) for language, weight in accepted if weight.strip("0.") or not weight
    }
    preferred = sorted(weights, key=lambda language: -weights[language])
    for chosen in (request.query_params.get("lang"), request.cookies.get(_COOKIE), *preferred):
        for language in LANGUAGES:
            if chosen == language:
                return language
    return "en"


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a posted form; files are left out, line ends are line feeds."""
    async with request.form(max_files=0, max_fields=_MOST_FIELDS, max_part_size=256 * 1024) as form:
        return {
            name: value.replace("\r\n", "\n").replace("\r", "\n")
            for name, value in form.items()
            if isinstance(value, str)
        }


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """The page rendered from a template, in the language of the request."""
    lang = language_of(request)
    response = HTMLResponse(
        render(template, lang, request=request, labels=LABELS, verdicts=VERDICTS, **values), status
    )
    response.headers["Vary"] = "Accept-Language, Cookie"
    if request.query_params.get("lang") == lang:
        secure = request.url.scheme == "https"
        response.set_cookie(_COOKIE, lang, max_age=_YEAR, secure=secure, httponly=True, samesite="lax")
    return response


# The pages for everybody


class Checked(Struct, frozen=True):
    """What the answer part of a page shows."""

    answer: Answer | None = None
    problems: tuple[str, ...] = ()
    change: str = ""
    copied: str = ""
    chosen_notation: str = ""


def format_choices(folders: Folders, lang: str) -> Mapping[str, Mapping[str, str]]:
    """The names of all formats that can be played, by the game's name and their ids, in the order of the ids."""
    games = known_games(folders)
    choices: dict[str, dict[str, str]] = {}
    for entry in sorted(known_formats(folders), key=lambda entry: entry.id):
        if not entry.abstract:
            id = entry.id.partition("/")[0]
            game = load_game(id, folders).name.in_(lang) if id in games else id
            choices.setdefault(game, {})[entry.id] = entry.name.in_(lang)
    return choices


class Desk:
    """The pages for everybody, over a pool that checks."""

    def __init__(self, pool: CheckPool) -> None:
        self.pool = pool

    def routes(self) -> list[Route | Mount]:
        """The addresses of these pages."""
        return [
            Route("/", self.show, methods=["GET"]),
            Route("/", self.check, methods=["POST"]),
            Route("/answer", self.answer, methods=["POST"]),
            Route("/api/check", self.api_check, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    async def show(self, request: Request) -> Response:
        """The empty page."""
        return self._check_page(request, Question("", lang=language_of(request)), Checked())

    async def check(self, request: Request) -> Response:
        """The page with the answer to what was posted; for browsers without scripts."""
        fields = corrected(await form_of(request))
        question = question_of(fields, language_of(request))
        return self._check_page(request, question, await self.checked(question, fields))

    async def answer(self, request: Request) -> Response:
        """The answer alone, for the script of the page."""
        fields = corrected(await form_of(request))
        question = question_of(fields, language_of(request))
        checked = await self.checked(question, fields) if question.text.strip() else Checked()
        return page(request, "desk/answer.html", **asdict(checked))

    async def checked(self, question: Question, fields: Mapping[str, str]) -> Checked:
        """Check the list, and do what the pressed button asks for. Raises HTTPException when there is no time."""
        try:
            answer = await self.pool.run(check_pool.answer, question)
        except UserError as error:
            return Checked(problems=check_pool.problems_of(error, question.lang))
        checked = Checked(answer)
        try:
            if fields.get("do") == "repair":
                change = await self.pool.run(check_pool.smallest_change, question)
                nothing = _("no small change was found").in_(question.lang)
                checked = replace(checked, change=change or nothing)
            elif fields.get("do") == "copy":
                notation = fields.get("notation", "")
                copied = await self.pool.run(check_pool.written, question, notation)
                checked = replace(checked, copied=copied, chosen_notation=notation)
        except UserError as error:
            checked = replace(checked, problems=check_pool.problems_of(error, question.lang))
        return checked

    async def api_check(self, request: Request) -> Response:
        """The JSON report for `{"list": …, "format": …, "as_of": …, "lang": …}`."""
        body = await request.body()
        try:
            question = api_question(body)
            answer = await self.pool.run(check_pool.json_answer, question)
            return Response(answer, media_type="application/json")
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 422)
        except UserError as error:
            lang = question.lang
            return JSONResponse({"error": " ".join(check_pool.problems_of(error, lang))}, 422)

    async def show_problem(self, request: Request, error: Exception) -> Response:
        """A page for what the user must mend, where no page of its own says it."""
        assert isinstance(error, UserError)
        message = " ".join(check_pool.problems_of(error, language_of(request)))
        return page(request, "desk/error.html", 422, message=message)

    def _check_page(self, request: Request, question: Question, checked: Checked) -> Response:
        return page(
            request,
            "desk/check.html",
            text=question.text,
            chosen=question.format,
            as_of=question.as_of,
            choices=format_choices(self.pool.options.settings.folders, question.lang),
            **asdict(checked),
        )


def question_of(fields: Mapping[str, str], lang: Language) -> Question:
    """The question that a form asks."""
    return Question(fields.get("list", ""), fields.get("format", ""), fields.get("as_of", ""), lang)


def corrected(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields with the correction of a pressed button in the list."""
    correction = Correction.parse(fields.get("correct", ""))
    return {**fields, "list": correction.applied(fields.get("list", ""))} if correction else fields


def api_question(body: bytes) -> Question:
    """The question in the body of a request to the API. Raises ValueError with one sentence."""
    try:
        values = json.decode(body, type=dict[str, Any])
        # What isn't known may be empty.
        given = {name: value for name, value in values.items() if name == "list" or value not in (None, "")}
        return convert(given, Question)
    except ValidationError as error:
        raise ValueError(f'The body must be an object with a text "list". {error}') from None
    except (DecodeError, RecursionError):
        raise ValueError("The body is no JSON.") from None


async def show_error(request: Request, error: Exception) -> Response:
    """A page for what can't be answered, or JSON for the API."""
    assert isinstance(error, HTTPException)
    sentences = {
        404: _("There is no such page."),
        429: _("Too many lists are being checked right now; try again in a moment."),
        503: _("The check took too long; try again, or with a shorter list."),
    }
    lang = language_of(request)
    message = sentences[error.status_code].in_(lang) if error.status_code in sentences else error.detail
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, error.status_code, error.headers)
    if request.url.path == "/answer":
        return PlainTextResponse(message, error.status_code, error.headers)
    response = page(request, "desk/error.html", error.status_code, message=message)
    response.headers.update(error.headers or {})
    return response


def make_app(desk: Desk, address: Address, further: Sequence[Route] = ()) -> Starlette:
    """The application with the pages of the desk and `further` ones."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        desk.pool.close()

    return Starlette(
        routes=[*further, *desk.routes()],
        middleware=[Middleware(Guard, address=address)],
        exception_handlers={HTTPException: show_error, UserError: desk.show_problem},
        lifespan=lifespan,
    )
