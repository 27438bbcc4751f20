"""The pages of an event for players: check, submit, come back, correct, withdraw."""

import json
import secrets
import stat

from factories.event_site import KEY, LIST, EventSite
from factories.pages import words_of

ILLEGAL = LIST.replace("2 x 喧嘩屋タイラー", "3 x 喧嘩屋タイラー")


def test_the_page_asks_for_what_the_event_asks_for(site: EventSite) -> None:
    page = site.client.get("/").text
    assert 'name="name"' in page
    assert 'name="email"' not in page
    assert "Mini cup" in page
    assert "Lists are due by" in words_of(page)


def test_a_check_stores_nothing_and_goes_by_the_rules_of_the_event(site: EventSite) -> None:
    page = site.client.post("/", data={"name": "赤井", "list": ILLEGAL, "do": "check"}).text
    assert 'class="verdict illegal"' in page
    assert list(site.lists.iterdir()) == []
    page = site.client.post("/answer", data={"list": f"# format: magic/modern\n{LIST}"}).text
    assert "Mini" in page and 'class="verdict legal"' in page
    [deck] = site.client.post("/api/check", content=json.dumps({"list": LIST})).json()["decks"]
    assert (deck["format"], deck["as_of"]) == ("club/mini", "2026-11-27")


def test_a_submission_is_a_file_that_only_its_owner_reads(site: EventSite) -> None:
    address = site.submit("赤井")
    (file,) = site.lists.iterdir()
    text = file.read_text("utf-8")
    assert text.startswith(LIST)
    assert "# player: 赤井" in text
    assert not stat.S_IMODE(file.stat().st_mode) & 0o077
    page = words_of(site.client.get(address).text)
    assert f"as submission {file.stem.partition('-')[0]}" in page
    assert "legal (Mini" in page


def test_empty_fields_are_asked_for_and_nothing_is_lost(site: EventSite) -> None:
    response = site.client.post("/", data={"name": " ", "list": LIST, "do": "submit"})
    assert response.status_code == 422
    assert "fill in: name" in words_of(response.text)
    assert LIST in response.text
    for data in (
        {"name": "赤井", "list": " "},
        {"name": "赤井", "list": LIST + "\0"},
        {"name": "あ" * 2000, "list": LIST},
    ):
        response = site.client.post("/", data={**data, "do": "submit"})
        assert response.status_code == 422
    assert "too long" in words_of(response.text)
    assert list(site.lists.iterdir()) == []


def test_a_private_link_is_kept_hashed_and_no_other_opens_anything(site: EventSite) -> None:
    address = site.submit("赤井")
    token = address.removeprefix("/mine/")
    assert len(token) >= 22
    assert all(
        token not in file.read_text("utf-8") for file in site.event.parent.rglob("*") if file.is_file()
    )
    nearly = (token[:-1], token[:-1] + ("A" if token[-1] != "A" else "B"))
    for other in (*nearly, "%2e%2e%2fevent", "x" * 500, secrets.token_urlsafe(16), KEY, "", "\u00e9"):
        assert site.client.get(f"/mine/{other}").status_code == 404


def test_a_correction_by_the_link_is_a_later_submission_of_the_same_player(site: EventSite) -> None:
    address = site.submit("赤井", ILLEGAL)
    response = site.client.post(address, data={"list": LIST, "name": "赤井", "do": "submit"})
    assert 'class="verdict legal"' in response.text
    assert len(list(site.lists.iterdir())) == 2
    assert LIST in site.client.get(address).text


def test_a_player_withdraws_by_the_link(site: EventSite) -> None:
    address = site.submit("赤井")
    page = site.client.post(address, data={"do": "withdraw", "sure": "yes"}).text
    assert "You have withdrawn" in words_of(page)
    assert len(site.log.withdrawals) == 1
    for wanted in ("submit", "withdraw"):
        again = site.client.post(address, data={"do": wanted, "name": "赤井", "list": LIST})
        assert again.status_code == 422
    assert len(list(site.lists.iterdir())) == 1


def test_a_player_withdraws_nobody_else_of_the_same_name(site: EventSite) -> None:
    mine, other = site.submit("赤井"), site.submit("赤井", LIST + "# another\n")
    response = site.client.post(other, data={"do": "withdraw", "sure": "yes"})
    assert response.status_code == 422 and "ask the organiser" in words_of(response.text)
    assert "withdraw" in site.client.get(mine).text


def test_after_the_deadline_a_list_is_late_and_can_only_be_read(closed_site: EventSite) -> None:
    address = closed_site.submit("赤井")
    page = words_of(closed_site.client.get(address).text)
    assert "after the deadline" in page
    assert '<textarea id="list"' not in closed_site.client.get(address).text
    for wanted in ("submit", "withdraw"):
        response = closed_site.client.post(address, data={"do": wanted, "name": "赤井", "list": LIST})
        assert response.status_code == 422
        assert "ask the organiser" in words_of(response.text)


def test_an_illegal_list_may_be_submitted_and_no_page_says_where_files_are(site: EventSite) -> None:
    page = site.client.get(site.submit("赤井", ILLEGAL)).text
    assert 'class="verdict illegal"' in page and "3 copies of 喧嘩屋タイラー" in words_of(page)
    assert "mini.yaml:" in page
    report = site.client.post("/api/check", content=json.dumps({"list": ILLEGAL})).text
    assert "mini.yaml" in report
    for text in (page, report):
        assert str(site.event.parent) not in text
