"""Nothing happens to the wrong player: by ids of submissions, players' ids and names; and players who withdraw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.event_lists import a_list, an_event, legal
from factories.event_runs import run
from factories.form_events import HEAD, JUDGE, accept, entries, form_event, form_row, ids, receipts


def test_ids_stay_when_files_come_in_and_forms_are_sorted_anew(tmp_path: Path) -> None:
    rows = [form_row(f"2026/11/26 1{n}:00:00", f"参加者{n}", f"10{n}", legal(n)) for n in range(4)]
    form_event(tmp_path, *rows)
    before = ids(tmp_path)
    assert len(set(before.values())) == 4 and all(len(id) == 6 for id in before.values())
    new = form_row("2026/11/26 09:00:00", "新しい人", "999", legal(7))
    (tmp_path / "form.csv").write_text(HEAD + new + "".join(reversed(rows)), encoding="utf-8")
    after = ids(tmp_path)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("who", ["id", "1001", "水野"])
def test_a_player_is_named_by_submission_id_or_name(tmp_path: Path, who: str) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 11:00:00", "火野", "1002", legal(1)),
    )
    named = ids(tmp_path)["水野 2026/11/26 10:00:00"] if who == "id" else who
    assert accept(tmp_path, named).status == 0
    assert [one["player"]["id"] for one in receipts(tmp_path)] == ["1001"]
    for words in (
        ["verify", named, "form.txt", "--event", "event.yaml", "--by", "J"],
        ["sheet", "event.yaml", named],
    ):
        (tmp_path / "form.txt").write_text(legal(), encoding="utf-8")
        done = run(tmp_path, *words)
        assert done.status == 0 and "火野" not in done.out, done.err
    assert (
        run(tmp_path, "event", "withdraw", "event.yaml", named, "--by", "J", "--reason", "sick").status == 0
    )
    assert "水野" not in run(tmp_path, "sheet", "event.yaml").out


def test_an_ambiguous_name_is_refused_with_the_candidates(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "山田", "1001", legal()),
        form_row("2026/11/26 11:00:00", "山田", "1002", legal(1)),
    )
    known = ids(tmp_path)
    for words in (
        ["event", "accept", "event.yaml", "山田"],
        ["event", "withdraw", "event.yaml", "山田", "--by", "J", "--reason", "R"],
        ["sheet", "event.yaml", "山田"],
    ):
        done = run(tmp_path, *words)
        assert done.status == 2 and not (tmp_path / "cup.log.jsonl").exists()
        for id, number in zip(known.values(), ("1001", "1002"), strict=True):
            assert f"{id} (山田 {number})" in done.err
    assert accept(tmp_path).status == 0
    (tmp_path / "deck.txt").write_text(legal(), encoding="utf-8")
    done = run(tmp_path, "verify", "山田", "deck.txt", "--event", "event.yaml", "--by", "J")
    assert done.status == 2 and all(id in done.err for id in known.values())
    done = accept(tmp_path, "知らない人")
    assert done.status == 2 and "nobody is called '知らない人'" in done.err


def test_a_late_list_that_a_judge_names_is_the_one_that_is_frozen(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/27 20:30:00", "水野", "1001", legal(3)),
    )
    late = ids(tmp_path)["水野 2026/11/27 20:30:00"]
    done = accept(tmp_path, late)
    assert done.status == 1 and "another list of the same player counts" in done.out
    assert "the list came after the deadline" in done.out and not (tmp_path / "cup.log.jsonl").exists()
    done = accept(tmp_path, late, *JUDGE)
    assert done.status == 0
    [receipt] = receipts(tmp_path)
    assert (receipt["submission"], receipt["by"], receipt["reason"]) == (late, "白石", "train was late")
    assert receipt["despite"] == ["superseded", "late"]
    # It stays the one that counts, is printed and is compared.
    found = {one["id"]: one for one in entries(tmp_path)}
    assert found[late]["counts"] and found[late]["frozen"]
    assert accept(tmp_path).out.startswith("0 lists frozen now, 1 before")
    (tmp_path / "deck.txt").write_text(legal(3), encoding="utf-8")
    assert run(tmp_path, "verify", "水野", "deck.txt", "--event", "event.yaml", "--by", "J").status == 0


def test_judge_and_reason_are_never_dropped(tmp_path: Path) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", "水野", "1001", legal()))
    assert accept(tmp_path, "水野", *JUDGE).status == 0
    [receipt] = receipts(tmp_path)
    assert (receipt["by"], receipt["reason"], receipt["despite"]) == ("白石", "train was late", [])
    done = accept(tmp_path, "水野", *JUDGE)
    assert done.status == 1 and "already accepted (receipt 1)" in done.out
    assert accept(tmp_path, "水野").status == 0 and len(receipts(tmp_path)) == 1
    for words in (["--by", "J"], ["--by", "J", "--reason", " "], JUDGE):
        assert accept(tmp_path, *words).status == 2


def test_lists_of_one_player_are_not_accepted_together(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 11:00:00", "水野", "1001", legal(3)),
    )
    done = accept(tmp_path, *ids(tmp_path).values(), *JUDGE)
    assert done.status == 2 and "these are lists of one player" in done.err


def test_a_list_that_comes_after_acceptance_changes_nothing_without_a_judge(tmp_path: Path) -> None:
    first = form_row("2026/11/26 10:00:00", "水野", "1001", legal())
    form_event(tmp_path, first)
    accept(tmp_path)
    form_event(tmp_path, first, form_row("2026/11/27 10:00:00", "水野", "1001", legal(3)))
    done = accept(tmp_path)
    assert done.status == 1 and "the list is not the one that was accepted (receipt 1)" in done.out
    new = ids(tmp_path)["水野 2026/11/27 10:00:00"]
    assert accept(tmp_path, new, *JUDGE).status == 0
    old, replacing = receipts(tmp_path)
    assert replacing["replaces"] == old["number"] and replacing["submission"] == new
    assert accept(tmp_path).status == 0


# One player, one valid receipt


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("赤井", "1001"), ("赤石", "1001")),
        (("赤井", "l001"), ("赤井", "1001")),
        (("赤井", ""), ("赤石", "1001")),
    ],
)
def test_a_correction_of_name_or_id_continues_the_receipt(
    tmp_path: Path, before: tuple[str, str], after: tuple[str, str]
) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", *before, legal()))
    accept(tmp_path)
    form_event(tmp_path, form_row("2026/11/26 10:00:00", *after, legal()))
    done = accept(tmp_path)
    assert (done.status, done.out.startswith("0 lists frozen now, 1 before")) == (0, True), done.out
    found = entries(tmp_path)
    assert [(one["state"], one["accepted"], one["frozen"]) for one in found] == [("legal", 1, True)]
    # A new list of the corrected player replaces the receipt.
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", *after, legal()),
        form_row("2026/11/26 12:00:00", *after, legal(2)),
    )
    new = ids(tmp_path)[f"{after[0]} 2026/11/26 12:00:00"]
    assert accept(tmp_path, new, *JUDGE).status == 0
    assert [one["replaces"] for one in receipts(tmp_path)] == [None, 1]


def test_a_correction_with_another_list_needs_a_judge_and_then_replaces_the_receipt(tmp_path: Path) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", "赤井", "1001", legal()))
    accept(tmp_path)
    form_event(tmp_path, form_row("2026/11/26 12:00:00", "赤石", "1001", legal(3)))
    done = accept(tmp_path)
    assert done.status == 1 and "the list is not the one that was accepted (receipt 1)" in done.out
    assert accept(tmp_path, "赤石", *JUDGE).status == 0
    assert [one["replaces"] for one in receipts(tmp_path)] == [None, 1]
    assert [one["state"] for one in entries(tmp_path)] == ["legal"]


# Somebody else's id or name


def test_an_id_under_another_name_takes_nothing_over(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 11:00:00", "火野", "1001", legal(1)),
    )
    done = run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    known = list(ids(tmp_path).values())
    for own, other in (known, reversed(known)):
        assert any(
            line.startswith(own) and f"others have the same name or id ({other})" in line
            for line in done.out.splitlines()
        )
    assert "2 unclear which" in done.out
    letters = [file.read_text("utf-8") for file in sorted((tmp_path / "letters").glob("*.txt"))]
    assert len(letters) == 2 and all("同じお名前かプレイヤーID" in text for text in letters)
    assert accept(tmp_path).status == 1 and not (tmp_path / "cup.log.jsonl").exists()
    assert accept(tmp_path, known[0], *JUDGE).status == 0
    assert [one["player"]["name"] for one in receipts(tmp_path)] == ["水野"]
    found = {one["id"]: one for one in entries(tmp_path)}
    assert (found[known[0]]["frozen"], found[known[1]]["conflict"]) == (True, "player")


def test_an_accepted_player_stays_accepted_when_somebody_types_their_id(tmp_path: Path) -> None:
    own = form_row("2026/11/26 10:00:00", "水野", "1001", legal())
    form_event(tmp_path, own)
    accept(tmp_path)
    form_event(tmp_path, own, form_row("2026/11/26 11:00:00", "火野", "1001", legal(1)))
    assert accept(tmp_path).status == 1
    mine, other = entries(tmp_path)
    assert (mine["frozen"], mine["counts"], other["counts"], other["accepted"]) == (True, True, None, None)
    run(tmp_path, "event", "withdraw", "event.yaml", other["id"], "--by", "J", "--reason", "wrong id")
    assert (
        accept(tmp_path).status == 0
        and run(tmp_path, "sheet", "event.yaml").out.count('<section class="sheet') == 1
    )


def test_names_that_differ_in_case_and_apostrophes_are_to_be_decided(tmp_path: Path) -> None:
    names = ("Tom O'Neil", "tom o'neil", "Tom O’Neil")
    an_event(
        tmp_path, *(a_list(name, legal(n), submitted=f"2026-11-2{n} 10:00") for n, name in enumerate(names))
    )
    assert accept(tmp_path).status == 1 and not (tmp_path / "winter-cup.log.jsonl").exists()
    found = entries(tmp_path)
    assert {one["conflict"] for one in found} == {"player"}
    assert accept(tmp_path, "TOM O'NEIL", *JUDGE).status == 2
    assert accept(tmp_path, found[2]["id"], *JUDGE).status == 0
    assert [one["player"]["name"] for one in receipts(tmp_path, "winter-cup")] == ["Tom O’Neil"]
    for one in found[:2]:
        run(tmp_path, "event", "withdraw", "event.yaml", one["id"], "--by", "J", "--reason", "sent thrice")
    assert run(tmp_path, "event", "check", "event.yaml").status == 0


def two_players(folder: Path) -> None:
    form_event(
        folder,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 11:00:00", "火野", "1002", legal(1)),
    )


def withdraw(folder: Path, who: str = "水野") -> str:
    done = run(folder, "event", "withdraw", "event.yaml", who, "--by", "本人", "--reason", "発熱")
    assert done.status == 0, done.err
    return done.out


def test_a_withdrawn_player_is_no_longer_printed_drawn_or_counted(tmp_path: Path) -> None:
    two_players(tmp_path)
    accept(tmp_path)
    assert withdraw(tmp_path) == "withdrawn: 水野 (receipt 1 is revoked)\n"
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.status == 0 and "1 player: 1 legal, 1 withdrawn (1 accepted)" in done.out
    assert "水野" not in run(tmp_path, "sheet", "event.yaml").out
    drawn = run(tmp_path, "event", "draw", "event.yaml", "--seed", "1", "--share", "100%").out
    assert "水野" not in drawn and "1 of 1 accepted" in drawn
    run(tmp_path, "event", "check", "event.yaml", "--letters", "letters")
    assert [file.name[:2] for file in (tmp_path / "letters").glob("*.txt")] == ["火野"]
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 2
    (tmp_path / "deck.txt").write_text(legal(), encoding="utf-8")
    for who in ("水野", "cup.receipts/0001.json"):
        assert run(tmp_path, "verify", who, "deck.txt", "--event", "event.yaml", "--by", "J").status == 2
    audited = run(tmp_path, "event", "audit", "event.yaml")
    assert audited.status == 0
    entry = json.loads((tmp_path / "cup.log.jsonl").read_text("utf-8").splitlines()[-1])
    assert (entry["kind"], entry["receipt"], entry["by"], entry["reason"]) == (
        "withdrawal",
        1,
        "本人",
        "発熱",
    )


def test_a_player_without_a_receipt_can_withdraw_and_a_new_list_needs_a_judge(tmp_path: Path) -> None:
    two_players(tmp_path)
    assert withdraw(tmp_path) == "withdrawn: 水野 (no list was accepted)\n"
    done = accept(tmp_path)
    assert done.status == 0 and [one["player"]["name"] for one in receipts(tmp_path)] == ["火野"]
    form_event(
        tmp_path,
        form_row("2026/11/26 11:00:00", "火野", "1002", legal(1)),
        form_row("2026/11/26 12:00:00", "水野", "1001", legal(2)),
    )
    assert accept(tmp_path).status == 0 and len(receipts(tmp_path)) == 1
    done = accept(tmp_path, "水野")
    assert done.status == 1 and "this player has withdrawn (entry 1)" in done.out
    assert accept(tmp_path, "水野", *JUDGE).status == 0
    assert run(tmp_path, "sheet", "event.yaml").out.count('<section class="sheet') == 2


def test_nobody_withdraws_twice_or_without_a_reason(tmp_path: Path) -> None:
    two_players(tmp_path)
    withdraw(tmp_path)
    words = ("event", "withdraw", "event.yaml")
    done = run(tmp_path, *words, "水野", "--by", "J", "--reason", "R")
    assert done.status == 2 and "this player has withdrawn (entry 1)" in done.err
    for options in (["--by", "J"], ["--reason", "R"], ["--by", "J", "--reason", ""], []):
        assert run(tmp_path, *words, "火野", *options).status == 2
    assert run(tmp_path, *words, "誰か", "--by", "J", "--reason", "R").status == 2


@pytest.mark.parametrize(
    ("text", "states"),
    [
        *(
            (text, {"missing"})
            for text in (
                "辞退します",
                "すみません、今回は辞退させていただきます。",
                "リストはあとで送ります",
                "当日持参します！",
                "未定",
                "なし",
                "I have to withdraw, sorry.",
                "Will send it later",
                "TBD",
            )
        ),
        *(
            (text, {"illegal", "undecided", "unreadable"})
            for text in ("1 誰も知らないカード", "4 Slater, the Sublater", "よろしくお願いします")
        ),
        (legal() + "\n# サイドはあとで変えるかも", {"legal"}),
    ],
)
def test_a_text_without_cards_that_says_so_is_no_list(tmp_path: Path, text: str, states: set[str]) -> None:
    form_event(tmp_path, form_row("2026/11/26 10:00:00", "水野", "1001", text))
    [found] = entries(tmp_path)
    assert found["state"] in states
    if states == {"missing"}:
        assert found["deck"] is None
        assert text[:10] in run(tmp_path, "event", "check", "event.yaml").out


def test_it_never_displaces_an_earlier_list(tmp_path: Path) -> None:
    form_event(
        tmp_path,
        form_row("2026/11/26 10:00:00", "水野", "1001", legal()),
        form_row("2026/11/26 12:00:00", "水野", "1001", "辞退します"),
    )
    first, second = entries(tmp_path)
    assert (first["counts"], second["counts"], second["instead"]) == (True, False, first["id"])


def test_notes_and_pictures_in_the_folder_are_no_players(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("水野", legal()))
    lists = tmp_path / "lists"
    (lists / "deck.png").write_bytes(b"\x89PNG\r\n")
    (lists / "notes.txt").write_text("山田さんに電話する\n席は窓側\n", encoding="utf-8")
    (lists / "README.md").write_text("# Lists\n", encoding="utf-8")
    done = run(tmp_path, "event", "check", "event.yaml")
    assert done.status == 0 and "1 player: 1 legal" in done.out
    assert "note: 3 files are no lists" in done.out
    assert all(name in done.out for name in ("lists/deck.png", "lists/notes.txt", "lists/README.md"))
    # A list without a name stays one: it belongs to somebody.
    (lists / "who.txt").write_text(legal(1), encoding="utf-8")
    assert "2 players" in run(tmp_path, "event", "check", "event.yaml").out
