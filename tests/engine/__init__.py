"""A small made-up game, and a naive second opinion on what its rules mean."""
