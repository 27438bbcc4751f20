"""Turns a folder with decks into a repository that is checked: settings, a hook, a workflow."""
