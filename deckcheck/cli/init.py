"""`deckcheck init`: a folder with decks becomes a repository that is checked."""

import shlex
from pathlib import Path

from deckcheck.checking.walk import DeckFile, find_decks
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.terminal import show, show_lines, tell_first_time
from deckcheck.scaffold.setup import Pipeline, set_up
from deckcheck.scaffold.survey import survey
from deckcheck.support import VERSION
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


@command(
    _(
        "Set up checking for a folder of decks: settings, a pre-commit hook and a CI workflow. Existing files are "
        "kept."
    )
)
def init(
    run: Run,
    folder: str = opt.argument(
        _("Folder (default: the working directory)."), "[FOLDER]", default=".", show_default=False
    ),
    format: str | None = opt.option(
        _("Format of decks that do not name one themselves."), "ID|FILE", "--format", "-f"
    ),
    pre_commit: bool = opt.flag("--pre-commit/--no-pre-commit", _("Write a pre-commit hook."), default=True),
    github: bool = opt.flag("--github/--no-github", _("Write a GitHub workflow."), default=True),
    gitlab: bool = opt.flag("--gitlab/--no-gitlab", _("Write a GitLab pipeline.")),
    requirement: str = opt.option(
        _("What pip installs in the hook and in CI (default: this version of deckcheck)."),
        "SPEC",
        default=f"deckcheck=={VERSION}",
        show_default=False,
    ),
) -> int:
    if not Path(folder).is_dir():
        raise user_error(_("no such folder"), path=folder)
    tell_first_time(run.lang)
    others: list[str] = []
    lists = [found for found in find_decks([folder], others) if isinstance(found, DeckFile)]
    wanted: dict[Pipeline, bool] = {"pre_commit": pre_commit, "github": github, "gitlab": gitlab}
    pipelines = [kind for kind, is_wanted in wanted.items() if is_wanted]
    found = survey(Path(folder), lists, others)
    wrote = False
    for step in set_up(Path(folder), found, requirement, format, pipelines, run.lang):
        wrote = wrote or step.written
        state = _("written") if step.written else _("kept")
        notes = (f"  {note}" for note in step.notes)
        show_lines([f"{step.path}: {state.in_(run.lang)}", *notes], run.lang)
        if step.add is not None:
            show(step.add)
    following = _("next: deckcheck check {folder}", folder=shlex.quote(folder))
    show_lines([following if wrote else _("nothing to write")], run.lang)
    return 0
