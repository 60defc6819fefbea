#!/usr/bin/env bash
# Builds the targets of tests/fuzz with libFuzzer and runs each for FUZZ_SECONDS (60), two at a time.
#
#   tools/fuzz.sh [target...]     all of them without arguments
#
# New inputs that reach further are kept in build/fuzz-corpus/<target>; what breaks a target is written to
# build/fuzz-crashes and ends the run with an error. Once mended, such an input goes to tests/fuzz/corpus/<target>,
# where ordinary test runs go over it.
set -uo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
CC=${FUZZ_CC:-clang}
build=build/fuzz
crashes=build/fuzz-crashes

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n && 0; }' >"$probe/probe.c"
if ! "$CC" -fsanitize=fuzzer,address "$probe/probe.c" -o "$probe/probe" 2>/dev/null; then
    echo "make fuzz needs clang and its run-time library: apt-get install clang libclang-rt-14-dev" \
        "(compiler-rt in other distributions), or name another compiler with FUZZ_CC" >&2
    exit 1
fi

if [[ ! -f $build/build.ninja ]]; then
    CC=$CC meson setup "$build" -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized \
        -Dpython=false -Disa=base -Dkernels=disabled >/dev/null || exit 1
fi
meson compile -C "$build" >"$build/compile.log" || { cat "$build/compile.log" >&2; exit 1; }

run_one() {
    local target=$1 kept=build/fuzz-corpus/$1 log=$build/$1.log options=()
    mkdir -p "$kept" "$crashes"
    [[ -f tests/fuzz/$target.dict ]] && options+=("-dict=tests/fuzz/$target.dict")
    if TOMBAC_BACKEND=cpu ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
        "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=2048 \
        -print_final_stats=1 -artifact_prefix="$crashes/$target-" "${options[@]}" \
        "$kept" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
    else
        grep -vE '^#[0-9]+.*(NEW|REDUCE|pulse|INITED)|NEW_FUNC|fuzzer::|^INFO' "$log" | tail -n 25 | cut -c1-200 >&2
        echo "$target: broken by the input in $crashes (all of it: $log)"
        return 1
    fi
}
export -f run_one
export seconds build crashes

targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
    for file in tests/fuzz/fuzz_*.c; do
        name=${file##*/fuzz_}
        targets+=("${name%.c}")
    done
fi
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'run_one {}'
