"""One cache for the whole run and a data folder for each process, so that no test touches the user's own."""

from __future__ import annotations

import os
import runpy
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories.examples import THOROUGH
from factories.fewer_cards import write_fewer_cards
from hypothesis import settings

from deckcheck.cards import catalog
from deckcheck.formats import lookup
from deckcheck.support.files import shipped

# The same examples each time: a run that others wait for fails only for what was changed.
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("thorough", derandomize=True, deadline=None)
settings.load_profile("thorough" if THOROUGH else "quick")


def pytest_configure(config: pytest.Config) -> None:
    """What all processes of a run share: the compiled messages and card tables, in the tree, and the cache."""
    # Under nohup SIGINT is ignored, in every child process too, and commands are to be interrupted by it here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        root = Path(__file__).parents[1]
        runpy.run_path(str(root / "tools" / "catalogue.py"))["compile_catalogue"]()
        runpy.run_path(str(root / "tools" / "cardtables.py"))["build_tables"]()
        # Before tests are collected, for some ask for formats as soon as they are imported.
        folder = tempfile.TemporaryDirectory(prefix="deckcheck-tests-")
        config.add_cleanup(folder.cleanup)
        for name in ("CACHE", "DATA"):
            os.environ[f"DECKCHECK_{name}_DIR"] = str(Path(folder.name) / name.lower())


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Cards are imported into a folder of each process's own; bundled files are read as an installation reads them."""
    bundled = (shipped("formats"), shipped("banlists"))
    with pytest.MonkeyPatch.context() as patch:
        # tests/analysis/test_cases.py compares each with its schema, which takes as long as all else that is read of them.
        patch.setattr(lookup, "is_installed", lambda file: any(map(file.is_relative_to, bundled)))
        patch.setenv("DECKCHECK_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        if "PYTHONDONTWRITEBYTECODE" in os.environ:
            # The tree stays clean, and yet not every process compiles the package anew.
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv(
                "PYTHONPYCACHEPREFIX", str(Path(os.environ["DECKCHECK_CACHE_DIR"]).parent / "bytecode")
            )
        yield


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """Where the processes of this run keep what they share."""
    return Path(os.environ["DECKCHECK_CACHE_DIR"]).parent


@pytest.fixture
def fewer_cards(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a quick run the bundled card tables hold fewer cards. Only this process and its forks see them."""
    if not THOROUGH:
        write_fewer_cards(run_folder / "fewer" / "data")
        monkeypatch.setattr(catalog, "DATA", run_folder / "fewer" / "data")
        # What was made of all cards would have to be made anew, and then again for those who see them all.
        monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(run_folder / "fewer" / "cache"))


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither cards nor the cache are shared with other tests."""
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("DECKCHECK_DATA_DIR", str(tmp_path / "data"))
