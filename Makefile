# Every target sets up what it needs, on a machine that has Go, Node with npm, and make (and bash, as on any Unix or
# with Git for Windows). Nothing is installed outside this folder, but for what tools/need is
# asked for where it is missing: shells and sqlite3 in `make go-test`, tmux and Chromium in `make e2e`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The Go of this machine or none: no other toolchain is downloaded.
export GOTOOLCHAIN := local

# Go and npm want a home for their caches.
ifeq ($(HOME),)
export HOME := $(CURDIR)/.home
endif

EXE := $(shell go env GOEXE)
PIGATE := bin/pigate$(EXE)
NODE := node_modules/node/bin/node$(EXE)
NODE_READY := node_modules/.ready
TOOL := go tool -modfile=tools/go.mod
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Runs a command, and shows what it printed only if it fails.
QUIETLY := tools/quietly

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | while IFS=$$'\t' read -r name what; do printf '%-15s %s\n' "$$name" "$$what"; done

# Fetched by themselves, so that the go commands below have nothing to say about it.
.PHONY: modules
modules:
	@$(QUIETLY) go mod download
	@$(QUIETLY) go -C tools mod download

.PHONY: build
build: modules ## build bin/pigate for this machine
	@CGO_ENABLED=0 go build -trimpath -o $(PIGATE) ./cmd/pigate

.PHONY: cross
cross: modules ## build for every supported system
	@set -e; for platform in $(PLATFORMS); do \
	  export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
	  out=bin/$$GOOS-$$GOARCH/pigate$$(go env GOEXE); \
	  CGO_ENABLED=0 go build -trimpath -o $$out ./cmd/pigate; \
	  echo $$out; \
	done

.PHONY: demo
demo: build $(NODE_READY) ## show the gate at work in the real Pi, offline
	@$(NODE) e2e/demo.mjs

.PHONY: test
test: lint go-test ext-test e2e ## run every check
	@echo 'make test: everything passed'

.PHONY: lint
lint: modules ## formatting, vet and the linters of tools/go.mod
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './node_modules/*')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" $$unformatted; exit 1; fi
	@go vet ./...
	@$(TOOL) staticcheck ./...
	@$(TOOL) errcheck -ignoretests -exclude tools/errcheck-excludes.txt ./...
	@$(TOOL) go-errorlint ./...
	@$(TOOL) exhaustive -d -typeignore '^mvdan\.cc/' ./...
	@cmp "$$($(GITLEAKS))/config/gitleaks.toml" $(LEAK_RULES)/gitleaks.toml || { echo 'the rules for secrets are not those of tools/go.mod: make refresh-secrets'; exit 1; }
	@echo 'lint: clean'

.PHONY: go-test
go-test: modules ## run the Go tests
	@tools/need sqlite3
	@tools/need dash
	@tools/need busybox
	@echo 'Go tests:'
	@$(TOOL) gotestsum --format none -- -timeout 40m ./...

# How long fresh command lines are judged. What is found is appended, shrunk, to
# internal/gate/shell/testdata/disagreements.jsonl, whose lines every test run decides again. PIGATE_JUDGE_SEED and
# PIGATE_JUDGE_COUNT in the environment choose other lines, or more of them, here and in `make go-test` (CONTRIBUTING.md).
FUZZ_TIME ?= 10m

.PHONY: fuzz
fuzz: modules ## let real shells judge fresh command lines, for FUZZ_TIME (10m)
	@tools/need dash
	@tools/need busybox
	@PIGATE_JUDGE_TIME=$(FUZZ_TIME) go test ./internal/gate/shell -run '^TestShellsRunNoMarker$$' -count 1 -timeout 0 -v

.PHONY: ext-test
ext-test: $(NODE_READY) ## check the types of the extension and run its tests
	@$(NODE) node_modules/typescript/bin/tsc --project tsconfig.json
	@echo 'extension tests:'
	@tools/nodetest $(NODE) extension/test/*.test.ts

.PHONY: e2e
e2e: build $(NODE_READY) tmux chromium ## run the end-to-end tests in the real Pi
	@echo 'end-to-end tests:'
	@tools/nodetest $(NODE) --test-concurrency=2 e2e/*.test.mjs

# Where the module lies whose rules for secrets are built in.
GITLEAKS := go -C tools list -m -f '{{.Dir}}' github.com/zricethezav/gitleaks/v8
LEAK_RULES := internal/audit/redact/gitleaks

.PHONY: refresh-secrets
refresh-secrets: modules ## copy the rules for secrets from the gitleaks of tools/go.mod
	@dir=$$($(GITLEAKS)); install -m 644 "$$dir/config/gitleaks.toml" "$$dir/LICENSE" $(LEAK_RULES)

.PHONY: screenshot
screenshot: build $(NODE_READY) chromium ## draw docs/report.png anew
	@$(NODE) e2e/screenshot.mjs

.PHONY: bench
bench: build $(NODE_READY) ## measure
	@go test -run '^$$' -bench . -benchmem ./... | grep -vE '^(\?|PASS|goos|goarch|cpu)'
	@$(NODE) e2e/bench/bench.mjs
	@$(MAKE) --no-print-directory bench-verdicts
	@$(MAKE) --no-print-directory bench-queries

# The commit with which verdicts are compared: the last one before lines were held to a positive subset.
BENCH_BASE ?= d94cd1f

.PHONY: bench-verdicts
bench-verdicts: modules ## measure verdicts beside those of an earlier commit
	@go run ./e2e/bench/verdicts -base $(BENCH_BASE)

# How many entries the journal has that is asked, in millions; it is kept in bin/. BENCH_MILLIONS=5 takes some minutes.
BENCH_MILLIONS ?= 1
BIG_JOURNAL := bin/bench-$(BENCH_MILLIONS)m/journal.db

.PHONY: bench-queries
bench-queries: build $(BIG_JOURNAL) ## measure what a big journal is asked
	@tools/need sqlite3
	@go run ./e2e/bench/queries -pigate $(PIGATE) -journal $(BIG_JOURNAL)

$(BIG_JOURNAL):
	@rm -rf $(@D) $(@D).new && mkdir -p $(@D).new && go run ./e2e/bench/bigjournal -n $(BENCH_MILLIONS)000000 -o $(@D).new/journal.db && mv $(@D).new $(@D)

.PHONY: clean
clean: ## remove what was built and installed here
	@rm -rf bin node_modules .home

.PHONY: tmux
tmux:
	@tools/need tmux

.PHONY: chromium
chromium:
	@tools/need chromium

# Install scripts are off but for the one that puts Node's binary in its place.
$(NODE_READY): package.json package-lock.json .npmrc
	@$(QUIETLY) npm ci --ignore-scripts
	@$(QUIETLY) npm rebuild node
	@touch $@
