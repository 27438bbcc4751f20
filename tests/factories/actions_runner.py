"""As much of the machine that runs GitHub's steps as our action and workflows need; it fails on what it doesn't know."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from factories.scratch_repositories import outside

SHELLS = {
    # The one that is meant when a step in a workflow names none, and the one that it gets by asking for bash.
    None: ("bash", "-e"),
    "bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail"),
}
_FILLED_IN = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_TERM = re.compile(
    r"(?P<not>!)?(?P<name>[A-Za-z_][\w.-]*)(?P<call>\(\))?( *(?P<sign>==|!=) *'(?P<text>[^']*)')?"
)
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
    for number, step in enumerate(steps):
        name = step.get("id") or step.get("name") or step["uses"].partition("@")[0]
        known = {**contexts, "steps": _steps_context(steps, ran)}
        if not _wanted(str(step.get("if", "success()")), known, ran.status):
            ran.outcomes[name] = "skipped"
            continue
        if "uses" in step or name in outputs:
            for value in step.get("with", {}).values():
                filled(str(value), known)
            ran.outcomes[name] = "success"
            continue
        written = temporary / f"output-{number}"
        written.touch()
        script = temporary / f"script-{number}.sh"
        assert "${{" not in step["run"], "what is filled into a script is run"
        script.write_text(step["run"], encoding="utf-8")
        own = {key: filled(str(value), known) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            [*SHELLS[step.get("shell")], str(script)],
            cwd=workspace,
            env=outside(**(environment or {}))
            | {
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_WORKSPACE": str(workspace),
                "GITHUB_OUTPUT": str(written),
                "GITHUB_STEP_SUMMARY": str(summary),
                "RUNNER_TEMP": str(temporary),
            }
            | own,
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


def _steps_context(steps: Sequence[Mapping[str, Any]], ran: Ran) -> dict[str, Any]:
    ids = {step["id"] for step in steps if "id" in step}
    return {
        id: {"outputs": _Empty(ran.outputs.get(id, {})), "outcome": ran.outcomes.get(id, "")} for id in ids
    }


class _Empty(dict[str, str]):
    """Outputs: one that was not set is empty."""

    def __missing__(self, _: str) -> str:
        return ""


def filled(text: str, contexts: Mapping[str, Any]) -> str:
    """The text with its expressions replaced by what they are."""
    return _FILLED_IN.sub(lambda match: str(evaluate(match[1], contexts, "success")), text)


def _wanted(condition: str, contexts: Mapping[str, Any], status: str) -> bool:
    whole = _FILLED_IN.fullmatch(condition.strip())
    expression = whole[1] if whole else condition
    told = bool(evaluate(expression, contexts, status))
    # Without a question about the status the steps before must have succeeded.
    return told and (
        status == "success" or bool(re.search(r"(success|always|failure|cancelled)\(", expression))
    )


def evaluate(expression: str, contexts: Mapping[str, Any], status: str) -> str | bool:
    """The value of terms joined by &&: names with dots, perhaps compared with a text, and questions about the status."""
    value: str | bool = True
    for written in expression.split("&&"):
        term = _TERM.fullmatch(written.strip())
        assert term, f"unknown in an expression: {written!r}"
        value = _value(term, contexts, status)
        if not value:
            break
    return value


def _value(term: re.Match[str], contexts: Mapping[str, Any], status: str) -> str | bool:
    name = term["name"]
    if term["call"]:
        answers = {
            "success": status == "success",
            "failure": status == "failure",
            "always": True,
            "cancelled": False,
        }
        return answers[name] != bool(term["not"])
    value: Any = contexts
    for part in name.split("."):
        assert isinstance(value, _Empty) or part in value, f"there is no {name}"
        value = value[part]
    assert isinstance(value, str), f"{name} is no text"
    if term["sign"]:
        return (value == term["text"]) == (term["sign"] == "==")
    return not value if term["not"] else value


def commands(log: str) -> list[Command]:
    """The orders in a log, as the machine reads it line by line."""
    found: list[Command] = []
    deaf = None
    for line in log.split("\n"):
        if deaf is not None:
            if line.strip() == f"::{deaf}::":
                deaf = None
            continue
        old = re.search(r"##\[([a-z-]+)( [^\]]*)?\](.*)", line)
        new = re.match(r"\s*::([a-z-]+)(?: ([^:]*(?:%3A[^:]*)*))?::(.*)", line)
        if new is None:
            if old is not None:
                found.append(Command(old[1], {}, old[3]))
            continue
        if new[1] == "stop-commands":
            deaf = new[3]
            continue
        properties = dict(one.split("=", 1) for one in (new[2] or "").split(",") if one)
        plain = {key: _unescaped(value, ("%3A", ":"), ("%2C", ",")) for key, value in properties.items()}
        found.append(Command(new[1], plain, _unescaped(new[3])))
    assert deaf is None, "the machine was left deaf"
    return found


def _unescaped(text: str, *more: tuple[str, str]) -> str:
    for written, meant in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(written, meant)
    return text


def path_with(folder: Path) -> str:
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
