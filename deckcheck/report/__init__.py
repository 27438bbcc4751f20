"""What a check found, and how it is written down."""
