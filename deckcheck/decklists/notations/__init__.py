"""The notations of other tools: detecting, reading and writing them."""
