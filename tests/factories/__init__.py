"""What tests are made with: decks, formats, events, and ways to run the command line."""
