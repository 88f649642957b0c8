"""Where the claims of this paper are collected."""

from banditlab.evidence import Claims

claims = Claims("composite")
