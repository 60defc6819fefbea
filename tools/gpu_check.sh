#!/usr/bin/env bash
# Builds, tests and measures on a machine with a GPU, without a network. Needs Python with headers, gcc, meson, ninja,
# NumPy and SciPy; pytest, hypothesis, pytest-xdist, CuPy, PyTorch and JAX are used if they are there. Run from the
# repository's root:
#
#   tools/gpu_check.sh [all|build|test|bench]...
#
# PARTS=host,big,kernels picks parts of the benchmark (bench/compare.py lists them; the default is all). Full outputs go
# to $OUT (default: build/gpu); what is printed last is short.
set -uo pipefail
cd "$(dirname "$0")/.."
OUT=${OUT:-build/gpu}
PYTHON=${PYTHON:-python3}
JOBS=${JOBS:-12}
STEPS=${*:-all}
SITE=${SITE:-/tmp/tombac-site}
BUILD=${BUILD:-build/gpu-check}
mkdir -p "$OUT"

wanted() { [[ " $STEPS " == *" all "* || " $STEPS " == *" $1 "* ]]; }

report=()
run_step() { # name, log file, command...
    local name=$1 log=$OUT/$2 start=$SECONDS status=0
    shift 2
    "$@" >"$log" 2>&1 || status=$?
    report+=("$(printf '%-8s %-7s %4d s   %s' "$name" "$([[ $status == 0 ]] && echo ok || echo "FAILED")" \
        $((SECONDS - start)) "$(tail -n 1 "$log")")")
    [[ $status == 0 ]] || tail -n 30 "$log"
    return $status
}

build() {
    [[ -f $BUILD/build.ninja ]] || meson setup "$BUILD" --prefix "$SITE" -Dpython.install_env=prefix -Dtests=false ||
        return
    meson compile -C "$BUILD" && meson install -C "$BUILD" --quiet --no-rebuild
}

package_path() { dirname "$(dirname "$(find "$SITE" -path '*/tombac/__init__.py' | head -n 1)")"; }

if wanted build; then run_step build build.txt build || { printf '%s\n' "${report[@]}"; exit 1; }; fi
PYTHONPATH=$(package_path)${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH PYTHONUNBUFFERED=1

run_step config config.txt "$PYTHON" -c 'import tombac; tombac.show_config()'
if wanted test; then
    run_step pytest pytest.txt "$PYTHON" -m pytest -q -n "$JOBS" -p no:cacheprovider tests/python
fi
if wanted bench; then
    run_step bench bench.txt "$PYTHON" bench/compare.py --peers torch,jax,cupy,tombac --output "$OUT" \
        ${PARTS:+--only "$PARTS"}
fi

cat "$OUT/config.txt"
[[ -f $OUT/bench.txt ]] && wanted bench && cat "$OUT/bench.txt"
[[ -f $OUT/pytest.txt ]] && wanted test && tail -n 40 "$OUT/pytest.txt"
printf '%s\n' "${report[@]}"
[[ "${report[*]}" != *FAILED* ]]
