"""One cache and one data folder for the whole run, so that no test touches the user's own."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A run that others wait for tries the same examples each time; whoever works on the code tries new ones.
settings.register_profile("same-each-time", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("same-each-time")


def pytest_configure() -> None:
    """The catalogue of messages is compiled into the tree, once for all processes of the run."""
    runpy.run_path(str(Path(__file__).parents[1] / "catalogue.py"))["compile_catalogue"]()


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The card table is compiled once, into a folder that goes with the run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "DATA"):
            patch.setenv(f"DECKCHECK_{name}_DIR", str(tmp_path_factory.mktemp(name.lower())))
        yield
