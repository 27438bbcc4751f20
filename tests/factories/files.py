"""Files of a test's own."""

from __future__ import annotations

import os
from pathlib import Path


def put(path: str | Path, content: str | bytes = "") -> Path:
    """Write a file, and the folders that it lies in; what was there before is changed for everybody who looks."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else None
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    if before is not None:
        # Another time, even where two writes fall into one tick of the clock.
        os.utime(file, ns=(before + 10**9, before + 10**9))
    return file
