/* reduce_unit.h - a unit of reductions that need no positions: the loops of its rows, and TB_UNIT, the function that
 * puts them into a table. The includer defines SUMS and EXTREMES, one of which is what it makes and the other nothing.
 */
#include "backend/cpu/loops/reduce_fold.h"
#include "backend/cpu/loops/reduce_rows.h"

/* Of which dtypes there are folds of products. */
#define PRODUCTS_REAL PRODUCTS
#define PRODUCTS_COMPLEX(name, TIMES, ...) \
    PRODUCTS(name, TIMES, __VA_ARGS__)     \
    PRODUCTS(name##_conjugate, CONJUGATE_##TIMES, __VA_ARGS__)
#define PRODUCTS_HALF(...)
#define PRODUCTS_OTHER(...)
#define PRODUCTS_TRUTH(...)

/* ---- loops ---------------------------------------------------------------------------------------------------- */

#define MAKE_PLAIN(lines_, op, in, acc_, out, init_, step_, merge_, final_)                                      \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    lines_(op##_##in, KIND_##in, tb_##in, tb_reg_##in, tb_load_##in, acc_, (init_), (step_), (merge_))           \
    JOIN(ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, acc_)                                               \
    JOIN(FEW_, WIDTH_##in)(op##_##in, tb_##in, tb_load_##in, acc_, (init_), tb_##out, tb_store_##out, (final_))  \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))
#define MAKE_RUNNING(lines_, op, in, acc_, out, ...)                                                             \
    MAKE_PLAIN(lines_, op, in, acc_, out, __VA_ARGS__)                                                           \
    JOIN(SCAN_ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)
#define MAKE_SUM(op, in, acc_, out, init_, step_, merge_, final_)                                                \
    MAKE_RUNNING(LINES_PAIRWISE, op, in, acc_, out, init_, step_, merge_, final_)                                \
    JOIN(PRODUCTS_, KIND_##in)(op##_##in, TIMES_##in, tb_##in, tb_reg_##in, acc_, (init_), (step_), (merge_))
#define MAKE_END(op, in, acc_, out, init_, step_, merge_, final_)                                                \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    JOIN(FEW_, WIDTH_##in)(op##_##in, tb_##in, tb_load_##in, acc_, (init_), tb_##out, tb_store_##out, (final_))  \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))
#define MAKE_COUNT(op, in, acc_, out, init_, step_, merge_, final_)                                              \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    COUNT_LINES(op##_##in, tb_##in, acc_)                                                                        \
    JOIN(ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, acc_)                                               \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))                                                \
    JOIN(SCAN_ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)
#define MAKE_MIN_MAX(op, in, acc_, out, init_, step_, merge_, final_)                                            \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    MIN_MAX_LINES(in, tb_##in, acc_, (init_), (merge_))                                                          \
    JOIN(MIN_MAX_ROWS_, WIDTH_##in)(in, tb_##in, tb_load_##in, acc_)                                             \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))
#define MAKE_PTP(op, in, acc_, out, init_, step_, merge_, final_)                                                \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))

#define RED_SUM(...) SUMS(MAKE_SUM(__VA_ARGS__))
#define RED_COUNT(...) SUMS(MAKE_COUNT(__VA_ARGS__))
#define RED_PAIRS(...) SUMS(MAKE_RUNNING(LINES_PAIRWISE, __VA_ARGS__))
#define RED_SPREAD(...)
#define RED_END(of, ...) SUMS(MAKE_END(__VA_ARGS__))
#define RED_LEAST(...) EXTREMES(MAKE_RUNNING(LINES_LEAST, __VA_ARGS__))
#define RED_MOST(...) EXTREMES(MAKE_RUNNING(LINES_MOST, __VA_ARGS__))
#define RED_ANY_ORDER(...) EXTREMES(MAKE_RUNNING(LINES_EXACT, __VA_ARGS__))
#define RED_MIN_MAX(...) EXTREMES(MAKE_MIN_MAX(__VA_ARGS__))
#define RED_PTP(...) EXTREMES(MAKE_PTP(__VA_ARGS__))
#define RED_TWIN(...)
#define RED_INDEX(...)
#define RED_EXPS(...)
#include "tables/reduce.def"

/* ---- the table ------------------------------------------------------------------------------------------------ */

#define PRODUCTS_NAME_REAL(name) name##_products
#define PRODUCTS_NAME_COMPLEX PRODUCTS_NAME_REAL
#define PRODUCTS_NAME_HALF(name) NULL
#define PRODUCTS_NAME_OTHER PRODUCTS_NAME_HALF
#define PRODUCTS_NAME_TRUTH PRODUCTS_NAME_HALF
#define CONJUGATE_NAME_REAL PRODUCTS_NAME_HALF
#define CONJUGATE_NAME_COMPLEX(name) name##_conjugate_products
#define CONJUGATE_NAME_HALF PRODUCTS_NAME_HALF
#define CONJUGATE_NAME_OTHER PRODUCTS_NAME_HALF
#define CONJUGATE_NAME_TRUTH PRODUCTS_NAME_HALF
#define FEW_NAME(op, in) JOIN(FEW_NAME_, WIDTH_##in)(op##_##in)

#define ENTRY(folds, acc_, products_, conjugate_, few_, final_, scan_)                                           \
    (tb_red_loops){.acc = sizeof(acc_), .init = folds##_init, .lines = folds##_lines, .products = products_,     \
                   .conjugate_products = conjugate_, .rows = folds##_rows, .few_rows = few_,                     \
                   .merge = folds##_merge, .final = final_, .scan_rows = scan_};
#define ENTRY_RUNNING(op, in, acc_)                                                                              \
    ENTRY(op##_##in, acc_, NULL, NULL, FEW_NAME(op, in), op##_##in##_final, op##_##in##_scan_rows)
#define ENTRY_SUM(op, in, acc_)                                                                                  \
    ENTRY(op##_##in, acc_, JOIN(PRODUCTS_NAME_, KIND_##in)(op##_##in),                                           \
          JOIN(CONJUGATE_NAME_, KIND_##in)(op##_##in), FEW_NAME(op, in), op##_##in##_final, op##_##in##_scan_rows)
#define ENTRY_MIN_MAX(op, in, acc_) ENTRY(op##_##in, acc_, NULL, NULL, NULL, op##_##in##_final, NULL)
#define ENTRY_PTP(op, in, acc_) ENTRY(min_max_##in, acc_, NULL, NULL, NULL, op##_##in##_final, NULL)
#define ENTRY_END(of, op, in)                                                                                    \
    table[AT_##op##_##in] = table[AT_##of##_##in];                                                               \
    table[AT_##op##_##in].few_rows = FEW_NAME(op, in);                                                           \
    table[AT_##op##_##in].final = op##_##in##_final;                                                             \
    table[AT_##op##_##in].scan_rows = NULL;

#define MADE(entry, op, in, acc_) table[AT_##op##_##in] = entry(op, in, acc_)

void TB_UNIT(tb_red_loops *table)
{
#define RED_SUM(op, in, acc_, ...) SUMS(MADE(ENTRY_SUM, op, in, acc_))
#define RED_COUNT(op, in, acc_, ...) SUMS(MADE(ENTRY_RUNNING, op, in, acc_))
#define RED_PAIRS RED_COUNT
#define RED_SPREAD(...)
#define RED_LEAST(op, in, acc_, ...) EXTREMES(MADE(ENTRY_RUNNING, op, in, acc_))
#define RED_MOST RED_LEAST
#define RED_ANY_ORDER RED_LEAST
#define RED_MIN_MAX(op, in, acc_, ...) EXTREMES(MADE(ENTRY_MIN_MAX, op, in, acc_))
#define RED_PTP(op, in, acc_, ...) EXTREMES(MADE(ENTRY_PTP, op, in, acc_))
#define RED_END(...)
#define RED_TWIN(...)
#define RED_INDEX(...)
#define RED_EXPS(...)
#include "tables/reduce.def"

/* Of what is there now. */
#define RED(...)
#define RED_END(of, op, in, ...) SUMS(ENTRY_END(of, op, in))
#define RED_TWIN(...)
#include "tables/reduce.def"
}
