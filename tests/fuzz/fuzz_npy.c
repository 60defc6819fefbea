/* fuzz_npy.c - beginnings of .npy files: what is accepted is a dtype and a shape whose bytes can be counted, whether
 * the file has them or not, and says the same of itself when it is written again. */
#include "conveniences/npy_header.h"
#include "fuzz.h"

static void check_header(const tb_npy *h)
{
    unsigned __int128 bytes = tb_dtype_size(h->dtype);
    bool empty = false;
    FUZZ_CHECK(h->dtype < TB_NDTYPE && h->ndim >= 0 && h->ndim <= TB_MAXDIM);
    for (int d = 0; d < h->ndim; d++) {
        FUZZ_CHECK(h->shape[d] >= 0);
        empty |= h->shape[d] == 0;
        if (h->shape[d] > 0) bytes *= (uint64_t)h->shape[d];
        FUZZ_CHECK(bytes <= INT64_MAX);
    }
    FUZZ_CHECK((uint64_t)h->size == (empty ? 0 : (uint64_t)bytes / tb_dtype_size(h->dtype)));
}

/* As this program would write it. */
static void check_again(const tb_npy *h)
{
    static const char *const codes[TB_NDTYPE] = {"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8",
                                                 "u8", "f2", "V2", "f4", "f8", "c8", "c16"};
    char text[1024];
    int n = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (", h->swapped ? '>' : '<',
                     codes[h->dtype], h->fortran_order ? "True" : "False");
    for (int d = 0; d < h->ndim; d++) n += snprintf(text + n, sizeof text - (size_t)n, "%lld,", (long long)h->shape[d]);
    n += snprintf(text + n, sizeof text - (size_t)n, "), }  \n");
    tb_npy again;
    FUZZ_CHECK(tb__npy_header(text, (size_t)n, &again) == TB_OK);
    FUZZ_CHECK(again.dtype == h->dtype && again.swapped == h->swapped && again.fortran_order == h->fortran_order);
    FUZZ_CHECK(again.ndim == h->ndim && again.size == h->size);
    FUZZ_CHECK(memcmp(again.shape, h->shape, (size_t)h->ndim * sizeof *h->shape) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tb_npy h = {0};
    size_t begin = 0, length = 0;
    const char *wrong = tb__npy_preamble(data, size < TB_NPY_PREAMBLE ? size : TB_NPY_PREAMBLE, &begin, &length);
    FUZZ_CHECK(wrong || (begin <= TB_NPY_PREAMBLE && begin <= size));
    if (wrong) begin = 0; /* the description alone */
    const tb_status status = tb__npy_header((const char *)data + begin, size - begin, &h);
    if (status != TB_OK) {
        FUZZ_CHECK(status == TB_ERR_VALUE || status == TB_ERR_TYPE);
        FUZZ_CHECK(*tb_error_message());
        return 0;
    }
    check_header(&h);
    check_again(&h);
    return 0;
}
