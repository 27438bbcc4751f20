"""However a command ends: a short message and a status that means it."""

from __future__ import annotations

import errno

import pytest
import typer

from deckcheck.cli.run import Run, errors_told
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def status_of(error: BaseException, run: Run) -> int:
    """The status with which a run ends that meets this error."""
    with pytest.raises(typer.Exit) as end, errors_told(run):
        raise error
    return end.value.exit_code


@pytest.mark.parametrize(
    ("error", "en", "ja"),
    [
        (
            user_error(_("no such folder"), path="x"),
            "x: error: no such folder",
            "x: エラー：フォルダがありません",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "can't be written: No space",
            "書き込めません: No space",
        ),
        (KeyError("rules"), "internal error in deckcheck (KeyError: 'rules')", "deckcheckの内部エラーです"),
    ],
)
def test_whatever_goes_wrong_is_told_without_a_traceback(
    error: Exception, en: str, ja: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckcheck.cli.run._abandon_output", lambda: None)
    for lang, wanted in (("en", en), ("ja", ja)):
        assert status_of(error, Run(lang)) == 2
        said = capfd.readouterr().err
        assert wanted in said
        assert "Traceback" not in said


def test_a_private_run_tells_no_name(capfd: pytest.CaptureFixture[str]) -> None:
    run = Run("en")
    status_of(KeyError("水野 光"), run)
    assert "水野 光" in capfd.readouterr().err
    run.private = True
    status_of(KeyError("水野 光"), run)
    assert capfd.readouterr().err == "error: internal error in deckcheck (KeyError)\n"
