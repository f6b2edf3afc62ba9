# `make` builds and runs the quick tests, `make ci` is what CI runs, `make help` lists the rest.

BINARY  := bin/mortise
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X main.version=$(VERSION)

# The linter is pinned by tools/go.mod, built from the Go module proxy and kept by version.
LINT_VERSION := $(shell sed -n 's|.*golangci/golangci-lint/v2 \(v[^ ]*\).*|\1|p' tools/go.mod)
LINT         := .cache/golangci-lint-$(LINT_VERSION)

# The native solver's libraries, kept by version and platform.
ORTOOLS  := $(shell sed -n 's|^ortools==\([^ ]*\).*|\1|p' tools/native/requirements.txt)
PLATFORM := $(shell go env GOOS)/$(shell go env GOARCH)
NATIVE   := .cache/ortools-$(ORTOOLS)-$(subst /,_,$(PLATFORM))

# The race detector needs a C compiler, which is no prerequisite.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

.PHONY: all
all: build quick

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: native
native: ## fetch the native solver's libraries; without them the built-in engine works
	@python3 tools/native/fetch.py $(NATIVE) $(PLATFORM) || echo 'native solver libraries: not fetched (no python3); the built-in engine will be used'

.PHONY: build
build: native ## build bin/mortise
	go build -trimpath -ldflags '$(LDFLAGS)' -o $(BINARY) ./cmd/mortise

.PHONY: demo
demo: build ## plan the built-in example cluster, printed for people
	$(BINARY) plan --demo

.PHONY: quick
quick: native ## the quick tests
	go test -short ./...

.PHONY: test
test: vet unit race scenarios cross ## run everything: vet, all tests, scenarios, cross-builds

.PHONY: vet
vet:
	go vet ./...

.PHONY: unit
unit: native
	go test ./...

.PHONY: race
race: native # the pure packages, where a data race would be: cheap, because they need no Kubernetes
	go test $(RACE) -short ./model ./solver/...

.PHONY: scenarios
scenarios: build ## judge the plans of an outside scenario suite, if MORTISE_SCENARIOS names its folder
ifdef MORTISE_SCENARIOS
	python3 test/scenarios/run_suite.py --suite '$(MORTISE_SCENARIOS)' --binary $(BINARY) --expected test/scenarios/expected.txt
else
	@echo 'scenarios: MORTISE_SCENARIOS names no suite, skipped; the translated cases ran as tests'
endif

.PHONY: cross
cross: ## build for every platform, vet the command for macOS
	GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build ./...
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet ./cmd/...

.PHONY: lint
lint: $(LINT) ## run the linters
	$(LINT) run ./...

.PHONY: fmt
fmt: $(LINT) ## format the code
	$(LINT) fmt ./...

$(LINT): tools/go.mod tools/go.sum
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: ci
ci: lint test ## what CI runs

.PHONY: golden
golden: ## rewrite the golden files; look at the diff before you commit it
	@for pkg in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u); do go test $$pkg -update; done

.PHONY: fuzz
fuzz: ## fuzz each reader for FUZZTIME (default 30s)
	@grep -rno --include='*_test.go' 'func Fuzz[A-Za-z0-9_]*' . | sed 's|^\(.*\)/[^/]*:[0-9]*:func \(.*\)|\1 \2|' | \
	while read -r pkg name; do go test "$$pkg" -run '^$$' -fuzz "^$$name\$$" -fuzztime $(or $(FUZZTIME),30s) || exit 1; done

.PHONY: soak-kill
soak-kill: ## kill a thousand solver processes at random moments; cancel within 200 ms (a quiet machine)
	MORTISE_SOAK_KILLS=1000 go test ./solver/isolate -run 'Random|Soak' -v -timeout 30m

.PHONY: bench
bench: ## the Go benchmarks, in process
	go test ./... -run '^$$' -bench . -benchtime 1x

.PHONY: bench-plan
bench-plan: build ## measure cost, gap, time and memory of the large plans into benchmarks/results
	go run ./benchmarks/measure plan -binary $(BINARY) -commit $(VERSION) -out benchmarks/results

.PHONY: bench-solve
bench-solve: native ## solve every large instance, or those that ONLY names by commas
	go run ./benchmarks/measure solve -only '$(ONLY)'

.PHONY: bench-vbp
bench-vbp: native ## solve the published packings of MORTISE_DATA, WORK seconds each at most, or one in EVERY
	go run ./benchmarks/measure vbp -work $(or $(WORK),60) -every $(or $(EVERY),1)

.PHONY: bench-random
bench-random: native ## have every engine solve 5,000 random problems
	go run ./benchmarks/measure random

.PHONY: agree
agree: native ## ask engines and exhaustion for the best of SEEDS (default 5000) random problems: they have to agree
	MORTISE_SEEDS=$(or $(SEEDS),5000) go test -count=1 -timeout 60m ./solver/cpsat -run Agrees -v

.PHONY: clean
clean: ## remove what was built
	rm -rf bin .cache
