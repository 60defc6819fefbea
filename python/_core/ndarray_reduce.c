/* ndarray_reduce.c - the reductions and scans among ndarray's methods. They differ in which arguments they take, and in
 * which order; tbpy_reduce does the rest. */
#include "ndarray.h"
#include "reduce_args.h"

/* Arguments as the function of the module has them, but for the first. */
static PyObject *call(const char *who, tb_reduction op, const tbpy_signature *sig, PyObject *self,
                      PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given[TBPY_RED_NROLES + 1], *v[TBPY_RED_NROLES] = {NULL};
    const char *const *names = sig->names + 1;
    if (nargs > 0 || kwnames) {
        if (tbpy_parse(who, names, 0, sig->npos - 1, args, nargs, kwnames, given) < 0) return NULL;
        for (int i = 0; names[i]; i++)
            if (given[i]) v[sig->roles[i + 1]] = given[i];
    }
    return tbpy_reduce_by_role(who, op, self, v);
}

static PyObject *scan(const char *who, tb_reduction op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    static const char *const names[] = {"axis", "dtype", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse(who, names, 0, 3, args, nargs, kwnames, v) < 0) return NULL;
    return tbpy_scan(op, self, v[0], v[1], v[2]);
}

#define METHOD(name, body)                                                                               \
    static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    {                                                                                                 \
        return body;                                                                                  \
    }
#define DEFINE_METHOD(name, NAME, like) \
    METHOD(name, call(#name, TB_RED_##NAME, &tbpy_like_##like, self, args, nargs, kwnames))
#define DEFINE_FUNCTION(name, NAME, like)
#define DEFINE_NONE(name, NAME, like)
#define DEFINE_RUNNING_METHOD(name, NAME) METHOD(name, scan(#name, TB_RED_##NAME, self, args, nargs, kwnames))
#define DEFINE_RUNNING_FUNCTION(name, NAME)
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    DEFINE_##place(name, NAME, like)
#define TB_RUNNING(NAME, name, place, doc) DEFINE_RUNNING_##place(name, NAME)
#include "tombac/reductions.def"

#define ENTRY(name, arguments, doc) \
    {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS,  \
     #name "($self, " arguments "\n--\n\n" doc},
#define ENTRY_METHOD(name, like, doc)  ENTRY(name, TBPY_TEXT_##like, doc)
#define ENTRY_FUNCTION(name, like, doc)
#define ENTRY_NONE(name, like, doc)
#define ENTRY_RUNNING_METHOD(name, doc) ENTRY(name, "axis=None, dtype=None, out=None)", doc)
#define ENTRY_RUNNING_FUNCTION(name, doc)

PyMethodDef tbpy_reduce_methods[] = {
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    ENTRY_##place(name, like, doc)
#define TB_RUNNING(NAME, name, place, doc) ENTRY_RUNNING_##place(name, doc)
#include "tombac/reductions.def"
    {NULL, NULL, 0, NULL},
};
