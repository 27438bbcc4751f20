"""However a command ends: a short message and a status that means it."""

from __future__ import annotations

import errno

import pytest

from deckcheck.cli.guard import guarded
from deckcheck.errors import wrong


def test_what_was_done_gives_its_own_status() -> None:
    assert [guarded(lambda status=status: status, "en") for status in (0, 1, 3)] == [0, 1, 3]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "en", "ja"),
    [
        (wrong("だめです", "no good", path="x"), "x: error: no good", "x: エラー：だめです"),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "can't be written: No space",
            "書けません: No space",
        ),
        (KeyError("rules"), "internal error of deckcheck (KeyError: 'rules')", "deckcheckの内部エラーです"),
    ],
)
def test_whatever_goes_wrong_is_told_without_a_traceback(
    error: Exception, en: str, ja: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cli.guard.abandon_output", lambda: None)

    def work() -> int:
        raise error

    for lang, wanted in (("en", en), ("ja", ja)):
        assert guarded(work, lang) == 2
        said = capfd.readouterr().err
        assert wanted in said
        assert "Traceback" not in said


def test_an_interrupt_is_130() -> None:
    def work() -> int:
        raise KeyboardInterrupt

    assert guarded(work, "en") == 130
