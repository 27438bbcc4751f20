"""The organiser's desk: the key, the roster, acceptance, withdrawals, letters, sheets, draws and deck checks."""

import pytest
from factories.event_site import KEY, LIST, EventSite, serve_event, words_of

from deckcheck.registration.event import read_event
from deckcheck.registration.log import Log, read_log

ILLEGAL = LIST.replace("2 x 喧嘩屋タイラー", "3 x 喧嘩屋タイラー")
PATHS = ("/desk", "/desk/roster.csv", "/desk/roster.json", "/desk/letters.csv", "/desk/sheets", "/desk/draw")


def log_of(site: EventSite) -> Log:
    event = read_event(site.event)
    return read_log(event.log, event.id)


def submission_of(site: EventSite, name: str) -> str:
    (found,) = [
        file.stem for file in site.lists.iterdir() if f"# player: {name}\n" in file.read_text("utf-8")
    ]
    return found


@pytest.mark.parametrize("path", PATHS)
def test_everything_is_behind_the_key(site: EventSite, path: str) -> None:
    site.submit("赤井")
    response = site.client.get(path)
    assert response.status_code == 403
    assert "赤井" not in response.text
    assert site.client.get(path, headers={"cookie": "key=wrong"}).status_code == 403


def test_a_full_queue_asks_the_organiser_to_come_again(site: EventSite) -> None:
    for full in serve_event(site.event, waiting=0):
        full.client.cookies.set("key", KEY)
        for path in (*PATHS[:-1], "/desk/draw?seed=1"):
            response = full.client.get(path)
            assert (response.status_code, response.headers["retry-after"]) == (429, "2"), path
        for path in ("/desk/accept", "/desk/withdraw"):
            response = full.client.post(path, data={"who": "", "by": "J", "reason": "R"})
            assert (response.status_code, response.headers["retry-after"]) == (429, "2"), path
    assert not log_of(site).entries


def test_nothing_is_done_without_the_key(site: EventSite) -> None:
    site.submit("赤井")
    for path in ("/desk/accept", "/desk/withdraw"):
        assert site.client.post(path, data={"who": "", "by": "J", "reason": "R"}).status_code == 403
    assert not log_of(site).entries


def test_the_link_with_the_key_sets_a_strict_cookie(site: EventSite) -> None:
    assert site.client.get("/desk?key=wrong").status_code == 403
    response = site.client.get(f"/desk?key={KEY}")
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert site.client.get("/desk").status_code == 200


def test_the_roster_and_its_filters(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("青木", ILLEGAL)
    site.open_desk()
    page = words_of(site.client.get("/desk").text)
    assert "赤井" in page
    assert "青木" in page
    illegal = words_of(site.client.get("/desk?show=illegal").text)
    assert "青木" in illegal
    assert "赤井" not in illegal


def test_a_submission_shows_its_list_its_findings_and_the_letter(site: EventSite) -> None:
    site.submit("青木", ILLEGAL)
    site.open_desk()
    page = site.client.get(f"/desk/submissions/{submission_of(site, '青木')}").text
    assert '<mark class="error">' in page
    assert "3 copies of 喧嘩屋タイラー" in words_of(page)
    assert "青木" in page


def test_the_list_that_is_named_is_accepted(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("緑川")
    site.open_desk()
    page = site.client.post("/desk/accept", data={"who": submission_of(site, "緑川")}).text
    assert "緑川: accepted" in words_of(page)
    assert [receipt.player.name for receipt in log_of(site).receipts.values()] == ["緑川"]


def test_an_illegal_list_needs_a_judge_and_a_reason(site: EventSite) -> None:
    site.submit("青木", ILLEGAL)
    site.open_desk()
    who = submission_of(site, "青木")
    assert "not accepted" in words_of(site.client.post("/desk/accept", data={"who": who}).text)
    page = site.client.post("/desk/accept", data={"who": who, "by": "審判", "reason": ""}).text
    assert "needs a name and a reason" in words_of(page)
    assert not log_of(site).receipts
    site.client.post("/desk/accept", data={"who": who, "by": "審判", "reason": "確認済み"})
    (receipt,) = log_of(site).receipts.values()
    assert (receipt.by, receipt.reason) == ("審判", "確認済み")


def test_all_that_may_be_are_accepted_at_once(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("青木", ILLEGAL)
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    assert [receipt.player.name for receipt in log_of(site).receipts.values()] == ["赤井"]


def test_a_player_is_withdrawn_and_no_longer_printed(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("緑川")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    data = {"who": submission_of(site, "赤井"), "by": "受付", "reason": "電話"}
    assert "withdrawn" in words_of(site.client.post("/desk/withdraw", data=data).text)
    sheets = site.client.get("/desk/sheets").text
    assert "緑川" in sheets
    assert "赤井" not in sheets


def test_a_deck_check_shows_what_differs_and_is_recorded(site: EventSite) -> None:
    site.submit("赤井")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    who = submission_of(site, "赤井")
    assert "凶戦士ブレイズ・クロー" in site.client.get(f"/desk/checks/{who}").text
    typed = LIST.replace("2 x 技師ピーポ", "2 x アクア・ガード")
    page = words_of(site.client.post(f"/desk/checks/{who}", data={"list": typed, "by": "審判"}).text)
    assert "different" in page
    assert "missing: 2 技師ピーポ" in page
    same = words_of(site.client.post(f"/desk/checks/{who}", data={"list": LIST, "by": "審判"}).text)
    assert "as registered" in same
    assert len(log_of(site).entries) == 3


def test_a_deck_is_checked_by_the_format_of_its_receipt(site: EventSite) -> None:
    site.submit("赤井")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    text = site.event.read_text("utf-8")
    site.event.write_text(text.replace("mini.yaml", "duel-masters/duemagic\nformats: [.]"), "utf-8")
    data = {"list": LIST, "by": "審判", "between_games": "yes"}
    page = words_of(site.client.post(f"/desk/checks/{submission_of(site, '赤井')}", data=data).text)
    assert "in Mini no cards are exchanged between games" in page


def test_decks_are_drawn(site: EventSite) -> None:
    site.submit("赤井")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    page = words_of(site.client.get("/desk/draw?share=100%25&seed=4-6").text)
    assert "赤井" in page
    assert "this is not a share" in words_of(site.client.get("/desk/draw?share=x&seed=4-6").text)


def test_an_unknown_submission_is_told(site: EventSite) -> None:
    site.open_desk()
    response = site.client.get("/desk/submissions/nobody")
    assert response.status_code == 422
    assert "nobody is called" in words_of(response.text)
