/* texture.c - formats of the elements of arrays and textures, the same for every backend. */
#include "backend/texture.h"

#include "base/error.h"

tb_status tb__channel_format(const tb_channel_desc *d, int *format, int *channels)
{
    static const struct {
        int kind, bits, format;
    } formats[] = {
        {TB_CHANNEL_UNSIGNED, 8, 0x01}, {TB_CHANNEL_UNSIGNED, 16, 0x02}, {TB_CHANNEL_UNSIGNED, 32, 0x03},
        {TB_CHANNEL_SIGNED, 8, 0x08},   {TB_CHANNEL_SIGNED, 16, 0x09},   {TB_CHANNEL_SIGNED, 32, 0x0a},
        {TB_CHANNEL_FLOAT, 16, 0x10},   {TB_CHANNEL_FLOAT, 32, 0x20},
    };
    int n = 0, bits = d->bits[0], rest = 0;
    while (n < 4 && d->bits[n] == bits) n++;
    for (int i = n; i < 4; i++) rest |= d->bits[i];
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (n == 3 || rest || d->kind != formats[i].kind || bits != formats[i].bits) continue;
        *format = formats[i].format;
        *channels = n;
        return TB_OK;
    }
    return tb__fail_device(20, "a channel descriptor",
                           "cudaErrorInvalidChannelDescriptor: expected 1, 2 or 4 channels of 8, 16 or 32 bits of"
                           " integers, or of 16 or 32 of floats");
}

size_t tb__format_size(int format)
{
    switch (format) {
    case 0x01:
    case 0x08: return 1;
    case 0x02:
    case 0x09:
    case 0x10: return 2;
    default: return 4;
    }
}
