# Everything a newcomer needs. Each target makes .venv itself where it needs one.
PYTHON2 ?= python2.7
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export TF_CPP_MIN_LOG_LEVEL ?= 2

.PHONY: help demo test lint format examples docs pictures transcripts notebooks golden golden-python2 golden-recordings ledger names bench stress exhaustive package matrix mutants coverage clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# Made anew when setup.py changes. The stamp is written last, so an interrupted install is redone.
# pip would compile all modules, which takes longer than the rest; the import compiles what is used.
$(VENV)/.ready: setup.py
	@echo "make: creating $(VENV) and installing tfqueue with TensorFlow (about a minute, once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[test]'
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c 'import tfqueue.v1'
	@touch $@

demo: $(VENV)/.ready ## photographs and their masks to TFRecord and back: shapes printed, pictures in out/demo
	@echo "make: image and mask pairs to TFRecord and back through shuffle_batch"
	@$(BIN)/python examples/004_segmentation_pairs.py --out out/demo

# loadgroup: tests of one xdist_group run one after the other. Hundreds of processes import tfqueue,
# so its bytecode is kept, wherever it is not elsewhere.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.ready ## the tests, on up to 8 cores (SLOW=1: the slow ones too; ARGS="tests/records -x" selects)
	@echo "make: running $(if $(SLOW)$(ARGS),the tests,the tests but for the slow ones (SLOW=1: those too))"
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 8 --dist loadgroup \
	  -m "not exhaustive$(if $(SLOW)$(ARGS),, and not slow)" $(ARGS)

lint: $(VENV)/.ready ## ruff (rules and formatting), the layers of imports, the types, on three platforms
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports --no-cache && \
	$(BIN)/mypy --platform linux && $(BIN)/mypy --platform darwin && $(BIN)/mypy --platform win32

format: $(VENV)/.ready ## let ruff mend what it can
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

examples: $(VENV)/.ready ## every example, one after the other
	@set -e; for example in examples/[0-9]*.py; do \
	  echo "make: $$example"; $(BIN)/python $$example --out out/examples; done

docs: $(VENV)/.ready ## the documentation as HTML in out/docs; a warning is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "make: out/docs/index.html"

pictures: $(VENV)/.ready ## the pictures of pipelines, of the packages and of the bench (from docs/bench.json)
	@$(BIN)/tfqueue draw examples/003_digits.py --graph 2 -o docs/pictures/003_digits.svg 2>/dev/null
	@$(BIN)/python docs/house.py
	@$(BIN)/python docs/bench.py $(ARGS)

transcripts: $(VENV)/.ready ## docs/mistakes.md: run the twelve mistakes and write down what they print
	@$(BIN)/python examples/mistakes/transcripts.py

notebooks: $(VENV)/.ready ## run the notebooks for class, and keep their outputs
	@$(BIN)/python examples/notebooks/execute.py

golden: ## what TensorFlow 1.15.5 and 0.12.1 did, recorded anew (needs Python 3.7 and 2.7)
	@$(PYTHON) tests/golden/make.py

golden-recordings: ## what the original releases computed, recorded anew (needs Python 3.7, 3.6 and 2.7)
	@$(PYTHON) tests/recording/record_originals.py

ledger: $(VENV)/.ready ## the names and arguments of TensorFlow 0.12 to 1.15, recorded anew (needs Python 2.7, 3.6 and 3.7)
	@$(BIN)/python -m tests.ledger.make
	@$(BIN)/python -m tests.ledger.make_forms

names: $(VENV)/.ready ## docs/names.md: how many names and calls of each release work, counted from the ledger
	@$(BIN)/python -m tests.ledger.table $(ARGS)

golden-python2: ## what Python 2.7 printed, recorded anew: make golden-python2 PYTHON2=python2.7
	@$(PYTHON) tests/port/record_python2.py $(PYTHON2)

stress: $(VENV)/.ready ## the long random tests: 2,000 sessions with faults, 10,000 damaged files, 30 clusters, 2,000 pipelines (ARGS="--seed 1")
	@echo "make: sessions with random faults, damaged files, clusters, then random pipelines (an hour)"
	@$(BIN)/python -m tests.stress $(ARGS)

exhaustive: $(VENV)/.ready ## the tests of which CI runs a part, all of them (half an hour)
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 8 --dist loadgroup -m exhaustive $(ARGS)

mutants: $(VENV)/.ready ## changes of the code drawn at random: a test must fail with each (ARGS="--count 300 --seed 1 --only session")
	@$(BIN)/python -m tests.mutants $(ARGS)

coverage: $(VENV)/.ready ## how many lines some test runs, in percent for each folder (ARGS="tests/records" selects)
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n auto --maxprocesses 8 --dist loadgroup $(ARGS); status=$$?; \
	$(BIN)/coverage combine -q; \
	for folder in tfqueue/[!_]*/ tfqueue/_tensorflow/ 'tfqueue/*.py'; do \
	  echo "$$folder $$($(BIN)/coverage report --format=total --include="$${folder%/}$$(test -d "$$folder" && echo '/*')")"; \
	done; exit $$status

bench: $(VENV)/.ready ## how fast, next to its peers: table, JSON and chart in out/bench (half an hour; ARGS=--quick, ARGS='--only threads')
	@echo "make: measuring, each contestant in a process of its own"
	@$(BIN)/python tests/benchmarks/bench.py $(ARGS)

package: $(VENV)/.ready ## sdist and wheel in dist/, checked, and the wheel tried alone in a new environment
	@rm -rf dist build
	@$(BIN)/python -m build --outdir dist . >/dev/null
	@$(BIN)/twine check --strict dist/*
	@$(BIN)/python tests/matrix.py wheel/$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')

matrix: package ## the wheel, and all tests, on the oldest and newest TensorFlow and Python (ARGS="2.21.0/3.13" selects)
	@$(PYTHON) tests/matrix.py $(ARGS)

clean: ## remove .venv and everything that was made
	rm -rf $(VENV) out build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .golden .matrix
