/* special_loops.c - the loops of special functions (letter S). Their helpers take no vectors: so they are compiled for
 * the base instruction set, and for the least that has fma(), which is a call of the C library where there is none. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/loop_forms.h"
#include "kernels/integer.h"
#include "kernels/real.h"
#include "kernels/complex.h"
#include "kernels/special_common.h"
#include "kernels/special_elementary.h"
#include "kernels/special_erf.h"
#include "kernels/special_gamma.h"
#include "kernels/special_zeta.h"
#include "kernels/special_complex.h"
#include "kernels/special_gammainc.h"
#include "kernels/special_betainc.h"
#include "kernels/special_student.h"
#include "kernels/special_noncentral.h"
#include "kernels/special_counts.h"
#include "kernels/special_bessel.h"
#include "kernels/special_expint.h"
#include "kernels/special_elliptic.h"
#include "kernels/special_sici.h"
#include "kernels/special_orthogonal.h"
#include "kernels/special_lambert.h"
#include "kernels/special_order_tables.h"
#include "kernels/special_orders.h"
#include "kernels/special_airy.h"
#include "kernels/special_jy.h"
#include "tables/groups.h"

/* Only loops.c takes them into its table. */
#define DECLARED(name) void name(int64_t n, void *const *p, int64_t index);
#define MADE1(name, A, O, e) DECLARED(name) FORM1(, name, A, O, e)
#define MADE2(name, A, B, O, e) DECLARED(name) FORM2(, name, A, B, O, e)
#define MADE3(name, A, B, C, O, e) DECLARED(name) FORM3(, name, A, B, C, O, e)
#define MADE4(name, A, B, C, D, O, e) DECLARED(name) FORM4(, name, A, B, C, D, O, e)
#define S1(op, A, O, e) MADE1(TB_ISA_NAME(tb__##op##_##A##_##O##_, TB_ISA), A, O, e)
#define S2(op, A, B, O, e) MADE2(TB_ISA_NAME(tb__##op##_##A##_##B##_##O##_, TB_ISA), A, B, O, e)
#define S3(op, A, B, C, O, e) MADE3(TB_ISA_NAME(tb__##op##_##A##_##B##_##C##_##O##_, TB_ISA), A, B, C, O, e)
#define S4(op, A, B, C, D, O, e) \
    MADE4(TB_ISA_NAME(tb__##op##_##A##_##B##_##C##_##D##_##O##_, TB_ISA), A, B, C, D, O, e)
#include "tables/loops.def"
