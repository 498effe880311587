# Ictus: `make demo` shows an impact, `make test` runs everything a change must pass. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: help setup setup-test build demo test test-device release-build sanitized lint fuzz test-long bench validate race growth accuracy packages container docs gallery format clean

CASE ?= bars/cradle
OUT ?= out/demo
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= -1
export FUZZ_SECONDS FUZZ_RUNS
export NINJA_STATUS := [%f/%t %es] 
export CTEST_PARALLEL_LEVEL := $(JOBS)

ICTUS := build/release/bin/ictus
say = @printf '\n== %s\n'

help:            ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup:
	$(say) 'Packages for building'
	@scripts/setup build

setup-test:
	$(say) 'Packages for building and testing'
	@scripts/setup test

build: setup     ## the program, build/release/bin/ictus
	$(say) 'Building $(ICTUS)'
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target ictus_program --parallel $(JOBS)

demo: build      ## build what is missing, run an impact, say where its report is
	$(say) 'Running the impact $(CASE)'
	@$(ICTUS) run $(CASE) --out $(OUT) --force
	$(say) 'Done. Open the report in a browser:'
	@echo 'file://$(abspath $(OUT))/report.html'

test: release-build  ## the whole suite, less the tests that take long
	$(say) 'Running the suite'
	@ctest --preset release

release-build: setup-test
	$(say) 'Building everything, optimised, warnings as errors'
	@cmake --preset release -DICTUS_BUILD_BENCH=ON -DICTUS_BUILD_PYTHON=ON >/dev/null
	@cmake --build --preset release --parallel $(JOBS)

sanitized: setup-test  ## the unit and conformance tests with sanitizers
	$(say) 'Building the unit and conformance tests with sanitizers'
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev --parallel $(JOBS)
	$(say) 'Running them'
	@ctest --preset dev

lint: setup-test  ## compile each public header by itself, read the sources with clang-tidy
	$(say) 'Compiling each public header by itself'
	@cmake --preset lint >/dev/null
	@cmake --build build/lint --target all_verify_interface_header_sets --parallel $(JOBS)
	$(say) 'Reading the sources with clang-tidy'
	@tools/run_clang_tidy.py --build build/lint --jobs $(JOBS)

test-long: release-build sanitized  ## the tests that take long, and the unit tests with sanitizers
	$(say) 'Running the tests that take long'
	@ctest --preset long

test-device: setup-test  ## the tests that need an NVIDIA GPU, with CUDA's toolkit
	$(say) 'Building the tests of the GPU'
	@cmake --preset release -DICTUS_CUDA=ON >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target test_device
	$(say) 'Running them'
	@ctest --preset device

fuzz:            ## look for input that breaks a reader: FUZZ_SECONDS for each, or FUZZ_RUNS
	$(say) 'Packages for fuzzing'
	@scripts/setup fuzz
	$(say) 'Building the fuzzers'
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz --parallel $(JOBS)
	$(say) 'Fuzzing'
	@scripts/fuzz

bench: release-build  ## what this machine can do, and what our kernels make of it
	$(say) 'Measuring'
	@scripts/bench

validate: build  ## published numbers beside our own: runs/validation/validation.html
	$(say) 'Running the published benchmarks'
	@$(ICTUS) validate --out runs/validation --jobs $(JOBS)

race:            ## the same problems in other programs and here, one page: runs/race/race.html
	$(say) 'Packages of the other programs; those that cannot be had are left out'
	@scripts/setup race || scripts/setup build
	$(say) 'Building'
	@cmake --preset release -DICTUS_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --target ictus_program --parallel $(JOBS)
	@cmake --build --preset release --target race_settling --parallel $(JOBS) || echo 'race_settling is left out'
	$(say) 'Racing'
	@bench/race/race.py --out runs/race

growth: release-build  ## cost, memory and output from 10³ to 10⁷: runs/growth/growth.html
	$(say) 'Measuring growth'
	@bench/growth.py --out runs/growth

accuracy: build  ## error against time for every integrator and other programs: runs/accuracy/accuracy.html
	$(say) 'Measuring accuracy per cost'
	@bench/accuracy.py --out runs/accuracy

packages:        ## a wheel and Debian packages, in dist/; PACKAGE_ARCH for other processors than x86-64-v2
	$(say) 'Packages for packaging'
	@scripts/setup packages
	$(say) 'Making packages'
	@JOBS=$(JOBS) scripts/packages $(PACKAGE_ARCH)

container:       ## an image with the program and the Python package, by podman or docker
	@$(firstword $(shell command -v podman docker) podman) build -t ictus -f Containerfile .

docs: setup-test     ## the documentation as static pages, build/docs/index.html
	$(say) 'Reading the C++ API'
	@mkdir -p build/doxygen && doxygen docs/site/Doxyfile
	$(say) 'Making pages'
	@node docs/site/build.mjs build/docs

gallery: build   ## draw the pictures of docs/gallery.md again
	$(say) 'Drawing'
	@PATH="$(abspath build/release/bin):$$PATH" tools/run_doc_commands.py docs/gallery.md --in .

format: setup-test   ## lay out every C++ file
	@scripts/format

clean:           ## remove what was built and run
	rm -rf build dist out
