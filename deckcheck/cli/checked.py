"""`deckcheck check` from its options to its work: what the options, the environment and the settings say together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.batch import Request
from deckcheck.checking.walk import STANDARD_INPUT
from deckcheck.cli.check import NOT_CHECKED, run, show_files
from deckcheck.cli.guard import guarded
from deckcheck.cli.options import day, listed
from deckcheck.cli.project import language_of, project, wish_of
from deckcheck.cli.screen import Color
from deckcheck.config.settings import Settings
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.config.settings import Setting


class Asked(NamedTuple):
    """The options of `deckcheck check` as they were given; those left out are None, empty or False.

    `variables` names those that came from the environment.
    """

    paths: Sequence[str]
    format: str | None
    as_of: str | None
    best_of: int | None
    output_format: str | None
    output: str | None
    lang: str | None
    unknown: str | None
    color: Color
    cards: tuple[str, ...]
    exit_zero: bool
    config: str | None
    isolated: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    exclude: tuple[str, ...]
    force_exclude: bool
    stdin_name: str | None
    statistics: bool
    watch: bool
    fix: bool
    diff: bool
    show_settings: bool
    show_files: bool
    variables: tuple[str, ...] = ()
    notation: str | None = None


def start(asked: Asked) -> int:
    """Do what was asked and return the exit status. Raises UserError for options that make no sense."""
    asked = asked._replace(as_of=day(asked.as_of))
    _require_sense(asked)
    if not asked.watch:
        return _once(asked)
    from deckcheck.cli.watch import files_of, watch

    settings = _settings(asked)
    _require_watchable(asked, settings)
    return watch(
        lambda: guarded(lambda: _once(asked), asked.lang),
        lambda: files_of(asked.paths, asked.format, asked.cards, lambda: _settings(asked)),
        language_of(settings, asked.lang),
    )


def _require_sense(asked: Asked) -> None:
    """Raises UserError for two options of which one would do nothing; a variable gives way in silence."""
    form = asked.output_format if "output_format" not in asked.variables else None
    silent = "--show-settings" if asked.show_settings else "--show-files" if asked.show_files else None
    clashes = [
        ("--statistics", asked.statistics, "--output-format", form not in (None, "text")),
        ("--diff", asked.diff, "--output", asked.output is not None),
        ("--diff", asked.diff, "--statistics", asked.statistics),
        ("--diff", asked.diff, "--watch", asked.watch),
        (silent or "", silent is not None, "--fix", asked.fix),
        (silent or "", silent is not None, "--diff", asked.diff),
        (silent or "", silent is not None, "--watch", asked.watch),
        (silent or "", silent is not None, "--output", asked.output is not None),
        ("--show-settings", asked.show_settings, "--show-files", asked.show_files),
    ]
    for one, has_one, other, has_other in clashes:
        if has_one and has_other:
            raise wrong(_("{value} and {other} don't go together", value=one, other=other))


def _require_watchable(asked: Asked, settings: Settings) -> None:
    written = asked.output_format or settings.output_format or "text"
    if written != "text" or asked.output is not None:
        raise wrong(_("--watch goes with text on the screen only"))
    if STANDARD_INPUT in asked.paths:
        raise wrong(_("--watch can't be used with standard input"))


def _settings(asked: Asked) -> Settings:
    """The settings of the project with what the options add to them."""
    settings = project(asked.paths, config=asked.config, isolated=asked.isolated, stdin_name=asked.stdin_name)
    if asked.select or asked.ignore:
        from deckcheck.config.settings import with_rules

        settings = with_rules(settings, listed(asked.select), listed(asked.ignore), asked.format)
    if asked.exclude or asked.force_exclude:
        from deckcheck.config.settings import with_exclude

        settings = with_exclude(settings, asked.exclude, asked.force_exclude)
    return settings


def _once(asked: Asked) -> int:
    settings = _settings(asked)
    lang = language_of(settings, asked.lang)
    # From here on mistakes are told in the language of the settings.
    return guarded(lambda: _checked(asked, settings, lang), lang)


def _checked(asked: Asked, settings: Settings, lang: str) -> int:
    if asked.show_settings:
        from deckcheck.cli.effective import show_settings

        return show_settings(settings, _written(asked), lang)
    if asked.show_files:
        return show_files(asked.paths, settings, lang, asked.stdin_name)
    wish = wish_of(
        settings,
        format=asked.format,
        as_of=asked.as_of,
        best_of=asked.best_of,
        cards=asked.cards,
        stdin_name=asked.stdin_name,
        notation=asked.notation,
    )
    look = RenderOptions(lang, lenient=(asked.unknown or settings.unknown) == "warn")
    written = "statistics" if asked.statistics else asked.output_format or settings.output_format or "text"
    status = run(
        asked.paths,
        Request(wish, written, look),
        settings=settings,
        file=asked.output,
        color=asked.color,
        corrections="show" if asked.diff else "make" if asked.fix else None,
    )
    return 0 if asked.exit_zero and status != NOT_CHECKED else status


def _written(asked: Asked) -> "list[Setting]":
    """The options that say something which settings can say, too, with what they are called."""
    from deckcheck.config.settings import Setting

    names = ("format", "as_of", "best_of", "lang", "unknown", "output_format", "cards", "exclude")
    given: dict[str, object] = {name: getattr(asked, name) for name in names}
    given["force_exclude"] = asked.force_exclude or None
    given |= {name: listed(getattr(asked, name)) for name in ("select", "ignore")}
    written = []
    for name, value in given.items():
        if value not in (None, (), []):
            key = name.replace("_", "-")
            place = f"DECKCHECK_{name.upper()}" if name in asked.variables else f"--{key}"
            written.append(Setting((key,), list(value) if isinstance(value, tuple) else value, place))
    return written
