/* processor.h - what this processor can do, by the levels of the x86-64 ABI; code is compiled for one of them. */
#ifndef TB_BASE_PROCESSOR_H
#define TB_BASE_PROCESSOR_H
#include "tombac/tombac.h"

/* The registers of the CPUID instruction that tell of levels, and those that the system saves (XGETBV). */
typedef struct tb_cpuid {
    uint32_t leaf1_ecx, leaf7_ebx;
    uint32_t extended_ecx; /* leaf 0x80000001 */
    uint64_t saved;        /* XCR0; 0 where there is no XGETBV */
} tb_cpuid;

/* The level that the registers tell of, 1 to 4: all of its features, and the system saves its registers. */
int tb__cpuid_level(const tb_cpuid *c);
/* The first feature that level `level` asks for and the registers lack, such as "SSE4.2"; NULL: there is none. */
const char *tb__cpuid_lacks(const tb_cpuid *c, int level);
/* This processor's level; 0 where there are no such levels (another architecture). */
int tb__processor_level(void);
#endif
