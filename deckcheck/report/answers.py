"""The answers of commands: text from a template, or JSON from records."""

from collections.abc import Mapping
from typing import Any

from deckcheck.model.finding import Finding
from deckcheck.report.json import SCHEMA, TOOL, json_line, json_page
from deckcheck.report.text import VERDICT_STYLES, labelled
from deckcheck.report.wording import VERDICTS, hint_of
from deckcheck.report.writer import RenderOptions
from deckcheck.support.messages import plain
from deckcheck.support.templates import render_text
from deckcheck.support.terminal import painter, show


def answer(template: str, look: RenderOptions, **fields: Any) -> str:
    """The text of an answer, from a template with `fields` and with what words findings and verdicts."""
    paint = painter(look.color)

    def labelled_finding(finding: Finding) -> str:
        return labelled(finding, look.lang, paint, lenient=look.lenient)

    words: dict[str, Any] = {
        "verdicts": VERDICTS,
        "styles": VERDICT_STYLES,
        "labelled": labelled_finding,
        "hint_of": hint_of,
    }
    return render_text(template, look.lang, color=look.color, **(words | fields))


def json_answer(values: Mapping[str, object], lang: str, *, in_line: bool = False) -> str:
    """A JSON object with `values`, which may be records and words; for people, unless it is `in_line`."""
    page = {"schema": SCHEMA, "tool": dict(TOOL), **plain(values, lang)}
    return json_line(page) + "\n" if in_line else json_page(page)


def show_answer(
    output_format: str,
    look: RenderOptions,
    template: str,
    fields: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write a result: a template filled with `fields`, or a JSON object with `values`."""
    if output_format == "json":
        show(json_answer(values, look.lang), exact=True)
    else:
        show(answer(template, look, **fields))
