# SPDX-License-Identifier: MIT
# Short names for what is done often. The build itself is CMake's: see CMakePresets.json.
#
#   make [PRESET=release|debug|asan|cuda] [TARGET=...]   build, into build/$(PRESET)
#   make demo       install what is missing, build, and compute a permeability known exactly
#   make test       the tests of PRESET, but for the long ones
#   make test-long  the long ones: validation against published results
#   make validate   flows with exact or published solutions: table and plots in build/validation
#   make bench      how fast it runs on this machine
#   make estimates  is a permeability that is called converged right? pore spaces that mislead, 40 min on two cores; EVERY=20 takes some of them
#   make faults     kills, full disks, flipped bits, signals, for SECONDS
#   make tsan       what runs on several threads, with the thread sanitizer
#   make coverage   which lines of each room the tests reach
#   make wheel      what others install by pip without a compiler, into build/wheels
#   make install    what others need to run it, into PREFIX (/usr/local)
#   make fuzz       damaged files for every reader, SECONDS=600 in all; with libFuzzer where clang has it
#   make format     lay out the C++ sources; "make lint" checks that and runs clang-tidy over what a change reaches, "make lint-all" over all
#   make clean      remove build/

PRESET ?= release
JOBS   ?= $(shell nproc)

PREFIX ?= /usr/local
SECONDS ?= 600

.PHONY: build dependencies demo test test-long validate bench estimates faults tsan coverage install test-install wheel test-lbmpy site fuzz format lint lint-all clean

build:
	JOBS=$(JOBS) scripts/build.sh $(PRESET) $(TARGET)

dependencies:
	scripts/install-dependencies.sh

# Without a GPU a build for this machine's cores alone answers sooner; nothing is built twice where there is a release.
DEMO = $(shell if [ ! -e build/release/build.ninja ] && ! { command -v nvcc >/dev/null && \
  nvidia-smi -L 2>/dev/null | grep -q ^GPU; }; then echo cores; else echo release; fi)
demo: PRESET := $(DEMO)
demo: dependencies
	@# One job more than there are cores: the last sources of each stage are long ones, and two would leave a core idle.
	$(MAKE) build PRESET=$(PRESET) TARGET=tessera JOBS=$$(($(JOBS) + 1))
	@# Where people look for it; a release takes its place.
	@if [ $(PRESET) != release ]; then mkdir -p build/release/bin; ln -sf ../../$(PRESET)/bin/tessera build/release/bin/; fi
	TESSERA=build/$(PRESET)/bin/tessera examples/demo.sh

test: dependencies
	$(MAKE) build
	ctest --preset $(PRESET)

test-long: dependencies
	$(MAKE) build PRESET=release
	ctest --preset long

# VALIDATE="--only cavity", "--size 64" (of the cubic cavity), "--gpus 0": see docs/validation.md. Debian's Python has the
# packages.
validate: dependencies
	$(MAKE) build PRESET=release
	/usr/bin/python3 -B tests/validation/validate.py --out build/validation $(VALIDATE)

bench: dependencies
	$(MAKE) build PRESET=release
	build/release/bin/tessera bench --json build/bench.json

EVERY ?= 1
estimates: dependencies
	$(MAKE) build PRESET=release TARGET=stokes_estimates
	build/release/bin/stokes_estimates $(EVERY)

faults: build
	TESSERA=build/$(PRESET)/bin/tessera /usr/bin/python3 -B tests/faults/faults.py --seconds $(SECONDS)

# StarPU and MPI are not compiled with it: what waits for them is not looked at.
tsan:
	$(MAKE) build PRESET=tsan TARGET=thread_tests
	ctest --preset tsan --tests-regex '^(base/ranks|geometry|insitu|methods/stokes|run)$$'

# TESTS="--label-regex unit": some of the tests.
coverage: dependencies
	$(MAKE) build PRESET=coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage $(TESTS)
	test -x build/gcovr/bin/gcovr || { python3 -m venv build/gcovr && build/gcovr/bin/pip install --quiet gcovr==8.3; }
	build/gcovr/bin/gcovr --root . --object-directory build/coverage --exclude 'tests/|build/|examples/' -j $(JOBS) \
	  --gcov-ignore-parse-errors --merge-mode-functions=merge-use-line-0 --json-summary build/coverage/summary.json
	scripts/coverage.py build/coverage/summary.json

install: build
	cmake --install build/$(PRESET) --prefix $(PREFIX)

# Tessera in the middle of another solver (docs/known-problems.md says where lbmpy does not compile).
test-lbmpy: dependencies
	$(MAKE) build PRESET=release
	test -x build/lbmpy/bin/python || python3 -m venv build/lbmpy
	build/lbmpy/bin/pip install --quiet lbmpy==2.0
	for flow in "--flow cavity" "--flow perturbation --layout zyxf" "--flow cavity --transfer all --reorder numpy --centre 11 --edge 30"; do \
	  XDG_CACHE_HOME=$(CURDIR)/build/lbmpy/cache PYTHONPATH=build/release/python build/lbmpy/bin/python -B examples/coprocessor/cavity.py $$flow || exit 1; done

# docs/ as a site in build/site/html; links that lead nowhere are errors.
site: dependencies
	test -x build/site/bin/mkdocs || python3 -m venv build/site
	build/site/bin/pip install --quiet mkdocs-material==9.8.2 mkdocs==1.6.1 'mkdocstrings[python]==1.0.8'
	NO_MKDOCS_2_WARNING=1 build/site/bin/mkdocs build --strict --clean --config-file packaging/site/mkdocs.yml
	doxygen packaging/site/Doxyfile

# By pip, by CMake and as a package: half an hour with the build. And the wheel for others, where there is nothing else.
test-install: dependencies
	$(MAKE) build PRESET=release
	tests/install/run.sh
	tests/install/wheel.sh

# For the cores of others (scripts/build-wheel.sh); PYTHON=python3.12 for another Python.
PYTHON ?= /usr/bin/python3
wheel: dependencies
	JOBS=$(JOBS) scripts/build-wheel.sh $(PYTHON)

# PRESET=asan takes a driver of our own, which needs no clang; SEED=2 makes other changes. A finding is kept in build/fuzz.
SEED ?= 1
LIBFUZZER_RUNS = echo 'extern "C" int LLVMFuzzerTestOneInput(char const*, unsigned long) { return 0; }' | \
                 clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null
fuzz: PRESET = $(if $(shell $(LIBFUZZER_RUNS) && echo yes),fuzz,asan)
fuzz:
	$(MAKE) build PRESET=$(PRESET) TARGET=fuzz
	scripts/fuzz.sh build/$(PRESET)/bin $(SECONDS) $(SEED)

# Every C++ and CUDA file that git tracks, or would track.
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp' '*.cuh' '*.cu')

format:
	clang-format -i $(SOURCES)

# The layout by Debian's clang-format; clang-tidy of this version, which takes a third of the time of Debian's 14.
CLANG_TIDY = 23.1.4
# LINT="io/images/image.cpp io/meshes/stl.cpp": these alone. Set, as make has one of its own: "lint".
LINT =
# What has changed since all was linted, and all that includes it; "make lint-all" lints all, and then says that of HEAD.
LINTED = .ci/linted
lint lint-all: build
	clang-format --dry-run -Werror $(SOURCES)
	test -x build/lint-$(CLANG_TIDY)/bin/clang-tidy || { python3 -m venv build/lint-$(CLANG_TIDY) && \
	  build/lint-$(CLANG_TIDY)/bin/pip install --quiet clang-tidy==$(CLANG_TIDY); }
	JOBS=$(JOBS) scripts/lint.py build/lint-$(CLANG_TIDY)/bin/clang-tidy build/$(PRESET) \
	  $(if $(LINT),$(LINT),$(if $(filter lint,$@),--since $(file <$(LINTED))))
	@if [ $@ = lint-all ]; then git rev-parse HEAD >$(LINTED); fi

clean:
	rm -rf build
