"""The pages for everybody: a text area, a format, a day; the verdict and the list with its findings.

Here, too, is what all pages share: the language of a request, forms, templates, errors; and the server that runs them.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from markupsafe import Markup
from msgspec import DecodeError, ValidationError, convert, json
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from deckcheck.checking.session import CheckOptions
from deckcheck.desk import check_pool
from deckcheck.desk.check_pool import CheckPool, Question, corrected, problems_of
from deckcheck.desk.limits_and_security import LANGUAGE_COOKIE, LANGUAGES, Address, Guard, Language
from deckcheck.formats.loading import known_games, load_game
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _
from deckcheck.support.templates import render
from deckcheck.support.terminal import write_messages

STATIC = Path(__file__).parent / "static"

_ACCEPTED = r"\s*([a-z]+)[-\w]*\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?"
_MOST_FIELDS = 100


# What all pages share


def language_of(request: Request) -> Language:
    """ "ja" or "en": as chosen on the page, then as the cookie keeps it, then as the browser prefers; English if neither."""
    accepted: list[tuple[float, str]] = []
    for part in request.headers.get("accept-language", "").lower().split(","):
        match = re.fullmatch(_ACCEPTED, part)
        # A language of no weight is refused.
        if match is not None and float(match[2] or 1):
            accepted.append((-float(match[2] or 1), match[1]))
    preferred = [language for _weight, language in sorted(accepted, key=lambda item: item[0])]
    for wanted in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE), *preferred):
        for language in LANGUAGES:
            if wanted == language:
                return language
    return "en"


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a posted form, with the correction of a pressed button in the list.

    Files are left out, line ends are line feeds.
    """
    async with request.form(max_files=0, max_fields=_MOST_FIELDS, max_part_size=256 * 1024) as form:
        fields = {
            name: value.replace("\r\n", "\n").replace("\r", "\n")
            for name, value in form.items()
            if isinstance(value, str)
        }
    fields["list"] = corrected(fields.get("list", ""), fields.get("correct", ""))
    return fields


def page(lang: str, template: str, status: int = 200, **values: Any) -> Response:
    """The page rendered from a template."""
    return HTMLResponse(render(template, lang, **values), status)


async def answer_to(request: Request, fields: Mapping[str, str]) -> Markup:
    """What is said of the list in a form, as HTML. Raises HTTPException if there is no time."""
    pool: CheckPool = request.app.state.pool
    question = Question(
        fields["list"], fields.get("format", ""), fields.get("as_of", ""), language_of(request)
    )
    wanted, notation = fields.get("do", ""), fields.get("notation", "")
    return Markup(await pool.run(check_pool.answer, pool.options, question, wanted, notation))


# The pages for everybody


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


async def show(request: Request) -> Response:
    """The empty page; for browsers without scripts, the page with the answer to what was posted."""
    lang, folders = language_of(request), request.app.state.pool.options.settings.folders
    fields = await form_of(request) if request.method == "POST" else {}
    answer = await answer_to(request, fields) if fields else None
    choices = format_choices(folders, lang)
    return page(lang, "desk/check.html", fields=fields, choices=choices, answer=answer, problems=())


async def show_answer(request: Request) -> Response:
    """The answer alone, for the script of the page."""
    fields = await form_of(request)
    if not fields["list"].strip():
        return page(language_of(request), "desk/nothing.html")
    return HTMLResponse(await answer_to(request, fields))


async def api_check(request: Request) -> Response:
    """The JSON report for `{"list": …, "format": …, "as_of": …, "lang": …}`."""
    pool: CheckPool = request.app.state.pool
    try:
        question = api_question(await request.body())
    except ValueError as error:
        return JSONResponse({"error": str(error)}, 422)
    try:
        answer = await pool.run(check_pool.json_answer, pool.options, question)
    except UserError as error:
        return JSONResponse({"error": " ".join(problems_of(error, question.lang))}, 422)
    return Response(answer, media_type="application/json")


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


# The application, and its server


_SENTENCES: Mapping[int, Words] = {
    404: _("There is no such page."),
    429: _("Too many lists are being checked right now; try again in a moment."),
    503: _("The check took too long; try again, or with a shorter list."),
}


async def show_error(request: Request, error: Exception) -> Response:
    """A page for what can't be answered or the user must mend, where no page of its own says it; JSON for the API."""
    assert isinstance(error, HTTPException | UserError)
    lang = language_of(request)
    if isinstance(error, UserError):
        return page(lang, "desk/error.html", 422, message=" ".join(problems_of(error, lang)))
    message = _SENTENCES[error.status_code].in_(lang) if error.status_code in _SENTENCES else error.detail
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, error.status_code, error.headers)
    if request.url.path == "/answer":
        return PlainTextResponse(message, error.status_code, error.headers)
    response = page(lang, "desk/error.html", error.status_code, message=message)
    response.headers.update(error.headers or {})
    return response


def make_app(pool: CheckPool, address: Address, further: Sequence[Route] = ()) -> Starlette:
    """The application with the pages for everybody and `further` ones, which come first."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        pool.close()

    app = Starlette(
        routes=[
            *further,
            Route("/", show, methods=["GET", "POST"]),
            Route("/answer", show_answer, methods=["POST"]),
            Route("/api/check", api_check, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, address=address)],
        exception_handlers={HTTPException: show_error, UserError: show_error},
        lifespan=lifespan,
    )
    app.state.pool = pool
    return app


def serve_checks(options: CheckOptions, address: Address, lang: str) -> None:
    """Serve the page on which lists are checked until ^C. Raises UserError."""
    serve(
        lambda: make_app(CheckPool.of_processes(options), address),
        address,
        lang,
        _("the page is at {url} (end with ^C)", url=address.url),
    )


def serve(make: Callable[[], Starlette], address: Address, lang: str, *messages: Words) -> None:
    """Make the application, write where its pages are, and serve them until ^C. Raises UserError if the port is taken.

    The port is bound first, so that no process begins in vain. What is asked is never logged: lists, names and private links would be in it.
    """
    config = uvicorn.Config(
        make,
        factory=True,
        host=address.host,
        port=address.port,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=64 * 1024,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
        limit_concurrency=2_000,
    )
    try:
        listener = config.bind_socket()
    except (OSError, SystemExit):
        place = f"{address.host}:{address.port}"
        hint = _("choose another address with --host, or another port with --port")
        raise user_error(_("can't listen on {place}", place=place), hint=hint) from None
    config.load()
    write_messages(lang, *messages)
    if address.is_exposed:
        exposed = _(
            "others can reach this page without encryption: on the internet, put a proxy with TLS in front of it "
            "and name its address with --public-url"
        )
        write_messages(lang, exposed)
    uvicorn.Server(config).run(sockets=[listener])
