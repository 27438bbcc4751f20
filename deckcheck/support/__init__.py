"""What every part of deckcheck uses: messages, files, safe text, YAML, the cache."""
