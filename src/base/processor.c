/* processor.c - the processor's level. This file and those that run before the check must be compiled for every
 * processor of the architecture: -march is for the loops alone. */
#include "base/processor.h"

#include <stddef.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/error.h"

/* ---- levels --------------------------------------------------------------------------------------------------- */

typedef struct feature {
    const char *name;
    int level;
    size_t where; /* of the register in a tb_cpuid */
    int bit;
} feature;

#define IN(r) offsetof(tb_cpuid, r)
static const feature features[] = {
    {"CMPXCHG16B", 2, IN(leaf1_ecx), 13}, {"LAHF", 2, IN(extended_ecx), 0},   {"POPCNT", 2, IN(leaf1_ecx), 23},
    {"SSE3", 2, IN(leaf1_ecx), 0},        {"SSSE3", 2, IN(leaf1_ecx), 9},     {"SSE4.1", 2, IN(leaf1_ecx), 19},
    {"SSE4.2", 2, IN(leaf1_ecx), 20},     {"OSXSAVE", 3, IN(leaf1_ecx), 27},  {"AVX", 3, IN(leaf1_ecx), 28},
    {"AVX2", 3, IN(leaf7_ebx), 5},        {"BMI1", 3, IN(leaf7_ebx), 3},      {"BMI2", 3, IN(leaf7_ebx), 8},
    {"F16C", 3, IN(leaf1_ecx), 29},       {"FMA", 3, IN(leaf1_ecx), 12},      {"LZCNT", 3, IN(extended_ecx), 5},
    {"MOVBE", 3, IN(leaf1_ecx), 22},      {"AVX512F", 4, IN(leaf7_ebx), 16},  {"AVX512BW", 4, IN(leaf7_ebx), 30},
    {"AVX512CD", 4, IN(leaf7_ebx), 28},   {"AVX512DQ", 4, IN(leaf7_ebx), 17}, {"AVX512VL", 4, IN(leaf7_ebx), 31},
};

/* What the system has to save of registers, by XCR0's bits: XMM and YMM; the masks and both parts of ZMM too. */
enum { SAVES_YMM = 0x06, SAVES_ZMM = 0xe6 };

const char *tb__cpuid_lacks(const tb_cpuid *c, int level)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        uint32_t value;
        memcpy(&value, (const char *)c + features[i].where, sizeof value);
        if (features[i].level <= level && !(value >> features[i].bit & 1)) return features[i].name;
    }
    if (level >= 3 && (c->saved & SAVES_YMM) != SAVES_YMM) return "a system that saves the registers of AVX";
    if (level >= 4 && (c->saved & SAVES_ZMM) != SAVES_ZMM) return "a system that saves the registers of AVX512";
    return NULL;
}

int tb__cpuid_level(const tb_cpuid *c)
{
    int level = 1;
    while (level < 4 && !tb__cpuid_lacks(c, level + 1)) level++;
    return level;
}

/* ---- this processor ------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
static tb_cpuid read_cpuid(void)
{
    enum { OSXSAVE = 1 << 27 };
    tb_cpuid c = {0};
    unsigned a, b, r, d;
    if (__get_cpuid(1, &a, &b, &r, &d)) c.leaf1_ecx = r;
    if (__get_cpuid_count(7, 0, &a, &b, &r, &d)) c.leaf7_ebx = b;
    if (__get_cpuid(0x80000001, &a, &b, &r, &d)) c.extended_ecx = r;
    if (c.leaf1_ecx & OSXSAVE) {
        /* XGETBV: the compilers' builtin needs -mxsave. */
        __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        c.saved = (uint64_t)d << 32 | a;
    }
    return c;
}

int tb__processor_level(void)
{
    const tb_cpuid c = read_cpuid();
    return tb__cpuid_level(&c);
}

tb_status tb_processor_check(void)
{
    const tb_cpuid c = read_cpuid();
    const char *missing = tb__cpuid_lacks(&c, 2);
    if (!missing) return TB_OK;
    return tb__fail(TB_ERR_LIBRARY,
                    "tombac needs a processor of the level x86-64-v2 (of 2009 and later); this one"
                    " lacks %s",
                    missing);
}
#else
int tb__processor_level(void) { return 0; }

tb_status tb_processor_check(void) { return TB_OK; }
#endif
