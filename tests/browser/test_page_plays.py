"""The compiled loop in a browser gives the golden numbers."""

import base64
import math
from typing import NamedTuple

import numpy as np
import pytest

from banditlab import simulate
from banditlab.engine.methods import helper
from banditlab.page import modules
from banditlab.page.arguments import list_leaves
from banditlab.page.link import FUNCTIONS
from banditlab.page.mathematics import bits_of
from tests.browser.firefox import firefox
from tests.browser.lab import open_browser
from tests.engine.test_pairs import ELSEWHERE, KEPT, MATRICES, NAMED, blas, digest
from tests.papers import ALL, SOAK
from tests.toys import Expressions, Fixed, Scripted

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


ORDER = ("sin", "cos", "tan", "erf", "exp", "expm1", "log", "log2", "log1p", "pow", "exp2")


@helper
def value_of(which, x):
    """The value of one of the functions, in this order."""
    if which < 4:
        return math.sin(x) if which == 0 else math.cos(x) if which == 1 else math.tan(x) if which == 2 else math.erf(x)
    if which < 7:
        return math.exp(x) if which == 4 else math.expm1(x) if which == 5 else math.log(x)
    if which < 9:
        return math.log2(x) if which == 7 else math.log1p(x)
    return math.pow(x, 1.7) if which == 9 else math.exp2(x)


class Values(NamedTuple):
    """Regret that tells values of functions, half of a number's bits in each round."""

    x: np.ndarray  # (functions, arguments)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 0.0

    def regret(self, world, action, t):
        k = t // 2
        which, place = k // self.x.shape[1], k % self.x.shape[1]
        bits = bits_of(value_of(which, self.x[which, place]))
        return 1.0 * (bits >> 32 if t % 2 else bits & 0xFFFFFFFF)


@pytest.mark.skipif(not ALL, reason="a module of its own to build")
def test_the_browser_computes_the_bits_of_our_mathematics(tab):
    rng = np.random.default_rng(0)
    x = np.exp(rng.uniform(-20, 6, (len(ORDER), 1000)))
    x[:3, ::2] = np.exp(rng.uniform(6, 700, (3, 500))) * rng.choice([-1, 1], (3, 500))
    pair = Values(x), Fixed(0, 0)
    kind = modules.kind_of(*pair)
    module = modules.build_modules([kind])[kind]
    halves = np.diff(played(tab, module, (*pair, 2 * x.size)), prepend=0.0).astype(np.int64)
    found = (halves[1::2] * 2**32 + halves[::2]).view(np.float64).reshape(x.shape)
    assert sorted(ORDER) == sorted(FUNCTIONS)
    for name, row, values in zip(ORDER, x, found, strict=True):
        assert values.tolist() == [FUNCTIONS[name](one, *[1.7] * (name == "pow")) for one in row]
