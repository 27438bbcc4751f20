"""Downloading from https addresses, tried against a server on this machine."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import quote

import pytest
from factories.commands import run_here
from factories.httpserver import Site, trusted_site

from deckcheck.importers import source_files
from deckcheck.importers.source_files import downloaded
from deckcheck.support import terminal as screen
from deckcheck.support.errors import UserError

CARDS = '{"name": "明日の新カード"}\n'.encode()
MANY = CARDS * 60_000


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that the process trusts, and a folder of its own for what is downloaded."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with trusted_site(new=CARDS, many=MANY) as site:
        yield site


def refused(url: str, lang: str = "en") -> str:
    """What is said of an address that can't be downloaded."""
    with pytest.raises(UserError) as caught, downloaded(url):
        pass
    (problem,) = caught.value.problems
    return problem.in_(lang)


def test_a_file_is_there_with_its_name_and_then_removed(tmp_path: Path, site: Site) -> None:
    counts: list[tuple[int, int]] = []
    with downloaded(f"{site.address}/many.jsonl", lambda *count: counts.append(count)) as file:
        assert (file.name, file.read_bytes()) == ("many.jsonl", MANY)
    assert counts[-1] == (len(MANY), len(MANY))
    assert not list(tmp_path.iterdir())


def test_a_file_whose_use_fails_is_removed_too(tmp_path: Path, site: Site) -> None:
    with pytest.raises(KeyError), downloaded(f"{site.address}/new.jsonl"):
        raise KeyError
    assert not list(tmp_path.iterdir())


def test_the_name_at_the_end_of_redirects_counts(site: Site) -> None:
    site.redirects["/latest"] = f"{site.address}/bulk/oracle-20261119.json"
    site.files["/bulk/oracle-20261119.json"] = b"[]"
    with downloaded(f"{site.address}/latest?format=file") as file:
        assert file.name == "oracle-20261119.json"


@pytest.mark.parametrize("letter", ["新", "a", "𠮷"])
def test_a_long_name_is_shortened(site: Site, letter: str) -> None:
    name = quote(letter * 400) + ".jsonl"
    site.files[f"/{name}"] = CARDS
    with downloaded(f"{site.address}/{name}") as file:
        assert file.suffix == ".jsonl"


@pytest.mark.parametrize("length", [True, False])
def test_a_connection_that_breaks_off_is_told(site: Site, length: bool) -> None:
    site.breaks_after, site.length = 1_000_000, length
    url = f"{site.address}/many.jsonl"
    if length:
        assert refused(url) == f"{url}: the connection broke off after 1,000,000 bytes (try again)"
    else:
        # Without a length, the end of the connection is the end of the file.
        with downloaded(url) as file:
            assert file.stat().st_size == 1_000_000


@pytest.mark.parametrize("length", [True, False])
def test_what_is_too_large_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch, length: bool) -> None:
    monkeypatch.setattr(source_files, "MOST_DOWNLOADED", 500_000)
    site.length = length
    assert "too large (at most 500,000 bytes)" in refused(f"{site.address}/many.jsonl")
    with downloaded(f"{site.address}/new.jsonl") as file:
        assert file.read_bytes() == CARDS


def test_only_https_is_downloaded_however_one_gets_there(site: Site) -> None:
    plain = site.address.replace("https", "http", 1)
    for url in (f"{plain}/new.jsonl", "ftp://localhost/x", "file:///etc/passwd", "https://", "https://[/"):
        assert refused(url) == f"{url}: only plain https addresses can be downloaded"
    assert "only plain https" in refused(site.address.replace("//", "//me:secret@"))
    site.redirects["/away"] = f"{plain}/new.jsonl"
    assert "cannot be reached: unknown url type: http" in refused(f"{site.address}/away")
    assert site.requests == ["/away"]


def test_a_server_that_fails_is_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{site.address}/none.jsonl"
    assert refused(url) == f"{url}: the server answers 404"
    assert refused(url, "ja") == f"{url}: サーバーの応答は 404 です"
    nobody = re.sub(r":\d+$", ":1", site.address)
    assert "cannot be reached: " in refused(f"{nobody}/x")
    monkeypatch.delenv("SSL_CERT_FILE")
    assert "CERTIFICATE_VERIFY_FAILED" in refused(f"{site.address}/new.jsonl")


def test_what_fails_without_a_word_is_told_by_its_kind(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{site.address}/new.jsonl"

    def late(*_: object) -> bytes:
        raise TimeoutError

    with monkeypatch.context() as patch:
        patch.setattr(HTTPResponse, "read", late)
        assert refused(url) == f"{url}: cannot be downloaded: TimeoutError (try again)"
    monkeypatch.setattr(HTTPResponse, "begin", late)
    assert refused(url) == f"{url}: cannot be reached: TimeoutError"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_no_fault_of_the_connection(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "_name_of", lambda _url: "/dev/full")
    assert refused(f"{site.address}/many.jsonl") == "/dev/full: can't be written: No space left on device"


# The command.


@pytest.mark.usefixtures("fewer_cards")
def test_an_address_is_imported_and_problems_are_those_of_the_address(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: object, status: int = 0) -> str:
        assert run_here(*words, "--game", "duel-masters", "--lang", "en") == status
        return "".join(capsys.readouterr())

    assert "1 added, 0 changed, 0 unchanged" in run("import", f"{site.address}/new.jsonl")
    assert "明日の新カード" in run("cards", "show", "明日の新カード")
    assert site.requests == ["/new.jsonl"]
    url = f"{site.address}/wrong.jsonl"
    assert run("import", url, status=2) == f"{url}: error: the server answers 404\n"
    site.files["/wrong.jsonl"] = b'{"nam": "x"}\n'
    assert f"{url}:1: error: unknown key 'nam'" in run("import", url, status=2)


def test_a_bar_shows_how_far_a_download_is(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen, "is_terminal", lambda _: True)
    monkeypatch.setattr(screen, "_PATIENCE", -1)
    monkeypatch.setattr(screen.time, "monotonic", iter(range(10_000)).__next__)
    run_here("import", f"{site.address}/many.jsonl", "--game", "duel-masters", "--lang", "en")
    assert f"downloading [########################] {len(MANY):,}/{len(MANY):,}" in capsys.readouterr().err
