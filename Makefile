# Everything runs in .venv, made from the pinned versions in constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready

.PHONY: demo playground test check bench sizing bench-security eval serve setup docs pictures gallery card-gallery clean
.DEFAULT_GOAL := help

help: ## Show what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

setup: $(STAMP) ## Make .venv with everything the demo and the tests need

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)

demo: setup ## Start everything embedded, hold one conversation, then chat
	$(BIN)/countersign demo run

playground: setup ## Serve the demo on this machine to Microsoft's Agents Playground, as a local Teams
	$(BIN)/countersign demo playground

check: setup ## Lint, types and import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

test: check ## Lint, types, import rules and the whole test suite
	$(BIN)/pytest -n 4 --dist loadfile

bench: setup ## The performance suite: prints a table and writes out/bench.json
	$(BIN)/python -m tests.bench

sizing: setup ## What one serve and one worker need, held over 200 real conversations
	$(BIN)/python -m tests.bench.sizing

bench-security: setup ## Many thousands of random statements under row rules on every engine: no leak, or exit 1
	$(BIN)/python -m tests.security.row_rules

chaos: setup ## Two serve and two worker processes under kills, restarts and doubled deliveries: SEEDS="1 2" CONVERSATIONS=200
	$(BIN)/python -m tests.chaos $(SEEDS) --conversations $(or $(CONVERSATIONS),200)

eval: setup ## Answer quality on the development question sets; writes out/eval.json
	$(BIN)/countersign demo up --end-date 2026-10-31 --seed 7 --folder .countersign/eval > /dev/null
	DATA_DIR=.countersign/eval $(BIN)/countersign eval tests/cases/evals/*.jsonl --planner rules --json out/eval.json
	$(BIN)/countersign demo down --folder .countersign/eval

serve: setup ## The HTTP app and a worker in one process, configured by the environment
	$(BIN)/countersign all-in-one

gallery: setup ## Draw every kind of chart over hard data into out/gallery
	$(BIN)/python -m tests.gallery

card-gallery: setup ## Draw every card as Slack and Teams draw it, into docs/pictures/cards; needs Node 20, npm and Chromium
	$(BIN)/python -m tests.card_gallery

docs: setup ## Write the made sections of the documentation again
	$(BIN)/python -m tests.documents

pictures: setup ## Draw the pictures of the documentation from a real conversation
	$(BIN)/python -m tests.pictures

clean: ## Stop the embedded services and remove what was made
	-$(BIN)/countersign demo down
	rm -rf .countersign out .mypy_cache .ruff_cache .pytest_cache .hypothesis
