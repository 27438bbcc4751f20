"""The pages of the documentation that are made from what the program itself says, as a hook of mkdocs.

The format language, banlists and settings come from the JSON Schemas, the
rules from the YAML of the formats, the commands from their own help. Only the
page of the format language is kept in the repository; a test proves it equal
to what is made here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple

import typer
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.core import TyperGroup

from deckcheck.analysis.cases_and_rule_pages import Example, pages_of
from deckcheck.checking.judge import LoadedFormat, Loader
from deckcheck.cli.app import COMMANDS, app_of
from deckcheck.formats.description import rule_infos
from deckcheck.formats.grammar import describe_values
from deckcheck.formats.loading import known_games, open_cards
from deckcheck.report.wording import engine_guide
from deckcheck.support.documents import load_schema
from deckcheck.support.messages import Localized

LANGUAGES = ("en", "ja")
Keys = tuple[str | int, ...]


class Section(NamedTuple):
    """A mapping of a schema that becomes a table: where its keys stand and what it is called."""

    keys: Keys
    title: Localized


class Reference(NamedTuple):
    """A page made from a schema."""

    schema: str
    title: Localized
    lead: Localized
    sections: Sequence[Section]


_FORM: Keys = ("properties", "entries", "items", "anyOf", 1)

REFERENCES: Mapping[str, Reference] = {
    "format-reference": Reference(
        "format",
        Localized("フォーマットの書き方", "The format language"),
        Localized(
            "フォーマットは一つのYAMLファイルです。規則はどれも、カードを数えて範囲と比べます。",
            "A format is one YAML file. Each of its rules counts cards and compares the count with a bound.",
        ),
        (
            Section(("properties",), Localized("ファイル", "The file")),
            Section(("definitions", "rule", "properties"), Localized("規則", "A rule")),
            Section(
                ("definitions", "linear", "properties"),
                Localized("数え方を足した上限・下限", "Bounds that add up counts"),
            ),
            Section(
                ("definitions", "term", "properties"), Localized("足す数え方（`plus`）", "A count in `plus`")
            ),
            Section(
                ("definitions", "predicate", "properties"),
                Localized("どのカードか（条件）", "Which cards: conditions"),
            ),
            Section(("definitions", "comparison", "properties"), Localized("比較", "Comparisons")),
        ),
    ),
    "games": Reference(
        "game",
        Localized("ゲームの書き方（game.yaml）", "Games (game.yaml)"),
        Localized(
            "ゲームの言葉を書いたファイルです。[自分のゲームを作る](../own-game.md)を見てください。",
            "The words of a game; see [A game of your own](../own-game.md).",
        ),
        (
            Section(("properties",), Localized("ファイル", "The file")),
            Section(("properties", "names", "properties"), Localized("名前（`names`）", "`names`")),
            Section(
                ("properties", "attributes", "additionalProperties", "properties"),
                Localized("属性（`attributes`）", "An attribute, in `attributes`"),
            ),
            Section(
                ("properties", "zones", "additionalProperties", "properties"),
                Localized("ゾーン（`zones`）", "A zone, in `zones`"),
            ),
            Section(("properties", "words", "properties"), Localized("言葉（`words`）", "`words`")),
        ),
    ),
    "banlists": Reference(
        "banlist",
        Localized("リストの書き方", "Banlists"),
        Localized(
            "リストは、どのカードがいつからどう扱われるかを日付とともに書いたファイルです。",
            "A banlist says from which day on which card has which status.",
        ),
        (Section(("properties",), Localized("ファイル", "The file")),),
    ),
    "settings": Reference(
        "config",
        Localized("設定の一覧", "Every setting"),
        Localized(
            "`deckcheck.toml`、または `pyproject.toml` の `[tool.deckcheck]` に書けるものの一覧です。",
            "All that `deckcheck.toml`, or `[tool.deckcheck]` in `pyproject.toml`, may hold.",
        ),
        (
            Section(("properties",), Localized("ファイル", "The file")),
            Section(("properties", "decks", "items", "properties"), Localized("`[[decks]]`", "`[[decks]]`")),
        ),
    ),
    "events": Reference(
        "event",
        Localized("大会のファイル", "The file of an event"),
        Localized(
            "大会は一つのYAMLファイルです。`deckcheck event init` が、説明つきのものを書きます。"
            "パスはこのファイルのフォルダから数えます。",
            "An event is one YAML file; `deckcheck event init` writes one with comments. "
            "Paths count from the folder of the file.",
        ),
        (
            Section(("properties",), Localized("ファイル", "The file")),
            Section((*_FORM, "properties"), Localized("表（`entries`）", "A form, in `entries`")),
            Section(
                (*_FORM, "properties", "columns", "properties"), Localized("列（`columns`）", "Its `columns`")
            ),
        ),
    ),
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made to those that are written."""
    for path, text in pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001 - as mkdocs calls it
    """Say which language a page is in."""
    japanese = page.file.src_uri.startswith("ja/")
    return output.replace('<html lang="en"', '<html lang="ja"', 1) if japanese else output


def pages() -> Iterator[tuple[str, str]]:
    """Every page that is made: its path below docs/ and its text."""
    for lang in LANGUAGES:
        for name, reference in REFERENCES.items():
            if name != "format-reference":
                yield f"{lang}/reference/{name}.md", reference_page(reference, lang)
        for one in shelf():
            name = one.format.id.replace("/", "-")
            yield f"{lang}/reference/rules/{name}.md", rules_page(one, lang)
        yield f"{lang}/reference/values.md", values_page(lang)
        yield f"{lang}/reference/findings.md", findings_page(lang)
        yield f"{lang}/reference/commands.md", commands_page(lang)


def values_page(lang: str) -> str:
    """What the formats of each bundled game can name, as `deckcheck formats values` lists it."""
    title = {"ja": "フォーマットに書ける属性・値・ゾーン", "en": "Attributes, values and zones"}[lang]
    lead = {
        "ja": "`deckcheck formats values ゲーム` と同じ一覧です。属性と値は、どちらの言語でも書けます。",
        "en": "What `deckcheck formats values GAME` lists. Attributes and values may be written in either language.",
    }[lang]
    lines = [f"# {title}", "", lead, ""]
    for id in known_games():
        game, catalog = open_cards(id)
        lines += [
            f"## {game.name.in_(lang)}",
            "",
            "```text",
            describe_values(game, catalog, lang) + "```",
            "",
        ]
    return "\n".join(lines)


def reference_page(reference: Reference, lang: str) -> str:
    """Tables of every key that a file may hold, with what it says and an example."""
    schema = load_schema(reference.schema)
    lines = [f"# {reference.title.in_(lang)}", "", reference.lead.in_(lang), ""]
    head = {"ja": ("キー", "意味", "例"), "en": ("key", "what it says", "for example")}[lang]
    for section in reference.sections:
        lines += [f"## {section.title.in_(lang)}", "", f"| {' | '.join(head)} |", "|---|---|---|"]
        for key, value in _at(schema, section.keys).items():
            resolved = _resolved(schema, value)
            said = resolved["ja"] if lang == "ja" else resolved["description"]
            examples = "<br>".join(_code(_inline(one)) for one in resolved.get("examples", ()))
            lines.append(f"| {_code(key)} | {_cell(said)} | {examples} |")
        lines.append("")
    return "\n".join(lines)


def format_reference(lang: str) -> str:
    """The page of the format language, which is kept in the repository."""
    return reference_page(REFERENCES["format-reference"], lang)


def _at(schema: Any, keys: Keys) -> Any:
    for key in keys:
        schema = schema[key]
    return schema


def _resolved(schema: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property with what its `$ref` says, where it says nothing itself."""
    while "$ref" in value and not value.keys() & {"description"}:
        value = _at(schema, tuple(value["$ref"].removeprefix("#/").split("/")))
    return value


def _inline(value: object) -> str:
    dumped = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False)
    return str(dumped).removesuffix("...\n").strip()


def _code(text: str) -> str:
    return f"<code>{_cell(escape(text, quote=False))}</code>"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("\n", "<br>")


@cache
def shelf() -> tuple[LoadedFormat, ...]:
    """Every bundled format that can be played."""
    found, problems = Loader().playable_formats()
    assert not problems
    return found


def rules_page(one: LoadedFormat, lang: str) -> str:
    """Every rule of a format: what it asks, how grave breaking it is, where that is written, and who breaks it."""
    format = one.format
    lines = [f"# {format.name.in_(lang)}", "", _code(format.id), ""]
    if format.title is not None:
        editions = [
            f"{said.edition} ({said.date})" if said.date else said.edition for said in format.editions
        ]
        said = ", ".join([format.title, *editions])
        lines += [f"{Localized('出典', 'source').in_(lang)}: {escape(said)}", ""]
    for info in rule_infos(format, one.game_data.game):
        [page] = pages_of(info.id, [one])
        lines += [f"## {info.id}", ""]
        lines += [f"- {escape(sentence, quote=False)}" for sentence in info.summary.in_(lang).splitlines()]
        notes = [_SEVERITIES[info.severity].in_(lang)]
        if info.cite is not None:
            notes.append(escape(f"「{info.cite}」" if lang == "ja" else f"section “{info.cite}”"))
        notes.append(_code(f"{info.source.path}:{info.source.line}"))
        lines += ["", ("、" if lang == "ja" else ", ").join(notes), ""]
        lines += _example(Localized("破る例", "Breaks it"), page.breaks, lang)
        lines += _example(Localized("守る例", "Just keeps it"), page.keeps, lang)
    return "\n".join(lines)


def _example(head: Localized, example: Example | None, lang: str) -> list[str]:
    """A case in a line: what it shows, where it is, and what is told of it."""
    if example is None:
        return []
    said = [escape(example.note.in_(lang), quote=False), _code(example.path)]
    if example.report is not None:
        said.append(escape(f"“{example.report.findings[0].message.in_(lang)}”", quote=False))
    return [f"{head.in_(lang)}: " + " — ".join(part for part in said if part), ""]


def findings_page(lang: str) -> str:
    """What deckcheck itself tells of a list, whatever the format."""
    title = Localized("deckcheck自身の指摘", "What deckcheck itself tells").in_(lang)
    lines = [f"# {title}", ""]
    for id, said in engine_guide().items():
        lines += [
            f"## {id}",
            "",
            said.meaning.in_(lang),
            "",
            said.reason.in_(lang),
            "",
            said.remedy.in_(lang),
            "",
        ]
    return "\n".join(lines)


_SEVERITIES = {
    "error": Localized("破ると違反", "breaking it makes a deck illegal"),
    "warning": Localized("警告のみ", "only a warning"),
    "info": Localized("お知らせのみ", "only a note"),
}


def commands_page(lang: str) -> str:
    """The help of every command, as the command prints it."""
    title = Localized("コマンドの一覧", "Every command").in_(lang)
    lines = [f"# {title}", ""]
    for words in commands():
        lines += [
            f"## deckcheck {' '.join(words)}".rstrip(),
            "",
            "```text",
            help_of(words, lang).rstrip(),
            "```",
            "",
        ]
    return "\n".join(lines)


@cache
def commands() -> tuple[tuple[str, ...], ...]:
    """Every command by its words, groups before what stands in them."""
    commands: list[tuple[str, ...]] = [()]
    for name in COMMANDS:
        commands.append((name,))
        command = typer.main.get_command(app_of(name))
        if isinstance(command, TyperGroup):
            commands += [(name, subcommand) for subcommand in command.commands]
    return tuple(commands)


@cache
def help_of(words: tuple[str, ...], lang: str) -> str:
    """What `deckcheck WORDS --help` prints."""
    environment = os.environ | {
        "LC_ALL": "ja_JP.UTF-8" if lang == "ja" else "C.UTF-8",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, "-m", "deckcheck", *words, "--help"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment, encoding="utf-8")
    return re.sub(r"(?m)[ \t]+$", "", done.stdout).replace("python -m deckcheck", "deckcheck")
