"""The page for everybody and `POST /api/check`: what they say of a list, in both languages, and of wrong questions."""

import json
import re
import sys
from html import unescape
from typing import Any

import jsonschema
import pytest
from factories.pages import words_of
from starlette.testclient import TestClient

from deckcheck.desk.app import serve
from deckcheck.desk.limits_and_security import Address
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError

FORMAT = "duel-masters/original"
ENGLISH = {"accept-language": "en"}
JAPANESE = {"accept-language": "ja,en;q=0.5"}
NAMES = ("青銅の鎧", "フェアリー・ライフ", "アクア・ハルカス", "アクア・サーファー", "喧嘩屋タイラー")
OTHERS = ("技師ピーポ", "フォース・アゲイン", "アクア・ガード", "学校男")
FORTY_ONE = "".join(f"4 x {name}\n" for name in (*NAMES, *OTHERS)) + "5 x デーモン・ハンド"


def posted(client: TestClient, text: str, path: str = "/", **fields: str) -> str:
    data = {"list": text, "format": FORMAT, "as_of": "2026-01-10", "do": "check", **fields}
    response = client.post(path, data=data, headers=ENGLISH)
    assert response.status_code == 200
    return response.text


def test_the_page_has_a_box_and_the_formats_of_each_game(client: TestClient) -> None:
    page = client.get("/", headers=ENGLISH).text
    assert '<textarea id="list" name="list"' in page
    assert page.count("<optgroup") >= 3
    assert 'value="duel-masters/duemagic"' in page


def test_the_language_is_that_of_the_browser_until_one_is_chosen(client: TestClient) -> None:
    assert '<html lang="ja">' in client.get("/", headers=JAPANESE).text
    for accepted in ("de", "jam", "", ";,-"):
        assert '<html lang="en">' in client.get("/", headers={"accept-language": accepted}).text
    for accepted in (
        "de, ja-JP, en;q=0.9",
        "en;q=0.5,ja",
        "fr;q=1.0, en ; q=0, JA;q=0.001",
        "en;q=0.8, ja-Latn-JP;q=0.9",
    ):
        assert '<html lang="ja">' in client.get("/", headers={"accept-language": accepted}).text
    for accepted in ("ja;q=0, en", "ja;q=0", "de, ja-JP;q=0.9, en", "ja;q=0.000, *", "ja;q=2", "en, ja"):
        assert '<html lang="en">' in client.get("/", headers={"accept-language": accepted}).text
    assert '<html lang="en">' in client.get("/?lang=en", headers=JAPANESE).text
    assert '<html lang="en">' in client.get("/", headers=JAPANESE).text
    client.cookies.clear()


def test_a_finding_stands_at_its_line(client: TestClient) -> None:
    page = posted(client, "4 x アクア・ガード\n5 x 青銅の鎧")
    second = re.search(r'<li id="line-2" class="error">(.*?)</li>', page, re.DOTALL)
    assert second is not None
    assert '<mark class="error">青銅の鎧</mark>' in second[1]
    assert "5 copies of 青銅の鎧; at most 4 allowed" in words_of(second[1])
    assert "[copies]" in second[1]


@pytest.mark.parametrize(
    ("text", "fields", "said"),
    [
        ("40 x アクア・ガード", {}, "2026-01-10"),
        ("4 x アクア・ガード", {"do": "copy", "notation": "csv"}, "Zone,Count,Name main,4,アクア・ガード"),
        ("4 x アクア・ガード", {"format": ""}, "choose a format"),
        ("# format: advance\n4 x アクア・ガード", {"format": ""}, "Advance"),
        # A list never names a file.
        *(
            (f"# format: {name}\n4 x アクア・ガード", {"format": ""}, f"there is no format '{name}'")
            for name in ("/etc/passwd.yaml", "formats/duel-masters/original.yaml")
        ),
        (" \n", {}, "no card is listed here"),
        (FORTY_ONE, {}, "!A small change that makes it legal"),
        (FORTY_ONE, {"do": "repair"}, "A small change that makes it legal Main deck: "),
    ],
)
def test_what_is_said_of_a_list(client: TestClient, text: str, fields: dict[str, str], said: str) -> None:
    assert (said.removeprefix("!") in words_of(posted(client, text, **fields))) is not said.startswith("!")


def test_a_change_has_a_line_for_each_step(client: TestClient) -> None:
    change = posted(client, FORTY_ONE, do="repair").partition("<pre>")[2].partition("</pre>")[0]
    assert len(change.strip().splitlines()) > 1 and "x0a" not in change


def test_a_suggestion_corrects_the_list_and_a_forged_one_changes_nothing(client: TestClient) -> None:
    page = posted(client, "4 x アクア・ガード\n4 x 天災 デドダン")
    button = re.search(r'name="correct" value="([^"]*)"', page)
    assert button is not None
    corrected = posted(client, "4 x アクア・ガード\n4 x 天災 デドダン", correct=unescape(button[1]))
    assert "4 x 天災 デドダム</textarea>" in corrected
    assert 'name="correct"' not in corrected
    table = "4\tアクア・ガード\n4\t天災 デドダン"
    button = re.search(r'name="correct" value="([^"]*)"', posted(client, table))
    assert button is not None
    assert "\n4\t天災 デドダム</textarea>" in posted(client, table, correct=unescape(button[1]))
    for value in (
        "",
        "1",
        "1:X",
        "a:1:1:4X",
        *(f"{place}:1:4X" for place in ("9:1", "0:1", "-1:1", "1:0", "1:5")),
    ):
        assert "\n4 x アクア・ガード</textarea>" in posted(client, "4 x アクア・ガード", correct=value)


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("4 x 天災 デドダン # 良", "4 x 天災 デドダム # 良"),
        ("4 x 天災 デドダンス", "4 x 天災 デドダムス"),
        # The name no longer stands where it stood.
        ("14 x 天災 デドダン", "14 x 天災 デドダン"),
        ("4 x 青銅の鎧", "4 x 青銅の鎧"),
    ],
)
def test_what_was_typed_after_the_answer_stays(client: TestClient, text: str, corrected: str) -> None:
    button = re.search(r'name="correct" value="([^"]*)"', posted(client, "4 x 天災 デドダン"))
    assert button is not None
    assert f"\n{corrected}</textarea>" in posted(client, text, correct=unescape(button[1]))


def test_each_finding_of_a_line_has_the_corrections_of_its_own_name(client: TestClient) -> None:
    page = posted(client, '{"cards": [{"name": "天災 デドダン"}, {"name": "アクア・カード"}]}')
    told = [
        re.findall(r'name="correct" value="1:\d+:\d+:([^"]*)"', note) for note in page.split("unknown-card")
    ]
    for values, written, other in zip(
        told[-2:], ("天災 デドダン", "アクア・カード"), ("アクア", "デド"), strict=True
    ):
        assert values and all(value.startswith(written) and other not in value for value in values)


@pytest.mark.parametrize("number", [200, 2000])
def test_an_answer_is_not_much_larger_than_the_list(client: TestClient, number: int) -> None:
    cards = [{"name": f"天災 デドダン{place}", "count": 1} for place in range(number)]
    text = json.dumps({"cards": cards}, ensure_ascii=False)
    page = posted(client, text, "/answer")
    assert 1 <= page.count('name="correct"') <= 60
    assert len(page) < 50_000 + 20 * len(text)
    # Names that mean several cards need no search, but their buttons are counted, too.
    page = posted(client, "1 raimei\n" * number, "/answer", format="yugioh/ocg")
    assert page.count('name="correct"') == 200


def test_the_answer_alone_is_a_part_of_the_page_and_markup_in_a_list_is_text(client: TestClient) -> None:
    answer = posted(client, '4 x <script>alert("1")</script>\n</textarea><b>x', "/answer")
    assert 'class="verdict' in answer
    assert not re.search(r"<html|<script>alert|<b>x", answer)
    assert "<b>x" not in posted(client, "4 x アクア・ガード\n</textarea><b>x")


# The API


def test_the_answer_is_the_json_report(client: TestClient) -> None:
    body = {"list": "5 x 青銅の鎧", "format": FORMAT, "as_of": "2026-01-10", "lang": "ja"}
    report = client.post("/api/check", json=body).json()
    jsonschema.validate(report, load_schema("report"))
    [deck] = report["decks"]
    assert deck["verdict"] == "illegal" and "copies" in [finding["rule"] for finding in deck["findings"]]
    # The list may say the rest.
    text = f"# format: {FORMAT}\n# date: 2026-01-10\n4 x アクア・ガード"
    assert client.post("/api/check", json={"list": text}).json()["decks"][0]["as_of"] == "2026-01-10"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "JSON"),
        ('{"list": "4 x A", "as_of": ' + "[" * 100_000, "JSON"),
        ("[" * 100_000, "object"),
        ("[]", "list"),
        ("{}", "list"),
        ('{"list": 4}', "list"),
        ('{"list": "4 x A", "format": 4}', "format"),
        ('{"list": "4 x A", "lang": "de"}', "lang"),
        ('{"list": "4 x A", "best_of": 0}', "best_of"),
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


# The server


def test_a_taken_port_is_told_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Config.bind_socket", lambda _config: sys.exit(1))
    with pytest.raises(UserError, match="can't listen"):
        serve(lambda: pytest.fail("the application was made"), Address("127.0.0.1", 8080), "en")
