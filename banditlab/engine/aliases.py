"""Types that several signatures name."""
