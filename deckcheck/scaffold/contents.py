"""The files that `deckcheck init` writes, as text."""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from deckcheck.scaffold.guess import Guess
from deckcheck.scaffold.survey import Parts, Survey
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

LONGEST_REQUIREMENT = 1000


def require_requirement(text: str) -> None:
    """Raise UserError for what pip would take for an option or what can't stand in the files."""
    fit = text.isprintable() and text.strip() == text and 0 < len(text) <= LONGEST_REQUIREMENT
    # GitHub would fill in what stands between ${{ and }} before the shell sees it.
    if not fit or text.startswith("-") or "${{" in text:
        raise wrong(
            _(
                "--requirement: pip can't be given {text!r} (but deckcheck==1.2, git+https://…, a "
                "wheel's URL)",
                text=text[:100],
            ),
        )


def workflow(requirement: str, lang: str, *, formats: bool) -> str:
    """A GitHub workflow; with `formats` it tries the repository's own formats, too."""
    step = _template(f"workflow-formats.{lang}.yml") if formats else ""
    return _filled(f"workflow.{lang}.yml", step, shlex.quote(requirement))


def gitlab(requirement: str, lang: str, *, formats: bool) -> str:
    """The same for GitLab."""
    line = _template("gitlab-ci-formats.yml") if formats else ""
    return _filled(f"gitlab-ci.{lang}.yml", line, shlex.quote(requirement))


def pre_commit(requirement: str, lang: str, *, formats: bool) -> str:
    """A configuration of pre-commit with the hook, and with that for formats."""
    hook = _template("pre-commit-formats.yaml") if formats else ""
    return _filled(f"pre-commit.{lang}.yaml", hook, _quoted(requirement))


def pre_commit_hook(whole: str) -> str:
    """Of what `pre_commit` returns that which belongs below an existing "repos:"."""
    return whole.partition("\nrepos:\n")[2]


def _filled(template: str, formats: str, requirement: str) -> str:
    # The requirement last: what stands in it is not looked at again.
    return _template(template).replace("@FORMATS@\n", formats).replace("@REQUIREMENT@", requirement)


def _template(name: str) -> str:
    return (Path(__file__).parent.parent / "templates" / name).read_text(encoding="utf-8")


_MOST_EXCLUDED = 100


def settings(guess: Guess, found: Survey, lang: str, example: str) -> str:
    """The text of deckcheck.toml. `example` is the id of a format, for what stands in a comment only."""
    own = [one.parts for one in found.formats]
    excluded = [exactly(parts) for parts in found.no_decks]
    if len(excluded) > _MOST_EXCLUDED:
        # So many are no lists that were forgotten: whole folders of them are theirs to name who know them.
        excluded = []
    lines = [
        _HEAD,
        "",
        _DEFAULT,
        _set("format", guess.format, example),
        "",
        _DAY,
        "# as-of = 2026-01-01",
        "",
        _LANG,
        'lang = "ja"' if lang == "ja" else '# lang = "en"',
        "",
        _EXCLUDE,
        _set("exclude", excluded or None, ["drafts/", "*.old.txt"]),
        "",
        _OWN,
        _set("formats", _folders_of(own) or None, ["formats"]),
        _set("banlists", _folders_of(found.banlists) or None, ["banlists"]),
        "",
        _FOLDERS,
    ]
    if guess.folders:
        for mapped in guess.folders:
            path, format = _quoted(all_below(mapped.parts)), _quoted(mapped.format)
            lines += ["[[decks]]", f"path = {path}", f"format = {format}", ""]
        lines.pop()
    else:
        lines += [
            "# [[decks]]",
            '# path = "league/**"',
            f"# format = {_quoted(example)}",
        ]
    return "".join((line if isinstance(line, str) else line.in_(lang)) + "\n" for line in lines)


_HEAD = _("# Settings of deckcheck. Lines that begin with # are examples; everything may be left out.")
_DEFAULT = _("# The format of decks that neither name one themselves nor match [[decks]] below.")
_DAY = _("# The day by whose rules decks without a date of their own are checked (default: today).")
_LANG = _("# The language of the output.")
_EXCLUDE = _("# What is no deck or not to be checked, written as in .gitignore.")
_OWN = _("# Folders with formats and banlists of your own.")
_FOLDERS = _("# Which folder is for which format. A deck's own line “# format: …” wins.")


def _set(key: str, value: str | Sequence[str] | None, example: str | Sequence[str]) -> str:
    """A line that sets a key, or a comment that shows how it is set."""
    return f"{key} = {_value(value)}" if value is not None else f"# {key} = {_value(example)}"


def _value(value: str | Sequence[str]) -> str:
    return _quoted(value) if isinstance(value, str) else "[" + ", ".join(map(_quoted, value)) + "]"


def _quoted(text: str) -> str:
    """A string in double quotes, as TOML and YAML both read it."""
    # JSON leaves DEL and what lies above ASCII as it is; both want some of that written out.
    return re.sub(r"[^ -~]", _written_out, json.dumps(text, ensure_ascii=False))


def _written_out(match: re.Match[str]) -> str:
    char = match[0]
    return (
        char
        if char.isprintable()
        else f"\\u{ord(char):04x}"
        if ord(char) < 0x10000
        else f"\\U{ord(char):08x}"
    )


def all_below(parts: Parts) -> str:
    """The pattern, as in .gitignore, of everything in a folder."""
    return exactly((*parts, "")).rstrip("/") + "/**"


def exactly(parts: Parts) -> str:
    """The pattern of just this file, from the folder in which the settings stand."""
    literal = "/".join(re.sub(r"([\\*?\[\]])", r"\\\1", part) for part in parts)
    plain = re.fullmatch(r"[^\W_][^\n]*/.*", literal)
    # Without a slash in it a pattern would hold for inner folders, too; and not everything may stand first.
    return literal if plain else "/" + literal


def _folders_of(files: Iterable[Parts]) -> list[str]:
    """The folders that hold these files, without those inside of others among them."""
    folders = sorted({parts[:-1] for parts in files})
    outer = [
        one for one in folders if not any(one != other and one[: len(other)] == other for other in folders)
    ]
    return ["/".join(one) or "." for one in outer]
