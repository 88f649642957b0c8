"""A paper of one's own: ``python -m banditlab.new NAME`` writes a module and a notebook to start from.

May import `io`.
"""
