"""Compiled helpers that policies share: the most optimistic arm, arrays that grow, order statistics.

May import `engine.methods`, which makes a function callable from compiled code.
"""
