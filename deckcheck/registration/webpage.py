"""HTML by templates: nothing is loaded, nothing runs but a page's own script, and strangers' words stay words."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckcheck.support.safetext import safe

TEMPLATES = Path(__file__).parents[1] / "templates"


def render_page(template: str, *, style: str, script: str | None = None, **values: Any) -> str:
    """The page that a template makes of `values`, in which `style` and `script`, files too, are allowed to work.

    Every value is escaped, and what can't be seen in it or would turn the
    direction of writing is written out.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return safe(value) if type(value) is str else value

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    rules = ["default-src 'none'"]
    for key, name in (("style", style), ("script", script)):
        if name is not None:
            text = (TEMPLATES / name).read_text(encoding="utf-8")
            digest = b64encode(sha256(text.encode()).digest()).decode()
            rules.append(f"{key}-src 'sha256-{digest}'")
            values[key] = Markup(text)
    # No character of it would be escaped: it holds nothing of what came in.
    values["policy"] = Markup("; ".join([*rules, "base-uri 'none'", "form-action 'none'"]))
    return environment.get_template(template).render(values)
