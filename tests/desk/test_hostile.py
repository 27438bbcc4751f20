"""Hostile input to the pages of an event: names, large fields, forged origins, old tokens, desks that race."""

import csv
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest
from factories.event_site import LIST, EventSite

from deckcheck.desk import player_pages

NAMES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></textarea><b>bold</b>",
    "{{ 7 * 7 }}{% for x in y %}",
    '=HYPERLINK("http://evil.example","x")',
    "＝1+1",
    "@SUM(A1)",
    "\u202eevil\u2066\u200f",
    "../../etc/passwd",
)
DIRECTIONS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f"


def submission_ids(site: EventSite) -> list[str]:
    return sorted(file.stem.partition("-")[0] for file in site.lists.iterdir())


def test_a_name_is_text_on_every_page_and_no_cell_of_a_download_is_a_formula(site: EventSite) -> None:
    mine = [site.submit(name) for name in NAMES]
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    ids = submission_ids(site)
    assert len(ids) == len(NAMES)
    paths = [*mine, "/desk", "/desk/sheets", "/desk/draw?share=100%25&seed=1"]
    paths += [f"/desk/{page}/{who}" for page in ("submissions", "checks") for who in ids]
    for path in paths:
        page = site.client.get(path)
        assert page.status_code == 200
        for markup in ("<script>alert", "<img src=x", "<b>bold", "</title></textarea>"):
            assert markup not in page.text
        assert not set(DIRECTIONS).intersection(page.text)
    assert "{{ 7 * 7 }}" in site.client.get("/desk").text
    for path in ("/desk/roster.csv", "/desk/letters.csv"):
        response = site.client.get(path)
        assert response.headers["content-type"].startswith("text/csv")
        text = response.text.removeprefix("\ufeff")
        cells = [cell for row in csv.reader(StringIO(text, newline=""), strict=True) for cell in row]
        assert len(cells) > 4 * len(NAMES)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝", "\t", "\r"))]


def test_fields_that_are_too_large_too_many_or_files_are_refused(site: EventSite) -> None:
    fields = {"name": "赤井", "list": LIST, "do": "submit"}
    for field in ("name", "list", "do", "correct", "no-such-field"):
        assert site.client.post("/", data={**fields, field: "あ" * 350_000}).status_code == 413
    many = {f"field-{number}": "x" for number in range(5_000)}
    assert site.client.post("/", data={**fields, **many}).status_code == 400
    file = {"list": ("a.txt", LIST.encode())}
    assert site.client.post("/", data={"name": "赤井"}, files=file).status_code == 400
    assert submission_ids(site) == []


def test_another_site_can_neither_submit_nor_decide(site: EventSite) -> None:
    mine = site.submit("赤井")
    site.open_desk()
    (who,) = submission_ids(site)
    sent = {
        "/": {"name": "青木", "list": LIST, "do": "submit"},
        mine: {"do": "withdraw", "sure": "yes"},
        "/desk/accept": {"who": who},
        "/desk/withdraw": {"who": who, "by": "J", "reason": "R"},
        f"/desk/checks/{who}": {"list": LIST, "by": "J"},
    }
    for path, data in sent.items():
        assert site.client.post(path, data=data, headers={"origin": "null"}).status_code == 403
    assert not site.log.entries
    assert submission_ids(site) == [who]


def test_keys_and_tokens_are_compared_in_constant_time(
    site: EventSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the function that the standard library has for it, also where the first character differs."""
    mine = site.submit("赤井")
    compare = mock.Mock(side_effect=secrets.compare_digest)
    monkeypatch.setattr(secrets, "compare_digest", compare)
    site.client.get("/desk?key=wrong")
    site.client.get("/desk", headers={"cookie": "key=wrong"})
    site.client.get(mine)
    assert [call.args[0] for call in compare.call_args_list[:2]] == [b"wrong", b"wrong"]
    assert compare.call_count == 3


def test_two_desks_that_accept_at_once_write_one_receipt(site: EventSite) -> None:
    for number in range(6):
        site.submit(f"選手{number}")
    site.open_desk()

    def accept(who: str) -> int:
        return site.client.post("/desk/accept", data={"who": who}).status_code

    ids = submission_ids(site)
    with ThreadPoolExecutor(4) as desks:
        statuses = list(desks.map(accept, [*ids, "", *ids, ""]))
    assert set(statuses) == {200}
    assert len(site.log.entries) == len(site.log.receipts) == 6


def test_no_name_and_no_list_is_logged_even_with_an_error(
    site: EventSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_folder: Path, _token: str, _player: object, text: str, _when: object) -> None:
        raise RuntimeError(text)

    monkeypatch.setattr(player_pages, "store_submission", fail)
    with caplog.at_level(logging.DEBUG):
        response = site.client.post("/", data={"name": "赤井", "list": LIST, "do": "submit"})
    assert response.status_code == 500
    assert "RuntimeError" in caplog.text
    assert "赤井" not in caplog.text + response.text
    assert "ブレイズ" not in caplog.text + response.text


def test_a_name_corrected_by_the_link_is_no_second_player(site: EventSite) -> None:
    mine = site.submit("赤井")
    site.client.post(mine, data={"do": "submit", "name": "赤居", "list": LIST})
    other = site.submit("Tom O'Neil")
    site.client.post(other, data={"do": "submit", "name": "tom o’neil", "list": LIST})
    site.open_desk()
    roster = site.client.get("/desk/roster.json").json()
    assert roster["summary"]["players"] == 2
    counting = [entry["player"]["name"] for entry in roster["entries"] if entry["counts"]]
    assert sorted(counting) == ["tom o’neil", "赤居"]
    site.client.post("/desk/accept", data={"who": ""})
    site.client.post(mine, data={"do": "submit", "name": "赤井 遥", "list": LIST.replace("2 x 技", "1 x 技")})
    roster = site.client.get("/desk/roster.json").json()
    assert roster["summary"]["accepted"] == roster["summary"]["players"] == 2
