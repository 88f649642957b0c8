"""Wrong arguments: each row is a call, the kind of its error, and the words that the error must hold.

`test_bad_input` puts every kind of bad value into every parameter of all that is public; here stands what the message
says, and what is wrong only together. Words are found in the message as they are, or as a pattern.
"""

import re

import pytest

from tests.wrong import censored, checks, composite, factored, uplifting, workbench

ROWS = [
    *checks.rows_of_validate(), *checks.rows_of_simulate(), *checks.rows_of_entries(), *checks.rows_of_results(),
    *workbench.rows_of_evidence(), *workbench.rows_of_explorer(), *factored.rows_of_classic(),
    *factored.rows_of_factored(), *uplifting.rows_of_uplifting(), *censored.rows_of_censored(),
    *composite.rows_of_composite(),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "words"), ROWS, ids=[words[:60] for _, _, words in ROWS])
def test_wrong_arguments_are_refused(call, error, words):
    with pytest.raises(error) as caught:
        call()
    said = str(caught.value)
    assert words in said or re.search(words, said), said
