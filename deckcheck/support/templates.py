"""Texts and web pages from the templates in deckcheck/templates."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.support.messages import OR, SEMICOLON, Message, _, n_, p_, series
from deckcheck.support.safe_text import cells, fitted, safe
from deckcheck.support.terminal import Style, painter, unpainted

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

TEMPLATES = Path(__file__).parents[1] / "templates"

Escape = Callable[[str], str]
"""Makes text from files harmless in an output."""


def render_page(template: str, *, style: str, lang: str, **values: Any) -> str:
    """The page rendered from a template; its policy allows only the given style."""
    from markupsafe import Markup

    text = (TEMPLATES / style).read_text(encoding="utf-8")
    digest = b64encode(sha256(text.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    # Escaping would break the quotes, and nothing in it is user input.
    return render(template, lang, style=Markup(text), policy=Markup(policy), **values)


def render(template: str, lang: str, **values: Any) -> str:
    """The page or text rendered from a template, with values in `lang`, and invisible characters and HTML escaped."""
    if template.endswith(".html"):
        return _pages().get_template(template).render(values, lang=lang)
    return render_text(template, lang, **values)


def render_text(
    template: str, lang: str, *, color: bool = False, escape: Escape = safe, **values: Any
) -> str:
    """The text rendered from a template, with values in `lang` and escaped, and styles if there are colors."""
    known = {"lang": lang, "paint": painter(color), "escape": escape}
    return _texts().get_template(template).render(values, **known)


@cache
def _pages() -> "Environment":
    """The environment of web pages, which escapes what it writes for HTML."""
    from jinja2 import pass_context

    @pass_context
    def shown(context: Mapping[str, Any], value: Any) -> Any:
        text = value.in_(context["lang"]) if hasattr(type(value), "in_") else value
        return safe(text) if type(text) is str else text

    environment = _environment(shown)
    environment.globals.update(_=_, n_=n_, p_=p_, series=series, OR=OR)
    return environment


@cache
def _texts() -> "Environment":
    """The environment of texts: each value is escaped once, also within a message, and keeps the style that it has."""
    from jinja2 import pass_context
    from markupsafe import Markup

    @pass_context
    def shown(context: "Context", value: Any) -> Markup:
        if isinstance(value, Markup):
            return value
        text = value.in_(context["lang"]) if hasattr(type(value), "in_") else str(value)
        return Markup(context["escape"](text))

    def said(where: "Context", message: Message, fields: Mapping[str, Any]) -> Markup:
        values = {
            name: value if isinstance(value, int) else str(shown(where, value))
            for name, value in fields.items()
        }
        return Markup(message.filled(**values).in_(where["lang"]))

    @pass_context
    def message(where: "Context", key: str, **fields: Any) -> Markup:
        return said(where, Message(key), fields)

    @pass_context
    def plural(where: "Context", singular: str, plural: str, n: int, **fields: Any) -> Markup:
        return said(where, Message(singular, plural=plural), {"n": n, **fields})

    @pass_context
    def in_context(where: "Context", context: str, key: str, **fields: Any) -> Markup:
        return said(where, Message(key, context=context), fields)

    @pass_context
    def painted(context: "Context", value: Any, style: Style) -> Markup:
        return Markup(context["paint"](str(shown(context, value)), style))

    @pass_context
    def fit(context: "Context", value: Any, width: int) -> Markup:
        return Markup(fitted(str(shown(context, value)), width))

    @pass_context
    def row(context: "Context", *values: Any) -> Markup:
        return Markup("\t".join(str(shown(context, value)) for value in values))

    environment = _environment(shown)
    environment.globals.update(
        _=message, n_=plural, p_=in_context, series=series, OR=OR, SEMICOLON=SEMICOLON, row=row
    )
    environment.filters.update(paint=painted, fit=fit, columns=lambda text: Markup(_in_columns(text)))
    return environment


def _environment(finalize: Callable[..., Any]) -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _in_columns(text: str) -> str:
    """Lines with the cells of each `row` below each other; other lines stay as they are."""
    rows = [line.split("\t") for line in text.split("\n")]
    widths: dict[int, int] = {}
    for row in rows:
        for column, cell in enumerate(row if len(row) > 1 else ()):
            widths[column] = max(widths.get(column, 0), cells(unpainted(cell)))
    return "\n".join(_in_row(row, widths) for row in rows)


def _in_row(row: list[str], widths: Mapping[int, int]) -> str:
    if len(row) == 1:
        return row[0]
    padded = [cell + " " * (widths[column] - cells(unpainted(cell))) for column, cell in enumerate(row)]
    return "  ".join([*padded[:-1], row[-1]]).rstrip()
