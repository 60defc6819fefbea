/* threads.h - the thread pool, and the scratch memory of each thread. */
#ifndef TB_BASE_THREADS_H
#define TB_BASE_THREADS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tombac/tombac.h"

/* One of a job's tasks, numbered from 0; false: no memory. Tasks of a job run in any order, on any thread. */
typedef bool (*tb_task)(void *job, int64_t task);
/* Runs every task and returns when all are done. What tasks a job that computes has must depend on its size alone,
 * never on the number of threads. A task may not start another job's tasks in parallel: those run inline. */
tb_status tb__parallel(int64_t ntask, tb_task fn, void *job);
/* The same for tasks that may not end by themselves: watch(job) is called a few times a second while the calling thread
 * waits for others, and may make them end. */
tb_status tb__parallel_watched(int64_t ntask, tb_task fn, void *job, void (*watch)(void *));
int tb__threads(void);
/* Processors that the process may use, by affinity and share. */
int tb__processors(void);
/* At least n bytes, 64-byte aligned, owned by the calling thread and the same at every call; NULL: no memory. Only one
 * user at a time: a task, or the thread that starts a job before it does so. */
void *tb__scratch(size_t n);
#endif
