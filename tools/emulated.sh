#!/usr/bin/env bash
# The CUDA backend on an emulated GPU (tests/emulated): random programs, and Python tests whose kernels are many kinds.
#
#   tools/emulated.sh <build> [pytest arguments...]     <build>: where meson built the tests; those arguments instead
#
# Each kernel costs the C++ compiler a tenth of a second. Images are kept in build/emulated-cache until the libraries
# are built anew.
set -euo pipefail
cd "$(dirname "$0")/.."

read -ra compiler <<<"${TOMBAC_CXX:-${CXX:-c++}}"
if ! command -v "${compiler[0]}" >/dev/null; then
    echo "there is no C++ compiler: nothing runs on the emulated GPU"
    exit 0
fi

export TOMBAC_LIBRARY_PATH=$PWD/$1/tests/emulated TOMBAC_BACKEND=cuda TOMBAC_COMPILE=sync
export TOMBAC_CACHE_DIR=${TOMBAC_CACHE_DIR:-$PWD/build/emulated-cache}
mkdir -p "$TOMBAC_CACHE_DIR"
chmod 700 "$TOMBAC_CACHE_DIR"
shift
python -c 'import tombac; assert tombac.config.backend() == "cuda", tombac.config.backend()'
if [[ $# -gt 0 ]]; then
    exec python -m pytest -q -n "${JOBS:-2}" "$@"
fi

python tests/python/random_programs.py --seeds 0:9 --fusion each &
programs=$!
TOMBAC_COMPILE='' python tests/python/random_programs.py --seeds 110000:110006 --fusion each
wait "$programs"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_windows.py tests/python/test_stores.py \
    tests/python/test_ufunc_methods.py -k "windows or stores or test_at"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_distributions.py -k "discrete or fused or side or key or huge"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_sorting.py \
    -k "sort_rows or partition_of_long_rows and (i-1 or F-2 or e-3)"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_cusparselt.py tests/python/test_sparse_solver.py \
    tests/python/test_scipy_sparse_uneven.py tests/python/test_compute_types.py tests/python/test_read_back.py \
    tests/python/test_pending_products.py
python -m pytest -q -n "${JOBS:-2}" tests/python/test_scipy_sparse_checks.py -k "coordinates or order or counted"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_fft_links.py tests/python/test_fft_callbacks.py
python -m pytest -q -n "${JOBS:-2}" tests/python/test_min_max.py tests/python/test_vector_products.py \
    tests/python/test_matmul.py tests/python/test_ufunc_methods.py tests/python/test_memory.py \
    -k "may_look_at or few_of_many or histogram or both_extremes_are or refuse or pending_operands or \
        (c_order and (0 or l-axes))"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_ufuncs.py -k "quotients_by_one or logarithms_of"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_scipy_signal_filters.py -k "lfilter or sosfilt"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_bfloat16.py \
    -k "casts_to_it or every_loop and (add or exp) or reductions and sum or scans or sorting or products or updates"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_structured.py -k "library or pending or refused"
python -m pytest -q -n "${JOBS:-2}" tests/python/test_scipy_sparse_linalg.py \
    tests/python/test_scipy_sparse_resident.py \
    -k "(linalg and (least or variances)) or (resident and (dtypes or limits or room or nan or suits))"
for solvers in host device; do
    TOMBAC_SOLVERS=$solvers python -m pytest -q -n "${JOBS:-2}" tests/python/test_solvers.py
done
