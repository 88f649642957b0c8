"""Where the claims of this paper are collected."""

from ...evidence import Claims

claims = Claims("composite")
