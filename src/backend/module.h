/* module.h - user code, as backends and src/runtime see it. */
#ifndef TB_BACKEND_MODULE_H
#define TB_BACKEND_MODULE_H
#include "backend/compile/disk.h"
#include "backend/current.h"

struct tb_module {
    int refs; /* but for the table's */
    bool in_table;
    int device;
    void *handle;        /* the backend's */
    tb_kernel_name name; /* of a compiled module: what the table of module.c finds it by */
    tb_module *next;     /* in that table */
};

struct tb_function {
    int refs;
    tb_module *module;
    void (*release)(void *); /* of a reference: tb_function_release */
    const char *name;        /* never freed: a fault that is noticed later names the kernels it may come from */
    tb_function_info info;
};
#endif
