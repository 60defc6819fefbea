#!/usr/bin/env bash
# Which lines and functions of the C sources the tests reach: the C tests, then the Python tests.
#
#   tools/coverage.sh [pytest arguments...]     such as -k index, or files; all tests without
#
# Needs gcovr beside meson and NumPy. build/coverage.txt has a line for each file, build/coverage/html/index.html the
# lines; functions that nothing called are printed. Counts add up over runs: remove build/coverage to start again.
set -uo pipefail
cd "$(dirname "$0")/.."

build=build/coverage
site=$PWD/$build/site
if [[ ! -f $build/build.ninja ]]; then
    meson setup "$build" --prefix "$site" -Dpython.install_env=prefix -Db_coverage=true -Dbuildtype=debugoptimized \
        -Disa=base -Dkernels=disabled >/dev/null || exit 1
fi
meson compile -C "$build" >"$build/compile.log" || { tail -n 40 "$build/compile.log" >&2; exit 1; }
meson install -C "$build" --quiet --no-rebuild || exit 1

# What fails is for `make test` to say; here it only counts what was reached.
meson test -C "$build" --no-rebuild --no-suite nvrtc || echo "not all C tests passed" >&2
PYTHONPATH=$(echo "$site"/lib/python*/site-packages) python -m pytest -q -n "${JOBS:-2}" "$@" | tail -n 3

mkdir -p "$build/html"
gcovr --root . --object-directory "$build" --filter src/ --filter python/_core/ --gcov-ignore-parse-errors=all \
    --merge-mode-functions=separate --txt build/coverage.txt --json "$build/coverage.json" \
    --html-details "$build/html/index.html" >"$build/gcovr.log" 2>&1 || { tail -n 20 "$build/gcovr.log" >&2; exit 1; }
python tools/uncovered.py "$build/coverage.json"
tail -n 3 build/coverage.txt
