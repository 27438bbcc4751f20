"""The page for everybody: what it says of a list, in both languages, and what its buttons do."""

import re
from html import unescape

import pytest
from factories.event_site import words_of
from starlette.testclient import TestClient

FORMAT = "duel-masters/original"
ENGLISH = {"accept-language": "en"}
JAPANESE = {"accept-language": "ja,en;q=0.5"}


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
    assert '<html lang="en">' in client.get("/", headers={"accept-language": "de"}).text
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


def test_the_verdict_names_format_and_day(client: TestClient) -> None:
    page = posted(client, "40 x アクア・ガード")
    assert 'class="verdict illegal"' in page
    assert "2026-01-10" in words_of(page)


def test_a_suggestion_corrects_the_list(client: TestClient) -> None:
    page = posted(client, "4 x アクア・ガード\n4 x 天災 デドダン")
    button = re.search(r'name="correct" value="([^"]*)"', page)
    assert button is not None
    corrected = posted(client, "4 x アクア・ガード\n4 x 天災 デドダン", correct=unescape(button[1]))
    assert "4 x 天災 デドダム</textarea>" in corrected
    assert 'name="correct"' not in corrected


@pytest.mark.parametrize(
    "value", ["", "1", "1:2:3", "a:1:1:X", "9:1:1:X", "1:99:1:X", "1:1:1:X\nY", "-1:1:1:X"]
)
def test_a_forged_correction_changes_nothing(client: TestClient, value: str) -> None:
    assert "\n4 x アクア・ガード</textarea>" in posted(client, "4 x アクア・ガード", correct=value)


def test_another_notation(client: TestClient) -> None:
    page = posted(client, "4 x アクア・ガード", do="copy", notation="csv")
    assert "Zone,Count,Name" in page
    assert "main,4,アクア・ガード" in page


def test_the_answer_alone_is_a_part_of_the_page(client: TestClient) -> None:
    answer = posted(client, "4 x アクア・ガード", "/answer")
    assert "<html" not in answer
    assert 'class="verdict illegal"' in answer


def test_a_list_without_a_format_is_asked_for_one(client: TestClient) -> None:
    page = posted(client, "4 x アクア・ガード", format="")
    assert "choose a format" in words_of(page)


def test_the_format_of_the_list_counts(client: TestClient) -> None:
    page = posted(client, "# format: advance\n4 x アクア・ガード", format="")
    assert "Advance" in words_of(page)


def test_a_list_never_names_a_file(client: TestClient) -> None:
    for name in ("/etc/passwd.yaml", "formats/duel-masters/original.yaml"):
        page = posted(client, f"# format: {name}\n4 x アクア・ガード", format="")
        assert f"there is no format '{name}'" in words_of(page)


def test_markup_in_a_list_is_text(client: TestClient) -> None:
    page = posted(client, '4 x <script>alert("1")</script>\n</textarea><b>x')
    assert "<script>alert" not in page
    assert "<b>x" not in page


def test_an_empty_list(client: TestClient) -> None:
    assert "no card is listed here" in words_of(posted(client, " \n"))


def test_the_smallest_change_is_shown_when_asked_for(client: TestClient) -> None:
    names = ("青銅の鎧", "フェアリー・ライフ", "アクア・ハルカス", "アクア・サーファー", "喧嘩屋タイラー")
    others = ("技師ピーポ", "フォース・アゲイン", "アクア・ガード", "学校男")
    rows = [f"4 x {name}" for name in (*names, *others)]
    text = "\n".join([*rows, "5 x デーモン・ハンド"])
    page = posted(client, text)
    assert 'value="repair"' in page
    changed = words_of(posted(client, text, do="repair"))
    assert "デーモン・ハンド" in changed.split("A small change that makes it legal")[1]
