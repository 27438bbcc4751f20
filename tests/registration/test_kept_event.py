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
from factories.events import run

from deckcheck.registration.event import open_event
from deckcheck.registration.log import audit

KEPT = Path(__file__).parent / "fixtures" / "event"
HEAD = "15bcf17ffdec7284835d7f23e723657a29662e6b98032a523df95908f161530f"
BYTES = "f996da6c1c5a80fa3949d827c2cecbee1ce646b50c731cf44146c6fb69058ecc"
LOG = "sample-cup.log.jsonl"


def content(folder: Path) -> dict[str, bytes]:
    """All that is there, but for what only keeps others out while it is written."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix != ".lock"
    }


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each copy stands, so that its cards are compiled once."""
    return tmp_path_factory.mktemp("kept") / "event"


@pytest.fixture
def kept(place: Path) -> Iterator[Path]:
    """A copy of the event."""
    yield Path(shutil.copytree(KEPT, place))
    shutil.rmtree(place)


def audited(folder: Path, *more: str) -> Done:
    return run(folder, "event", "audit", "event.yaml", "--head", HEAD, *more)


def test_nobody_has_written_it_anew() -> None:
    lines = sorted(f"{name} {sha256(data).hexdigest()}" for name, data in content(KEPT).items())
    assert sha256("\n".join(lines).encode()).hexdigest() == BYTES


def test_it_audits(kept: Path) -> None:
    before = content(kept)
    done = audited(kept, "--output-format", "json")
    said = json.loads(done.out)
    assert (done.status, said["verdict"], said["head"]) == (0, "intact", HEAD)
    result = audit(open_event(kept / "event.yaml"), receipts=kept.glob("*.receipts/*.json"))
    assert result.problems == () and len(result.rechecks) == 6
    assert {one.status for one in result.rechecks} <= {"proven", "same"}
    # What was accepted is still what the entries say.
    said = json.loads(run(kept, "event", "accept", "event.yaml", "--output-format", "json").out)
    assert (len(said["accepted"]), said["head"]) == (0, HEAD)
    assert content(kept) == before


def test_it_audits_by_another_card_table_and_other_rules(kept: Path) -> None:
    """What is bundled changes; the log doesn't."""
    with (kept / "cards.yaml").open("a", encoding="utf-8") as file:
        file.write("  - {name: 見本の新しい竜, type: [クリーチャー]}\n")
    with (kept / "rules" / "format.yaml").open("a", encoding="utf-8") as file:
        file.write("# said in another way\n")
    done = audited(kept)
    assert done.status == 0 and HEAD in done.out


def test_a_deck_is_held_against_its_receipt(kept: Path) -> None:
    before = content(kept)
    deck = ("sample-cup.receipts/0002.json", "table/aoki.txt", "--event", "event.yaml", "--by", "審判")
    assert run(kept, "verify", *deck).status == 1
    done = run(kept, "verify", *deck, "--after-sideboarding")
    assert (done.status, done.out) == (0, "these are the registered cards, divided as the rules allow\n")
    assert audited(kept).status == 0
    after = content(kept)
    assert after.pop(LOG).startswith(before[LOG])
    assert after == {name: data for name, data in before.items() if name != LOG}
