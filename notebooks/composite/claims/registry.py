"""Where the claims of this paper are collected."""

from pathlib import Path

from banditlab.evidence import Claims

claims = Claims("composite", Path(__file__).parents[3] / "reports")
