"""Audit: what a forger leaves behind who gets all the hashes right."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.acceptance import SEALED, WORD, a_seal, accept_at
from factories.event_lists import EVENT, ILLEGAL, a_list, an_event, legal
from factories.forged_logs import audited, forged, rechained, session_with_receipts, values_of

from deckcheck.registration.audit import audit
from deckcheck.registration.canonical import Copies, Stamp, canonical_list
from deckcheck.registration.event import EventSession, Rules
from deckcheck.registration.log import DeckCheck, Receipt
from deckcheck.registration.submissions import Player


@pytest.fixture
def session(tmp_path: Path) -> EventSession:
    return session_with_receipts(tmp_path)


def told(session: EventSession) -> list[tuple[int | None, str]]:
    """What the audit says is wrong, each with the number of its entry; nobody may be named in it."""
    found = audited(session)
    said = [problem.in_(lang) for problem in found.problems for lang in ("ja", "en")]
    assert not [one for one in said if any(name in one for name in ("甲", "乙", "丙", WORD.by))]
    assert (found.verdict == "altered") == bool(found.problems)
    return [(problem.line, problem.message.en) for problem in found.problems]


def test_a_verdict_that_the_rules_do_not_give_is_found(session: EventSession) -> None:
    forged(session, 3, verdict="legal", faults=(), by=None, reason=None, despite=())
    found = audited(session)
    assert [one.status for one in found.rechecks] == ["proven", "proven", "wrong"]
    assert found.verdict == "altered"


def test_a_check_of_a_receipt_that_is_not_there_is_found(session: EventSession) -> None:
    rechained(session, [*values_of(session), a_check(session, 9)])
    assert told(session) == [(4, "entry 4 refers to receipt 9, which was not valid at that time")]


def a_check(session: EventSession, receipt: int, by: str | None = "J") -> DeckCheck:
    return DeckCheck(session.event.id, "2026-11-28T00:00:00Z", receipt, "same", by=by)


def first_of(session: EventSession) -> Receipt:
    first = values_of(session)[0]
    assert isinstance(first, Receipt)
    return first


def test_a_receipt_is_replaced_once(session: EventSession) -> None:
    again = first_of(session)._replace(replaces=1)
    rechained(session, [*values_of(session), again])
    assert told(session) == []
    rechained(session, [*values_of(session), again])
    assert (5, "entry 5 refers to receipt 1, which was not valid at that time") in told(session)


@pytest.mark.parametrize(
    "without",
    [
        {"by": None, "reason": None, "despite": ()},
        {"by": None},
        {"by": " "},
        {"reason": None},
        {"reason": "\u3000"},
        {"despite": ()},
        {"despite": ("late",)},
    ],
)
def test_an_illegal_list_whose_judge_was_taken_away_is_found(
    session: EventSession, without: dict[str, object]
) -> None:
    forged(session, 3, **without)
    assert told(session) == [(3, "entry 3 is not legal, and no judge gives a reason for accepting it")]
    forged(session, 3, verdict="undecided", **without)
    assert told(session)[0][1].startswith("entry 3 is not legal")


@pytest.mark.parametrize(
    "part", [{"by": "J"}, {"reason": "R"}, {"despite": ("late",)}, {"by": "J", "reason": "R"}]
)
def test_a_judges_word_of_which_a_part_was_taken_away_is_found(
    session: EventSession, part: dict[str, object]
) -> None:
    forged(session, 1, **part)
    assert told(session) == [(1, "entry 1 lacks the judge, the reason or what was overridden")]


def test_two_receipts_that_stand_for_one_player_are_found(session: EventSession) -> None:
    other = values_of(session)[1]
    rechained(session, [*values_of(session), other._replace(player=Player(" 甲"), place="x")])  # type: ignore[call-arg]
    assert told(session) == [(4, "receipts 1 and 4 are both valid for one player")]


def test_a_player_known_by_name_alone_may_be_one_with_an_id_and_that_is_no_fault(tmp_path: Path) -> None:
    session = EventSession.open(an_event(tmp_path, a_list("甲", legal())))
    accept_at(session)
    # Two more of that name: whose receipt the first one is, nobody can tell. One of them is accepted.
    three = (a_list("甲", legal()), a_list("甲", legal(1), id="1"), a_list("甲", ILLEGAL, id="2"))
    session = EventSession.open(an_event(tmp_path, *three))
    assert len(accept_at(session).added) == 1
    found = audited(session)
    assert (found.verdict, found.problems) == ("intact", ())
    assert found.notes[0].en == (
        "receipts with and without an id have the same name (no. 1, 2); they may belong to one player"
    )
    # Two receipts of the one with the id are a fault all the same.
    other = values_of(session)[1]
    rechained(session, [*values_of(session), other._replace(place="x")])  # type: ignore[call-arg]
    assert told(session) == [(3, "receipts 2 and 3 are both valid for one player")]


def test_a_late_list_whose_judge_was_taken_away_is_found(tmp_path: Path) -> None:
    deadline = "deadline: 2026-11-27 20:00\n"
    late = a_list("甲", legal(), submitted="2026-11-27 20:00:01")
    session = EventSession.open(an_event(tmp_path, late, a_list("乙", legal(1)), more=deadline))
    accept_at(session)
    accept_at(session, only=["甲"], override=WORD)
    assert told(session) == []
    number = next(at for at, one in enumerate(values_of(session), 1) if isinstance(one, Receipt) and one.by)
    message = (
        f"the list of entry {number} came after the deadline, and no judge gives a reason for accepting it"
    )
    for despite in ((), ("untimed",)):
        word = WORD if despite else None
        forged(session, number, despite=despite, by=word and word.by, reason=word and word.reason)
        assert told(session) == [(number, message)]
    forged(session, number, submitted="2026-11-27T11:00:00+00:00", despite=(), by=None, reason=None)
    assert told(session) == []


@pytest.mark.parametrize("key", ["at", "submitted"])
@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-27", "2026-11-27T20:00:00"])
def test_a_time_that_is_none_is_found(session: EventSession, key: str, time: str) -> None:
    forged(session, 1, **{key: time})
    assert told(session)[0] == (1, f"this is not a valid entry of a log: {key}")


@pytest.mark.parametrize(
    ("other", "key"),
    [
        ({"date": "2026-11-29"}, "date"),
        ({"as_of": "2026-11-20"}, "as_of"),
        ({"best_of": 3}, "best_of"),
        ({"format": Stamp("duel-masters/amadeus", "0" * 64)}, "format"),
    ],
)
def test_a_receipt_that_differs_from_the_events_file_is_found(
    session: EventSession, other: dict[str, object], key: str
) -> None:
    forged(session, 2, **other)
    assert told(session) == [(2, f"entry 2 differs from the event's file ({key})")]


def test_a_receipt_that_was_replaced_may_be_of_an_earlier_events_file(session: EventSession) -> None:
    first, *others = values_of(session)
    rechained(session, [first._replace(best_of=3), *others, first_of(session)._replace(replaces=1)])  # type: ignore[call-arg]
    assert told(session) == []


def test_a_receipt_of_another_event_is_found(session: EventSession) -> None:
    forged(session, 2, event="summer-cup")
    assert told(session) == [(2, "entry 2 belongs to another event")]


def test_a_receipt_that_replaces_somebody_elses_is_found(session: EventSession) -> None:
    rechained(session, [*values_of(session), first_of(session)._replace(replaces=2)])
    assert told(session) == [
        (4, "entry 4 replaces receipt 2, which is another player's"),
        (4, "receipts 1 and 4 are both valid for one player"),
    ]


def test_a_check_that_nobody_made_is_found(session: EventSession) -> None:
    rechained(session, [*values_of(session), a_check(session, 1), a_check(session, 2, None)])
    assert told(session) == [(5, "entry 5 doesn't say who checked the deck")]


def test_a_format_that_is_a_path_is_found_and_opens_nothing(session: EventSession, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("format: club/outside\n", encoding="utf-8")
    asked: list[str] = []

    class Recording(EventSession):
        def find_rules(self, reference: str) -> Rules:
            asked.append(reference)
            return super().find_rules(reference)

    values = values_of(session)
    for path in (str(outside), "../outside.yaml", "outside.yaml", "duel-masters/../../outside"):
        rechained(session, [first_of(session)._replace(format=Stamp(path, "0" * 64)), *values[1:]])
        found = audit(Recording(session.event, session.format))
        assert found.verdict == "altered"
        assert (found.problems[0].line, found.problems[0].message.en) == (
            1,
            "this is not a valid entry of a log: format.id",
        )
        rechained(session, values)
    assert set(asked) == {"duel-masters/duemagic"}


@pytest.fixture
def sealed(tmp_path: Path) -> EventSession:
    """An event whose log holds the seals of two players."""
    session = EventSession.open(an_event(tmp_path, text=SEALED))
    event, rules = session.event, session.rules.provenance
    values = [
        Receipt(
            event=event.id,
            date=event.date,
            at="2026-11-27T12:00:00Z",
            player=Player(player),
            place=f"lists/{turn}.json",
            submitted=None,
            game=session.format.game_data.game.id,
            format=rules.format,
            banlists=rules.banlists,
            cards=session.format.game_data.catalog.version,
            as_of=event.as_of,
            best_of=event.best_of,
            verdict="legal",
            sealed=a_seal(session, legal(turn))[0].commitment,
        )
        for turn, player in enumerate("甲乙")
    ]
    rechained(session, values)
    return session


def test_a_sealed_list_stays_a_secret_in_an_audit(sealed: EventSession) -> None:
    found = audited(sealed)
    assert [one.status for one in found.rechecks] == ["sealed"] * 2
    assert found.verdict == "intact"


def test_a_commitment_that_two_receipts_have_is_found(sealed: EventSession) -> None:
    forged(sealed, 2, sealed=first_of(sealed).sealed)
    assert told(sealed) == [(2, "receipts 1 and 2 have the same commitment")]


def test_a_sealed_list_that_is_illegal_needs_a_judge_too(sealed: EventSession) -> None:
    forged(sealed, 1, verdict="illegal")
    assert [number for number, _ in told(sealed)] == [1]
    forged(sealed, 1, verdict="illegal", by="J", reason="R", despite=("illegal",))
    assert told(sealed) == []


def test_a_sealed_list_at_an_open_event_is_found_and_the_other_way_round(sealed: EventSession) -> None:
    file = sealed.event.path
    file.write_text(EVENT, encoding="utf-8")
    assert told(EventSession.open(file)) == [
        (number, f"lists are open at this event, but entry {number} is sealed") for number in (1, 2)
    ]
    file.write_text(SEALED, encoding="utf-8")
    forged(sealed, 2, sealed=None, listed=canonical_list("duel-masters", [Copies("main", "学校男", 4)]))
    assert (2, "lists are sealed at this event, but entry 2 is not") in [
        (problem.line, problem.message.en) for problem in audited(sealed).problems
    ]
