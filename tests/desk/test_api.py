"""`POST /api/check`."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

SCHEMA = Path(__file__).parents[2] / "deckcheck" / "schemas" / "report.schema.json"
FORMAT = "duel-masters/original"


def test_the_answer_is_the_json_report(client: TestClient) -> None:
    body = {"list": "5 x 青銅の鎧", "format": FORMAT, "as_of": "2026-01-10", "lang": "ja"}
    response = client.post("/api/check", json=body)
    assert response.status_code == 200
    report = response.json()
    jsonschema.validate(report, json.loads(SCHEMA.read_text("utf-8")))
    assert report["decks"][0]["verdict"] == "illegal"
    assert "copies" in [finding["rule"] for finding in report["decks"][0]["findings"]]


def test_the_list_may_say_the_rest(client: TestClient) -> None:
    text = f"# format: {FORMAT}\n# date: 2026-01-10\n4 x アクア・ガード"
    report = client.post("/api/check", json={"list": text}).json()
    assert report["decks"][0]["as_of"] == "2026-01-10"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "JSON"),
        ('{"list": "4 x A", "as_of": ' + "[" * 100_000, "JSON"),
        ('{"list": "4 x A", "best_of": 0}', "best_of"),
        ("[" * 100_000, "object"),
        ("[]", "list"),
        ("{}", "list"),
        ('{"list": 4}', "list"),
        ('{"list": "4 x A", "format": 4}', "format"),
        ('{"list": "4 x A", "lang": "de"}', "lang"),
        ('{"list": "4 x A", "best_of": true}', "best_of"),
        ('{"list": "4 x A", "formt": "x"}', "formt"),
        ('{"list": "4 x A"}', "choose a format"),
        ('{"list": "4 x A", "format": "nothing"}', "nothing"),
        ('{"list": "4 x A", "format": "duel-masters/original", "as_of": "2026-02-30"}', "2026-02-30"),
        ('{"list": "", "format": "duel-masters/original"}', "no card"),
    ],
)
def test_a_wrong_question_is_told(client: TestClient, body: str, says: str) -> None:
    response = client.post("/api/check", content=body)
    assert response.status_code == 422
    answer: dict[str, Any] = response.json()
    assert says in answer["error"]


def test_other_methods_and_addresses(client: TestClient) -> None:
    assert client.get("/api/check").status_code == 405
    assert client.get("/api/nothing").status_code == 404
