"""`deckcheck banlists`: which banlists there are, and up to which day each is known."""

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.formats.banlist_files import KnownList, known_list
from deckcheck.formats.lookup import known_banlists, own_path
from deckcheck.report.text import answer, write_problems
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import N_
from deckcheck.support.terminal import show

app = App()


@app.command(
    no_args_is_help=False,
    help=N_("List every banlist: ID, name, newest change, and the day through which it is complete."),
    epilog="deckcheck banlists",
)
def banlists(ctx: typer.Context, config: opt.Config = None) -> int:
    run: Run = ctx.obj
    folders = run.session(config).options.settings.folders
    lists: list[KnownList] = []
    problems: list[Problem] = []
    for id in known_banlists(folders):
        try:
            lists.append(known_list(id, folders))
        except UserError as error:
            problems += error.problems
    show(answer("banlists.txt", RenderOptions(run.lang), lists=lists, own_path=own_path))
    write_problems(problems, run.lang)
    return Status.ERROR if problems else Status.OK
