/* tls.h - thread-local variables on every call's path.
 *
 * A shared library reaches ordinary thread-local storage through a function call. The initial-exec model is one
 * instruction, but draws on the little storage that a process keeps for libraries loaded late: for few, small
 * variables. */
#ifndef TB_BASE_TLS_H
#define TB_BASE_TLS_H
#ifdef __ELF__
#define TB_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define TB_THREAD_LOCAL _Thread_local
#endif
#endif
