"""The house rules of the code itself: who may import whom, and what Python may know."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import deckcheck
from deckcheck.support.documents import load_yaml
from deckcheck.support.files import shipped

ROOT = Path(deckcheck.__file__).parent
MODULES = {
    ".".join(["deckcheck", *file.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__"): file
    for file in sorted(ROOT.rglob("*.py"))
}

ORDER = [
    {"support"}, {"model"}, {"cards"}, {"rules"}, {"formats"}, {"importers"}, {"decklists"},
    {"report"}, {"config"}, {"checking"}, {"rewriting"}, {"analysis"}, {"bulk"}, {"registration"},
    {"desk"}, {"scaffold"}, {"cli", "__main__"},
]  # fmt: skip
"""From low to high: a part of the package imports only from its own step or a lower one."""

PLACES = {part: at for at, parts in enumerate(ORDER) for part in parts}


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """All that a module says; the module itself comes first."""
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


@cache
def imports(file: Path) -> tuple[tuple[str, bool], ...]:
    """The modules that a file imports, and whether that happens when it is loaded."""
    return tuple(_imports(nodes_of(file)))


def _imports(nodes: tuple[ast.AST, ...]) -> Iterator[tuple[str, bool]]:
    module = nodes[0]
    assert isinstance(module, ast.Module)
    at_once: set[ast.AST] = set(module.body)
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node in at_once
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import of {node.module}"
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield (whole if whole in MODULES else str(node.module)), node in at_once


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "deckcheck"


def test_every_part_has_its_place() -> None:
    unplaced = {part_of(module) for module in MODULES} - PLACES.keys() - {"deckcheck"}
    assert not unplaced, "say in ORDER where these stand"


def test_imports_only_go_down() -> None:
    upward = [
        f"{module} imports {name}"
        for module, file in MODULES.items()
        if module != "deckcheck"
        for name, _ in imports(file)
        if name.startswith("deckcheck.") and PLACES[part_of(name)] > PLACES[part_of(module)]
    ]
    assert not upward


def test_nothing_imports_the_package_as_a_whole() -> None:
    for module, file in MODULES.items():
        if not module.startswith("deckcheck.cli"):
            assert "deckcheck" not in {name for name, _ in imports(file)}, module


def test_there_are_no_circles() -> None:
    """Not even by imports inside of functions."""
    graph = {
        module: {name for name, _ in imports(file) if name in MODULES and name != module}
        for module, file in MODULES.items()
    }
    done: set[str] = set()

    def follow(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join([*way, module])
        if module in done:
            return
        for name in sorted(graph[module]):
            follow(name, (*way, module))
        done.add(module)

    for module in graph:
        follow(module, ())


def test_the_command_line_is_made_with_typer() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert any(needed.startswith("typer") for needed in project["dependencies"])
    for module, file in MODULES.items():
        foreign = {name.split(".")[0] for name, _ in imports(file)}
        assert not foreign & {"argparse", "argcomplete", "click", "rich"}, module
        assert "typer" not in foreign or module.startswith("deckcheck.cli."), module


def test_a_run_over_a_kept_format_loads_nothing_heavy() -> None:
    """What is slow to import is imported where it is needed."""
    for module, file in MODULES.items():
        at_once = {name.split(".")[0] for name, now in imports(file) if now}
        assert not at_once & {
            "jsonschema",
            "rapidfuzz",
            "platformdirs",
            "rich",
            "pathspec",
            "tomllib",
            "difflib",
        }, module
        if not module.startswith("deckcheck.bulk"):
            assert "pyarrow" not in at_once, module
        if module != "deckcheck.support.documents":
            assert "yaml" not in at_once, module


def game_words() -> set[str]:
    """What the bundled games call things: none of it may stand in Python."""
    words = {
        "殿堂", "プレミアム殿堂", "統率者", "コマンダー", "クリーチャー", "超次元", "ツインパクト", "文明", "マナ",
        "commander", "sideboard", "mainboard", "maindeck", "creature", "hyperspatial", "civilization", "mana",
        "companion", "hall of fame", "duel masters", "duel-masters", "rarity", "twinpact",
    }  # fmt: skip
    for file in shipped("formats").glob("*/game.yaml"):
        data = load_yaml(file).data
        words |= {data["game"], *data["attributes"], *data["zones"], *data["statuses"]}
        words |= {word for zone in data["zones"].values() for word in zone["headings"]}
        words |= {word for one in data["attributes"].values() for word in one.get("values", ())}
        for kind in ("labels", "notes", "marks"):
            words |= set(data["words"].get(kind, ()))
    return {word.casefold() for word in words} - COMMON


COMMON = {
    "artifact", "black", "blue", "colour", "cost", "deck", "decklist", "extra", "ex", "foil",
    "forbidden", "frame", "green", "home", "identity", "land", "limited", "main", "pair", "pool",
    "red", "restricted", "side", "spells", "st", "start", "tag", "type", "white", "zero", "デッキ",
    "制限", "白", "禁止",
}  # fmt: skip
"""Words of everyday speech and of programming."""


KNOW_GAMES = (
    *(f"deckcheck.importers.{name}" for name in ("scryfall", "ygopro")),
    "deckcheck.decklists.notations.",
)
"""What reads and writes the files of other tools, in the words of those tools."""


def test_python_knows_no_game() -> None:
    words, found = game_words(), []
    assert {"commander", "殿堂"} <= said_in("a commander and 殿堂", words)
    assert not said_in("a recommander", {"commander"})
    for module, file in MODULES.items():
        if not module.startswith(KNOW_GAMES):
            found += [f"{module}: {word}" for word in said_in(code(file).casefold(), words)]
    assert not found


def said_in(text: str, words: set[str]) -> set[str]:
    """Those of the words that stand in a text, Latin ones as words of their own."""
    there = {word for word in words if word in text}
    return {
        word
        for word in there
        if not word.isascii() or re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text)
    }


def code(file: Path) -> str:
    """The text of a module. The example of the public interface names a card, as users do."""
    text = file.read_text(encoding="utf-8")
    return re.sub(r"(?m)^ +(>>>|\.\.\.).*$", "", text) if file == ROOT / "__init__.py" else text


def test_no_record_is_taken_apart_by_position() -> None:
    """Beyond three fields nobody sees which is which."""
    long = [
        f"{module}:{node.lineno}"
        for module, file in MODULES.items()
        for node in nodes_of(file)
        if takes_apart_more_than_three(node)
    ]
    assert not long


def takes_apart_more_than_three(node: ast.AST) -> bool:
    targets: list[ast.expr] = []
    if isinstance(node, ast.MatchClass):
        return len(node.patterns) > 3
    if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Tuple):
        targets = node.targets
    elif isinstance(node, ast.For | ast.comprehension):
        targets = [node.target]
    return any(
        isinstance(inner, ast.Tuple) and len(inner.elts) > 3
        for target in targets
        for inner in ast.walk(target)
    )


NO_NAMES = frozenset({"found", "each", "at", "shown", "below"})


def test_no_variable_has_a_name_that_says_nothing() -> None:
    """A variable says what it holds: `found` what? `at` which line?"""
    nameless = [
        f"{module}:{line}: {name}"
        for module, file in MODULES.items()
        for name, line in names_bound(nodes_of(file))
        if name in NO_NAMES
    ]
    assert not nameless


def names_bound(nodes: tuple[ast.AST, ...]) -> list[tuple[str, int]]:
    """The variables and parameters of a module with their lines, without the fields of its records."""
    bodies = [node.body for node in nodes if isinstance(node, ast.ClassDef)]
    fields = {id(line.target) for body in bodies for line in body if isinstance(line, ast.AnnAssign)}
    variables = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    bound = [(node.id, node.lineno) for node in variables if id(node) not in fields]
    return bound + [(node.arg, node.lineno) for node in nodes if isinstance(node, ast.arg)]
