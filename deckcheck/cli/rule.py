"""`deckcheck rule`: what a rule means."""

import typer

from deckcheck.analysis.rule_pages import rule_text
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run
from deckcheck.report.text import render_options, write_problems
from deckcheck.support.messages import N_
from deckcheck.support.terminal import show

app = App()


@app.command(
    no_args_is_help=False,
    help=N_(
        "Explain a rule, with an example that breaks it and one that keeps it. Without an ID, list all rules."
    ),
    epilog="deckcheck rule copies\ndeckcheck rule --format original",
)
def rule(
    ctx: typer.Context,
    rule: opt.RuleName = None,
    format: opt.FormatChosen = None,
    config: opt.Config = None,
) -> None:
    run: Run = ctx.obj
    session = run.session(config)
    text, problems = rule_text(rule, format, session, render_options(run.lang))
    write_problems(problems, run.lang)
    show(text)
