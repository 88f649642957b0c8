"""Types that several signatures name."""

from collections.abc import Callable, Mapping, Sequence

Policies = Mapping[str, tuple] | Sequence[tuple[str, tuple]] | tuple  # by name, or a policy alone
Progress = Callable[[float], object]  # is told the share of the work that is done
