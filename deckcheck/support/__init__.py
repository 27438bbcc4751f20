"""Used everywhere: messages, errors, files, safe text, YAML, JSON, hashes and the cache."""

VERSION = "0.1.0"
"""Defined here because reading package metadata takes longer than a check."""
