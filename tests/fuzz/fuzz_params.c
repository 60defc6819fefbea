/* fuzz_params.c - parameter lists of user kernels, and the sources around them. The input's lines: what is given for
 * each parameter, the inputs, the outputs, the operation, and the preamble. */
#include "codegen/user.h"
#include "fuzz.h"

/* A source for every form of walk: flat, with a vector, and strided. */
static void make_sources(const tb_user_params *p, const tb_user_code *c, const tb_operand *in, const uint8_t *types)
{
    static const struct {
        uint8_t ndim, flat, wide, on_host, vector, unroll, access;
    } forms[] = {
        {1, 1, 0, 0, 0, 1, TB_USER_LINEAR}, {1, 1, 0, 0, 4, 2, TB_USER_LINEAR}, {3, 0, 1, 0, 0, 1, TB_USER_STRIDED},
        {1, 1, 0, 1, 0, 1, TB_USER_LINEAR}, {2, 0, 0, 1, 0, 1, TB_USER_UNIT},   {2, 0, 1, 1, 0, 1, TB_USER_SPREAD},
    };
    tb_user_traits traits;
    tb__user_traits(p, c, &traits);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        tb_user_variant v = {.ndim = forms[f].ndim,
                             .flat = forms[f].flat,
                             .wide = forms[f].wide,
                             .on_host = forms[f].on_host,
                             .vector = traits.vector ? forms[f].vector : 0,
                             .unroll = forms[f].unroll};
        tb_text out = {0};
        for (int k = 0; k < p->n; k++) {
            const bool scalar = k < p->nin && !in[k].array;
            v.type[k] = types[k];
            v.kind[k] = scalar ? TB_USER_SCALAR : p->param[k].raw ? TB_USER_RAW : TB_USER_ELEMENT;
            v.access[k] = forms[f].access;
            v.raw[k] = (tb_user_raw){.ndim = scalar ? TB_NODTYPE : 2, .contiguous = k % 2};
        }
        FUZZ_CHECK(tb__user_elementwise(p, c, &v, &out) == TB_OK && strstr(out.s, c->operation));
        tb__text_free(&out);
    }
}

/* The dtypes that the operands give, where they fit together. */
static void call(const tb_user_params *p, const tb_user_code *c, const char *given)
{
    static const int64_t shape[1] = {2};
    tb_array *array[TB_NDTYPE] = {NULL};
    tb_operand in[TB_USER_MAXPARAM] = {{0}};
    uint8_t types[TB_USER_MAXPARAM];
    for (int t = 0; t < TB_NDTYPE; t++) FUZZ_CHECK(tb_empty((tb_dtype)t, 1, shape, 'C', &array[t]) == TB_OK);
    for (int k = 0; k < p->nin; k++) {
        const unsigned g = (unsigned char)*given % (2 * TB_NDTYPE);
        given += *given != 0;
        if (g < TB_NDTYPE) in[k] = tb_operand_array(array[g]);
        else in[k] = g % 2 ? tb_operand_int(-3) : tb_operand_float(0.5);
    }
    for (int k = 0; k < p->n; k++)
        types[k] = (uint8_t)(k < p->nin && in[k].array ? tb_array_dtype(in[k].array) : TB_NODTYPE);
    if (tb__user_params_types(c->name, p, in, types) == TB_OK) {
        for (int k = 0; k < p->n; k++) FUZZ_CHECK(types[k] < TB_NDTYPE);
        make_sources(p, c, in, types);
    }
    for (int t = 0; t < TB_NDTYPE; t++) tb_array_release(array[t]);
}

static void make_kernels(const char *in, const char *out, const char *operation, const char *preamble)
{
    tb_elementwise *e = NULL;
    tb_reducer *r = NULL;
    const tb_elementwise_source map = {sizeof(tb_elementwise_source), .in_params = in, .out_params = out,
                                       .operation = operation,        .name = "k",     .preamble = preamble};
    const tb_reducer_source reduction = {
        sizeof(tb_reducer_source), .in_params = in,          .out_params = out, .map_expr = operation,
        .reduce_expr = "a + b",    .post_map_expr = "y = a", .name = "k",       .preamble = preamble};
    if (tb_elementwise_new(&map, &e) == TB_OK)
        for (int k = 0; k < tb_elementwise_nin(e) + tb_elementwise_nout(e); k++)
            FUZZ_CHECK(*tb_elementwise_parameter(e, k).name);
    tb_elementwise_release(e);
    if (tb_reducer_new(&reduction, &r) == TB_OK) FUZZ_CHECK(tb_reducer_nin(r) >= 0 && *tb_reducer_parameter(r, 0).name);
    tb_reducer_release(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    tb_user_params p;
    char *given = fuzz_line(&input, false), *in = fuzz_line(&input, false), *out = fuzz_line(&input, false);
    char *operation = fuzz_line(&input, false), *preamble = fuzz_line(&input, true);
    const tb_user_code code = {"k", operation, preamble, "", ""};
    if (tb__user_params_parse("k", in, out, &p) == TB_OK) {
        FUZZ_CHECK(p.nin >= 0 && p.nin <= p.n && p.n <= TB_USER_MAXPARAM);
        call(&p, &code, given);
    } else {
        FUZZ_CHECK(*tb_error_message());
    }
    tb__user_params_free(&p);
    make_kernels(in, out, operation, preamble);
    free(given);
    free(in);
    free(out);
    free(operation);
    free(preamble);
    return 0;
}
