"""A look into runs: one run round by round (`trace`, `record_run`), many cells (`sweep`, and `Map`, a map of a paper as
data), and whether a policy of one's own is what the workbench takes it for (`check_policy`).

May import `engine`, `results`, `figures`, `classic` and what these may import.
"""
