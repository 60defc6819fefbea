/* process.h - running another program, such as a compiler: without a shell, its words to a file. */
#ifndef TB_BACKEND_COMPILE_PROCESS_H
#define TB_BACKEND_COMPILE_PROCESS_H
#include "tombac/tombac.h"

/* Runs the program at `path` and waits for it. What it writes goes to the file `log`; messages are not translated.
 * *status: as from waitpid. */
tb_status tb__process_run(const char *const *argv, const char *path, const char *log, int *status);
#endif
