"""The notations of other tools, a module each: whether a text is written in it, what stands in it, and how to write it."""
