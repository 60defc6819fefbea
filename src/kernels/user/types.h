/* types.h - src/kernels/user is what user kernels may include or count on, on a GPU and on the CPU. Here names that
 * NVRTC does not have by itself. Where the kernel's text declares one itself, TB_OWN_ and the name is defined. On the
 * host they are what <stdint.h> says. */
#ifndef TB_USER_TYPES_H
#define TB_USER_TYPES_H
#if !defined(TB_HOST_CUDA)
#define TB_INT8 signed char
#define TB_INT16 short
#define TB_INT32 int
#define TB_INT64 long long
#define TB_UINT8 unsigned char
#define TB_UINT16 unsigned short
#define TB_UINT32 unsigned int
#define TB_UINT64 unsigned long long
#else
#define TB_INT8 __INT8_TYPE__
#define TB_INT16 __INT16_TYPE__
#define TB_INT32 __INT32_TYPE__
#define TB_INT64 __INT64_TYPE__
#define TB_UINT8 __UINT8_TYPE__
#define TB_UINT16 __UINT16_TYPE__
#define TB_UINT32 __UINT32_TYPE__
#define TB_UINT64 __UINT64_TYPE__
#endif
#ifndef TB_OWN_int8_t
typedef TB_INT8 int8_t;
#endif
#ifndef TB_OWN_int16_t
typedef TB_INT16 int16_t;
#endif
#ifndef TB_OWN_int32_t
typedef TB_INT32 int32_t;
#endif
#ifndef TB_OWN_int64_t
typedef TB_INT64 int64_t;
#endif
#ifndef TB_OWN_uint8_t
typedef TB_UINT8 uint8_t;
#endif
#ifndef TB_OWN_uint16_t
typedef TB_UINT16 uint16_t;
#endif
#ifndef TB_OWN_uint32_t
typedef TB_UINT32 uint32_t;
#endif
#ifndef TB_OWN_uint64_t
typedef TB_UINT64 uint64_t;
#endif
#endif
