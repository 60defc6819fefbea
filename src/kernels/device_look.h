/* device_look.h - loads of what nobody writes while the kernel runs: stores before them in a thread's program do not
 * hold them up. */

template <class T> TB_FN T tb_look(const T *from)
{
#ifdef __CUDACC_RTC__
    T x;
    if constexpr (sizeof(T) == 16 && alignof(T) == 16) {
        const uint4 w = __ldg((const uint4 *)from);
        memcpy(&x, &w, sizeof x);
    } else if constexpr (sizeof(T) == 8 && alignof(T) == 8) {
        const uint2 w = __ldg((const uint2 *)from);
        memcpy(&x, &w, sizeof x);
    } else if constexpr (sizeof(T) == 4 && alignof(T) == 4) {
        const unsigned w = __ldg((const unsigned *)from);
        memcpy(&x, &w, sizeof x);
    } else if constexpr (sizeof(T) == 2 && alignof(T) == 2) {
        const unsigned short w = __ldg((const unsigned short *)from);
        memcpy(&x, &w, sizeof x);
    } else if constexpr (sizeof(T) == 1) {
        const unsigned char w = __ldg((const unsigned char *)from);
        memcpy(&x, &w, sizeof x);
    } else {
        x = *from;
    }
    return x;
#else
    return *from;
#endif
}
