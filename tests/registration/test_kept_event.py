"""An event of the final form, kept for ever: whatever changes in deckcheck, its log still audits.

Nothing here may be written anew. It brings its own format, list and cards;
of what is bundled only the game's words are used, and when those change, an
audit says that the format has changed and that the verdicts are the same.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from factories.commands import Done
from factories.event_runs import run

from deckcheck.registration.event import EventSession
from deckcheck.registration.log import audit

KEPT = Path(__file__).parent / "fixtures"
HEADS = {
    "event": "15bcf17ffdec7284835d7f23e723657a29662e6b98032a523df95908f161530f",
}
BYTES = {
    "event": "f996da6c1c5a80fa3949d827c2cecbee1ce646b50c731cf44146c6fb69058ecc",
}
LOGS = {"event": "sample-cup.log.jsonl"}


def content(folder: Path) -> dict[str, bytes]:
    """All that is there, but for what only keeps others out while it is written."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".lock"
    }


def as_kept(files: dict[str, bytes]) -> str:
    """One hash of them all."""
    lines = sorted(f"{name} {sha256(data).hexdigest()}" for name, data in files.items())
    return sha256("\n".join(lines).encode()).hexdigest()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    """A copy of the event."""
    shutil.copytree(KEPT, tmp_path / "kept")
    yield tmp_path / "kept"


def audited(folder: Path, name: str, *more: str) -> Done:
    return run(folder / name, "event", "audit", "event.yaml", "--head", HEADS[name], *more)


@pytest.mark.parametrize("name", ["event"])
def test_nobody_has_written_it_anew(name: str) -> None:
    assert as_kept(content(KEPT / name)) == BYTES[name]


@pytest.mark.parametrize("name", ["event"])
def test_it_audits(kept: Path, name: str) -> None:
    before = content(kept)
    done = audited(kept, name, "--output-format", "json")
    said = json.loads(done.out)
    assert (done.status, said["verdict"], said["head"]) == (0, "intact", HEADS[name])
    assert content(kept) == before
    session = EventSession.open(kept / name / "event.yaml")
    found = audit(session, receipts=(kept / name).glob("*.receipts/*.json"))
    assert found.problems == ()
    assert {one.status for one in found.rechecks} <= {"proven", "same"}
    assert len(found.rechecks) == 6


def test_it_audits_by_another_card_table_and_other_rules(kept: Path) -> None:
    """What is bundled changes; the log doesn't."""
    for name in HEADS:
        with (kept / name / "cards.yaml").open("a", encoding="utf-8") as file:
            file.write("  - {name: 見本の新しい竜, type: [クリーチャー]}\n")
        with (kept / name / "rules" / "format.yaml").open("a", encoding="utf-8") as file:
            file.write("# said in another way\n")
        done = audited(kept, name)
        assert done.status == 0 and HEADS[name] in done.out


def test_what_was_accepted_is_still_what_the_entries_say(kept: Path) -> None:
    for name, log in LOGS.items():
        before = (kept / name / log).read_bytes()
        done = run(kept / name, "event", "accept", "event.yaml", "--output-format", "json")
        said = json.loads(done.out)
        assert (len(said["accepted"]), said["head"]) == (0, HEADS[name]), name
        assert (kept / name / log).read_bytes() == before


def test_a_deck_is_held_against_its_receipt(kept: Path) -> None:
    before = content(kept)
    deck = ("sample-cup.receipts/0002.json", "table/aoki.txt", "--event", "event.yaml", "--by", "審判")
    assert run(kept / "event", "verify", *deck).status == 1
    done = run(kept / "event", "verify", *deck, "--after-sideboarding")
    assert (done.status, done.out) == (0, "these are the registered cards, divided as the rules allow\n")
    assert audited(kept, "event").status == 0
    after = content(kept)
    log = "event/" + LOGS["event"]
    assert after.pop(log).startswith(before[log])
    assert after == {name: data for name, data in before.items() if name != log}


@pytest.mark.parametrize("name", ["event"])
def test_any_change_is_still_found(kept: Path, name: str) -> None:
    file = kept / name / LOGS[name]
    whole = file.read_bytes()
    for old, new in (
        (b'"legal"', b'"undecided"'),
        (b"2026-11-28", b"2026-11-29"),
        (b'"number": 2', b'"number": 3'),
    ):
        assert old in whole
        file.write_bytes(whole.replace(old, new, 1))
        assert audited(kept, name).status == 1
