/* special_sici_lanes.h - sine and cosine integrals of vectors of doubles, as special_lanes.h has others: what
 * kernels/special_sici.h makes of single numbers. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_SICI_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_SICI_LANES_H
#include "backend/cpu/loops/special_bessel_lanes.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/integer.h"
#include "kernels/real.h"
#include "kernels/complex.h"
#include "kernels/special_complex.h"
#include "kernels/special_expint.h"
#include "kernels/special_sici.h"

IN_LINE tb_dmask sici_outside(tb_vd a)
{
    const tb_vd x = tb_dabs(a);
    return tb_dnot(tb_dand(tb_dless(tb_dset(1e-300), x), tb_dless(x, tb_dset(1e5))));
}

/* From 4 on, as tb_sici_far has them. */
IN_LINE void sici_far_v(tb_vd x, tb_vd *si, tb_vd *ci)
{
    tb_vd s, c;
    sine_and_cosine_v(x, 0, &s, &c);
    const tb_vd t = 1 - 18 / (x + 5), r = 1 / x;
    const tb_vd f = tb_dpolynomial(t, tb_sici_f, 22), g = r * tb_dpolynomial(t, tb_sici_g, 23);
    *si = TB_PI / 2 - r * tb_dfma(f, c, g * s);
    *ci = r * tb_dfma(f, s, -(g * c));
}

IN_LINE tb_vd si_near_v(tb_vd x) { return x * tb_dpolynomial(x * x / 8 - 1, tb_si_near, 11); }

IN_LINE tb_vd ci_near_v(tb_vd x)
{
    return log_over_v(x, 1.6220455832492229, -8.354850171457824e-17) +
           beside_v(x, 0.6165054856207163, -4.209920321433186e-17) * tb_dpolynomial(x / 2 - 1, tb_ci_near, 17);
}

/* Of negative numbers too the real part of Ci. */
IN_LINE void sici_v(tb_vd a, tb_vd *si, tb_vd *ci)
{
    const tb_vd x = tb_dabs(a);
    const tb_dmask near = tb_dat_least(tb_dset(4), x);
    tb_vd s = tb_dset(0), c = tb_dset(0);
    if (tb_dany(tb_dnot(near))) sici_far_v(x, &s, &c);
    if (tb_dany(near)) {
        s = tb_dselect(near, si_near_v(x), s);
        c = tb_dselect(near, ci_near_v(x), c);
    }
    *si = tb_dselect(tb_dless(a, tb_dset(0)), -s, s);
    *ci = c;
}
#endif
#endif
