/* images.h - a section of tombac.h, which includes it: images. */
#ifndef TOMBAC_IMAGES_H
#define TOMBAC_IMAGES_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- images ------------------------------------------------------------------------------------------------------ */

/* The connected objects of an array: elements that are not zero and neighbours of one another. `connected` says which
 * of the elements of a box about one, 3 along each axis, are its neighbours: 3^ndim truth values in C order, the same
 * counted from either end. Labels are 0 outside of objects, which have the numbers from 1 on in the order of their
 * first elements; of int32, or of int64 for 2^31 elements and more. *count is how many there are. Waits for it. */
TB_API tb_status tb_label(tb_array *a, const bool *connected, tb_array **labels, int64_t *count);
/* The box around the elements of each label 1 to n of an array of integers, as int64 of shape (n, ndim, 2): the first
 * index along each axis, and one more than the last; INT64_MAX and 0 for labels that are nowhere.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_label_boxes(tb_array *labels, int64_t n, tb_array **out);
/* The Euclidean distance of each element to the nearest one that is zero, in float32 or float64: infinite where nothing
 * is. `steps` says for each axis how far apart elements are. Unless `nearest` is NULL, it is where that element is: an
 * array of int32 and the shape (ndim, ...) with its index along each axis; of several the backend has its own. The
 * array has a dimension at least, and none of 2^31 elements. */
TB_API tb_status tb_distance_transform(tb_array *a, const double *steps, tb_dtype to, tb_array **distances,
                                       tb_array **nearest);

/* How an image a b c d goes on beyond its edges. */
typedef enum tb_spline_edge {
    TB_SPLINE_MIRROR,  /* d c b | a b c d | c b a */
    TB_SPLINE_REFLECT, /* d c b a | a b c d | d c b a */
    TB_SPLINE_WRAP,    /* a b c d | a b c d | a b c d */
    TB_SPLINE_NEAREST, /* a a a | a b c d | d d d */
    TB_SPLINE_CONSTANT /* with one number */
} tb_spline_edge;
/* What a filter makes of the elements of a window. */
typedef enum tb_window_kind {
    TB_WINDOW_SUM,      /* the sum of their products with weights, in the order of the places */
    TB_WINDOW_MIRRORED, /* the same; places follow one another along an axis, an odd number of them, and weights are the
                         * same from either end: the middle first, then sums of pairs from the ends on */
    TB_WINDOW_OPPOSED,  /* weights from behind have the other sign: differences of pairs */
    TB_WINDOW_MEAN,     /* places follow one another along an axis */
    TB_WINDOW_LEAST,    /* the least element, of sums with weights if there are any; NaN if one is */
    TB_WINDOW_GREATEST, /* the greatest one */
    TB_WINDOW_RANK      /* that of a rank; NaN has none */
} tb_window_kind;
/* Which elements belong to an element's window, and what is made of them. */
typedef struct tb_window {
    tb_window_kind kind;        /* what is made of them */
    int64_t nplace;             /* how many; at least 1 */
    const int64_t *place;       /* (nplace, ndim): how far they are from it along each axis */
    const double *weights;      /* nplace, or as many pairs where complex128 is computed; NULL: none, for other kinds
                                * than sums */
    tb_array *on_device;        /* of sums, where weights is NULL: nplace of them as an array of the dtype that is
                                * computed, in C order; else NULL */
    int64_t rank;               /* of TB_WINDOW_RANK: from 0 for the least to nplace - 1 */
    const tb_spline_edge *edge; /* how the array goes on along each axis */
    tb_scalar beyond;           /* what is beyond constant edges */
    /* NULL, or the windows of a second filter over what the first one makes, rounded to the result's dtype: of another
     * axis, with these edges and this beyond them; its own are not looked at. */
    const struct tb_window *then;
} tb_window;
/* A filter: an array of x's shape and of dtype t of what is made of each element's window, computed in dtype `work`:
 * TB_F64 or TB_C128 for sums and means, else x's dtype or TB_F64. One kernel, at the call; x may lie in memory in any
 * order. TB_ERR_VALUE for a window or a rank that cannot be. TB_ERR_NOT_IMPLEMENTED where the device is the host, for
 * windows of more than 4,096 places, for ranks 65,536, or 112 where places are not in C order or one is there twice, or
 * that reach too far, for floats that become uint64, and while work is outstanding. Elsewhere it is one where a window
 * has no room in a multiprocessor's shared memory, or two filters are none of one kernel: of real numbers and up to
 * nine places each that follow one another along an axis, sums as TB_WINDOW_MIRRORED and TB_WINDOW_OPPOSED or with the
 * last place first. */
TB_API tb_status tb_window_filter(tb_array *x, const tb_window *window, tb_dtype work, tb_dtype t, tb_array **out);
/* What an image is beyond its edges, by the names of scipy.ndimage. */
typedef enum tb_spline_mode {
    TB_SPLINE_AT_CONSTANT,      /* one number; splines near an edge are of mirrored elements */
    TB_SPLINE_AT_GRID_CONSTANT, /* splines of elements that are one number */
    TB_SPLINE_AT_NEAREST,       /* the element at the edge */
    TB_SPLINE_AT_MIRROR,        /* d c b | a b c d | c b a */
    TB_SPLINE_AT_REFLECT,       /* d c b a | a b c d | d c b a */
    TB_SPLINE_AT_WRAP,          /* b c d | a b c d | b c d: the first and the last element are one */
    TB_SPLINE_AT_GRID_WRAP      /* a b c d | a b c d | a b c d */
} tb_spline_mode;
/* Sums of B-splines of an order from 0 to 5, whose coefficients are the elements of the last naxis axes, up to 8, of a
 * real image, at points: at has an array of coordinates for each of these axes, all of one shape. float64, with the
 * image's other dimensions before those of the coordinates; NaN where one is. The image has `margin` more elements
 * before each axis than are counted. TB_ERR_VALUE for coefficients of no elements, TB_ERR_NOT_IMPLEMENTED where the
 * device is not the host. */
TB_API tb_status tb_spline_at(tb_array *image, int order, tb_spline_mode mode, double cval, double margin, int naxis,
                              tb_array *const *at, tb_array **out);
/* The same at the points of an affine map of the result's indices i in these axes, of which it has `shape`. Along axis
 * d the point is (i[d] + map[d][0]) * map[d][1] + map[d][2] if the map is diagonal, so that it has naxis rows of 3
 * numbers; else map[d][0] * i[0] + ... + map[d][naxis], which makes naxis + 1 numbers a row. A result of dtype float32
 * or float64. TB_ERR_NOT_IMPLEMENTED where the device is the host, while work is outstanding. */
TB_API tb_status tb_spline_at_map(tb_array *image, int order, tb_spline_mode mode, double cval, double margin,
                                  int naxis, const int64_t *shape, bool diagonal, const double *map, tb_dtype dtype,
                                  tb_array **out);
/* Sums of exponentials along an axis of a real array: out[i] is the sum over poles, up to 2, of weight * sum over k of
 * pole^|k| a[i + k], in float64. Beyond its edges the array goes on by MIRROR, REFLECT or WRAP. Poles are between -0.6
 * and 0.6. TB_ERR_NOT_IMPLEMENTED where the device is the host, for lines of more than 8,192 elements and while work is
 * outstanding. */
TB_API tb_status tb_two_sided_sums(tb_array *a, int axis, tb_spline_edge edge, int poles, const double *pole,
                                   const double *weight, tb_array **out);
#endif
