"""The server of an event as a process of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

COMMAND = str(Path(sys.executable).with_name("deckcheck"))


class Answer(NamedTuple):
    """What a server answered; `location` is where it leads on to."""

    status: int
    text: str
    location: str


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Server:
    """`deckcheck event serve` for an event, until it is stopped or killed."""

    def __init__(self, event: Path, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.output = event.parent / "server.txt"
        self._event = event
        self.start()

    def start(self) -> None:
        """Begin it, anew after it was killed."""
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                [COMMAND, "event", "serve", str(self._event), "--port", str(self.port), "--lang", "en"],
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUTF8": "1"},
            )

    def wait_until_it_answers(self, seconds: float = 60) -> None:
        """Return once the first page comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self._process.poll() is None, self.output.read_text("utf-8")
            try:
                if self.ask("GET", "/").status == 200:
                    return
            except (OSError, HTTPException):
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """What the server answers. Raises OSError or HTTPException if it doesn't."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            body = None if fields is None else urlencode(fields)
            headers = {} if fields is None else {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request(method, path, body, {**headers, "Accept-Language": "en"})
            response = connection.getresponse()
            return Answer(response.status, response.read().decode(), response.headers.get("location") or "")
        finally:
            connection.close()

    @property
    def desk(self) -> str:
        """The path that opens the organiser's desk, as the server printed it."""
        found = re.search(r"/desk\?key=\S+", self.output.read_text("utf-8"))
        assert found is not None
        return found[0]

    @property
    def process(self) -> int:
        """The number of its process."""
        return self._process.pid

    def kill(self) -> None:
        """End it without warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(30)

    def stop(self) -> None:
        """End it as ^C does."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
