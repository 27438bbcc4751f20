"""The counting rules: compiled predicates and the one evaluator."""
