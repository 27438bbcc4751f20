"""Compiles the catalogue of messages for wheels, source archives and editable installs, and the card tables for wheels."""

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        runpy.run_path(str(root / "tools" / "catalogue.py"))["compile_catalogue"](root)
        if self.target_name != "wheel":
            return
        build_tables = runpy.run_path(str(root / "tools" / "cardtables.py"))["build_tables"]
        if version == "editable":
            build_tables()
            return
        self._folder = TemporaryDirectory(prefix="deckcheck-tables-")
        for game, file in build_tables(Path(self._folder.name)).items():
            build_data["force_include"][str(file)] = f"deckcheck/data/{game}/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self.target_name == "wheel" and version != "editable":
            self._folder.cleanup()
