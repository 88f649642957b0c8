"""Plays: what compiles, the only loop, whoever plays it, tasks and workers, and `simulate`.

An environment and a policy are compiled by their methods (`methods`, `compiling`), played by a `player` that asks once
whose code they are, run after run (`loop`), in tasks on threads or workers (`scheduler`, `workers`).
May import `user_code`, `results`, `evidence`, `validate` and `io`.
"""
