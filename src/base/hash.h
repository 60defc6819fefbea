/* hash.h - 64-bit FNV-1a with a final mix: structural keys of kernels, checksums of cache entries. */
#ifndef TB_BASE_HASH_H
#define TB_BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

#define TB_HASH_START 0xcbf29ce484222325ull

static inline uint64_t tb__hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

static inline uint64_t tb__hash_u64(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 29);
}
#endif
