"""`deckcheck import` of https addresses, tried against a server on this machine."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from factories.commands import run_here
from factories.httpserver import CERTIFICATE, Site, https_site
from factories.mtgjson import atomic, entry

from deckcheck.support import download

CARDS = b'{"name": "%s", "civilization": ["%s"], "cost": 5}\n' % ("明日の新カード".encode(), "火".encode())
MANY = CARDS + b"".join(b'{"name": "New %d", "cost": 5}%400s\n' % (number, b"") for number in range(3000))

Run = Callable[..., str]


pytestmark = pytest.mark.usefixtures("fewer_cards")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that the process trusts; folders of its own for cards and downloads."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for kind in ("cache", "data"):
        monkeypatch.setenv(f"DECKCHECK_{kind.upper()}_DIR", str(tmp_path / kind))
    monkeypatch.chdir(tmp_path)
    with https_site() as site:
        site.files["/new.jsonl"] = CARDS
        site.files["/many.jsonl"] = MANY
        yield site


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def running(*words: object, status: int = 0, lang: str = "en") -> str:
        ended = run_here(*words, "--game", "duel-masters", "--lang", lang)
        said = "".join(capsys.readouterr())
        assert ended == status, said
        return said

    return running


def held(tmp_path: Path) -> list[int]:
    """The sizes of the parts of downloads that are kept."""
    files = (tmp_path / "cache" / "downloads").rglob("*.jsonl")
    return [file.stat().st_size for file in files]


def test_an_address_is_downloaded_imported_and_forgotten(tmp_path: Path, site: Site, run: Run) -> None:
    assert "1 added, 0 changed, 0 unchanged" in run("import", f"{site.address}/new.jsonl")
    assert "明日の新カード" in run("cards", "show", "明日の新カード")
    assert site.requests == [("/new.jsonl", None), ("/new.jsonl.sha256", None)]
    assert list((tmp_path / "cache" / "downloads").rglob("*.jsonl")) == []


def test_the_name_at_the_end_of_redirects_counts(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.redirects["/latest"] = f"{site.address}/bulk/oracle-20261119.json"
    site.files["/bulk/oracle-20261119.json"] = atomic(
        {"Tin Kite": [entry("Tin Kite", legalities={"modern": "Banned"})]}, None
    )
    assert run_here("import", f"{site.address}/latest?format=file", "--lang", "en") == 0
    assert "magic/modern (from 2026-11-19): 1 added" in capsys.readouterr().out


def test_a_download_that_broke_off_goes_on_where_it_was(tmp_path: Path, site: Site, run: Run) -> None:
    site.breaks_after = 1_000_000
    url = f"{site.address}/many.jsonl"
    said = run("import", url, status=2)
    assert f"{url}: error: the connection broke off after 1,000,000 of {len(MANY):,} bytes\n" in said
    assert "run the same command again to go on from there" in said
    assert held(tmp_path) == [1_000_000]
    site.breaks_after = None
    site.requests.clear()
    assert "3001 added" in run("import", url)
    assert site.requests[0] == ("/many.jsonl", "bytes=1000000-")
    assert held(tmp_path) == []


def test_a_file_that_changed_meanwhile_is_downloaded_anew(site: Site, run: Run) -> None:
    site.breaks_after = 1_000_000
    url = f"{site.address}/many.jsonl"
    run("import", url, status=2)
    site.breaks_after, site.etag = None, '"2"'
    site.files["/many.jsonl"] = CARDS
    assert "1 added" in run("import", url)


@pytest.mark.parametrize("etag", [None, 'W/"1"'])
def test_without_a_sure_version_nothing_is_put_together(site: Site, run: Run, etag: str | None) -> None:
    site.breaks_after, site.etag = 1_000_000, etag
    url = f"{site.address}/many.jsonl"
    assert "run the same command again" not in run("import", url, status=2)
    site.breaks_after = None
    site.requests.clear()
    assert "3001 added" in run("import", url)
    assert site.requests[0] == ("/many.jsonl", None)


def test_a_download_whose_import_failed_is_not_downloaded_again(tmp_path: Path, site: Site, run: Run) -> None:
    site.files["/new.jsonl"] = b'{"nam": "x"}\n'
    url = f"{site.address}/new.jsonl"
    assert f"{url}:1: error:" in run("import", url, status=2)
    assert held(tmp_path) == [13]
    site.requests.clear()
    assert f"{url}:1: error:" in run("import", url, status=2)
    assert site.requests[0] == ("/new.jsonl", "bytes=13-")
    # It has become shorter, and is right now.
    site.files["/new.jsonl"] = b'{"name":"x"}'
    assert "1 added" in run("import", url)


@pytest.mark.parametrize("behind", ["", "  new.jsonl\n"])
def test_a_checksum_beside_the_file_must_agree(tmp_path: Path, site: Site, run: Run, behind: str) -> None:
    url = f"{site.address}/new.jsonl"
    right = hashlib.sha256(CARDS).hexdigest()
    site.files["/new.jsonl.sha256"] = (
        right.replace(right[0], "0123456789abcdef"[-1 - int(right[0], 16)]) + behind
    ).encode()
    assert "damaged: its checksum is not the one that the server states" in run("import", url, status=2)
    assert held(tmp_path) == []
    site.files["/new.jsonl.sha256"] = (right.upper() + behind).encode()
    assert "1 added" in run("import", url)


def test_a_checksum_that_cannot_be_fetched_is_no_agreement(site: Site, run: Run) -> None:
    site.statuses["/new.jsonl.sha256"] = 500
    said = run("import", f"{site.address}/new.jsonl", status=2)
    assert "its checksum cannot be fetched: the server answers 500" in said
    site.statuses["/new.jsonl.sha256"] = 403
    assert "1 added" in run("import", f"{site.address}/new.jsonl")


@pytest.mark.parametrize("length", [True, False])
def test_what_is_too_large_is_refused(
    site: Site, run: Run, monkeypatch: pytest.MonkeyPatch, length: bool
) -> None:
    monkeypatch.setattr(download, "MOST_BYTES", 500_000)
    site.length = length
    assert "too large (at most 500,000 bytes)" in run("import", f"{site.address}/many.jsonl", status=2)
    assert "1 added" in run("import", f"{site.address}/new.jsonl")


def test_only_https_is_fetched_however_one_gets_there(site: Site, run: Run) -> None:
    plain = site.address.replace("https", "http", 1)
    for address in (
        f"{plain}/new.jsonl",
        "ftp://localhost/x",
        "file:///etc/passwd",
        "https://",
        "https://[/",
    ):
        said = run("import", address, status=2)
        assert said == f"{address}: error: only plain https addresses can be downloaded\n"
    assert "only plain https" in run("import", site.address.replace("//", "//me:secret@"), status=2)
    site.redirects["/away"] = f"{plain}/new.jsonl"
    said = run("import", f"{site.address}/away", status=2)
    assert "cannot be reached: redirected to an address that is not https" in said
    assert [path for path, _ in site.requests] == ["/away"]
    said = run("import", f"{site.address}/away", status=2, lang="ja")
    assert "接続できません: https ではないアドレスへ転送されました" in said


@pytest.mark.parametrize("letter", ["新", "a", "𠮷"])
def test_a_name_as_long_as_an_address_may_be_is_shortened(site: Site, run: Run, letter: str) -> None:
    name = quote(letter * 400) + ".jsonl"
    site.files[f"/{name}"] = CARDS
    assert "1 added" in run("import", f"{site.address}/{name}")


def test_a_server_that_fails_is_told(site: Site, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{site.address}/none.jsonl"
    assert run("import", url, status=2) == f"{url}: error: the server answers 404\n"
    assert run("import", url, status=2, lang="ja") == f"{url}: エラー：サーバーの応答は 404 です\n"
    gone = re.sub(r":\d+$", ":1", site.address)
    assert "cannot be reached: " in run("import", f"{gone}/x", status=2)
    monkeypatch.delenv("SSL_CERT_FILE")
    assert "CERTIFICATE_VERIFY_FAILED" in run("import", f"{site.address}/new.jsonl", status=2)


def test_a_bar_shows_how_far_a_download_is(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from deckcheck.cli import terminal

    monkeypatch.setattr(terminal, "is_terminal", lambda _: True)
    monkeypatch.setattr(terminal, "_PATIENCE", -1)
    monkeypatch.setattr(terminal.time, "monotonic", iter(range(10_000)).__next__)
    assert run_here("import", f"{site.address}/many.jsonl", "--game", "duel-masters", "--lang", "en") == 0
    assert f"downloading [########################] {len(MANY):,}/{len(MANY):,}" in capsys.readouterr().err
    run_here("import", f"{site.address}/many.jsonl", "--game", "duel-masters", "--quiet", "--lang", "en")
    assert "downloading" not in capsys.readouterr().err


def test_nothing_of_this_is_loaded_for_a_check() -> None:
    code = """
import sys
import deckcheck.cli.app
import deckcheck.cli.check, deckcheck.cli.import_command
print([name for name in sys.modules if name.startswith(("urllib.request", "http", "ssl", "filelock", "deckcheck.support.download", "deckcheck.config.additions"))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
