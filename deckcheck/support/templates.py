"""Texts and web pages from the templates in deckcheck/templates."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.support.messages import OR, _, n_, p_, series
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parents[1] / "templates"


def render_page(template: str, *, style: str, lang: str, **values: Any) -> str:
    """The page rendered from a template; its policy allows only the given style."""
    from markupsafe import Markup

    text = (TEMPLATES / style).read_text(encoding="utf-8")
    digest = b64encode(sha256(text.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    # Escaping would break the quotes, and nothing in it is user input.
    return render(template, lang, style=Markup(text), policy=Markup(policy), **values)


def render(template: str, lang: str, **values: Any) -> str:
    """The text rendered from a template, with values in `lang`, invisible characters shown, and HTML escaped."""
    return _environment().get_template(template).render(values, lang=lang)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context

    @pass_context
    def shown(context: Mapping[str, Any], value: Any) -> Any:
        text = value.in_(context["lang"]) if hasattr(type(value), "in_") else value
        return safe(text) if type(text) is str else text

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(_=_, n_=n_, p_=p_, series=series, OR=OR)
    return environment
