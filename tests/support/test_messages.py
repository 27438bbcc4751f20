"""Messages and their catalogue."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

import deckcheck
from deckcheck.support.messages import AND, Localized, Message, _, p_, series

PACKAGE = Path(deckcheck.__file__).parent
# How many literals stand before the fields; n_ takes the number behind them.
LITERALS = {"_": 1, "N_": 1, "n_": 2, "p_": 2}


class Use(NamedTuple):
    """A message in the code."""

    place: str
    function: str
    literals: tuple[str, ...]
    fields: frozenset[str] | None
    in_table: bool = False

    @property
    def id(self) -> str | tuple[str, ...]:
        """As the catalogue names it."""
        return self.literals if self.function == "n_" else self.literals[-1]

    @property
    def context(self) -> str | None:
        return self.literals[0] if self.function == "p_" else None


@cache
def uses() -> tuple[Use, ...]:
    in_code = [use for path in sorted(PACKAGE.rglob("*.py")) for use in _uses_in(path)]
    templates = [
        path for path in sorted((PACKAGE / "templates").rglob("*")) if path.suffix in (".html", ".txt")
    ]
    return (*in_code, *(use for path in templates for use in _uses_in_template(path)))


def _uses_in(path: Path) -> Iterator[Use]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("messages")
        for name in node.names
    }
    if path.stem == "messages":
        imported |= set(LITERALS)
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    bodies = [tree.body, *(one.body for one in classes)]
    outermost = [one for body in bodies for one in body if isinstance(one, ast.Assign | ast.AnnAssign)]
    tables = {id(node) for one in outermost for node in ast.walk(one)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LITERALS:
            if node.func.id not in imported:
                continue
            count = LITERALS[node.func.id]
            texts = [one.value for one in node.args[:count] if isinstance(one, ast.Constant)]
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            assert len(texts) == count and all(isinstance(text, str) for text in texts), (
                f"{place}: no literal"
            )
            assert len(node.args) == count + (node.func.id == "n_"), f"{place}: fields by name"
            fields = frozenset(one.arg or "**" for one in node.keywords)
            yield Use(place, node.func.id, tuple(map(str, texts)), fields, id(node) in tables)


def _uses_in_template(path: Path) -> Iterator[Use]:
    for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in LITERALS:
            texts = tuple(str(text.as_const()) for text in call.args[: LITERALS[call.node.name]])
            fields = frozenset(field.key for field in call.kwargs)
            yield Use(f"{path.name}:{call.lineno}", call.node.name, texts, fields)


@cache
def catalog() -> Catalog:
    with (PACKAGE / "locale" / "ja" / "LC_MESSAGES" / "deckcheck.po").open("rb") as file:
        return read_po(file, locale="ja")


def fields_of(template: str) -> set[str]:
    return {
        name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name is not None
    }


def test_every_message_has_a_translation_and_every_translation_is_used() -> None:
    lacking = []
    for use in uses():
        known = catalog().get(use.id, use.context)
        if known is None or not known.string or not all(known.string):
            lacking.append(f"{use.place}: {use.id!r}")
    assert lacking == []
    used = {(use.id, use.context) for use in uses()}
    assert [one.id for one in catalog() if one.id and (one.id, one.context) not in used] == []
    assert [one.id for one in catalog() if one.id and one.fuzzy] == []


def test_a_message_is_given_the_fields_that_it_names() -> None:
    wrong = []
    for use in uses():
        named = set().union(*map(fields_of, use.literals[-1:] if use.function == "p_" else use.literals))
        if use.in_table and not use.fields:
            # It is filled when it is taken from there.
            continue
        if named != set(use.fields or ()) | (named & {"n"} if use.function == "n_" else set()):
            wrong.append(f"{use.place}: {use.literals} with {sorted(use.fields or ())}")
    assert wrong == []


def test_a_translation_has_the_same_fields() -> None:
    wrong = []
    for one in catalog():
        if not one.id:
            continue
        english = (one.id,) if isinstance(one.id, str) else one.id
        japanese = (one.string,) if isinstance(one.string, str) else one.string
        # The number need not be said.
        free = {"n"} if len(english) > 1 else set()
        if set().union(*map(fields_of, english)) - free != set().union(*map(fields_of, japanese)) - free:
            wrong.append(one.id)
    assert wrong == []


def test_every_message_can_be_said_in_both_languages() -> None:
    for use in uses():
        names = use.fields or set().union(*map(fields_of, use.literals))
        fields = tuple((name, 2) for name in sorted(names))
        if use.function == "n_":
            message = Message(use.literals[0], (("n", 2), *fields), use.literals[1])
        else:
            message = Message(use.literals[-1], fields, context=use.context)
        for lang in ("en", "ja"):
            said = message.in_(lang)
            filled = said not in (message.key, message.plural)
            assert said and (filled or not any("{" in text for text in use.literals))


def test_fields_are_said_in_the_language_of_the_sentence() -> None:
    zones = series([Localized("メイン", "main"), Localized("サイド", "side")], AND)
    message = _("can't be read: {reason}", reason=_("{said}; the list is not converted", said=zones))
    assert message.in_("en") == "can't be read: main and side; the list is not converted"
    assert message.in_("ja") == "読めません: メインとサイド。書きかえません"


def test_a_context_tells_translations_apart() -> None:
    assert _("Date").in_("ja") == "開催日"
    assert p_("signature", "Date").in_("ja") == "日付"
    assert _("Date").in_("en") == p_("signature", "Date").in_("en") == "Date"


@pytest.mark.parametrize(
    ("message", "lang", "said"),
    [
        # What isn't translated is said in English, a broken template as it is; braces of a value stay.
        (Message("nobody has translated {this}", (("this", 1),)), "ja", "nobody has translated 1"),
        (Message("{nothing} is given"), "en", "{nothing} is given"),
        (Message("an open { brace"), "en", "an open { brace"),
        (_("can't be read: {reason}", reason="{x}"), "en", "can't be read: {x}"),
    ],
)
def test_what_is_odd_is_said_all_the_same(message: Message, lang: str, said: str) -> None:
    assert message.in_(lang) == said
