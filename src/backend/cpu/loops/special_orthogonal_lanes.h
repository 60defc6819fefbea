/* special_orthogonal_lanes.h - orthogonal polynomials of vectors, of whole degrees below 64 and at finite points: the
 * recurrences of kernels/special_orthogonal.h, each lane to its own degree. */
#ifndef TB_BACKEND_CPU_LOOPS_SPECIAL_ORTHOGONAL_LANES_H
#define TB_BACKEND_CPU_LOOPS_SPECIAL_ORTHOGONAL_LANES_H
#include "backend/cpu/loops/special_lanes.h"

#ifdef TB_HAVE_FLOAT_VECTOR
#include "kernels/special_orthogonal.h"

IN_LINE tb_dmask degree_outside(tb_vd n, tb_vd x, double most)
{
    const tb_dmask whole = tb_dat_least(tb_dset(0), tb_dabs(n - tb_dround(n)));
    const tb_dmask few = tb_dand(tb_dat_least(n, tb_dset(0)), tb_dless(n, tb_dset(64)));
    return tb_dnot(tb_dand(tb_dand(whole, few), tb_dless(tb_dabs(x), tb_dset(most))));
}

IN_LINE tb_dmask chebyshev_outside(tb_vd n, tb_vd x) { return degree_outside(n, x, INFINITY); }
IN_LINE tb_dmask hermite_outside(tb_vd n, tb_vd x) { return degree_outside(n, x, 1e4); } /* where all are finite */

/* From degrees 0, which is 1, and 1 to n: each is scale (x times the one before it less (more k + less) times the one
 * before that). */
IN_LINE tb_vd orthogonal_v(tb_vd n, tb_vd x, tb_vd high, double scale, double more, double less)
{
    tb_vd low = tb_dset(1);
    high = tb_dselect(tb_dat_least(tb_dset(0), n), low, high);
    for (double k = 1; k < 64; k += 1) {
        const tb_dmask goes_on = tb_dless(tb_dset(k), n);
        if (!tb_dany(goes_on)) break;
        const tb_vd next = scale * (x * high - (more * k + less) * low);
        low = high;
        high = tb_dselect(goes_on, next, high);
    }
    return high;
}

IN_LINE tb_vd chebyt_v(tb_vd n, tb_vd x) { return orthogonal_v(n, 2 * x, x, 1, 0, 1); }
IN_LINE tb_vd chebyu_v(tb_vd n, tb_vd x) { return orthogonal_v(n, 2 * x, 2 * x, 1, 0, 1); }
IN_LINE tb_vd hermite_v(tb_vd n, tb_vd x) { return orthogonal_v(n, x, 2 * x, 2, 1, 0); }
IN_LINE tb_vd hermitenorm_v(tb_vd n, tb_vd x) { return orthogonal_v(n, x, x, 1, 1, 0); }
#endif
#endif
