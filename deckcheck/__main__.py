"""`python -m deckcheck`, and the command `deckcheck`."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        # Loading it takes long enough to be interrupted.
        from deckcheck.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
