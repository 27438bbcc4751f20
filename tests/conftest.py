"""One cache and one data folder for the whole run, so that no test touches the user's own."""

from __future__ import annotations

import runpy
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories.examples import THOROUGH
from hypothesis import settings

# The same examples each time: a run that others wait for fails only for what was changed.
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("thorough", derandomize=True, deadline=None)
settings.load_profile("thorough" if THOROUGH else "quick")


def pytest_configure() -> None:
    """The catalogue of messages is compiled into the tree, once for all processes of the run."""
    # Under nohup SIGINT is ignored, in every child process too, and commands are to be interrupted by it here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    runpy.run_path(str(Path(__file__).parents[1] / "catalogue.py"))["compile_catalogue"]()


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The card table is compiled once, into a folder that goes with the run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "DATA"):
            patch.setenv(f"DECKCHECK_{name}_DIR", str(tmp_path_factory.mktemp(name.lower())))
        yield
