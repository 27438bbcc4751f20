"""Where this copy of deckcheck was installed from, so that hooks and pipelines can install the same."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from deckcheck.support import VERSION
from deckcheck.support.messages import Words, _

_NAME = "deckcheck"
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_REVISION = re.compile(r"[\w.][\w./-]{0,99}")


class Origin(NamedTuple):
    """What pip installs, after the name and extras; a repository to clone, its `commit`, and a tag or branch for that.

    `note` says what prevents others from installing it, if anything.
    """

    specifier: str
    repository: str | None = None
    commit: str | None = None
    revision: str | None = None
    note: Words | None = None

    def requirement(self, *, extra: str = "") -> str:
        """The requirement for pip, with an extra of the package if given."""
        return f"{_NAME}[{extra}]{self.specifier}" if extra else f"{_NAME}{self.specifier}"


def installed_origin() -> Origin:
    """The origin of the running copy: its source folder, what pip noted (PEP 610), else the package index."""
    folder = Path(__file__).parents[2]
    if (folder / "pyproject.toml").is_file() and (folder / ".pre-commit-hooks.yaml").is_file():
        return _of_folder(folder)
    from importlib.metadata import PackageNotFoundError, distribution

    noted = None
    with suppress(PackageNotFoundError, OSError):
        noted = distribution(_NAME).read_text("direct_url.json")
    return origin_of(noted)


def origin_of(noted: str | None) -> Origin:
    """The origin in the text of a direct_url.json (PEP 610); the package index without one or without a usable URL."""
    data: Any = None
    with suppress(ValueError):
        data = json.loads(noted or "")
    url = data.get("url") if isinstance(data, dict) else None
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return Origin(f"=={VERSION}")
    if isinstance(data.get("dir_info"), dict):
        from urllib.request import url2pathname

        return _of_folder(Path(url2pathname(urlsplit(url).path)))
    vcs, archive = (_mapping(data.get(key)) for key in ("vcs_info", "archive_info"))
    commit, revision = str(vcs.get("commit_id")), str(vcs.get("requested_revision"))
    if vcs.get("vcs") == "git" and _COMMIT.fullmatch(commit):
        return _of_commit(url, commit, revision if _REVISION.fullmatch(revision) else None)
    sha256 = str(_mapping(archive.get("hashes")).get("sha256"))
    mark = f"#sha256={sha256}" if re.fullmatch(r"[0-9a-f]{64}", sha256) else ""
    return Origin(f" @ {url}{mark}", note=_reach(url))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _of_commit(url: str, commit: str, revision: str | None = None) -> Origin:
    return Origin(
        f" @ git+{url}@{commit}", url, commit, None if revision == commit else revision, _reach(url)
    )


def _of_folder(folder: Path) -> Origin:
    """The commit of a clone, in its public repository if it was pushed there; else the folder as it is."""
    commit = _git(folder, "rev-parse", "HEAD") if (folder / ".git").exists() else ""
    if not _COMMIT.fullmatch(commit):
        return Origin(f" @ {folder.as_uri()}", note=_reach(folder.as_uri()))
    remote = _git(folder, "remote", "get-url", "origin")
    is_public = urlsplit(remote).scheme == "https" and "@" not in remote and remote.isprintable()
    if is_public and _git(folder, "branch", "--remotes", "--contains", commit):
        return _of_commit(remote, commit)
    return _of_commit(folder.as_uri(), commit)


def _git(folder: Path, *words: str) -> str:
    """The output of git; "" if it fails or isn't installed."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def _reach(url: str) -> Words | None:
    if urlsplit(url).scheme not in ("file", ""):
        return None
    return _("only this machine can install from there; for CI, name another source with --requirement")
