"""What the tests of the desk's pool let its processes do."""

import os
import signal
import time
from pathlib import Path

from deckcheck.checking.session import CheckOptions


def sleep(_options: CheckOptions, seconds: float) -> int:
    """Sleep; returns the number of the process."""
    time.sleep(seconds)
    return os.getpid()


def die_once(_options: CheckOptions, mark: Path) -> str:
    """End the process as the system does for want of memory, unless the file `mark` is there; it is from then on."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"
