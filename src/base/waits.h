/* waits.h - whether calls of a thread may wait for a device: programs that look for waits forbid them. */
#ifndef TB_BASE_WAITS_H
#define TB_BASE_WAITS_H
#include <stdbool.h>

#include "base/tls.h"
#include "tombac/tombac.h"

extern TB_THREAD_LOCAL bool tb__waits_forbidden;

/* Before the host waits: TB_ERR_WAIT, which names what it would wait for, where that is forbidden. */
tb_status tb__may_wait(const char *what);
#endif
