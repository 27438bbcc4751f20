"""Cases: decks beside a format that show what each of its rules says, and the runner that tries them."""
