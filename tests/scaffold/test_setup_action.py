"""What we give to GitHub and GitLab: the action's steps and those of the workflow that init writes are run in a shell."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from factories.actions_runner import Command, Outputs, Ran, run_steps
from factories.scratch_repositories import (
    DECKS,
    ILLEGAL,
    ROOT,
    deck_repository,
    deckcheck,
    fresh_copy,
    put,
    put_illegal,
)

from deckcheck import scaffold

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
DEFAULTS = {name: one["default"] for name, one in ACTION["inputs"].items()}


def fits(schema: str, *files: Path) -> None:
    done = CliRunner().invoke(
        check_jsonschema.main, ["--builtin-schema", f"vendor.{schema}", *map(str, files)]
    )
    assert done.exit_code == 0, done.output


# As they are written


def test_the_action_is_one() -> None:
    fits("github-actions", ROOT / "action.yml")
    assert all("description" in one for one in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))
    for step in STEPS:
        assert "${{" not in step.get("run", ""), "nothing is filled into a script"
        assert "run" not in step or step["shell"] == "bash"
    assert len(pinned(STEPS)) == 2


@pytest.mark.parametrize(("schema", "kind"), [("github-workflows", "github"), ("gitlab-ci", "gitlab")])
def test_what_init_writes_is_what_they_read_with_and_without_the_steps_in_comments(
    tmp_path: Path, schema: str, kind: scaffold.Pipeline
) -> None:
    texts = {lang: scaffold.pipeline(kind, lang) for lang in ("ja", "en")}
    texts |= {f"{lang}-all": re.sub(r"(?m)^( +)# (- |  )", r"\1\2", text) for lang, text in texts.items()}
    fits(schema, *(put(tmp_path, f"{name}.yml", text) for name, text in texts.items()))


def test_what_others_wrote_is_held_to_a_commit() -> None:
    text = scaffold.pipeline("github", "en")
    workflow, whole = (
        yaml.safe_load(one) for one in (text, re.sub(r"(?m)^      # (- |  )", r"      \1", text))
    )
    assert len(pinned(workflow["jobs"]["decks"]["steps"])) == 2
    assert pinned(whole["jobs"]["decks"]["steps"])[-1].startswith("github/codeql-action/upload-sarif@")
    assert workflow["permissions"] == {"contents": "read"}
    assert set(workflow[True]) == {"push", "pull_request"}, "YAML 1.1 reads `on` as true"


def pinned(steps: list[dict[str, Any]]) -> list[str]:
    """What the steps use, each held to a commit."""
    used = [step["uses"] for step in steps if "uses" in step]
    for one in used:
        assert re.fullmatch(r"(actions|github)/[\w/-]+@[0-9a-f]{40}", one), one
    return used


# The action, run


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """The outputs of the steps that set up Python and deckcheck, the latter from a fresh copy of the action."""
    folder = tmp_path_factory.mktemp("action")
    copy = fresh_copy(folder / "the action")
    # The repository that is checked has modules of its own.
    workspace = put(folder, "repository/pip.py", "raise SystemExit('of the repository')\n").parent
    python: Outputs = {"python": {"python-path": sys.executable}}
    contexts = {"inputs": DEFAULTS, "github": {"action_path": str(copy)}}
    upto = [step.get("id") for step in STEPS].index("install") + 1
    ran = run_steps(STEPS[:upto], workspace, folder / "runner temp", contexts, python)
    assert ran.outcomes == {"python": "success", "install": "success"}, ran.logs
    return ran.outputs


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = deck_repository(tmp_path / "repository")
    assert deckcheck(folder, "init").returncode == 0
    return folder


def act(folder: Path, installed: Outputs, **inputs: str) -> Ran:
    given = {key.replace("_", "-"): value for key, value in inputs.items()}
    assert given.keys() <= DEFAULTS.keys()
    contexts = {"inputs": DEFAULTS | given, "github": {"action_path": "elsewhere"}}
    return run_steps(STEPS, folder, folder.parent / "runner temp", contexts, installed)


def annotations(found: list[Command]) -> list[Command]:
    return [one for one in found if one.name in ("error", "warning")]


def copies_told(ran: Ran) -> Command:
    [error] = [one for one in annotations(ran.commands("check")) if one.properties["title"] == "copies"]
    return error


@pytest.mark.setup
def test_legal_decks_are_green_and_illegal_ones_annotated_summed_up_uploaded_and_red(
    repository: Path, installed: Outputs
) -> None:
    ran = act(repository, installed)
    assert (ran.status, annotations(ran.commands("check"))) == ("success", []), ran.logs
    assert ran.outputs["check"] == {"legal": "3", "illegal": "0", "undecided": "0", "status": "0"}
    assert ran.outcomes["Upload to code scanning"] == "skipped"
    assert f"{len(DECKS)} legal" in ran.summary
    put_illegal(repository)
    ran = act(repository, installed, sarif="true")
    steps = ("python", "install", "check", "Upload to code scanning")
    assert ran.outcomes == {**dict.fromkeys(steps, "success"), "Verdict": "failure"}, ran.logs
    error = copies_told(ran)
    assert (error.properties["file"], error.properties["line"]) == (ILLEGAL, "3")
    assert "カンゴク入道" in error.data
    outputs = ran.outputs["check"]
    assert (outputs["legal"], outputs["illegal"], outputs["status"]) == ("3", "1", "1")
    assert outputs.keys() == ACTION["outputs"].keys() and all(outputs.values())
    assert "カンゴク入道" in ran.summary and ILLEGAL in ran.summary
    [run] = json.loads(Path(outputs["sarif-file"]).read_text("utf-8"))["runs"]
    assert ILLEGAL in json.dumps([one["locations"] for one in run["results"]])


@pytest.mark.setup
def test_inputs_are_what_they_say(repository: Path, installed: Outputs) -> None:
    put_illegal(repository)
    put(repository, "other settings.toml", 'format = "duel-masters/hall-zero"\n')
    put(repository, "two words/-deck.txt", (repository / ILLEGAL).read_text("utf-8"))
    given = {"sarif_file": "-reports.sarif", "as_of": "2021-04-01"}
    ran = act(repository, installed, paths="\n  two words  \r\n\n", format="no such format", **given)
    assert (ran.status, ran.outputs["check"]["status"]) == ("failure", "2")
    assert "no such format" in ran.logs["check"]
    ran = act(repository, installed, paths="two words", config="other settings.toml", lang="ja", **given)
    error = copies_told(ran)
    assert error.properties["file"] == "two words/-deck.txt" and re.search("[ぁ-ん]", error.data)
    assert "2021-04-01" in ran.summary or "2021-04-01" in ran.logs["check"]
    assert ran.outcomes["Upload to code scanning"] == "skipped", "only a file was asked for"
    assert json.loads((repository / "-reports.sarif").read_text("utf-8"))["runs"]


TRAPS = [
    """'"; touch trap; $(touch trap) `touch trap` && touch trap #\n$(touch trap)""",
    "original --exit-zero",
]


@pytest.mark.setup
@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", ["paths", "format", "as-of", "config", "lang", "sarif", "sarif-file"])
def test_no_input_is_run_or_taken_for_an_option(
    repository: Path, installed: Outputs, name: str, trap: str
) -> None:
    put_illegal(repository)
    before = sorted(repository.rglob("*"))
    ran = act(repository, installed, **{name: trap})
    assert ran.status == "failure", ran.logs
    written = [repository / trap] if (name, trap) == ("sarif-file", TRAPS[1]) else []
    assert sorted([*before, *written]) == sorted(repository.rglob("*"))
    if name not in ("sarif", "sarif-file"):
        assert ran.outputs["check"]["status"] == "2", "it is no such thing, and was said to be none"
        assert ran.outcomes["check"] == "success"


@pytest.mark.setup
def test_a_path_is_no_pattern_and_no_option(repository: Path, installed: Outputs) -> None:
    ran = act(repository, installed, paths="*\n~\n-\n--exit-zero\n")
    assert ran.outputs["check"]["status"] == "2"
    told = annotations(ran.commands("check"))
    assert [one.properties.get("file") for one in told] == ["*", "~", "-", "--exit-zero"]


@pytest.mark.setup
@pytest.mark.parametrize("version", ["1.0; touch trap", "--pre", "@ file:///", "$(touch trap)", "1\n2"])
def test_a_version_is_one(tmp_path: Path, installed: Outputs, version: str) -> None:
    contexts = {"inputs": DEFAULTS | {"version": version}, "github": {"action_path": str(tmp_path)}}
    only_python = {"python": installed["python"]}
    install = [step for step in STEPS if step.get("id") in ("python", "install")]
    ran = run_steps(install, tmp_path, tmp_path / "temp", contexts, only_python)
    assert ran.outcomes["install"] == "failure"
    assert not (tmp_path / "trap").exists()


@pytest.mark.setup
def test_names_of_files_give_no_orders(repository: Path, installed: Outputs) -> None:
    orders = (
        "::warning file=x::boom.txt",
        "##[set-output name=status;]0.txt",
        "::set-output name=status::0.txt",
    )
    for name in orders:
        put(repository, name, "4 x アクア・ハルカス\n")
        (repository / f"{name}.csv").write_bytes(b"\x00\xff\x00")
    put(repository, "json.py", "raise SystemExit('code of the repository was run')")
    ran = act(repository, installed)
    assert (ran.status, ran.outputs["check"]["status"]) == ("failure", "2")
    found = ran.commands("check")
    assert {one.name for one in found} <= {"error", "warning", "notice"}
    assert len(annotations(found)) >= 6
    assert all(one.properties["title"] and one.data != "boom.txt" for one in annotations(found))
    assert "code of the repository" not in "".join(ran.logs.values())


# The pipelines that init writes, run


def run_job(folder: Path, installed: Outputs, steps: list[dict[str, Any]], **variables: str) -> Ran:
    """Run the steps of a pipeline where deckcheck is on the PATH."""
    scripts = Path(installed["install"]["python"]).parent
    environment = {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", **variables}
    return run_steps(steps, folder, folder.parent / "temp", {"github": {}}, {}, environment)


@pytest.mark.setup
@pytest.mark.parametrize("illegal", [False, True])
def test_the_workflow_of_init_checks_three_formats(
    repository: Path, installed: Outputs, illegal: bool
) -> None:
    if illegal:
        put_illegal(repository)
    workflow = yaml.safe_load((repository / ".github/workflows/deckcheck.yml").read_text("utf-8"))
    ran = run_job(repository, installed, workflow["jobs"]["decks"]["steps"])
    assert ran.status == ("failure" if illegal else "success"), ran.logs
    assert ran.outcomes["install"] == "success"
    found = annotations(ran.commands("Check the decks"))
    assert {one.properties["file"] for one in found} == ({ILLEGAL} if illegal else set())
    assert f"{len(DECKS)} legal" in ran.summary
    assert (ILLEGAL in ran.summary) is illegal


@pytest.mark.setup
def test_the_pipeline_of_init_writes_its_reports_and_fails(repository: Path, installed: Outputs) -> None:
    put_illegal(repository)
    assert deckcheck(repository, "init", "--gitlab").returncode == 0
    job = yaml.safe_load((repository / ".gitlab-ci.yml").read_text("utf-8"))["deckcheck"]
    script = {"name": "script", "run": "\n".join(job["before_script"] + job["script"])}
    ran = run_job(repository, installed, [script], **job["variables"])
    assert ran.outcomes == {"script": "failure"}, ran.logs
    assert f"{ILLEGAL}:3:5: error[copies]" in ran.logs["script"]
    reports = job["artifacts"]["reports"]
    quality = json.loads((repository / reports["codequality"]).read_text("utf-8"))
    assert ILLEGAL in {one["location"]["path"] for one in quality}
    assert "<testsuite" in (repository / reports["junit"]).read_text("utf-8")
