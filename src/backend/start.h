/* start.h - the backend that runs, and its devices. Everything initialises the library. */
#ifndef TB_BACKEND_START_H
#define TB_BACKEND_START_H
#include "backend/current.h"

/* Checks the number and opens the device on first use. With the core lock held. */
tb_status tb__device_ready(const char *who, int device);
/* Checks the number. */
tb_status tb__device_check(const char *who, int device);
/* The stream that is current on that device; borrowed. With the core lock held. */
tb_status tb__stream_on(int device, tb_stream **out);

/* Whether there is a backend yet; the others want one. */
bool tb__backend_chosen(void);
int tb__device_total(void);
bool tb__device_is_open(int device);
/* Why the CPU runs although nobody asked for it, or NULL. */
const char *tb__cuda_failure(void);
#endif
