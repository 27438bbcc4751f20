"""Analyses beyond a check: the impact of banlist changes, formats that fit a deck, pages about rules."""

from importlib.util import find_spec

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def has_solver() -> bool:
    """Whether the solver is installed, without importing it."""
    return find_spec("ortools") is not None


def require_solver(path: str | None = None) -> None:
    """Raises UserError, about the list at `path` if there is one, if the solver can't be imported."""
    try:
        import deckcheck.analysis.constraints  # noqa: F401
    except ImportError as error:
        raise user_error(_("this needs a solver: pip install 'deckcheck[prove]'"), path=path) from error
