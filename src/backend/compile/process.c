/* process.c - running another program: without a shell, its words to a file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "backend/compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"

extern char **environ;

/* Variables that make a compiler write files, or change what it is told to do behind the back of the name that its
 * result gets in the cache. */
static const char *const unwanted[] = {
    "LC_ALL",
    "LANGUAGE",
    "TMPDIR",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "GCC_COMPARE_DEBUG",
    "CCC_OVERRIDE_OPTIONS",
    "COLLECT_GCC_OPTIONS",
};

static bool is_variable(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static bool is_wanted(const char *entry, const char *const *without)
{
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        if (is_variable(entry, unwanted[i])) return false;
    for (; without && *without; without++)
        if (is_variable(entry, *without)) return false;
    return true;
}

/* The messages are parsed by people and cut to fit: no translation. One block: the variables, and behind them the text
 * of a new one. */
static char **environment(const tb_process *p)
{
    static const char variable[] = "TMPDIR=";
    size_t n = 0, m = 0, folder = strlen(p->folder) + sizeof variable;
    while (environ[n]) n++;
    char **e = calloc(1, (n + 3) * sizeof *e + folder);
    if (!e) return NULL;
    for (size_t i = 0; i < n; i++)
        if (is_wanted(environ[i], p->without)) e[m++] = environ[i];
    e[m++] = (char *)(uintptr_t)"LC_ALL=C";
    e[m] = (char *)(e + n + 3);
    snprintf(e[m], folder, "%s%s", variable, p->folder);
    return e;
}

/* Comes back when the child may have ended, or after a moment. `file` stands for it, or is -1. */
static void wait_a_little(int file, int *pause)
{
    enum { LONGEST = 20 };
    struct pollfd p = {.fd = file, .events = POLLIN};
    poll(&p, file >= 0, file >= 0 ? TB_ASK_EVERY : *pause);
    if (*pause < LONGEST) ++*pause;
}

static int file_of(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

/* An interruption ends the child and what it has started, which is its process group. */
static tb_status wait_for(pid_t pid, int *status)
{
    int file = file_of(pid), pause = 1;
    tb_status result = TB_OK;
    pid_t ended = 0;
    *status = 0;
    while (ended == 0) {
        ended = waitpid(pid, status, WNOHANG);
        if (ended < 0 && errno == EINTR) ended = 0;
        if (ended != 0) break; /* with an error somebody ignores SIGCHLD: the output file tells */
        wait_a_little(file, &pause);
        result = tb__interrupted();
        if (result == TB_OK) continue;
        kill(-pid, SIGKILL);
        while (waitpid(pid, status, 0) < 0 && errno == EINTR) {}
        break;
    }
    if (file >= 0) close(file);
    return result;
}

/* A group of its own: what the terminal sends to this program's is not for the compiler, and all of it can be ended. It
 * starts without the handlers and masks of this thread. */
static tb_status set_signals(posix_spawnattr_t *attributes)
{
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2};
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) sigaddset(&defaults, usual[i]);
    if (posix_spawnattr_init(attributes) != 0) return tb__fail(TB_ERR_MEMORY, "out of host memory starting a program");
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return TB_OK;
}

tb_status tb__process_run(const tb_process *p, int *status)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid;
    TB_TRY(set_signals(&attributes));
    char **env = environment(p);
    if (!env) {
        posix_spawnattr_destroy(&attributes);
        return tb__fail(TB_ERR_MEMORY, "out of host memory starting %s", p->path);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, p->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int error = posix_spawn(&pid, p->path, &actions, &attributes, (char *const *)(uintptr_t)p->argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(env);
    if (error != 0) return tb__fail(TB_ERR_LIBRARY, "%s cannot be started: %s", p->path, strerror(error));
    return wait_for(pid, status);
}
