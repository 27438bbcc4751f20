"""The documentation: every example is run, every page is made, and nothing is left out.

After a change that is meant, DECKCHECK_UPDATE_DOCS=1 writes what the commands
print into the pages; read the difference.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from factories.commands import run_process
from factories.documents import blocks, shown_and_printed
from jsonschema import Draft7Validator

from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.documents import load_schema

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(str(file.relative_to(DOCS)) for lang in ("en", "ja") for file in (DOCS / lang).rglob("*.md"))


# The walk through an event has a test file of its own.
@pytest.mark.parametrize("name", [name for name in PAGES if not name.endswith("/event.md")])
def test_examples_do_what_the_page_shows(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if name.endswith("/cards.md"):
        request.getfixturevalue("fewer_cards")
    if "examples/netrunner" in (DOCS / name).read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "examples" / "netrunner", tmp_path / "examples" / "netrunner")
    shown, printed = shown_and_printed(DOCS / name, tmp_path)
    assert printed == shown


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_architecture_names_modules_that_exist(lang: str) -> None:
    page = (DOCS / lang / "architecture.md").read_text(encoding="utf-8")
    modules = {f"/{file.relative_to(ROOT).as_posix()}" for file in ROOT.glob("*/**/*.py")}
    named = re.findall(r"`([a-z_/]+\.py)`", page)
    reader = re.findall(
        r"(?m)^\|([^|]*)\|", page[page.index("| `header_directives_comments`") : page.index("| `notations/`")]
    )
    named += [f"decklists/{name}.py" for cell in reader for name in re.findall("`([a-z_]+)`", cell)]
    assert len(named) > 30
    assert [name for name in named if not any(module.endswith(f"/{name}") for module in modules)] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_game_of_the_tutorial_is_that_of_the_examples(lang: str) -> None:
    page = (DOCS / lang / "own-game.md").read_text(encoding="utf-8")
    last = {block.title: block.body for block in blocks(page) if block.title}
    shown = ("game.yaml", "formats/standard.yaml", "formats/casual.yaml", "banlists/standard.yaml")
    for title in (*(f"netrunner/{name}" for name in shown), "decks/zahya.txt"):
        example = ROOT / "examples" / "netrunner" / title.removeprefix("netrunner/")
        assert last[title] == example.read_text(encoding="utf-8"), title


@pytest.mark.parametrize("name", [page for page in PAGES if page[3:] in ("python.md", "bulk.md")])
def test_the_python_examples_do_what_the_page_shows(name: str) -> None:
    text = "".join(block.body for block in blocks((DOCS / name).read_text("utf-8")) if block.kind == "python")
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert example.examples and doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_page_of_the_format_language_is_made_from_its_grammar(lang: str) -> None:
    file, made = DOCS / lang / "format-reference.md", made_pages().format_reference(lang)
    if os.environ.get("DECKCHECK_UPDATE_DOCS"):
        file.write_text(made, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == made


def commands_of(page: Path) -> list[str]:
    """The lines of a page that are run by a shell."""
    return [
        line
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.kind in ("console", "sh")
        for line in block.body.splitlines()
        if line.startswith("$ ") or block.kind == "sh"
    ]


def test_both_languages_have_the_same_pages_with_the_same_commands() -> None:
    names, others = ({page[3:] for page in PAGES if page.startswith(lang)} for lang in ("en", "ja"))
    assert names == others
    for name in names:
        assert commands_of(DOCS / "en" / name) == commands_of(DOCS / "ja" / name), name


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole documentation as it is published; a broken link is an error."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run

    def faster(command: Any, **options: Any) -> subprocess.CompletedProcess[Any]:
        """The help of each command is printed by a process of its own."""
        if command[:3] != [sys.executable, "-m", "deckcheck"] or "encoding" not in options:
            return run(command, **options)
        return run_process(command[3:], env=options["env"], encoding=options["encoding"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        patch.setattr(subprocess, "run", faster)
        build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder)))
    return folder


@pytest.mark.setup
@pytest.mark.filterwarnings("ignore")
def test_every_rule_finding_and_command_has_its_place_in_the_site(site: Path) -> None:
    from deckcheck.checking.judge import load_format

    start = (site / "index.html").read_text("utf-8")
    commands = made_pages().commands()
    assert len(commands) > 10
    for lang in ("en", "ja"):
        assert f'href="{lang}/index.html"' in start
        assert f'<html lang="{lang}"' in (site / lang / "index.html").read_text("utf-8")
        reference = site / lang / "reference"
        text = (reference / "findings.html").read_text("utf-8")
        assert not [id for id in ENGINE_IDS if f'id="{id}"' not in text]
        text = (reference / "commands.html").read_text("utf-8")
        assert not [words for words in commands if f"deckcheck {' '.join(words)}".rstrip() not in text]
        for one in (one for one in bundled_formats() if not one.abstract):
            format = load_format(one.id).format
            text = (reference / "rules" / f"{one.id.replace('/', '-')}.html").read_text("utf-8")
            assert text.count("formats/") > 2 * len(format.rules)
            for rule in format.rules:
                assert f'id="{rule.id}"' in text, (one.id, rule.id)
                assert f"{rule.source.path}:{rule.source.line}" in text


def made_pages() -> ModuleType:
    """The module that makes pages, which stands beside them."""
    spec = util.spec_from_file_location("pages", DOCS / "pages.py")
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules["pages"] = module
    spec.loader.exec_module(module)
    return module


SCHEMAS = ("format", "game", "banlist", "config", "event")


def keys_of(schema: Any, way: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every key that a schema describes, with where it stands."""
    inner = dict(enumerate(schema)) if isinstance(schema, list) else schema
    if not isinstance(inner, dict):
        return []
    found = [(f"{way}/{name}", value) for name, value in inner.get("properties", {}).items()]
    for name, value in inner.items():
        if name != "examples":
            found += keys_of(value, f"{way}/{name}")
    return found


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_described_in_both_languages_with_examples_that_keep_to_it(name: str) -> None:
    schema = load_schema(name)
    keys = keys_of(schema)
    described = [(way, value) for way, value in keys if "description" in value or "ja" in value]
    assert len(described) > 5
    for way, value in described:
        assert value.get("description") and re.search(r"[ぁ-んァ-ヶ一-龠]", value.get("ja", "")), way
    tried = [(way, value, example) for way, value in keys for example in value.get("examples", ())]
    assert len(tried) > 5
    for _way, value, example in tried:
        part = {key: inner for key, inner in value.items() if key != "examples"}
        # In draft-07 what stands beside a $ref counts for nothing.
        whole = {"definitions": schema["definitions"], "allOf": [part]}
        Draft7Validator(whole).validate(example)
    pages = made_pages()
    references = [one for one in pages.REFERENCES.values() if one.schema == name]
    for text in (pages.reference_page(one, lang) for one in references for lang in ("en", "ja")):
        assert text.count("\n| <code>") > 5
        assert "|  |  |" not in text, "every key on a page says what it means"


WITH_LINKS = [page for pattern in ("docs/??/*.md", "*.md") for page in sorted(ROOT.glob(pattern))]
LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("page", WITH_LINKS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_work_in_a_clone(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = [target for target, _anchor in LINK.findall(text) if target]
    assert [target for target in targets if not (page.parent / target).exists()] == []
