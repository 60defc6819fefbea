/* process.h - running another program, such as a compiler: without a shell, its words to a file. */
#ifndef TB_BACKEND_COMPILE_PROCESS_H
#define TB_BACKEND_COMPILE_PROCESS_H
#include "tombac/tombac.h"

typedef struct tb_process {
    const char *path; /* of the program */
    const char *const *argv;
    const char *log;            /* the file for what it writes; messages are not translated */
    const char *folder;         /* where it may put temporary files */
    const char *const *without; /* names of environment variables that it must not see; NULL: none */
} tb_process;

/* Runs the program and waits for it; an interruption of the wait ends it and what it has started. *status: as from
 * waitpid. */
tb_status tb__process_run(const tb_process *p, int *status);
#endif
