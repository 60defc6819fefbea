/* module.c - the extension module tombac._core: its initialisation. Each file adds its own names. */
#include "core.h"

static int exec(PyObject *m)
{
    /* Later entries use the types and exceptions of earlier ones. */
    /* clang-format off */
    static int (*const parts[])(PyObject *) = {
        tbpy_add_package, tbpy_add_errors, tbpy_add_dtypes,   tbpy_add_ndarray,  tbpy_add_flags,      tbpy_add_flatiter,
        tbpy_add_memory, tbpy_add_creation, tbpy_add_interop, tbpy_add_ufuncs,  tbpy_add_reductions, tbpy_add_random,
        tbpy_add_draws,  tbpy_add_state_function, tbpy_add_host_values, tbpy_add_integrand, tbpy_add_fft,
        tbpy_add_cuda,   tbpy_add_interrupt, tbpy_add_functions, tbpy_add_raw_module, tbpy_add_raw_kernel,
        tbpy_add_elementwise_kernel, tbpy_add_reduction_kernel,
        tbpy_add_jit,    tbpy_add_vectorize,
    };
    /* clang-format on */
    const tb_status fits = tb_processor_check();
    if (fits != TB_OK) return tbpy_raise(fits), -1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i](m) < 0) return -1;
    return PyModule_AddStringConstant(m, "__version__", tb_version());
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "tombac._core",
    .m_doc = "Arrays, universal functions and devices: the part of tombac that talks to libtombac.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
