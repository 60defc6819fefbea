/* codegen.h - plans to CUDA source. Nothing here calls a driver: it is text, keys and launch parameters, so that all of
 * it can be tested (and every source compiled by NVRTC) without a GPU.
 *
 * A variant is what distinguishes two generated sources: the structure of the plan (loops, dtypes, argument kinds), its
 * layout class and its index width. Scalars, shapes, strides and pointers are parameters. Two plans with the same key
 * have the same source. */
#ifndef TB_CODEGEN_CODEGEN_H
#define TB_CODEGEN_CODEGEN_H
#include "base/text.h"
#include "plan/plan.h"

enum { TB_KEY_MAX = 1536, TB_PARAM_MAX = 4032 };

/* What of the chip matters for the shape of a launch. */
typedef struct tb_chip {
    int sms; /* multiprocessors */
    int threads_per_sm;
    int max_shared; /* bytes a block may use without opting in */
} tb_chip;

/* What every source calls its kernel. */
#define TB_KERNEL_ENTRY "tb_main"

/* A plan made ready for one kernel source, whose kernel takes one argument: the parameter block by value. */
typedef struct tb_variant {
    uint64_t hash;
    int keylen;
    unsigned char key[TB_KEY_MAX];
    uint32_t grid[3], block[3];
    size_t nparam;
    size_t operands_at;  /* where in params the addresses are, and the scalars after them */
    size_t workspace;    /* bytes of device scratch wanted, uninitialised; 0: none */
    bool clear;          /* the scratch is to be zero before */
    bool together;       /* blocks wait for each other: all of them are to be there at once */
    size_t workspace_at; /* where in params its address goes (8 bytes) */
    size_t counters;     /* 32-bit counters wanted, zero before and, kernels see to it, zero after */
    size_t counters_at;  /* where in params their address goes */
    _Alignas(16) unsigned char params[TB_PARAM_MAX];
} tb_variant;

/* Fills v from p. Fails only when the plan does not fit the limits (TB_ERR_INTERNAL). Called for every launch: it must
 * cost well under a microsecond for small plans. */
tb_status tb__codegen_variant(const tb_plan *p, const tb_chip *chip, tb_variant *v);
/* All that a plan's variant depends on, but for the addresses and numbers in its parameters. */
enum { TB_OUTLINE_MAX = 64 };
typedef struct tb_outline {
    uint64_t hash;
    int n;
    uint64_t word[TB_OUTLINE_MAX];
} tb_outline;
/* False where the plan is too large to have one. */
bool tb__codegen_outline(const tb_plan *p, tb_outline *out);
/* A hash of what p computes, shape and strides aside: plans that differ in it have different variants. */
uint64_t tb__codegen_structure(const tb_plan *p);
/* Writes p's addresses and numbers over those of a plan with the same outline, at its variant's operands_at. */
void tb__codegen_refill(const tb_plan *p, unsigned char *operands);
/* The CUDA source for p's variant: a complete translation unit without includes. Called once a variant. */
tb_status tb__codegen_source(const tb_plan *p, const tb_chip *chip, tb_text *out);

/* NVRTC options every source is compiled with, NULL-terminated; the caller adds the architecture. */
extern const char *const tb__codegen_options[];
#endif
