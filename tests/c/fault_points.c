/* fault_points.c - a program for test_faults.c: points of the plane, and their triangulation. */
#include "fault_programs.h"

int fault_points(int step, slots *s)
{
    tb_triangulation t;
    tb_status status;
    switch (step) {
    case 0: return tb_arange(TB_F64, tb_scalar_int(1), tb_scalar_int(3), 40, &s->a[0]);
    case 1: {
        const tb_operand in[] = {tb_operand_array(s->a[0]), tb_operand_int(17)};
        return tb_ufunc_call(tb_ufunc_find("remainder"), in, &s->a[1], NULL);
    }
    case 2: return tb_reshape(s->a[1], 2, (int64_t[]){20, 2}, 'C', NULL, &s->a[2]);
    case 3:
        status = tb_delaunay(s->a[2], &t);
        if (status != TB_OK) return status;
        s->a[3] = t.simplices;
        s->a[4] = t.neighbors;
        s->a[5] = t.vertex_to_simplex;
        s->a[6] = t.coplanar;
        return TB_OK;
    default: return LAST;
    }
}
