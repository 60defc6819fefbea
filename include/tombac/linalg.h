/* linalg.h - a section of tombac.h, which includes it: matrices solved and decomposed, in stacks. */
#ifndef TOMBAC_LINALG_H
#define TOMBAC_LINALG_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- matrices solved and decomposed ---------------------------------------------------------------------------- */

/* The last two axes are the matrices, the others stacks of them, which broadcast where there are two. They are worked
 * on as float32, float64, complex64 or complex128: float16 and bfloat16 become float32, integers float64. TB_ERR_LINALG
 * for less than two dimensions, and where matrices must be square and are not. A matrix that cannot be solved or
 * decomposed is no error unless the thread asks for that (tb_linalg_errors_set): its results are infinite, NaN or
 * without meaning. */

/* LAPACK for the CPU backend, and for what the GPU's libraries lack: find(arg, "dgesdd") gives the address of that
 * routine, with the Fortran interface and 32-bit integers, or NULL. Nothing is taken unless all are there: geev, geqp3,
 * geqrf, gesdd, getrf, getri, getrs, orgqr (ungqr), ormqr (unmqr), potrf, potrs, syevd (heevd) and trtrs of s, d, c and
 * z. The extension hands over SciPy's; without it a library is looked for as for tb_provide_blas. Where there is none
 * what needs it is TB_ERR_LIBRARY. */
TB_API void tb_provide_lapack(void *(*find)(void *arg, const char *name), void *arg);
TB_API bool tb_needs_lapack(void); /* the host's LAPACK may be needed, and none is known yet */

/* How exactly a GPU's library may compute matrix products. What TOMBAC_TF32 (0, 1) says holds where nothing else was
 * chosen: TF32 for float32 and complex64 with 1, the numbers' own precision otherwise. What the library has not got for
 * a dtype is as TB_COMPUTE_DEFAULT. Products that are not left to the library, small ones among them, and those of the
 * CPU keep the numbers' own precision. */
typedef enum tb_compute {
    TB_COMPUTE_UNSET,    /* what TOMBAC_TF32 says */
    TB_COMPUTE_DEFAULT,  /* the numbers' own precision; float16 and bfloat16 are summed in float32 */
    TB_COMPUTE_PEDANTIC, /* the same, without algorithms that would be quicker */
    TB_COMPUTE_F16,      /* float32 and complex64 may become float16, sums stay float32; float16 is summed in float16 */
    TB_COMPUTE_F32,      /* float32 at least: so is what is added to a product of float16 before it is rounded */
    TB_COMPUTE_F64,      /* float64 at least, where the library has that */
    TB_COMPUTE_BF16,     /* float32 and complex64 may become bfloat16; sums stay float32 */
    TB_COMPUTE_TF32      /* float32 and complex64 may keep 10 bits of their fraction; sums stay float32 */
} tb_compute;
/* For all threads, from the next product on. float32 and complex64 share a choice, as float64 and complex128
 * and float16 and bfloat16 do. TB_ERR_TYPE for other dtypes. */
TB_API tb_status tb_compute_set(tb_dtype t, tb_compute how);
TB_API tb_status tb_compute_get(tb_dtype t, tb_compute *how); /* never TB_COMPUTE_UNSET */

/* Whether functions of this thread wait for what becomes of each matrix, and are TB_ERR_LINALG where one is singular,
 * not positive definite or did not converge; false to begin with. Strict indices (tb_strict_indices_set) ask for it
 * too. Returns what it was before. */
TB_API bool tb_linalg_errors_set(bool on);
TB_API bool tb_linalg_errors_get(void); /* what the calling thread has chosen */

/* x with a x = b. A one-dimensional b is a vector for every matrix, any other a stack of matrices. TB_ERR_VALUE for
 * shapes that do not match. */
TB_API tb_status tb_solve_linear(tb_array *a, tb_array *b, tb_array **out);
/* The inverses of square matrices. */
TB_API tb_status tb_inverse(tb_array *a, tb_array **out);
/* x with a x = b (trans 'N'), a^T x = b ('T') or a^H x = b ('C'), where a is the lower or upper triangle of what is
 * given, with ones on its diagonal if unit_diagonal. */
TB_API tb_status tb_solve_triangular(tb_array *a, tb_array *b, bool lower, char trans, bool unit_diagonal,
                                     tb_array **out);

/* The triangle l with l l^H = a (upper: u with u^H u = a) of Hermitian positive definite matrices, of which only that
 * triangle is read. */
TB_API tb_status tb_cholesky(tb_array *a, bool upper, tb_array **out);
/* x with a x = b, where the factor is a triangle of tb_cholesky. */
TB_API tb_status tb_cholesky_solve(tb_array *factor, bool lower, tb_array *b, tb_array **out);

/* a = p l u: lu has both triangles in one array of a's shape, l's diagonal of ones left out; row i was exchanged with
 * row pivots[i], an int32, in this order. */
TB_API tb_status tb_lu_factor(tb_array *a, tb_array **lu, tb_array **pivots);
/* x with a x = b, or as trans says, by a's factors. */
TB_API tb_status tb_lu_solve(tb_array *lu, tb_array *pivots, tb_array *b, char trans, tb_array **out);

/* What tb_qr gives for m x n matrices, with k the lesser of both. */
typedef enum tb_qr_mode {
    TB_QR_REDUCED,  /* q (m, k) and r (k, n) */
    TB_QR_COMPLETE, /* q (m, m) and r (m, n) */
    TB_QR_R,        /* r (k, n) alone; q is left alone and may be NULL */
    TB_QR_RAW       /* LAPACK's: reflectors and r in q (n, m), which is turned round; factors in r (k) */
} tb_qr_mode;
/* a = q r with q's columns orthonormal and r an upper triangle. */
TB_API tb_status tb_qr(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r);

/* The same with the columns of a taken in the order of pivots (n), int32: that in which the diagonal of r falls. */
TB_API tb_status tb_qr_pivoted(tb_array *a, tb_qr_mode mode, tb_array **q, tb_array **r, tb_array **pivots);

/* a = u diag(s) vh, s real and descending; the vectors are as many as s has (u (m, k), vh (k, n)), or with
 * full_matrices all of them. */
TB_API tb_status tb_svd(tb_array *a, bool full_matrices, tb_array **u, tb_array **s, tb_array **vh);
TB_API tb_status tb_singular_values(tb_array *a, tb_array **s); /* s alone */
/* Eigenvalues, real and ascending, and as columns the vectors of Hermitian matrices, of which only one triangle is
 * read. */
TB_API tb_status tb_eigh(tb_array *a, bool lower, tb_array **values, tb_array **vectors);
TB_API tb_status tb_eigvalsh(tb_array *a, bool lower, tb_array **values); /* the values alone */
/* Eigenvalues and right vectors of square matrices, always complex. */
TB_API tb_status tb_eig(tb_array *a, tb_array **values, tb_array **vectors);
TB_API tb_status tb_eigvals(tb_array *a, tb_array **values); /* the values alone */

/* Determinants of square matrices, float64 or complex128. */
TB_API tb_status tb_det(tb_array *a, tb_array **out);
/* exp(a) of square matrices; NaN where a matrix is not finite. */
TB_API tb_status tb_expm(tb_array *a, tb_array **out);
/* How far below and above its diagonal a matrix of any dtype has elements that are not zero. TB_ERR_NOT_IMPLEMENTED
 * where the device is not the host, TB_ERR_VALUE unless it has two dimensions. */
TB_API tb_status tb_bandwidth(tb_array *a, int64_t *below, int64_t *above);
#endif
