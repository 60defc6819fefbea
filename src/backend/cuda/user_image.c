/* user_image.c - compiled user code with the names of its template instantiations, in one block of memory. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/module.h"
#include "base/error.h"

enum { ALIGNMENT = 16 };

typedef struct header {
    char magic[8];
    uint32_t nname, code_at; /* bytes from the start; the names lie between */
} header;

static const char magic[8] = "TBUSER1";

tb_status tb__user_image_make(int nname, const char *const *names, const tb_image *code, tb_user_image *out)
{
    header h = {.nname = (uint32_t)nname};
    size_t at = sizeof h;
    for (int i = 0; i < nname; i++) at += strlen(names[i]) + 1;
    size_t code_at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    tb_image block = {calloc(1, code_at + code->size + 1), code_at + code->size};
    if (!block.data || code_at > UINT32_MAX) {
        free(block.data);
        return tb__fail_memory(block.size, 0, 0, 0);
    }
    memcpy(h.magic, magic, sizeof magic);
    h.code_at = (uint32_t)code_at;
    memcpy(block.data, &h, sizeof h);
    at = sizeof h;
    for (int i = 0; i < nname; i++) {
        size_t n = strlen(names[i]) + 1;
        memcpy(block.data + at, names[i], n);
        at += n;
    }
    memcpy(block.data + code_at, code->data, code->size);
    if (tb__user_image_open(&block, nname, out)) return TB_OK;
    return tb__fail(TB_ERR_INTERNAL, "an image of user code that was just made is damaged");
}

static bool is_whole(const tb_image *block, int nname, const header *h)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0 || h->nname != (uint32_t)nname) return false;
    if (h->code_at < sizeof *h || h->code_at >= block->size) return false;
    size_t at = sizeof *h;
    for (int i = 0; i < nname; i++) {
        const void *end = memchr(block->data + at, 0, h->code_at - at);
        if (!end) return false;
        at = (size_t)((const unsigned char *)end - block->data) + 1;
    }
    return true;
}

bool tb__user_image_open(tb_image *block, int nname, tb_user_image *out)
{
    header h;
    bool good = block->size > sizeof h;
    if (good) memcpy(&h, block->data, sizeof h);
    if (good && is_whole(block, nname, &h)) {
        *out = (tb_user_image){.data = block->data,
                               .size = block->size,
                               .names = (char *)block->data + sizeof h,
                               .nname = nname,
                               .code = block->data + h.code_at};
        return true;
    }
    free(block->data);
    *block = (tb_image){NULL, 0};
    return false;
}
