"""`deckcheck banlists`: which banlists there are, and up to which day each is known."""

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import Command
from deckcheck.cli.run import Run, Status
from deckcheck.formats.banlist_files import known_list
from deckcheck.formats.lookup import known_banlists, own_path
from deckcheck.report.screen import write_problems
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import columns, show

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    help=N_("List every banlist: ID, name, newest change, and the day through which it is complete."),
    epilog="deckcheck banlists",
)
def banlists(ctx: typer.Context, config: opt.Config = None, _lang: opt.Lang = None) -> int:
    run: Run = ctx.obj
    folders = run.project(config).options.folders
    rows: list[tuple[str, ...]] = []
    problems: list[Problem] = []
    for id in known_banlists(folders):
        try:
            known = known_list(id, folders)
        except UserError as error:
            problems += error.problems
            continue
        newest = _("newest change {day}", day=known.newest) if known.newest else _("no changes")
        through = known.complete_through
        complete = _("complete through {day}", day=through) if through else _("complete through: not stated")
        cells = (known.name.in_(run.lang), newest.in_(run.lang), complete.in_(run.lang))
        rows.append((known.id, *cells, own_path(known.file)))
    show("".join(f"{line}\n" for line in columns(rows)))
    write_problems(problems, run.lang)
    return Status.ERROR if problems else Status.OK
