#!/usr/bin/env bash
# clang-tidy over the library and the extension with the checks of .clang-tidy. Anything found is an error.
#
#   tools/tidy.sh [file.c...]     all of them without arguments
set -uo pipefail
cd "$(dirname "$0")/.."

build=build/tidy
for tool in clang clang-tidy; do
    if ! command -v $tool >/dev/null; then
        echo "make tidy needs clang and clang-tidy: apt-get install clang clang-tidy" >&2
        exit 1
    fi
done
# Its own folder: the compiler's options have to be ones that clang has.
if [[ ! -f $build/build.ninja ]]; then
    CC=clang meson setup "$build" -Dbuildtype=debugoptimized -Disa=base -Dkernels=disabled -Dtests=false \
        >/dev/null || exit 1
fi

files=("$@")
[[ ${#files[@]} -gt 0 ]] || mapfile -t files < <(find src python/_core -name '*.c' | sort)
if printf '%s\n' "${files[@]}" |
    xargs -P "${JOBS:-$(nproc)}" -n 4 clang-tidy -p "$build" --quiet 2>/dev/null >"$build/found.log"; then
    echo "${#files[@]} files, nothing found"
else
    grep -aE '(warning|error): ' "$build/found.log" | sort -u
    echo "details: $build/found.log"
    exit 1
fi
