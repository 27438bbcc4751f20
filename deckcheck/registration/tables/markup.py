"""HTML that strangers' words can't get out of, and a page that fetches nothing and runs nothing but its own."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from pathlib import Path

from deckcheck.support.safetext import safe


def shown(text: str) -> str:
    """Text as HTML, with what would play tricks written out."""
    return escape(safe(text))


def foreign(text: str) -> str:
    """Somebody else's words: their direction of writing ends where they end."""
    return f"<bdi>{shown(text)}</bdi>"


def bar(parts: Iterable[tuple[float, str]]) -> str:
    """A bar of coloured stretches, each with its share of the whole (0 to 1) and its class.

    It is a picture only; whoever uses it writes the numbers beside it.
    """
    at, drawn = 0.0, []
    for share, kind in parts:
        width = round(100 * share, 3)
        drawn.append(f'<rect class="{kind}" x="{at:g}" width="{width:g}" height="10"/>')
        at = round(at + width, 3)
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect class="ground" width="100" height="10"/>{"".join(drawn)}</svg>'
    )


def page(title: str, body: str, lang: str, *, style: str, script: str) -> str:
    """A whole page. `style` and `script` name files beside this module, `title` is text and `body` HTML."""
    css, js = _beside(style), _beside(script)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {_hash(css)}",
            f"script-src {_hash(js)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>{shown(title)}</title>
<style>{css}</style>
</head>
<body>
{body}
<script>{js}</script>
</body>
</html>
"""


def _beside(name: str) -> str:
    return (Path(__file__).parents[2] / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
