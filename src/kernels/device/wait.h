/* wait.h - what every kernel that tombac writes begins with. Device only. */

/* A kernel may be launched while what is before it in its stream still runs ("programmatic dependent launch"): it waits
 * for the end of that, and until its results are to be seen, before it looks at memory. */
static __device__ __forceinline__ void tb_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
