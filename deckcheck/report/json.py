"""Reports as JSON and as JSON Lines, and the objects that other outputs share; the shape is in schemas/report.schema.json.

JSON is one object with a line for each deck, so that a run of any size can be written as it goes. JSON Lines are the
same objects, then a line for each list that could not be checked ("error"), then one for the run ("summary").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.report.writer import Results, Writer
from deckcheck.support import VERSION
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized, Message, Series, Words
from deckcheck.support.safe_text import UNSAFE

SCHEMA = 1
"""The "schema" of the outputs; increased when a key changes its meaning or is removed."""

TOOL: Mapping[str, str] = MappingProxyType({"name": "deckcheck", "version": VERSION})

# JSON allows them unescaped, but a terminal would obey them.
_OBEYED = re.compile(rf"(?!\n){UNSAFE}")


def json_line(value: object) -> str:
    """A value as one line of JSON, without control characters for terminals."""
    return _escaped(json.dumps(value, ensure_ascii=False))


def json_page(value: object) -> str:
    """Like `json_line`, but indented for people and with a line feed at the end."""
    return _escaped(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def json_list(values: Iterable[str]) -> str:
    """A JSON list of values that are JSON already, one per line."""
    return "[" + ",".join(f"\n{value}" for value in values) + "\n]"


class JsonWriter(Writer):
    """One object per run, one line per deck."""

    tells_own_facts = True
    opening = f'{{"schema": {SCHEMA}, "tool": {json_line(dict(TOOL))}, "decks": ['
    separator = ","

    def fragment(self, report: Report) -> str:
        return "\n" + json_line(deck_object(report, self.lang))

    def closing(self, results: Results) -> str:
        lists, errors = _lists_and_errors(results, self.lang)
        parts = {"lists": lists, **_own_facts(results), "errors": errors, "summary": summary_object(results)}
        return "\n]" + "".join(f',\n"{key}": {json_line(value)}' for key, value in parts.items()) + "}\n"


class JsonLinesWriter(Writer):
    """One object per line."""

    tells_own_facts = True

    def fragment(self, report: Report) -> str:
        return json_line(deck_object(report, self.lang)) + "\n"

    def closing(self, results: Results) -> str:
        lists, errors = _lists_and_errors(results, self.lang)
        run: dict[str, Any] = {"summary": summary_object(results), "lists": lists, **_own_facts(results)}
        run |= {"schema": SCHEMA, "tool": dict(TOOL)}
        return "".join(json_line(line) + "\n" for line in (*({"error": error} for error in errors), run))


def _lists_and_errors(results: Results, lang: str) -> tuple[list[Any], list[Any]]:
    lists = [list_object(used, lang) for used in results.lists]
    return lists, [problem_object(problem, lang) for problem in results.problems]


def _own_facts(results: Results) -> dict[str, list[Any]]:
    """The messages on the user's own card files, if any decided on a card."""
    found = [{"path": file, "cards": len(cards)} for file, cards in results.own_facts.items()]
    return {"own_facts": found} if found else {}


def plain(value: Any, lang: str) -> Any:
    """A value that JSON can hold: words in `lang`, records as objects under the names of their fields."""
    if isinstance(value, Message | Localized | Series):
        return value.in_(lang)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: plain(inner, lang) for key, inner in value.items()}
    return [plain(inner, lang) for inner in value] if isinstance(value, list | tuple) else value


def summary_object(results: Results) -> dict[str, int]:
    """The numbers of decks by verdict and of suppressed findings."""
    counts = {str(verdict): results.verdicts[verdict] for verdict in Verdict}
    return {"decks": results.decks, **counts, "suppressed": results.suppressed}


def deck_object(report: Report, lang: str) -> dict[str, Any]:
    """The report of one deck as plain values."""
    keys = ("name", "game", "format", "edition", "as_of", "verdict", "sizes", "fingerprint")
    return {
        "path": report.deck.path,
        **_fields(report, keys, lang),
        "findings": [finding_object(finding, lang) for finding in report.findings],
        "suppressed": [
            _fields(each, ("by", "reason", "source"), lang) | {"finding": finding_object(each.finding, lang)}
            for each in report.suppressed
        ],
        "format_chosen_by": plain(report.chosen_by, lang),
    }


def _fields(record: object, keys: Iterable[str], lang: str) -> dict[str, Any]:
    """Some fields of a record as plain values."""
    return {key: plain(getattr(record, key), lang) for key in keys}


def finding_object(finding: Finding, lang: str) -> dict[str, Any]:
    """A finding as plain values."""
    found = finding.found
    interval = {"min": found[0], "max": found[1]} if isinstance(found, tuple) else found
    head = {"rule": finding.rule, "severity": finding.severity, "verdict": finding.verdict}
    parts = [finding_object(part, lang) for part in finding.parts]
    return {
        **head,
        **message_object(finding.message, lang),
        **plain(finding._replace(parts=()), lang),
        "found": interval,
        "parts": parts,
    }


def message_object(message: Words, lang: str) -> dict[str, Any]:
    """A message as plain values: in words, and as the template and the fields that it is made of."""
    text, fields = message.in_(lang), {}
    if isinstance(message, Message):
        template = message.template("en")
        for name, value in message.fields:
            fields[name] = value if isinstance(value, int | float | None) else str(plain(value, lang))
    else:
        template = message.in_("en").replace("{", "{{").replace("}", "}}")
    return {"message": text, "message_id": template, "fields": fields}


def list_object(used: ListUsed, lang: str) -> dict[str, Any]:
    """A banlist as it was used, as plain values."""
    return {key: value for key, value in plain(used, lang).items() if key != "title"}


def problem_object(problem: Problem, lang: str) -> dict[str, Any]:
    """A problem as plain values."""
    return _fields(problem, ("path", "line", "column", "message", "hint"), lang)
