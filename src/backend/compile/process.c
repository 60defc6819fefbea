/* process.c - running another program: without a shell, its words to a file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "backend/compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

/* The messages are parsed by people and cut to fit: no translation. */
static char **environment(void)
{
    int n = 0, m = 0;
    while (environ[n]) n++;
    char **e = calloc((size_t)n + 2, sizeof *e);
    if (!e) return NULL;
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) e[m++] = environ[i];
    e[m] = (char *)(uintptr_t)"LC_ALL=C";
    return e;
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 0; /* somebody ignores SIGCHLD: the output file tells */
    return status;
}

tb_status tb__process_run(const char *const *argv, const char *path, const char *log, int *status)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    char **env = environment();
    if (!env) return tb__fail(TB_ERR_MEMORY, "out of host memory starting %s", path);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int error = posix_spawn(&pid, path, &actions, NULL, (char *const *)(uintptr_t)argv, env);
    posix_spawn_file_actions_destroy(&actions);
    free(env);
    if (error != 0) return tb__fail(TB_ERR_LIBRARY, "%s cannot be started: %s", path, strerror(error));
    *status = wait_for(pid);
    return TB_OK;
}
