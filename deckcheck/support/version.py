"""The version, readable without asking the installer's records, which costs more than a check."""

VERSION = "0.1.0"
