"""Reports: notebooks run by papermill, each turned into one HTML file that needs no network, and an index of them all.

``python -m banditlab.report`` builds them, ``jupyter nbconvert --to banditlab executed.ipynb`` converts a notebook that
is already executed.
May import `explorer`, `page` and what these may import.
"""
