/* environment.h - the TOMBAC_ variables that are numbers or words: what each may be stands in one table. Folders, lists
 * of them and commands are read where they are used (docs/environment.md has all). */
#ifndef TB_BASE_ENVIRONMENT_H
#define TB_BASE_ENVIRONMENT_H
#include "tombac/tombac.h"

typedef enum tb_variable {
    TB_ENV_BACKEND,
    TB_ENV_FUSION,
    TB_ENV_STRICT_INDICES,
    TB_ENV_COMPILE,
    TB_ENV_NUM_THREADS,
    TB_ENV_CPU_DEVICES,
    TB_ENV_CPU_ISA,
    TB_ENV_STREAM_BYTES,
    TB_ENV_CACHE_SIZE,
    TB_ENV_BARRIER,
    TB_ENV_SOLVERS,
    TB_ENV_SPARSE_SOLVERS,
    TB_ENV_TF32,
    TB_ENV_DEBUG,
    TB_NENV
} tb_variable;

/* A variable's number, or its word's place among those that it may be. `otherwise` where it is not set, or empty, or
 * not what it may be: the last is for those who cannot fail, after tb__environment_check has told. */
int64_t tb__environment(tb_variable v, int64_t otherwise);
/* TB_ERR_VALUE, naming the variable, for the first whose value is not what it may be. */
tb_status tb__environment_check(void);
#endif
