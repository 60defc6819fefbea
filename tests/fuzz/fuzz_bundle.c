/* fuzz_bundle.c - files of shipped kernels: the input's first 16 bytes are the name that is looked for in the rest, as
 * it is and with the checksums of all its entries put right. */
#include "backend/gpu/kernel.h"
#include "base/hash.h"
#include "fuzz.h"

enum { HEADER = 16, ENTRY = 40 }; /* magic, count; name, offset, size, checksum */

static uint64_t word(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

static void find(const uint8_t *data, size_t size, const tb_kernel_name *name)
{
    tb_image image = {NULL, 0};
    if (!tb__bundle_find((const char *)data, size, name, &image)) return;
    FUZZ_CHECK(image.size > 0 && image.size <= size);
    free(image.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tb_kernel_name name;
    if (size < sizeof name) return 0;
    memcpy(&name, data, sizeof name);
    const size_t n = size - sizeof name;
    uint8_t *copy = malloc(n + !n);
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, data + sizeof name, n);
    find(copy, n, &name);
    for (uint8_t *e = copy + HEADER; n >= HEADER + ENTRY && e + ENTRY <= copy + n; e += ENTRY) {
        const uint64_t offset = word(e + 16), length = word(e + 24);
        if (offset > n || length > n - offset) continue;
        const uint64_t checksum = tb__hash_bytes(TB_HASH_START, copy + offset, length);
        memcpy(e + 32, &checksum, 8);
    }
    find(copy, n, &name);
    free(copy);
    return 0;
}
