"""What all pages share: the language of a request, forms, templates."""

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from deckcheck.support.templates import render

LANGUAGES = ("ja", "en")
_COOKIE = "lang"
_YEAR = 365 * 24 * 60 * 60
_MOST_FIELDS = 100


def language_of(request: Request) -> str:
    """ "ja" or "en": as chosen on the page, then as the cookie keeps it, then as the browser prefers."""
    for chosen in (request.query_params.get("lang"), request.cookies.get(_COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    return preferred_language(request.headers.get("accept-language", ""))


def preferred_language(header: str) -> str:
    """The better of both languages by an `Accept-Language` header (RFC 9110, 12.5.4); English if neither is there."""
    weights: dict[str, float] = {}
    for choice in header.split(","):
        tag, _semicolon, parameters = choice.strip().partition(";")
        language = tag.strip().lower().split("-")[0]
        weight = re.fullmatch(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", parameters)
        if language in LANGUAGES:
            weights.setdefault(language, float(weight[1]) if weight else 1.0)
    return "ja" if weights.get("ja", 0.0) > weights.get("en", 0.0) else "en"


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
    response = HTMLResponse(render(template, lang, request=request, **values), status)
    response.headers["Vary"] = "Accept-Language, Cookie"
    if request.query_params.get("lang") == lang:
        secure = request.url.scheme == "https"
        response.set_cookie(_COOKIE, lang, max_age=_YEAR, secure=secure, httponly=True, samesite="lax")
    return response
