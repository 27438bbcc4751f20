"""The contract of the command line: what each command was given, wrote, and ended with.

The cases are data: `cases/COMMAND.yaml`. Each runs in a folder of its own,
in process, by the entry point alone, so that modules may move freely. When a
change of behaviour is wanted, write the expected values anew and read the
diff:

    DECKCHECK_UPDATE_CONTRACT=1 python -m pytest tests/contract

A case has a `name`; the words of the command line (`args`); and what it needs
of `from` (folders of `files/` that are copied first), `diff_and_save` (name to text,
or to {copy: FILE of files/}, {example: bundled deck}, {hex: bytes}), `stdin`,
`env`, `before` (commands that are run first and must not end with 2), and
`fewer_cards` (whether the bundled tables hold fewer cards in a quick run).
What it expects is the runner's to write: the exit status, both streams, and
the files that were made, changed or (null) removed.

Clock and language are fixed, the version is called VERSION, temporary folders
FOLDER and DATA, the repository PROJECT, hashes and salts HASH-1, HASH-2, …
in the order in which they appear, and escape characters are shown as ␛. Of a
page only the words are compared, of a file that is no text only its name.
"""

from __future__ import annotations

import difflib
import gc
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import yaml
from factories.commands import Done, run_within
from factories.pages import lines_of
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from deckcheck.support import dates
from deckcheck.support.documents import load_schema

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
FILES = HERE / "files"
UPDATING = "DECKCHECK_UPDATE_CONTRACT" in os.environ
NOW = datetime(2026, 11, 27, 3, 0, tzinfo=UTC)

Case = dict[str, Any]
GIVEN = {
    "name": str,
    "args": list,
    "from": list,
    "files": dict,
    "stdin": str,
    "env": dict,
    "before": list,
    "fewer_cards": bool,
}
EXPECTED = {"status": int, "stdout": str, "stderr": str, "files": dict, "private": list}


def corpus() -> dict[str, list[Case]]:
    """The cases of each command."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {
        file.stem: yaml.load(file.read_text("utf-8"), loader) for file in sorted(HERE.glob("cases/*.yaml"))
    }


CORPUS = corpus()


@pytest.fixture(scope="module")
def update() -> Iterator[None]:
    """Writes the corpus when all cases have run."""
    yield
    if UPDATING:
        for command, cases in CORPUS.items():
            write(HERE / "cases" / f"{command}.yaml", cases)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where all cases run, one after the other: what is compiled is kept by path."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    yield tmp_path_factory.mktemp("contract")
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    """The folder in which a case runs, empty; beside it the folder for data is made when it is needed."""
    folder = place / "home"
    folder.mkdir()
    yield folder
    for used in place.iterdir():
        shutil.rmtree(used)


@pytest.mark.parametrize(
    ("command", "case"),
    [
        pytest.param(command, case, id=f"{command}: {case.get('name')}")
        for command, cases in CORPUS.items()
        for case in cases
    ],
)
def test_contract(
    command: str,
    case: Case,
    home: Path,
    update: None,  # noqa: ARG001
    request: pytest.FixtureRequest,
) -> None:
    assert command in ("deckcheck", *case["args"][:1]), "this case stands in another command's file"
    if case.get("fewer_cards"):
        # With own cards a table is compiled anew; of all bundled cards that takes seconds.
        request.getfixturevalue("fewer_cards")
    observed = run_case(case, home)
    if UPDATING:
        case["expect"] = observed
    assert case.get("expect"), "a case must expect something"
    if observed != case["expect"]:
        pytest.fail(difference(case["expect"], observed), pytrace=False)


def test_cases_are_well_formed() -> None:
    for command, cases in CORPUS.items():
        names = [case["name"] for case in cases]
        assert len(set(names)) == len(names), f"{command}: two cases have one name"
        for case in cases:
            expect = case.get("expect", {})
            assert case.keys() <= {*GIVEN, "expect"} and expect.keys() <= EXPECTED.keys(), case["name"]
            for kinds, values in ((GIVEN, case), (EXPECTED, expect)):
                assert all(isinstance(values[key], kinds[key]) for key in kinds if key in values), case[
                    "name"
                ]
            assert UPDATING or "status" in expect, case["name"]


def test_every_file_is_used() -> None:
    used = set()
    for case in (case for cases in CORPUS.values() for case in cases):
        used |= {*case.get("from", ())}
        used |= {made.get("copy") for made in case.get("files", {}).values() if isinstance(made, dict)}
    lying = {file.relative_to(FILES) for file in FILES.rglob("*") if file.is_file()}
    assert {str(file) for file in lying if not {str(file), file.parts[0]} & used} == set()


SCHEMAS = {
    ("check",): "report",
    ("which",): "which",
    ("impact",): "impact",
    ("repair",): "repair",
    ("event", "check"): "roster",
}
"""The schema of a command's JSON, by the command's words."""


@pytest.mark.parametrize("words", SCHEMAS, ids="-".join)
def test_json_keeps_to_its_schema(words: tuple[str, ...]) -> None:
    schema = Draft7Validator(load_schema(SCHEMAS[words]))
    tested = 0
    for case in CORPUS[words[0]]:
        text = case["expect"].get("stdout", "")
        if tuple(case["args"][: len(words)]) != words or "json" not in case["args"] or not text:
            continue
        # The corpus has names in place of hashes.
        text = re.sub(r"HASH-(\d+)", lambda match: f"{match[1]:0>64}", text)
        problem = best_match(schema.iter_errors(json.loads(text)))
        assert problem is None, f"{case['name']}: {problem}"
        tested += 1
    assert tested


def difference(expected: Case, observed: Case) -> str:
    before, after = (dumped(value).splitlines() for value in (expected, observed))
    return "\n".join(difflib.unified_diff(before, after, "expected", "observed", lineterm=""))


def run_case(case: Case, home: Path) -> Case:
    """Run the case in the folder; what can be expected of it, without what is empty."""
    data = home.parent / "data"
    lay_out(case, home)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home.parent),
        "COLUMNS": "100",
        "DECKCHECK_DATA_DIR": str(data),
        "DECKCHECK_CACHE_DIR": os.environ["DECKCHECK_CACHE_DIR"],
        **{name: str(value) for name, value in case.get("env", {}).items()},
    }
    for words in case.get("before", ()):
        prepared = deckcheck(words, home, environment, "")
        assert prepared.status != 2, (words, prepared)
    before = contents(home, data)
    done = deckcheck(case["args"], home, environment, case.get("stdin", ""))
    after = contents(home, data)
    changed = {
        name: shown(name, after[name]) if name in after else None
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    }
    private = [name for name in changed if name in after and is_private(home, data, name)]
    out = words_of(done.out) if done.out.lower().startswith("<!doctype html") else done.out
    expect = {"stdout": out, "stderr": done.err, "files": changed, "private": private}
    stable = normalised({key: value for key, value in expect.items() if value}, home, data)
    return {"status": done.status, **stable}


def lay_out(case: Case, home: Path) -> None:
    """Make the files that the case needs."""
    for folder in case.get("from", ()):
        shutil.copytree(FILES / folder, home, dirs_exist_ok=True)
    for name, content in case.get("files", {}).items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        match content:
            case {"copy": other}:
                shutil.copy(FILES / other, file)
            case {"example": other}:
                shutil.copy(PROJECT / "examples" / other, file)
            case {"hex": digits}:
                file.write_bytes(bytes.fromhex(digits))
            case _:
                file.write_bytes(content.encode())


def deckcheck(words: list[str], folder: Path, environment: Mapping[str, str], given: str) -> Done:
    """Run the command line in this process, where the clock stands still."""
    with (
        # Run as python -m pytest, the program would call itself a part of pytest.
        mock.patch.object(sys.modules["__main__"], "__package__", None),
        # Only this module asks for the time.
        mock.patch.object(dates, "time", StoppedClock),
    ):
        done = run_within([*map(str, words)], folder, environment, given.encode())
    return Done(done.returncode, done.stdout, done.stderr)


class StoppedClock:
    @staticmethod
    def time() -> float:
        return NOW.timestamp()


def contents(home: Path, data: Path) -> dict[str, bytes]:
    """The files in both folders; those of the data folder are called DATA/…."""
    named = {str(file.relative_to(home)): file for file in home.rglob("*")}
    named |= {f"DATA/{file.relative_to(data)}": file for file in data.rglob("*")}
    return {name: file.read_bytes() for name, file in named.items() if file.is_file()}


def is_private(home: Path, data: Path, name: str) -> bool:
    """Whether only its owner may read the file."""
    file = data / name.removeprefix("DATA/") if name.startswith("DATA/") else home / name
    return not stat.S_IMODE(file.stat().st_mode) & 0o077


def shown(name: str, content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "(not text)"
    if "\0" in text:
        return "(not text)"
    return words_of(text) if name.endswith(".html") else text


def words_of(page: str) -> str:
    """What a page says, without how it looks."""
    return "".join(f"{line}\n" for line in lines_of(page))


def normalised(value: Any, home: Path, data: Path) -> Any:
    """The value without what is different each time."""
    tool = re.escape(version("deckcheck"))
    fixed = [
        (re.escape(str(home)), "FOLDER"),
        (re.escape(str(data)), "DATA"),
        (re.escape(str(PROJECT)), "PROJECT"),
        (rf"(?<![\w.]){tool}(?![\w.])", "VERSION"),
        ("\x1b", "␛"),
    ]
    hashes: dict[str, str] = {}

    def stable(text: str) -> str:
        for pattern, name in fixed:
            text = re.sub(pattern, name, text)
        return re.sub(
            r"\b[0-9a-f]{64}\b", lambda match: hashes.setdefault(match[0], f"HASH-{len(hashes) + 1}"), text
        )

    def inside(value: Any) -> Any:
        match value:
            case str():
                return stable(value)
            case list():
                return [inside(item) for item in value]
            case dict():
                return {stable(key): inside(item) for key, item in value.items()}
        return value

    return inside(value)


class _Dumper(yaml.SafeDumper):
    """Writes texts as blocks, whatever stands in them, and short lists in one line."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def analyze_scalar(self, scalar: str) -> Any:
        analysis = super().analyze_scalar(scalar)
        analysis.allow_block = analysis.multiline and not re.search(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\u2028|\u2029|\ufeff", scalar)  # fmt: skip
        return analysis


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def dumped(value: Any) -> str:
    return yaml.dump(
        value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110, default_flow_style=None
    )


def write(file: Path, cases: list[Case]) -> None:
    """Write the cases so that their diffs can be read."""
    order = [*GIVEN, "expect"]
    sorted_cases = [{key: case[key] for key in order if key in case} for case in cases]
    text = "\n".join(dumped([case]) for case in sorted_cases)
    assert yaml.safe_load(text) == sorted_cases, file
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, encoding="utf-8")
