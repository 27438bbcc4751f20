"""`python -m deckcheck`"""

from deckcheck.cli.app import main

if __name__ == "__main__":
    main()
