/* reduce_unit.h - a unit of reductions that need no positions: the loops of its rows, and TB_UNIT, the function that
 * puts them into a table. The includer defines SUMS and EXTREMES, one of which is what it makes and the other nothing.
 */
#include "backend/cpu/loops/reduce_fold.h"
#include "backend/cpu/loops/reduce_rows.h"

#define PLACES(...)

/* Of which dtypes there are folds of products. */
#define PRODUCTS_REAL PRODUCTS
#define PRODUCTS_COMPLEX PRODUCTS
#define PRODUCTS_HALF(...)
#define PRODUCTS_OTHER(...)
#define PRODUCTS_TRUTH(...)

/* ---- loops ---------------------------------------------------------------------------------------------------- */

#define MAKE_PLAIN(op, in, acc_, out, init_, step_, merge_, final_)                                              \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    LINES_##op(op##_##in, KIND_##in, tb_##in, tb_reg_##in, tb_load_##in, acc_, (init_), (step_), (merge_))       \
    JOIN(ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, acc_)                                               \
    JOIN(FEW_, WIDTH_##in)(op##_##in, tb_##in, tb_load_##in, acc_, (init_), tb_##out, tb_store_##out, (final_))  \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))
#define MAKE_RUNNING(op, in, acc_, out, ...)                                                                     \
    MAKE_PLAIN(op, in, acc_, out, __VA_ARGS__)                                                                   \
    JOIN(SCAN_ROWS_, KIND_##in)(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)
#define MAKE_SUM(op, in, acc_, out, init_, step_, merge_, final_)                                                \
    MAKE_RUNNING(op, in, acc_, out, init_, step_, merge_, final_)                                                \
    JOIN(PRODUCTS_, KIND_##in)(op##_##in, TIMES_##in, tb_##in, tb_reg_##in, acc_, (init_), (step_), (merge_))
#define MAKE_SAME(op, in, acc_, out, init_, step_, merge_, final_)                                               \
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

#define ROW_MADE(op, ...) JOIN(MAKE_, FAMILY_##op)(op, __VA_ARGS__)
#define ROW_TWIN(...)
#define RED(op, in, ...) UNIT_##op(JOIN(ROW_, IS_MADE(op##_##in))(op, in, __VA_ARGS__))
#define RED_COUNT(op, ...) UNIT_##op(MAKE_COUNT(op, __VA_ARGS__))
#define RED_INDEX(...)
#include "tables/reduce.def"
#undef RED
#undef RED_COUNT

/* ---- the table ------------------------------------------------------------------------------------------------ */

#define PRODUCTS_NAME_REAL(name) name##_products
#define PRODUCTS_NAME_COMPLEX PRODUCTS_NAME_REAL
#define PRODUCTS_NAME_HALF(name) NULL
#define PRODUCTS_NAME_OTHER PRODUCTS_NAME_HALF
#define PRODUCTS_NAME_TRUTH PRODUCTS_NAME_HALF
#define FEW_NAME(op, in) JOIN(FEW_NAME_, WIDTH_##in)(op##_##in)

#define ENTRY(folds, acc_, products_, few_, final_, scan_)                                                       \
    (tb_red_loops){.acc = sizeof(acc_), .init = folds##_init, .lines = folds##_lines, .products = products_,     \
                   .rows = folds##_rows, .few_rows = few_, .merge = folds##_merge, .final = final_,              \
                   .scan_rows = scan_};
#define ENTRY_OF(...) ENTRY(__VA_ARGS__)
#define ENTRY_PLAIN(op, in, acc_) ENTRY(op##_##in, acc_, NULL, FEW_NAME(op, in), op##_##in##_final, NULL)
#define ENTRY_RUNNING(op, in, acc_)                                                                              \
    ENTRY(op##_##in, acc_, NULL, FEW_NAME(op, in), op##_##in##_final, op##_##in##_scan_rows)
#define ENTRY_SUM(op, in, acc_)                                                                                  \
    ENTRY(op##_##in, acc_, JOIN(PRODUCTS_NAME_, KIND_##in)(op##_##in), FEW_NAME(op, in), op##_##in##_final,      \
          op##_##in##_scan_rows)
#define ENTRY_SAME(op, in, acc_)                                                                                 \
    ENTRY_OF(JOIN(FOLDS_OF_##op, _##in), acc_, JOIN(SAME_PRODUCTS_, op)(in), FEW_NAME(op, in), op##_##in##_final, NULL)
#define SAME_PRODUCTS_mean(in) JOIN(PRODUCTS_NAME_, KIND_##in)(sum_##in)
#define SAME_PRODUCTS_std(in) NULL

#define ENTRY_MADE(op, in, acc_) table[AT_##op##_##in] = JOIN(ENTRY_, FAMILY_##op)(op, in, acc_)
#define ENTRY_TWIN(...)
#define COPY_MADE(...)
#define COPY_TWIN(op, in) table[AT_##op##_##in] = table[JOIN(AT_, TWIN_OF(op##_##in))];

void TB_UNIT(tb_red_loops *table)
{
#define RED(op, in, acc_, ...) UNIT_##op(JOIN(ENTRY_, IS_MADE(op##_##in))(op, in, acc_))
#include "tables/reduce.def"
#undef RED
#define RED(op, in, ...) UNIT_##op(JOIN(COPY_, IS_MADE(op##_##in))(op, in))
#include "tables/reduce.def"
}
