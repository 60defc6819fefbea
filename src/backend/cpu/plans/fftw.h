/* fftw.h - Fourier transforms by FFTW, found by dlopen when first needed. */
#ifndef TB_BACKEND_CPU_PLANS_FFTW_H
#define TB_BACKEND_CPU_PLANS_FFTW_H
#include "tombac/tombac.h"

/* TB_ERR_LIBRARY where FFTW of the transform's precision is not installed. With the core lock. */
tb_status tb__fftw(tb_transform *t);
const char *tb__fftw_source(void); /* for people; NULL: it is not installed */
#endif
