/* ship.h - between the files of ship_kernels: what is noted, and then compiled. */
#ifndef TB_TOOLS_SHIP_H
#define TB_TOOLS_SHIP_H
#include "backend/backend.h"
#include "backend/gpu/gpu.h"

tb_status ship_note(tb_stream *s, const tb_plan *p);
tb_status ship_note_sources(tb_stream *s, const tb_routine_source *source, int n);
/* ship_routines.c: the kernels that are made of no values, as far as common calls need them. */
tb_status ship_routines(void);
tb_status ship_sparse(void);
/* ship_special.c: functions of special, softmax, moments. */
tb_status ship_special(void);
/* ship_science.c: what functions of SciPy's modules compute of plain operations. */
tb_status ship_science(void);
/* ship_linalg.c: around a library's routines of dense linear algebra, and in cosine transforms. */
tb_status ship_linalg(void);
/* ship_random.c: draws, and what is computed of them. */
tb_status ship_random(void);
#endif
