/* peaks.h - peaks of a vector, and their shapes: what a backend whose memory is the host's does for them. */
#ifndef TB_BACKEND_PEAKS_H
#define TB_BACKEND_PEAKS_H
#include <stdbool.h>
#include <stdint.h>

typedef enum tb_peak_work {
    TB_PEAKS_MARK,        /* rises, ends: which elements rise, and end plateaus whose neighbours are lower */
    TB_PEAKS_LIST,        /* count: of such plateaus, and where there is room for them at, left, right */
    TB_PEAKS_THIN,        /* flags: which peaks stay where the last ones of an order push out those around them */
    TB_PEAKS_PROMINENCES, /* values[0], left, right: prominences and bases */
    TB_PEAKS_WIDTHS       /* values: widths, heights at which they are taken, left and right ends */
} tb_peak_work;

/* Vectors, each in one piece. */
typedef struct tb_peaks {
    tb_peak_work work;
    const double *x; /* not for THIN */
    int64_t n, count;
    uint64_t *rises, *ends; /* MARK, LIST: n bits each */
    const int64_t *peak;    /* below n; THIN: in order */
    const int64_t *order;   /* THIN: the peaks' numbers */
    int64_t reach; /* PROMINENCES: how far from a peak elements are looked at; THIN: less than that is too close */
    double part;   /* WIDTHS: of the prominence, from above */
    const double *prominence;
    const int64_t *left_base, *right_base; /* WIDTHS: around their peaks */
    uint8_t *flags;
    int64_t *at, *left, *right; /* LIST: middles, and edges unless both are NULL */
    double *values[4];
    bool flat; /* is set where values[0] has a 0 */
} tb_peaks;
#endif
