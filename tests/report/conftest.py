"""Outside of CI, whose variables say where the repository begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _nowhere() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
            patch.delenv(name, raising=False)
        yield
