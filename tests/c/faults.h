/* faults.h - the CPU backend with calls that fail when told to, and a host that runs out of memory.
 *
 * Every function of the backend's table that can fail is one in a row of calls; so is every block of the pool, and
 * every allocation of the core's on the host (the program is linked with --wrap=malloc and so on). Call number `at` of
 * one of these rows fails, alone or with all that follow. What fails does nothing. */
#ifndef TB_TESTS_FAULTS_H
#define TB_TESTS_FAULTS_H
#include "tombac/tombac.h"

typedef enum fault_row {
    FAULT_CALLS,  /* of the backend */
    FAULT_BLOCKS, /* of memory that the pool hands out */
    FAULT_LIMIT,  /* from such a block on, the pool's limit lets nothing more in */
    FAULT_HOST,   /* the host's memory */
    FAULT_ROWS
} fault_row;

typedef struct fault {
    fault_row row;
    bool stays;       /* all later calls fail too, until faults_end */
    tb_status status; /* of calls that are not about memory */
} fault;

/* To be called before anything else of the library. */
tb_status faults_install(void);
/* For the calling thread, which is the only one whose allocations count. */
void faults_begin(const fault *f, long at);
void faults_end(void);
long faults_struck(void);      /* calls that have failed since faults_begin */
const char *faults_name(void); /* what failed first */

/* What the backend has given out and not been given back: memory, streams, events, modules, graphs. */
long faults_outstanding(void);
#endif
