"""Compiles the catalogue of messages for wheels, source archives and editable installs."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        root = Path(self.root)
        runpy.run_path(str(root / "catalogue.py"))["compile_catalogue"](root)
