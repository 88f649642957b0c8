"""The compiled loop in a browser gives the golden numbers."""

import base64

import numpy as np
import pytest

from banditlab import simulate
from banditlab.page import modules
from banditlab.page.arguments import list_leaves
from tests.browser.firefox import firefox
from tests.browser.lab import open_browser
from tests.engine.test_pairs import ELSEWHERE, KEPT, MATRICES, NAMED, blas, digest
from tests.papers import ALL, SOAK
from tests.toys import Expressions, Scripted

WORKER = (modules.HERE / "worker.js").read_text()
STEP = 1 if SOAK else 5 if ALL else 48  # building the module of one pair takes two seconds
RESHAPES = "Product-Ragged-1"  # it asks for a function in C that is ours here
LABELS = [label for number, label in enumerate(NAMED) if number % STEP == 0 or label == RESHAPES]
SEED = 7
PLAY = """async ([script, module, fields, rounds, seed]) => {
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const worker = new Worker(URL.createObjectURL(new Blob([script], {type: 'text/javascript'})));
  const laid = fields.map(([shape, text]) => ({shape, bytes: bytes(text)}));
  const checkpoints = Array.from({length: rounds}, (_, k) => k + 1);
  const runs = [];
  const error = await new Promise(resolve => {
    worker.onmessage = ({data}) => {
      runs.push(...data.found || []);
      if (data.done || data.error) resolve(data.error);
    };
    worker.onerror = event => resolve(event.message);
    WebAssembly.compile(bytes(module)).then(built => {
      worker.postMessage({modules: {one: built}});
      const curves = [{name: 'one', module: 'one', checkpoints, fields: laid}];
      worker.postMessage({job: 1, curves, seed, first: 0, step: 1, runs: 1});
    }, wrong => resolve(String(wrong)));
  });
  worker.terminate();
  return error || Array.from(runs[0].regret);
}"""


@pytest.fixture(scope="module")
def built():
    """The modules of all pairs that are played here, built side by side."""
    kinds = {label: modules.kind_of(*NAMED[label][:2]) for label in LABELS}
    found = modules.build_modules(kinds.values(), 2)
    return {label: found[kind] for label, kind in kinds.items()}


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def tab(request, tmp_path_factory):
    """An empty page of a browser."""
    if request.param == "Firefox":
        with firefox(tmp_path_factory.mktemp("firefox")) as page:
            yield page
        return
    with open_browser() as browser:
        yield browser.new_context(offline=True).new_page()


def played(tab, module, pair):
    """Regret round by round of a run, as the browser plays it."""
    environment, policy, horizon = pair
    fields = [[leaf.shape, base64.b64encode(leaf.data).decode()] for leaf in list_leaves((environment, policy))]
    found = tab.evaluate(PLAY, [WORKER, base64.b64encode(module).decode(), fields, horizon, SEED])
    assert isinstance(found, list), found
    return np.array(found, float)  # whole numbers would come back as such


@pytest.mark.skipif(ELSEWHERE, reason=f"the golden numbers were made with {KEPT['here']}")
@pytest.mark.parametrize("label", LABELS)
def test_the_browser_plays_the_golden_numbers(label, built, tab):
    if label.startswith(MATRICES) and KEPT["blas"] != blas():
        pytest.skip(f"its golden numbers were made with BLAS for {KEPT['blas']}, here it is for {blas()}")
    assert digest(played(tab, built[label], NAMED[label])) == KEPT["pairs"][label]


@pytest.mark.skipif(not SOAK, reason=f"the slowest module to build; {RESHAPES} asks for a function in C, too")
def test_the_browser_plays_array_expressions(tab):
    pair = Scripted(np.arange(900.0).reshape(300, 3) % 7), Expressions(3)
    kind = modules.kind_of(*pair)
    found = played(tab, modules.build_modules([kind])[kind], (*pair, 300))
    assert found.tolist() == simulate(*pair, 300, runs=1, seed=SEED, checkpoints=300).regret[0, 0].tolist()
