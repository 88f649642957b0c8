"""Which results somebody used: what a claim rests on, with its runs, rounds and seconds, is told by the run itself."""

import contextlib

watchers = []


class Used(dict):
    """Results by their identity; those that another one was put together from are in it twice."""

    def __init__(self):
        super().__init__()
        self.held = set()


@contextlib.contextmanager
def watch():
    """Collect the results that are made, read or taken from memory meanwhile, each once."""
    used = Used()
    watchers.append(used)
    try:
        yield used
    finally:
        watchers[:] = [other for other in watchers if other is not used]  # two that saw the same are equal


def saw(found):
    """Tell the watchers of a result, or of those in a tuple, list or dict."""
    if not watchers:
        return
    if hasattr(found, "origin") and hasattr(found, "regret"):
        for used in watchers:
            used[id(found)] = found
    elif isinstance(found, dict):
        for part in found.values():
            saw(part)
    elif isinstance(found, tuple | list):
        for part in found:
            saw(part)


def held(parts):
    """Tell the watchers that a result was put together from these: its seconds are theirs."""
    for used in watchers:
        used.held.update(id(part) for part in parts if id(part) in used)


def sizes(used):
    """Runs and rounds of these results in words, and the CPU seconds that computing them took, whenever that was.

    Parameters
    ----------
    used : Used, as `watch` collects them

    Returns
    -------
    words : str
        "20 to 500 runs of 10,000 rounds"; empty where there is no result.
    seconds : float
    """
    results = used.values()
    if not used:
        return "", 0.0
    runs = span(result.regret.shape[1] for result in results)
    seconds = sum(result.origin["seconds"] for key, result in used.items() if key not in used.held)
    rounds = span(int(result.checkpoints[-1]) for result in results)
    return f"{runs} runs of {rounds} rounds", round(seconds, 3)


def span(numbers):
    """Least and largest of some numbers, in words."""
    numbers = sorted(set(numbers))
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
