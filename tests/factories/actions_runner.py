"""As much of the machine that runs GitHub's steps as our action and workflows need; it fails on what it doesn't know."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from factories.scratch_repositories import outside

SHELLS = {
    # The one that is meant when a step in a workflow names none, and the one that it gets by asking for bash.
    None: ("bash", "-e"),
    "bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail"),
}
_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}", re.DOTALL)
_COMPARISON = re.compile(r"(?P<name>[\w.-]+) (?P<sign>==|!=) '(?P<text>[^']*)'")
Outputs = dict[str, dict[str, str]]


class Command(NamedTuple):
    """A line that the machine takes for an order of the step's."""

    name: str
    properties: dict[str, str]
    data: str


class Ran(NamedTuple):
    """What became of the steps: the outcome and log of each, by id or name; outputs by id; the summary."""

    outcomes: dict[str, str]
    logs: dict[str, str]
    outputs: Outputs
    summary: str

    @property
    def status(self) -> str:
        return "failure" if "failure" in self.outcomes.values() else "success"

    def commands(self, step: str) -> list[Command]:
        return list(commands(self.logs[step]))


def run_steps(
    steps: Sequence[Mapping[str, Any]],
    workspace: Path,
    temporary: Path,
    contexts: Mapping[str, Any],
    outputs: Outputs,
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Run the steps one after the other.

    `contexts` are those that expressions may speak of ("inputs", "github").
    A step with an id in `outputs` ran before; so did, with the outputs given,
    those that use other people's actions.
    """
    temporary.mkdir(exist_ok=True)
    summary = temporary / "summary"
    summary.touch()
    ran = Ran({}, {}, {key: dict(value) for key, value in outputs.items()}, "")
    ids = [step["id"] for step in steps if "id" in step]
    for number, step in enumerate(steps):
        name = step.get("id") or step.get("name") or step["uses"].partition("@")[0]
        known = {**contexts, "steps": {id: {"outputs": _Empty(ran.outputs.get(id, {}))} for id in ids}}
        if not _wanted(step.get("if", "success()"), known, ran.status):
            ran.outcomes[name] = "skipped"
            continue
        own = {
            key: filled(value, known)
            for key, value in {**step.get("with", {}), **step.get("env", {})}.items()
        }
        if "uses" in step or name in outputs:
            ran.outcomes[name] = "success"
            continue
        written, script = temporary / f"output-{number}", temporary / f"script-{number}.sh"
        written.touch()
        assert "${{" not in step["run"], "what is filled into a script is run"
        script.write_text(step["run"], encoding="utf-8")
        given = {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_OUTPUT": str(written),
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(temporary),
        }
        done = subprocess.run(
            [*SHELLS[step.get("shell")], str(script)],
            cwd=workspace,
            env=outside(**(environment or {})) | given | own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
        )
        ran.logs[name] = done.stdout.decode()
        ran.outcomes[name] = "failure" if done.returncode else "success"
        lines = written.read_text("utf-8").splitlines()
        assert all(re.match(r"[\w-]+=", line) for line in lines), lines
        ran.outputs.setdefault(name, {}).update(line.split("=", 1) for line in lines)
    return ran._replace(summary=summary.read_text("utf-8"))


class _Empty(dict[str, str]):
    """Outputs: one that was not set is empty."""

    def __missing__(self, _: str) -> str:
        return ""


def filled(text: object, contexts: Mapping[str, Any]) -> str:
    """The text with the names between ${{ and }} replaced by what they are."""
    return _EXPRESSION.sub(lambda match: _value(match[1], contexts), str(text))


def _wanted(condition: str, contexts: Mapping[str, Any], status: str) -> bool:
    """Whether a step is run: a question about the status, and perhaps comparisons behind it."""
    whole = _EXPRESSION.fullmatch(condition)
    question, *comparisons = (whole[1] if whole else condition).split(" && ")
    if not {"success()": status == "success", "!cancelled()": True}[question]:
        return False
    terms = [_COMPARISON.fullmatch(term) for term in comparisons]
    assert all(terms), f"unknown in a condition: {condition!r}"
    return all(
        (_value(term["name"], contexts) == term["text"]) == (term["sign"] == "==") for term in terms if term
    )


def _value(name: str, contexts: Mapping[str, Any]) -> str:
    value: Any = contexts
    for part in name.split("."):
        assert isinstance(value, _Empty) or part in value, f"there is no {name}"
        value = value[part]
    assert isinstance(value, str), f"{name} is no text"
    return value


def commands(log: str) -> Iterator[Command]:
    """The orders in a log, as the machine reads it line by line.

    The form in use stands at the beginning of a line, blanks aside; the old form, `##[name]`, may stand anywhere.
    """
    deaf = None
    # The machine splits the log where a terminal would begin another line.
    for line in re.split(r"\r\n|\r|\n", log):
        if deaf is not None:
            deaf = None if line.strip() == f"::{deaf}::" else deaf
            continue
        new = re.match(r"\s*::([a-z-]+)(?: (.*?))?::(.*)", line)
        old = re.search(r"##\[([a-z-]+)( [^\]]*)?\](.*)", line)
        if new is not None and new[1] == "stop-commands":
            deaf = new[3]
        elif new is not None:
            pairs = (one.split("=", 1) for one in (new[2] or "").split(",") if "=" in one)
            yield Command(new[1], {key: plain(value) for key, value in pairs}, plain(new[3]))
        elif old is not None:
            yield Command(old[1], {"old": "form"}, old[3])
    assert deaf is None, "the machine was left deaf"


def plain(text: str) -> str:
    """What was written otherwise so that it ends no property and no line."""
    for written, meant in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(written, meant)
    return text
