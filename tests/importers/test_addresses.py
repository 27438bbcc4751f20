"""`deckcheck import` of https addresses, tried against a server on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from factories.commands import run_here
from factories.httpserver import Site, trusted_site

CARDS = b'{"name": "%s", "civilization": ["%s"], "cost": 5}\n' % ("明日の新カード".encode(), "火".encode())
MANY = CARDS + b"".join(b'{"name": "New %d", "cost": 5}%400s\n' % (number, b"") for number in range(3000))

Run = Callable[..., str]

pytestmark = pytest.mark.usefixtures("fewer_cards")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that the process trusts; a folder of its own for cards."""
    monkeypatch.chdir(tmp_path)
    with trusted_site(new=CARDS, many=MANY) as site:
        yield site


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def running(*words: object, status: int = 0) -> str:
        ended = run_here(*words, "--game", "duel-masters", "--lang", "en")
        output = "".join(capsys.readouterr())
        assert ended == status, output
        return output

    return running


def test_an_address_is_downloaded_and_imported(site: Site, run: Run) -> None:
    assert "1 added, 0 changed, 0 unchanged" in run("import", f"{site.address}/new.jsonl")
    assert "明日の新カード" in run("cards", "show", "明日の新カード")
    assert site.requests == ["/new.jsonl"]


def test_problems_are_those_of_the_address(site: Site, run: Run) -> None:
    url = f"{site.address}/wrong.jsonl"
    assert run("import", url, status=2) == f"{url}: error: the server answers 404\n"
    site.files["/wrong.jsonl"] = b'{"nam": "x"}\n'
    assert f"{url}:1: error: unknown key: nam" in run("import", url, status=2)


def test_a_bar_shows_how_far_a_download_is(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from deckcheck.report import screen

    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    monkeypatch.setattr(screen, "_PATIENCE", -1)
    monkeypatch.setattr(screen.time, "monotonic", iter(range(10_000)).__next__)
    assert run_here("import", f"{site.address}/many.jsonl", "--game", "duel-masters", "--lang", "en") == 0
    assert f"downloading [########################] {len(MANY):,}/{len(MANY):,}" in capsys.readouterr().err
