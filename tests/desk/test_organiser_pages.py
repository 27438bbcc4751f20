"""The organiser's desk: the key, the roster, acceptance, withdrawals, letters, sheets, draws and deck checks."""

import re

from factories.event_site import KEY, LIST, EventSite, serve_event
from factories.pages import words_of

ILLEGAL = LIST.replace("2 x 喧嘩屋タイラー", "3 x 喧嘩屋タイラー")
PATHS = ("/desk", "/desk/roster.csv", "/desk/roster.json", "/desk/letters.csv", "/desk/sheets", "/desk/draw")


def test_nothing_is_shown_or_done_without_the_key(site: EventSite) -> None:
    site.submit("赤井")
    for path in PATHS:
        response = site.client.get(path)
        assert response.status_code == 403 and "赤井" not in response.text
        assert site.client.get(path, headers={"cookie": "key=wrong"}).status_code == 403
    for path in ("/desk/accept", "/desk/withdraw"):
        assert site.client.post(path, data={"who": "", "by": "J", "reason": "R"}).status_code == 403
    assert not site.log.entries


def test_a_full_queue_asks_the_organiser_to_come_again(site: EventSite) -> None:
    for full in serve_event(site.event, waiting=0):
        full.client.cookies.set("key", KEY)
        for path in (*PATHS[:-1], "/desk/draw?seed=1"):
            response = full.client.get(path)
            assert (response.status_code, response.headers["retry-after"]) == (429, "2"), path
        for path in ("/desk/accept", "/desk/withdraw"):
            response = full.client.post(path, data={"who": "", "by": "J", "reason": "R"})
            assert (response.status_code, response.headers["retry-after"]) == (429, "2"), path
    assert not site.log.entries


def test_the_link_with_the_key_sets_a_strict_cookie(site: EventSite) -> None:
    assert site.client.get("/desk?key=wrong").status_code == 403
    response = site.client.get(f"/desk?key={KEY}")
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert site.client.get("/desk").status_code == 200


def test_the_roster_its_filters_and_a_submission(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("青木", ILLEGAL)
    site.open_desk()
    page = words_of(site.client.get("/desk").text)
    assert "赤井" in page and "青木" in page
    illegal = words_of(site.client.get("/desk?show=illegal").text)
    assert "青木" in illegal and "赤井" not in illegal
    page = site.client.get(f"/desk/submissions/{site.submission_of('青木')}").text
    assert '<mark class="error">' in page
    assert "3 copies of 喧嘩屋タイラー" in words_of(page) and "青木" in page
    response = site.client.get("/desk/submissions/nobody")
    assert response.status_code == 422 and "nobody is called" in words_of(response.text)


def test_the_list_that_is_named_is_accepted_or_all_that_may_be(site: EventSite) -> None:
    mine = site.submit("赤井")
    site.submit("緑川")
    site.submit("青木", ILLEGAL)
    site.open_desk()
    page = site.client.post("/desk/accept", data={"who": site.submission_of("緑川")}).text
    assert "緑川: accepted" in words_of(page)
    assert [receipt.player.name for receipt in site.log.receipts.values()] == ["緑川"]
    site.client.post("/desk/accept", data={"who": ""})
    assert [receipt.player.name for receipt in site.log.receipts.values()] == ["緑川", "赤井"]
    assert "It was accepted" in words_of(site.client.get(mine).text)


def test_a_list_that_is_corrected_after_acceptance_counts_once_a_judge_says_so(site: EventSite) -> None:
    mine = site.submit("赤井")
    [file] = site.lists.iterdir()
    # Not in the same second.
    file.write_text(re.sub(r"submitted: \d{4}", "submitted: 2025", file.read_text("utf-8")), "utf-8")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    other = LIST.replace("2 x 技師ピーポ", "2 x アクア・ガード")
    site.client.post(mine, data={"do": "submit", "name": "赤井", "list": other})
    (new,) = {other.stem.partition("-")[0] for other in site.lists.iterdir() if other != file}
    page = site.client.post("/desk/accept", data={"who": new}).text
    assert "not the one that was accepted" in words_of(page)
    site.client.post("/desk/accept", data={"who": new, "by": "審判", "reason": "一度だけ"})
    (receipt,) = site.log.receipts.values()
    assert (receipt.submission, receipt.reason) == (new, "一度だけ")


def test_an_illegal_list_needs_a_judge_and_a_reason(site: EventSite) -> None:
    site.submit("青木", ILLEGAL)
    site.open_desk()
    who = site.submission_of("青木")
    assert "not accepted" in words_of(site.client.post("/desk/accept", data={"who": who}).text)
    page = site.client.post("/desk/accept", data={"who": who, "by": "審判", "reason": ""}).text
    assert "needs a name and a reason" in words_of(page)
    assert not site.log.receipts
    site.client.post("/desk/accept", data={"who": who, "by": "審判", "reason": "確認済み"})
    (receipt,) = site.log.receipts.values()
    assert (receipt.by, receipt.reason) == ("審判", "確認済み")


def test_a_player_is_withdrawn_and_no_longer_printed(site: EventSite) -> None:
    site.submit("赤井")
    site.submit("緑川")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    data = {"who": site.submission_of("赤井"), "by": "受付", "reason": "電話"}
    assert "withdrawn" in words_of(site.client.post("/desk/withdraw", data=data).text)
    sheets = site.client.get("/desk/sheets").text
    assert "緑川" in sheets
    assert "赤井" not in sheets


def test_decks_are_drawn_and_a_check_shows_what_differs_and_is_recorded(site: EventSite) -> None:
    site.submit("赤井")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    drawn = words_of(site.client.get("/desk/draw?share=100%25&seed=4-6").text)
    assert "赤井" in drawn
    assert "this is not a share" in words_of(site.client.get("/desk/draw?share=x&seed=4-6").text)
    who = site.submission_of("赤井")
    assert "凶戦士ブレイズ・クロー" in site.client.get(f"/desk/checks/{who}").text
    typed = LIST.replace("2 x 技師ピーポ", "2 x アクア・ガード")
    page = words_of(site.client.post(f"/desk/checks/{who}", data={"list": typed, "by": "審判"}).text)
    assert "different" in page
    assert "missing: 2 技師ピーポ" in page
    same = words_of(site.client.post(f"/desk/checks/{who}", data={"list": LIST, "by": "審判"}).text)
    assert "as registered" in same
    assert len(site.log.entries) == 3


def test_a_deck_is_checked_by_the_format_of_its_receipt(site: EventSite) -> None:
    site.submit("赤井")
    site.open_desk()
    site.client.post("/desk/accept", data={"who": ""})
    text = site.event.read_text("utf-8")
    site.event.write_text(text.replace("mini.yaml", "duel-masters/duemagic\nformats: [.]"), "utf-8")
    data = {"list": LIST, "by": "審判", "between_games": "yes"}
    page = words_of(site.client.post(f"/desk/checks/{site.submission_of('赤井')}", data=data).text)
    assert "in Mini no cards are exchanged between games" in page
