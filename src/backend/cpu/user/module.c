/* module.c - the backend's entries for user kernels: compiled images, loading them, what is in them.
 *
 * Compiling and loading come without the core lock, from several threads at once; the rest with it. An image is a
 * shared library. Every module is loaded from a file of its own, since modules share no variables even if they come
 * from the same image; the file is gone as soon as the library is open. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"
#include "base/lock.h"

enum { INVALID_IMAGE = 200, INVALID_VALUE = 1, NOT_FOUND = 500 }; /* CUresult */

/* ---- compiling ------------------------------------------------------------------------------------------------ */

/* From the disk cache, or compiled. The caller frees the image. */
static tb_status get_image(const tb_module_source *source, char **log, tb_image *out)
{
    tb_kernel_name name;
    TB_TRY(tb__host_compiler_name(source, &name));
    if (tb__disk_read(&name, out)) {
        tb__lock();
        tb__count.cache_hits_disk++;
        tb__unlock();
        return TB_OK;
    }
    TB_TRY(tb__host_compile(source, log, out));
    tb__disk_write(&name, out);
    return TB_OK;
}

/* ---- loading -------------------------------------------------------------------------------------------------- */

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_segment;
#endif

/* False when the file is not whole, which the dynamic loader would not survive. *tls: the thread-local storage that the
 * library asks for, which is its kernels' shared memory. */
static bool check_image(const unsigned char *image, size_t size, size_t *tls)
{
    elf_header h;
    *tls = 0;
    if (size < sizeof h || memcmp(image, ELFMAG, SELFMAG) != 0) return false;
    memcpy(&h, image, sizeof h);
    if (h.e_phentsize != sizeof(elf_segment) || h.e_phoff > size ||
        (size_t)h.e_phnum * sizeof(elf_segment) > size - h.e_phoff)
        return false;
    for (int i = 0; i < h.e_phnum; i++) {
        elf_segment s;
        memcpy(&s, image + h.e_phoff + (size_t)i * sizeof s, sizeof s);
        if (s.p_offset > size || s.p_filesz > size - s.p_offset) return false;
        if (s.p_type == PT_TLS) *tls = s.p_memsz;
    }
    return true;
}

static tb_status fail_image(const char *why)
{
    char text[600];
    snprintf(text, sizeof text, "device kernel image is invalid: %s", why);
    return tb__fail_device(INVALID_IMAGE, "loading a module on the CPU", text);
}

static tb_status open_library(const unsigned char *image, size_t size, void **library)
{
    tb_folder folder;
    char path[sizeof folder.path + 16];
    TB_TRY(tb__folder_make(&folder));
    tb_status status = tb__folder_write(&folder, "module.so", image, size);
    snprintf(path, sizeof path, "%s/module.so", folder.path);
    *library = status == TB_OK ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (status == TB_OK && !*library) status = fail_image(dlerror());
    tb__folder_remove(&folder);
    return status;
}

/* ---- where its instructions are -------------------------------------------------------------------------------- */

static bool ends_with_library(const char *path, const char *name)
{
    const char *file = path ? strrchr(path, '/') : NULL;
    size_t n = strlen(name);
    return file && strncmp(file + 1, name, n) == 0 && (file[1 + n] == '.' || file[1 + n] == '-');
}

static bool contains(const struct dl_phdr_info *o, const void *address)
{
    for (int i = 0; i < o->dlpi_phnum; i++) {
        uintptr_t start = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
        if (o->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address - start < o->dlpi_phdr[i].p_memsz) return true;
    }
    return false;
}

static int note_code(struct dl_phdr_info *o, size_t size, void *arg)
{
    tb_cpu_module *m = arg;
    (void)size;
    if (!contains(o, m->exports) && !ends_with_library(o->dlpi_name, "libm") &&
        !ends_with_library(o->dlpi_name, "libmvec"))
        return 0;
    for (int i = 0; i < o->dlpi_phnum && m->ncode < TB_CPU_CODE; i++) {
        if (o->dlpi_phdr[i].p_type != PT_LOAD || !(o->dlpi_phdr[i].p_flags & PF_X)) continue;
        uintptr_t start = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
        m->code[m->ncode].start = start;
        m->code[m->ncode++].end = start + o->dlpi_phdr[i].p_memsz;
    }
    return 0;
}

static tb_status fill_module(tb_cpu_module *m)
{
    const tb_host_exports *e = dlsym(m->library, TB_HOST_SYMBOL);
    if (!e || e->version != TB_HOST_VERSION) return fail_image("it was not made by this version of tombac");
    *e->services = tb__host_services();
    m->exports = e;
    dl_iterate_phdr(note_code, m);
    int n = 0;
    while (e->kernels[n].name) n++;
    for (const tb_host_global *g = e->globals; g->name; g++) m->constant_bytes += g->constant ? g->size : 0;
    m->functions = calloc((size_t)n + 1, sizeof *m->functions);
    if (!m->functions) return tb__fail(TB_ERR_MEMORY, "out of host memory for a module");
    for (int i = 0; i < n; i++) m->functions[i] = (tb_cpu_function){m, &e->kernels[i], TB_CPU_SHARED};
    return TB_OK;
}

tb_status tb__cpu_module_load(int device, const void *image, size_t size, void **module)
{
    size_t tls;
    if (!check_image(image, size, &tls))
        return fail_image("on the CPU it must be a shared library that tombac compiled");
    tb_cpu_module *m = calloc(1, sizeof *m);
    if (!m) return tb__fail(TB_ERR_MEMORY, "out of host memory for a module");
    m->shared_bytes = tls;
    tb_status status = open_library(image, size, &m->library);
    if (status == TB_OK) status = fill_module(m);
    if (status != TB_OK) {
        tb__cpu_module_unload(device, m);
        return status;
    }
    *module = m;
    return TB_OK;
}

tb_status tb__cpu_module_compile(int device, const tb_module_source *source, char **log, void **module)
{
    tb_image image;
    TB_TRY(get_image(source, log, &image));
    tb_status status = tb__cpu_module_load(device, image.data, image.size, module);
    free(image.data);
    return status;
}

void tb__cpu_module_unload(int device, void *module)
{
    tb_cpu_module *m = module;
    (void)device;
    free(m->functions);
    if (m->library) dlclose(m->library);
    free(m);
}

/* ---- what is in a module -------------------------------------------------------------------------------------- */

/* Whether `name` is in a list separated by ", ". */
static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; *p; p += *p == ',' ? 2 : 0) {
        size_t len = strcspn(p, ",");
        if (len == n && memcmp(p, name, n) == 0) return true;
        p += len;
    }
    return false;
}

static tb_status fail_name(const tb_host_exports *e, const char *what, const char *name)
{
    tb_text t = {0};
    tb__text_addf(&t, "named symbol not found: %s '%s'", what, name);
    if (listed(e->others, name))
        tb__text_add(&t, "; it is neither extern \"C\" nor among the name_expressions, so its name is mangled");
    else
        tb__text_add(&t, "; the module has no kernel or variable of that name: declare it extern \"C\", or give it as a"
                         " name expression");
    const char *between = "; there are ";
    for (const tb_host_kernel *k = e->kernels; k->name; k++, between = ", ")
        tb__text_addf(&t, "%s'%s'", between, k->name);
    tb_status status = tb__fail_device(NOT_FOUND, "looking up a symbol of a module", t.s);
    tb__text_free(&t);
    return status;
}

/* Mangled names are in the table without the parameters' types, which tell nothing that the name does not: only kernels
 * that are not overloaded are there. */
static bool is_called(const tb_host_kernel *k, const char *name)
{
    const size_t n = strlen(k->name);
    if (strncmp(k->name, "_Z", 2) == 0) return strncmp(name, k->name, n) == 0 && name[n];
    return tb__same_expression(k->name, name);
}

tb_status tb__cpu_module_function(int device, void *module, const char *name, tb_function_info *out)
{
    tb_cpu_module *m = module;
    (void)device;
    for (int i = 0; m->exports->kernels[i].name; i++) {
        const tb_host_kernel *k = &m->exports->kernels[i];
        if (!is_called(k, name)) continue;
        _Static_assert(sizeof(size_t) == sizeof(unsigned long), "sizes of parameters are taken over as they are");
        *out = (tb_function_info){.handle = &m->functions[i], .nparam = k->nparam, .size = (const size_t *)k->size};
        return TB_OK;
    }
    return fail_name(m->exports, "kernel", name);
}

tb_status tb__cpu_module_global(int device, void *module, const char *name, void **ptr, size_t *size)
{
    const tb_cpu_module *m = module;
    (void)device;
    for (const tb_host_global *g = m->exports->globals; g->name; g++) {
        if (!tb__same_expression(g->name, name)) continue;
        *ptr = g->address;
        *size = g->size;
        return TB_OK;
    }
    return fail_name(m->exports, "variable", name);
}

uintptr_t tb__cpu_module_handle(void *module) { return (uintptr_t)((tb_cpu_module *)module)->library; }

const char *tb__cpu_module_symbol(void *module, const char *expression)
{
    const tb_host_exports *e = ((tb_cpu_module *)module)->exports;
    for (const tb_host_kernel *k = e->kernels; k->name; k++)
        if (tb__same_expression(k->name, expression)) return k->name;
    for (const tb_host_global *g = e->globals; g->name; g++)
        if (tb__same_expression(g->name, expression)) return g->name;
    return NULL;
}

/* ---- attributes ----------------------------------------------------------------------------------------------- */

tb_status tb__cpu_function_attribute(int device, void *function, int attribute, int *value)
{
    const tb_cpu_function *f = function;
    (void)device;
    switch (attribute) {
    case 0: *value = f->kernel->max_threads ? f->kernel->max_threads : TB_CPU_MAX_THREADS; return TB_OK;
    case 1: *value = (int)f->module->shared_bytes; return TB_OK;
    case 2: *value = (int)f->module->constant_bytes; return TB_OK;
    case 3:
    case 4: *value = 0; return TB_OK; /* local memory, registers: of no fixed size here */
    case 5:
    case 6: *value = 0; return TB_OK; /* versions of PTX and of machine code */
    case 7: *value = 0; return TB_OK; /* caching mode */
    case 8: *value = f->max_dynamic; return TB_OK;
    case 9: *value = -1; return TB_OK; /* preferred carveout: the default */
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15: *value = 0; return TB_OK; /* clusters */
    default: return tb__fail_device(INVALID_VALUE, "reading an attribute of a kernel", "there is no such attribute");
    }
}

tb_status tb__cpu_function_set_attribute(int device, void *function, int attribute, int value)
{
    tb_cpu_function *f = function;
    (void)device;
    if (attribute == 9 && value >= -1 && value <= 100) return TB_OK;
    if (attribute != 8) return tb__fail_device(INVALID_VALUE, "setting an attribute of a kernel", "it cannot be set");
    if (value < 0 || value > TB_CPU_SHARED_MOST - (int)f->module->shared_bytes)
        return tb__fail_device(INVALID_VALUE, "setting max_dynamic_shared_size_bytes",
                               "invalid argument: up to 232448 bytes with the kernel's static shared memory");
    f->max_dynamic = value;
    return TB_OK;
}
