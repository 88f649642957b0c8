# GNU make 3.81 or newer, Python's own venv and pip, nothing else. `make` alone lists the targets.

PYTHON ?= python3
SCALE ?= quick
BIN = .venv/bin
FUZZ ?= 100000
SOAKED = tests/engine/test_checked_arithmetic.py tests/engine/test_pairs.py tests/test_fuzz.py tests/engine/test_cluster.py tests/engine/test_kernel.py tests/results/test_result_cache.py tests/results/test_result.py \
	tests/report/test_report_run.py tests/engine/test_simulation.py tests/user_code/test_readers_code.py tests/page/test_mathematics.py \
	tests/composite/test_refined.py tests/analysis/test_conformance.py tests/analysis/test_strangers.py tests/test_notebooks.py tests/user_code/test_spaces.py tests/page/test_page_tables.py \
	tests/censored/test_worth_of_sharing.py tests/uplifting/test_baseline.py tests/uplifting/test_policies.py \
	tests/browser/test_report_safe.py tests/browser/test_report_offline.py \
	tests/browser/test_papers_lab.py tests/browser/test_page_plays.py tests/browser/test_reports_play.py tests/browser/test_ledger_plays.py

.PHONY: help setup lab warm test reports report bench bench-peers bench-growth check docs gallery screens clean fuzz soak coverage golden

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: .venv/.done  ## make .venv and install everything into it (PYTHON=python3.12 picks another Python)

.venv/.done: pyproject.toml constraints.txt
	@command -v "$(PYTHON)" > /dev/null || { \
	  echo "$(PYTHON) was not found: install Python 3.11 to 3.13, or name one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
	  echo "$(PYTHON) is `$(PYTHON) -V 2>&1`: banditlab needs Python 3.11 to 3.13; name one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null || { \
	  echo "$(PYTHON) has no venv module: apt install python3-venv (or the python3.x-venv of your Python)" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[test]'
	@touch $@

lab: setup  ## open JupyterLab on the notebooks (ARGS="--no-browser --port 9999")
	$(BIN)/jupyter lab notebooks/factored.ipynb $(ARGS)

warm: setup  ## compile the kernels of all four notebooks, so that nothing waits for them later
	$(BIN)/python -m banditlab.explorer.precompile

test: setup  ## run the suite, and name its slowest tests (PAPERS=all opens all notebooks; ARGS="-k factored" a part; after make clean PYTHON=python3.13 another Python)
	$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --durations=20 $(ARGS)

reports: setup  ## build all reports and their index (SCALE=paper for the papers' own sizes)
	$(BIN)/python -m banditlab.report --scale $(SCALE)

report: setup  ## build one report: make report NB=factored P="-p d 20 -p gap 0.9" SCALE=paper
	@test -n "$(NB)" || { echo "which notebook? make report NB=factored" >&2; exit 1; }
	$(BIN)/python -m banditlab.report --scale $(SCALE) $(NB) $(P)

bench: setup  ## measure speed, as ratios (ARGS=--paper also at paper size)
	$(BIN)/python -m tests.bench.bench $(ARGS)

bench-peers: .venv/.docs  ## the same beside other libraries of bandits, each in an environment of its own in .peers
	$(BIN)/python -m tests.bench.peers

bench-growth: .venv/.docs  ## draw how time and memory grow with every size
	$(BIN)/python -m tests.bench.growth

check: setup  ## what the commit hooks check, and the tests of notebooks, documents and environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy tests/typed.py
	$(BIN)/nbstripout --verify --keep-id notebooks/*.ipynb
	$(BIN)/python -m pytest -q tests/test_notebooks_hygiene.py tests/test_environment.py tests/test_docs.py

fuzz: setup  ## play random instances of everything (FUZZ=5000 fewer of them)
	FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n auto tests/test_fuzz.py $(ARGS)

soak: setup  ## the large matrices: same bits everywhere, fuzz, kills, forged and damaged files, injections; some minutes
	SOAK=1 FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n auto --dist loadfile $(SOAKED) $(ARGS)
	@test -n "$(ARGS)" || SOAK=1 NUMBA_BOUNDSCHECK=1 BANDITLAB_LEND=0 $(BIN)/python -m pytest -q -n auto tests/engine/test_pairs.py

coverage: .venv/.dev  ## which lines of the package the suite runs, compiled code interpreted; no browser, no fuzz
	$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --cov --cov-report=term:skip-covered \
	  --ignore=tests/browser --ignore=tests/test_fuzz.py $(ARGS)

golden: setup  ## accept the numbers of tests/pairs.py as they are now (a commit of its own says why they changed)
	$(BIN)/python -m tests.engine.test_pairs
	@git --no-pager diff --stat -- tests/golden.json

docs: .venv/.docs  ## build the documentation site into docs/_build/html (ARGS=-E from scratch)
	$(BIN)/sphinx-build -q -W --keep-going -b html $(ARGS) docs docs/_build/html
	@echo "open docs/_build/html/index.html"

gallery: .venv/.docs  ## draw the pictures of the documentation's gallery anew: runs the notebooks
	$(BIN)/python docs/gallery.py

screens: .venv/.docs  ## take the documentation's screenshots of notebooks and built reports anew
	PYTHONPATH=. $(BIN)/python docs/screens.py reports

.venv/.docs: .venv/.done
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[docs,picture]'
	@touch $@

.venv/.dev: .venv/.done
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[dev]'
	@touch $@

clean:  ## remove .venv and all caches; reports stay
	rm -rf .venv .coverage* .pytest_cache .ruff_cache .mypy_cache .hypothesis docs/_build
	find . -name __pycache__ -prune -exec rm -rf {} +
