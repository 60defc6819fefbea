/* isa.h - of what is compiled once for each instruction set, the version that this machine runs. */
#ifndef TB_BACKEND_CPU_LOOPS_ISA_H
#define TB_BACKEND_CPU_LOOPS_ISA_H

typedef enum tb_cpu_level { TB_CPU_BASE, TB_CPU_AVX2, TB_CPU_AVX512 } tb_cpu_level;

/* The best that the processor, the build and TOMBAC_CPU_ISA allow, which the elementwise loops are of, too. */
tb_cpu_level tb__cpu_level(void);

#ifdef TB_HAVE_ISA_AVX2
#define TB_OR_AVX2(version, lesser) (tb__cpu_level() == TB_CPU_AVX2 ? (version) : (lesser))
#else
#define TB_OR_AVX2(version, lesser) (lesser)
#endif
#ifdef TB_HAVE_ISA_AVX512
#define TB_OR_AVX512(version, lesser) (tb__cpu_level() == TB_CPU_AVX512 ? (version) : (lesser))
#else
#define TB_OR_AVX512(version, lesser) (lesser)
#endif

/* Declares the versions of a variable; the array's brackets are the last argument, or nothing. */
#define TB_ISA_EXTERN(type, name, brackets) \
    extern type name##base brackets;        \
    extern type name##avx2 brackets;        \
    extern type name##avx512 brackets;
/* The version in use: TB_OF_ISA(&tb__pair_loops_) is one of &tb__pair_loops_base and so on. */
#define TB_OF_ISA(name) TB_OR_AVX512(name##avx512, TB_OR_AVX2(name##avx2, name##base))
#endif
