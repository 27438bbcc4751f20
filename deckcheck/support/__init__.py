"""What every part of deckcheck uses: messages, files, safe text, YAML, JSON, the cache."""

VERSION = "0.1.0"
"""Kept here because asking the installer's records takes longer than a check."""
