/* texture.h - structures of CUDA's run-time interface about arrays and textures, which programs pass by their address:
 * as in CUDA's headers, field by field. */
#ifndef TB_BACKEND_TEXTURE_H
#define TB_BACKEND_TEXTURE_H
#include "backend/backend.h"

enum { TB_CHANNEL_SIGNED, TB_CHANNEL_UNSIGNED, TB_CHANNEL_FLOAT };
enum { TB_RESOURCE_ARRAY, TB_RESOURCE_MIPMAP, TB_RESOURCE_LINEAR, TB_RESOURCE_PITCHED };
enum { TB_COPY_HOST_TO_HOST, TB_COPY_TO_DEVICE, TB_COPY_TO_HOST, TB_COPY_ON_DEVICE, TB_COPY_DEFAULT };

typedef struct tb_channel_desc {
    int bits[4], kind;
} tb_channel_desc;

typedef struct tb_resource_desc {
    int type;
    union {
        void *array;
        struct {
            void *ptr;
            tb_channel_desc channel;
            size_t bytes;
        } linear;
        struct {
            void *ptr;
            tb_channel_desc channel;
            size_t width, height, pitch;
        } pitched;
        int reserved[32];
    } of;
    unsigned flags;
} tb_resource_desc;

typedef struct tb_texture_desc {
    int address[3], filter, read, srgb; /* read: 1 for floats of integers */
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most;
    int no_trilinear, seamless;
} tb_texture_desc;

/* One side of a copy: an array, or memory in rows `pitch` bytes apart, `rows` of them to a layer. x is in elements of
 * the array, or in bytes. */
typedef struct tb_copy_side {
    void *array;
    size_t x, y, z;
    void *ptr;
    size_t pitch, row_bytes, rows;
} tb_copy_side;

typedef struct tb_copy_desc {
    tb_copy_side src, dst;
    size_t width, height, depth; /* width in elements of the array, if there is one */
    int kind;
} tb_copy_desc;

/* The driver's number of a format, CUarray_format, and how many channels: 1, 2 or 4 of the same size. */
tb_status tb__channel_format(const tb_channel_desc *d, int *format, int *channels);
/* Bytes of a channel. */
size_t tb__format_size(int format);
#endif
