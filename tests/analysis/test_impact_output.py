"""What `deckcheck impact` prints: to the letter, by its schema, and harmless whatever the names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories.analysis_runs import DAYS, printed
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.analysis.impact import (
    ChangedEntry,
    ChangedFinding,
    Days,
    Impact,
    Impacts,
    Status,
    render_json,
    render_markdown,
    render_text,
)
from deckcheck.checking.deck_files import DeckSearch
from deckcheck.model.finding import CardAt, Finding, Verdict
from deckcheck.model.format import Source
from deckcheck.report.markdown import MOST
from deckcheck.report.writer import RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized

ANNOUNCED = ("--from", "2024-01-16", "--to", "announcement.yaml")
RUNS = {"days": DAYS, "announced": ANNOUNCED}
IN_JSON = ("--output-format", "json", "--lang", "en")


@pytest.mark.parametrize("run", RUNS)
def test_json_keeps_to_its_schema(run: str) -> None:
    report = json.loads(printed(*RUNS[run], *IN_JSON))
    Draft7Validator(load_schema("impact")).validate(report)
    summary = report["summary"]
    turned = [one for one in report["decks"] if one["before"] != one["after"]]
    assert summary["other_verdict"] == len(turned)
    assert summary["other_findings"] == len(report["decks"]) - len(turned)
    assert report["decks"][: len(turned)] == turned
    assert summary["worse"] == sum(one["worse"] for one in report["decks"])
    assert summary["unchanged"] + len(report["decks"]) == summary["decks"]


def test_a_report_of_ours_is_no_deck(tmp_path: Path) -> None:
    """So that a report in a folder of decks is not checked as one."""
    (tmp_path / "impact.json").write_bytes(printed(*DAYS, *IN_JSON))
    search = DeckSearch()
    assert all(isinstance(one, UserError) for one in search.decks([str(tmp_path)]))
    assert search.passed_over == [str(tmp_path / "impact.json")]


HOSTILE = "\x1b[31m|<b>`@all`\n::error::\u202ehttps://x.y #1 ![a](b)"


def hostile_impacts(decks: int = 1) -> Impacts:
    name = Localized(HOSTILE, HOSTILE)
    entry = ChangedEntry(
        HOSTILE,
        name,
        ((HOSTILE,),),
        Status("free", name),
        Status("hall", name),
        "2024-01-15",
        Source(HOSTILE, 3),
    )
    finding = Finding(HOSTILE, "error", "violated", name, 1, 5, cards=(CardAt(HOSTILE, 4, 1, 5),))
    changed = ChangedFinding(finding, True, (entry,))
    one = Impact(HOSTILE, HOSTILE, HOSTILE, name, Verdict.LEGAL, Verdict.ILLEGAL, (changed,))
    return Impacts(
        Days("2024-01-01", "2024-01-15"), (*(one,) * decks, replace(one, before=Verdict.ILLEGAL)), decks + 1
    )


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_hostile_names_do_nothing(lang: str) -> None:
    impacts_ = hostile_impacts()
    for said in (
        render_text(impacts_, RenderOptions(lang)),
        render_markdown(impacts_, RenderOptions(lang)),
        render_json(impacts_, RenderOptions(lang)),
    ):
        assert all(char.isprintable() or char in "\n　" for char in said)
        assert not re.search(r"(?m)^::", said)
    assert len(render_text(impacts_, RenderOptions(lang)).splitlines()) == 17
    assert json.loads(render_json(impacts_, RenderOptions(lang)))["decks"][0]["path"] == HOSTILE
    table = render_markdown(impacts_, RenderOptions(lang))
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}
    # Outside of code there is nothing that Markdown reads.
    assert not re.search(r"[<@#!\[]", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(rows)))


def test_markdown_is_no_longer_than_a_comment_may_be() -> None:
    said = render_markdown(hostile_impacts(2000), RenderOptions("en"))
    assert len(said) <= MOST
    told = said.count("legal → illegal")
    assert 10 < told < 2000
    assert f"and {2000 - told:,} more decks" in said
    assert "### Same verdict, other findings" in said
