/* user_reduction_host.c - the source of a user's reduction for the CPU, where a block is one thread with a long plain
 * loop. Along rows it keeps several accumulators, so that the host's compiler can vectorise; across columns it keeps
 * one for each result of a tile. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "codegen/user.h"

/* TOGETHER: rows that a pass over a tile's accumulators takes in. */
enum { STRIPS = 16, TOGETHER = 4, WHOLE_PART = 1 << 16, MAX_PARTS = 256, ROWS = 1 << 14 };

/* ---- layout ----------------------------------------------------------------------------------------------------- */

static uint8_t access_of(const tb_plan *p, int x, int inner)
{
    const int64_t stride = p->load[x].strides[inner];
    return stride == (int64_t)tb_dtype_size((tb_dtype)p->load[x].dtype) ? TB_USER_UNIT
           : stride == 0                                                ? TB_USER_SPREAD
                                                                        : TB_USER_STRIDED;
}

static int64_t at_most(int64_t x, int64_t high) { return x < high ? x : high; }
static int64_t at_least(int64_t x, int64_t low) { return x > low ? x : low; }

void tb__user_host_layout(const tb_plan *p, tb_user_host_layout *h)
{
    int n = 0;
    for (int d = 0; d < p->ndim; d++)
        if (!(p->reduced >> d & 1)) h->dim[n++] = (uint8_t)d;
    h->na = n;
    for (int d = 0; d < p->ndim; d++)
        if (p->reduced >> d & 1) h->dim[n++] = (uint8_t)d;
    h->nb = n - h->na;
    h->rows = h->along = 1;
    for (int t = 0; t < n; t++) *(t < h->na ? &h->rows : &h->along) *= p->shape[h->dim[t]];
    h->column = h->na > 0 && h->nb > 0 && h->dim[h->na - 1] == p->ndim - 1;
    const int inner = n == 0 ? 0 : h->dim[h->column ? h->na - 1 : n - 1];
    for (int x = 0; x < p->nload; x++) h->access[x] = n == 0 ? TB_USER_SPREAD : access_of(p, x, inner);
    h->tiles = h->column ? tb__ceil_div(p->shape[inner], TB_USER_HOST_TILE) : 1;
    const int64_t lines = h->column ? h->rows / p->shape[inner] * h->tiles : h->rows;
    const int64_t work = h->along * (h->column ? at_most(p->shape[inner], TB_USER_HOST_TILE) : 1);
    const int64_t parts =
        at_least(at_most(at_most(work / WHOLE_PART, MAX_PARTS / at_most(lines, MAX_PARTS)), h->along), 1);
    h->part = tb__ceil_div(h->along, parts);
    h->parts = tb__ceil_div(h->along, h->part);
    h->rows_per_task = h->column || h->parts > 1 ? 1 : at_least(ROWS / h->along, 1);
    h->tasks = tb__ceil_div(lines, h->rows_per_task) * h->parts;
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

unsigned char *tb__user_host_pack(const tb_plan *p, const tb_user_host_layout *h, unsigned char *to,
                                  unsigned char **workspace_at)
{
    to = tb__user_put_word(to, h->rows);
    to = tb__user_put_word(to, h->along);
    to = tb__user_put_word(to, h->part);
    to = tb__user_put_word(to, h->parts);
    to = tb__user_put_word(to, h->rows_per_task);
    to = tb__user_put_word(to, h->tiles);
    *workspace_at = to;
    to = tb__user_put_word(to, 0);
    to = tb__user_put_word(to, (int64_t)(uintptr_t)p->store[0].ptr);
    for (int t = 0; t < h->na + h->nb; t++) to = tb__user_put_word(to, p->shape[h->dim[t]]);
    for (int t = 0; t < h->na; t++) to = tb__user_put_word(to, p->store[0].strides[h->dim[t]]);
    for (int x = 0; x < p->nload; x++) {
        to = tb__user_put_word(to, (int64_t)(uintptr_t)p->load[x].ptr);
        for (int t = 0; t < h->na + h->nb; t++) to = tb__user_put_word(to, p->load[x].strides[h->dim[t]]);
    }
    return to;
}

static void declare(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out)
{
    bool marks[TB_USER_MAXPARAM];
    for (int k = 0; k < u->params->n; k++) marks[k] = u->kind[k] == TB_USER_ELEMENT;
    tb__text_add(out, "struct _tb_args {\n    long long rows, along, part, parts, rows_per_task, tiles;\n"
                      "    char *workspace, *y;\n");
    for (int t = 0; t < h->na + h->nb; t++) tb__text_addf(out, "    long long e%d;\n", t);
    for (int t = 0; t < h->na; t++) tb__text_addf(out, "    long long y_%d;\n", t);
    for (int x = 0; x < u->plan->nload; x++) {
        tb__text_addf(out, "    char *x%d;\n", x);
        for (int t = 0; t < h->na + h->nb; t++) tb__text_addf(out, "    long long s%d_%d;\n", x, t);
    }
    tb__user_fields(u->params, u->type, marks, u->raw, out);
    tb__user_indexer_fields(u, out);
    tb__text_add(out, "};\n");
}

/* ---- the user's expressions ------------------------------------------------------------------------------------- */

static void lambdas(const tb_user_reduce *u, bool map, tb_text *out)
{
    const tb_user_params *p = u->params;
    bool marks[TB_USER_MAXPARAM];
    for (int k = 0; k < p->n; k++) marks[k] = u->kind[k] == TB_USER_ELEMENT;
    tb__user_locals(p, u->type, marks, u->raw, "_tb", out);
    if (map) {
        tb__text_add(out, "    auto _tb_map = [&](const ptrdiff_t _i, const ptrdiff_t _J");
        for (int k = 0; k < p->nin; k++)
            if (marks[k]) tb__text_addf(out, ", const %s &%s", tb__ctype[u->type[k]], p->param[k].name);
        tb__text_add(out, ") __attribute__((always_inline)) -> _type_reduce {\n"
                          "    const ptrdiff_t _j = _i + _J * _tb.rows; (void)_j;\n");
        tb__user_indexer_locals(u, true, "_tb", out);
        tb__text_addf(out, "    return static_cast<_type_reduce>(%s);\n    };\n", u->code->map);
    }
    const char *result = tb__ctype[u->type[p->nin]];
    tb__text_addf(out,
                  "    auto _tb_post = [&](tb_acc &_tb_s, const ptrdiff_t _i, %s &%s) {\n"
                  "    _type_reduce a = TB_VALUE(_tb_s);\n",
                  result, p->param[p->nin].name);
    tb__user_indexer_locals(u, false, "_tb", out);
    tb__text_addf(out, "    {\n%s;\n    }\n    };\n", u->code->post_map);
}

/* A call of the map for element `at` of the pointers b0, b1, ..., where b is `from`. */
static void map_call(const tb_user_reduce *u, const tb_user_host_layout *h, const char *from, const char *i,
                     const char *position, const char *at, tb_text *out)
{
    const int inner = h->column ? h->na - 1 : h->na + h->nb - 1;
    tb__text_addf(out, "_tb_map(%s, %s", i, position);
    for (int k = 0, x = 0; k < u->params->nin; k++) {
        if (u->kind[k] != TB_USER_ELEMENT) continue;
        const char *t = tb__ctype[u->type[k]];
        if (h->access[x] == TB_USER_UNIT) tb__text_addf(out, ", ((const %s *)%s%d)[%s]", t, from, x, at);
        else if (h->access[x] == TB_USER_SPREAD) tb__text_addf(out, ", *(const %s *)%s%d", t, from, x);
        else tb__text_addf(out, ", *(const %s *)(%s%d + (%s) * _tb.s%d_%d)", t, from, x, at, x, inner);
        x++;
    }
    tb__text_add(out, ")");
}

/* Moves pointers `to` by the coordinates of index `q`, which is used up, in dimensions from ... end-1. */
static void move(const tb_user_reduce *u, const tb_user_host_layout *h, const char *to, int from, int end, bool result,
                 tb_text *out)
{
    (void)h;
    for (int t = end - 1; t >= from; t--) {
        if (t > from) tb__text_addf(out, "    c = q %% _tb.e%d;\n    q /= _tb.e%d;\n", t, t);
        else tb__text_add(out, "    c = q;\n");
        for (int x = 0; x < u->plan->nload && !result; x++)
            tb__text_addf(out, "    %s%d += c * _tb.s%d_%d;\n", to, x, x, t);
        if (result) tb__text_addf(out, "    y += c * _tb.y_%d;\n", t);
    }
}

static void pointers(const tb_user_reduce *u, const char *to, const char *from, tb_text *out)
{
    for (int x = 0; x < u->plan->nload; x++) tb__text_addf(out, "    const char *%s%d = %s%d;\n", to, x, from, x);
}

static void finish(const tb_user_reduce *u, const tb_user_host_layout *h, const char *row, const char *value,
                   tb_text *out)
{
    tb__text_addf(out, "    {\n    long long q = %s, c;\n    char *y = _tb.y;\n", row);
    move(u, h, "", 0, h->na, true, out);
    tb__text_addf(out, "    (void)q, (void)c;\n    _tb_post(%s, %s, *(%s *)y);\n    }\n", value, row,
                  tb__ctype[u->type[u->params->nin]]);
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static void row_kernel(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out)
{
    const int last = h->na + h->nb - 1;
    tb__text_addf(out,
                  "    enum { W = %d };\n"
                  "    const long long group = blockIdx.x / _tb.parts, part = blockIdx.x %% _tb.parts;\n"
                  "    const long long from = part * _tb.part, to = from + _tb.part < _tb.along ? from + "
                  "_tb.part : _tb.along;\n"
                  "    const long long first = group * _tb.rows_per_task;\n"
                  "    for (long long row = first; row < first + _tb.rows_per_task && row < _tb.rows; row++) {\n"
                  "    long long q = row, c = 0;\n",
                  STRIPS);
    pointers(u, "r", "_tb.x", out);
    move(u, h, "r", 0, h->na, false, out);
    tb__text_add(out, "    (void)q, (void)c;\n    tb_acc s[W];\n    for (int l = 0; l < W; l++) s[l] = tb_init();\n"
                      "    for (long long j = from; j < to;) {\n    q = j;\n");
    pointers(u, "b", "r", out);
    if (h->nb > 0) {
        move(u, h, "b", h->na, last + 1, false, out);
        tb__text_addf(out, "    const long long left = _tb.e%d - j %% _tb.e%d, m = to - j < left ? to - j : left;\n",
                      last, last);
    } else {
        tb__text_add(out, "    const long long m = 1;\n");
    }
    tb__text_add(out, "    long long k = 0;\n    for (; k + W <= m; k += W)\n"
                      "    for (int l = 0; l < W; l++) _tb_take(s[l], ");
    map_call(u, h, "b", "row", "j + k + l", "k + l", out);
    tb__text_add(out, ");\n    for (int l = 0; k < m; k++, l++) _tb_take(s[l], ");
    map_call(u, h, "b", "row", "j + k", "k", out);
    tb__text_add(out, ");\n    j += m;\n    }\n    for (int d = W / 2; d; d /= 2)\n"
                      "    for (int l = 0; l < d; l++) tb_merge(s[l], s[l + d]);\n");
    if (h->parts > 1) tb__text_add(out, "    ((tb_acc *)_tb.workspace)[part * _tb.rows + row] = s[0];\n");
    else finish(u, h, "row", "s[0]", out);
    tb__text_add(out, "    }\n");
}

/* Rows j, j + 1, ... join a tile's accumulators, one after the other. */
static void take_rows(const tb_user_reduce *u, const tb_user_host_layout *h, int n, tb_text *out)
{
    char from[16], position[16];
    for (int k = 0; k < n; k++) {
        snprintf(from, sizeof from, "b%d_", k);
        tb__text_addf(out, "    q = j + %d;\n", k);
        pointers(u, from, "r", out);
        move(u, h, from, h->na, h->na + h->nb, false, out);
    }
    tb__text_add(out, "    for (int l = 0; l < m; l++) {\n    tb_acc t = s[l];\n");
    for (int k = 0; k < n; k++) {
        snprintf(from, sizeof from, "b%d_", k);
        snprintf(position, sizeof position, "j + %d", k);
        tb__text_add(out, "    _tb_take(t, ");
        map_call(u, h, from, "row + l", position, "l", out);
        tb__text_add(out, ");\n");
    }
    tb__text_add(out, "    s[l] = t;\n    }\n");
}

static void column_kernel(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out)
{
    const int last = h->na - 1;
    tb__text_addf(out,
                  "    enum { W = %d };\n"
                  "    const long long line = blockIdx.x / _tb.parts, part = blockIdx.x %% _tb.parts;\n"
                  "    const long long from = part * _tb.part, to = from + _tb.part < _tb.along ? from + "
                  "_tb.part : _tb.along;\n"
                  "    const long long outer = line / _tb.tiles, start = line %% _tb.tiles * W;\n"
                  "    const int m = (int)(_tb.e%d - start < W ? _tb.e%d - start : W);\n"
                  "    const long long row = outer * _tb.e%d + start;\n    long long q = row, c = 0;\n",
                  TB_USER_HOST_TILE, last, last, last);
    pointers(u, "r", "_tb.x", out);
    move(u, h, "r", 0, h->na, false, out);
    tb__text_addf(out,
                  "    tb_acc s[W];\n    for (int l = 0; l < m; l++) s[l] = tb_init();\n    long long j = from;\n"
                  "    for (; j + %d <= to; j += %d) {\n",
                  TOGETHER, TOGETHER);
    take_rows(u, h, TOGETHER, out);
    tb__text_add(out, "    }\n    for (; j < to; j++) {\n");
    take_rows(u, h, 1, out);
    tb__text_add(out, "    }\n    for (int l = 0; l < m; l++) {\n");
    if (h->parts > 1) tb__text_add(out, "    ((tb_acc *)_tb.workspace)[part * _tb.rows + row + l] = s[l];\n");
    else finish(u, h, "row + l", "s[l]", out);
    tb__text_add(out, "    }\n");
}

static void second_kernel(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out)
{
    tb__text_addf(out,
                  "    const long long first = (long long)blockIdx.x * %d;\n"
                  "    for (long long row = first; row < first + %d && row < _tb.rows; row++) {\n"
                  "    const tb_acc *part = (const tb_acc *)_tb.workspace + row;\n"
                  "    tb_acc s = part[0];\n"
                  "    for (long long k = 1; k < _tb.parts; k++) tb_merge(s, part[k * _tb.rows]);\n",
                  TB_USER_HOST_SECOND, TB_USER_HOST_SECOND);
    finish(u, h, "row", "s", out);
    tb__text_add(out, "    }\n");
}

tb_status tb__user_reduction_host(const tb_user_reduce *u, const tb_user_host_layout *h, tb_text *out)
{
    tb__user_reduce_prologue(u, true, out);
    declare(u, h, out);
    tb__text_add(out, "extern \"C\" __global__ void tb_main(const __grid_constant__ _tb_args _tb)\n{\n");
    lambdas(u, true, out);
    /* In a scope of its own, where its names may hide the user's. */
    tb__text_add(out, "    {\n");
    if (h->column) column_kernel(u, h, out);
    else row_kernel(u, h, out);
    tb__text_add(out, "    }\n}\n");
    if (h->parts > 1) {
        tb__text_add(out, "extern \"C\" __global__ void tb_second(const __grid_constant__ _tb_args _tb)\n{\n");
        lambdas(u, false, out);
        tb__text_add(out, "    {\n");
        second_kernel(u, h, out);
        tb__text_add(out, "    }\n}\n");
    }
    return out->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source") : TB_OK;
}
