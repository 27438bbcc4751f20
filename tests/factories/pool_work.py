"""What the tests of the desk's pool let its processes do."""

import os
import signal
import time
from pathlib import Path


def sleep(seconds: float) -> int:
    """Sleep; returns the number of the process."""
    time.sleep(seconds)
    return os.getpid()


def die_once(mark: Path) -> str:
    """End the process as the system does for want of memory, unless the file `mark` is there; it is from then on."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"
