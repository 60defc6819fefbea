/* ship_special.c - the kernels of what is asked for by name and takes long to compile: functions of SciPy's special,
 * softmax, moments, and sums that are computed on the way. */
#include "base/error.h"
#include "ship.h"
#include "tables/loops.h"

enum { FEW = 1000, MANY = 10000, SIDE = 64 };
static const tb_dtype floats[] = {TB_F32, TB_F64};
enum { FLOATS = 2 };

static tb_status make(tb_dtype t, tb_operand *out)
{
    const int64_t n = FEW;
    *out = tb_operand_array(NULL);
    return tb_empty(t, 1, &n, 'C', &out->array);
}

/* Of arrays ('a') and numbers ('s'). */
static tb_status note_call(const tb_ufunc *u, tb_dtype t, const char *letters, int n)
{
    tb_operand in[3] = {tb_operand_int(2), tb_operand_int(2), tb_operand_int(2)};
    tb_array *out = NULL;
    tb_status status = TB_OK;
    for (int k = 0; k < n && status == TB_OK; k++)
        if (letters[k] == 'a') status = make(t, &in[k]);
    if (status == TB_OK) status = tb_ufunc_call(u, in, &out, NULL);
    if (status == TB_OK) status = tb_array_eval(out);
    tb_array_release(out);
    for (int k = 0; k < n; k++) tb_array_release(in[k].array);
    return status;
}

static tb_status note_functions(void)
{
    static const char *const operands[] = {"", "a", "aa as", "ssa"};
    for (int op = 0; op < TB_NOP; op++) {
        const tb_ufunc *u = &tb_op_table[op];
        const int nin = tb_ufunc_nin(u);
        if (u->text == TB_TEXT_NONE || nin < 1 || nin > 3) continue;
        for (int i = 0; i < FLOATS; i++)
            for (const char *letters = operands[nin]; *letters; letters += nin + (letters[nin] == ' '))
                TB_TRY(note_call(u, floats[i], letters, nin));
    }
    for (int i = 0; i < FLOATS; i++) TB_TRY(note_call(tb_ufunc_find("special._lambertw"), floats[i], "ass", 3));
    return TB_OK;
}

static tb_status note_softmax(tb_dtype t)
{
    static const int64_t lengths[] = {10, 16, 32, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int log = 0; log < 2; log++) {
            const tb_soft_rows x = {.dtype = t, .log = log, .rows = SIDE, .n = lengths[i]};
            const tb_routine_source source = tb__softmax_source(&x);
            TB_TRY(ship_note_sources(NULL, &source, 1));
        }
    return TB_OK;
}

/* ---- reductions of what is computed on the way ------------------------------------------------------------------- */

static const tb_reduce_args of_all = {sizeof of_all, .naxis = -1, .dtype = TB_NODTYPE};
static const tb_reduce_args of_rows = {sizeof of_rows, .naxis = 1, .axis = {1}, .dtype = TB_NODTYPE};

static tb_status note_moments(tb_dtype t, int ndim, const int64_t *shape, const tb_reduce_args *args)
{
    tb_array *a, *mean, *variance;
    TB_TRY(tb_empty(t, ndim, shape, 'C', &a));
    tb_status status = tb_mean_var(a, args, &mean, &variance);
    tb_array_release(a);
    TB_TRY(status);
    status = tb_array_eval(mean);
    if (status == TB_OK) status = tb_array_eval(variance);
    tb_array_release(mean);
    tb_array_release(variance);
    return status;
}

/* Of a function of an array, which is its second argument too where it has two. */
static tb_status note_reduced(tb_reduction r, const char *name, tb_dtype t, int ndim, const int64_t *shape,
                              const tb_reduce_args *args)
{
    tb_array *a, *value = NULL, *out = NULL;
    TB_TRY(tb_empty(t, ndim, shape, 'C', &a));
    const tb_operand in[] = {tb_operand_array(a), tb_operand_array(a)};
    tb_status status = tb_ufunc_call(tb_ufunc_find(name), in, &value, NULL);
    if (status == TB_OK) status = tb_reduce(r, value, args, &out);
    if (status == TB_OK) status = tb_array_eval(out);
    tb_array_release(out);
    tb_array_release(value);
    tb_array_release(a);
    return status;
}

static tb_status note_reductions(tb_dtype t)
{
    const int64_t many = MANY, rows[] = {SIDE, SIDE}, long_rows[] = {SIDE, FEW};
    TB_TRY(note_moments(t, 1, &many, &of_all));
    TB_TRY(note_moments(t, 2, rows, &of_rows));
    TB_TRY(note_moments(t, 2, long_rows, &of_rows));
    TB_TRY(note_reduced(TB_RED_ALL, "isfinite", t, 1, &many, &of_all));
    TB_TRY(note_reduced(TB_RED_ALL, "isfinite", t, 2, rows, &of_all));
    TB_TRY(note_reduced(TB_RED_ANY, "isnan", t, 1, &many, &of_all));
    TB_TRY(note_reduced(TB_RED_SUM, "square", t, 1, &many, &of_all));
    TB_TRY(note_reduced(TB_RED_SUM, "square", t, 2, rows, &of_rows));
    TB_TRY(note_reduced(TB_RED_SUM, "square", t, 2, long_rows, &of_rows));
    return note_reduced(TB_RED_SUM, "absolute", t, 1, &many, &of_all);
}

tb_status ship_special(void)
{
    TB_TRY(note_functions());
    for (int i = 0; i < FLOATS; i++) {
        TB_TRY(note_softmax(floats[i]));
        TB_TRY(note_reductions(floats[i]));
    }
    return TB_OK;
}
