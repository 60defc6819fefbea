/* fuzz_dlpack.c - DLPack tensors of somebody else's: what is accepted reaches from the lowest to the highest byte that
 * arithmetic in 128 bits finds, and is read right where that is memory. */
#include "conveniences/dl_tensor.h"
#include "fuzz.h"

enum { BYTES = 1024, MOST = 4096 };

/* False: beyond what 128 bits hold, which 64 do not either. */
static bool exact_extent(const dl_tensor *x, int64_t size, __int128 *lo, __int128 *hi)
{
    *lo = 0;
    *hi = size;
    for (int d = 0; d < x->ndim; d++)
        if (x->shape[d] == 0) return *hi = 0, true;
    __int128 step = size;
    for (int d = x->ndim - 1; d >= 0; d--) {
        const __int128 stride = x->strides ? (__int128)x->strides[d] * size : step;
        __int128 reach;
        if (__builtin_mul_overflow(stride, (__int128)x->shape[d] - 1, &reach)) return false;
        if (__builtin_mul_overflow(step, (__int128)x->shape[d], &step) && !x->strides) return false;
        if (__builtin_add_overflow(*(reach < 0 ? lo : hi), reach, reach < 0 ? lo : hi)) return false;
    }
    return true;
}

/* The array's elements against those that the tensor's strides lead to. */
static void check_elements(const dl_tensor *x, const tb_foreign *m)
{
    static uint8_t got[MOST * 16];
    const int64_t size = (int64_t)tb_dtype_size(m->dtype);
    int64_t at[TB_MAXDIM] = {0};
    tb_buffer *b = NULL;
    tb_array *a = NULL;
    FUZZ_CHECK(tb_buffer_wrap(m->first + m->lo, (size_t)(m->hi - m->lo), 0, NULL, NULL, &b) == TB_OK);
    const tb_status status = tb_array_on_buffer(b, -m->lo, m->dtype, m->ndim, m->shape, m->strides, &a);
    tb_buffer_release(b);
    if (status != TB_OK) { /* not aligned, or too many elements */
        FUZZ_CHECK(*tb_error_message());
        return;
    }
    const int64_t n = tb_array_size(a);
    if (n <= MOST) {
        FUZZ_CHECK(tb_array_get(a, got, NULL, NULL, true) == TB_OK);
        for (int64_t i = 0; i < n; i++) {
            int64_t offset = 0, step = 1;
            for (int d = x->ndim - 1; d >= 0; d--) {
                offset += at[d] * (x->strides ? x->strides[d] : step) * size;
                step *= x->shape[d];
            }
            FUZZ_CHECK(memcmp(got + i * size, (char *)x->data + x->byte_offset + offset, (size_t)size) == 0);
            for (int d = x->ndim - 1; d >= 0 && ++at[d] == x->shape[d]; d--) at[d] = 0;
        }
    }
    tb_array_release(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t codes[] = {DL_INT, DL_UINT, DL_FLOAT, DL_COMPLEX, DL_BOOL, 3};
    static const uint8_t bits[] = {8, 16, 32, 64, 128, 1};
    static uint64_t block[BYTES / 8];
    fuzz_input in = {data, size};
    int64_t shape[8], strides[8];
    dl_tensor x = {.data = block, .shape = shape, .device.type = DL_CPU};
    tb_foreign m;
    for (int i = 0; i < BYTES / 8; i++) block[i] = 0x0101010101010101u * (unsigned)i;
    const unsigned odd = fuzz_byte(&in);
    x.dtype.code = codes[fuzz_below(&in, 6)];
    x.dtype.bits = bits[fuzz_below(&in, 6)];
    x.dtype.lanes = odd & 1 ? (uint16_t)fuzz_int(&in) : 1;
    x.ndim = fuzz_below(&in, 9);
    for (int d = 0; d < x.ndim; d++) {
        shape[d] = fuzz_int(&in);
        strides[d] = fuzz_int(&in);
    }
    if (odd & 2) x.strides = strides;
    if (odd & 4) x.data = NULL;
    if (odd & 8) x.shape = NULL;
    if (odd & 16) x.ndim = (int32_t)fuzz_int(&in);
    if (x.ndim > 8) x.shape = NULL; /* there are no more */
    x.byte_offset = odd & 32 ? (uint64_t)fuzz_int(&in) : 8 * (uint64_t)fuzz_byte(&in) % BYTES;
    if (odd & 64 && x.ndim > 8) x.ndim = 65;
    FUZZ_CHECK(tb_init() == TB_OK);
    const char *wrong = tb__dl_read(&x, &m);
    if (wrong) return 0;
    __int128 lo, hi;
    FUZZ_CHECK(exact_extent(&x, (int64_t)tb_dtype_size(m.dtype), &lo, &hi) && lo == m.lo && hi == m.hi);
    const __int128 first = (__int128)(uintptr_t)m.first - (uintptr_t)block;
    if (x.data && first + lo >= 0 && first + hi <= BYTES) check_elements(&x, &m);
    return 0;
}
