/* grid.h - cooperative launches, whose blocks all run at once and can wait for each other. */
#ifndef TB_BACKEND_CPU_USER_GRID_H
#define TB_BACKEND_CPU_USER_GRID_H
#include "backend/cpu/user/user.h"

/* launch.c: blocks [first, first + count) on the calling thread. A failure is recorded in the launch. */
void tb__cpu_run_blocks(tb_cpu_launch *l, uint64_t first, uint64_t count);

/* Every block on a thread of the system of its own. */
tb_status tb__grid_run(tb_cpu_launch *l, int nblock);
void tb__grid_sync(void);
int tb__grid_valid(void);
#endif
