"""Texts and web pages from the templates in deckcheck/templates."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.support.messages import OR, SEMICOLON, Message, series
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


def render(
    template: str, lang: str, *, color: bool = False, escape: Escape | None = None, **values: Any
) -> str:
    """The page or text rendered from a template, with values in `lang`, and styles if there are colors.

    Values are escaped by `escape`; by default invisible characters in them are, and HTML in pages.
    """
    usual = _for_html if template.endswith(".html") else safe
    known = {"lang": lang, "paint": painter(color), "escape": escape or usual}
    return _environment().get_template(template).render(values, **known)


def _for_html(text: str) -> str:
    from markupsafe import escape

    return str(escape(safe(text)))


@cache
def _environment() -> "Environment":
    """The environment of all templates: each value is escaped once, also within a message, and keeps the style that it has."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
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

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        _=message, n_=plural, p_=in_context, series=series, OR=OR, SEMICOLON=SEMICOLON, row=row
    )
    environment.filters.update(paint=painted, fit=fit, columns=lambda text: Markup(_in_columns(text)))
    return environment


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
