"""Formats: what stands in their files, and the rules that follow from it."""
