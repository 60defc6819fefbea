/* fiber.c - switching between the stacks of a block's threads.
 *
 * Only what a called function must preserve is kept: no signal mask, no floating-point control words, since no kernel
 * changes those. A few instructions where there is assembly for the processor, ucontext (which asks the kernel at every
 * switch) elsewhere. TB_FIBER_UCONTEXT takes ucontext everywhere, for comparisons. */
#include <stdint.h>

#include "backend/cpu/user/user.h"

#if defined(__x86_64__) && defined(__ELF__) && !defined(TB_FIBER_UCONTEXT)

__asm__(".text\n"
        ".p2align 4\n"
        ".globl tb__fiber_switch\n"
        ".hidden tb__fiber_switch\n"
        ".type tb__fiber_switch, @function\n"
        "tb__fiber_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size tb__fiber_switch, .-tb__fiber_switch\n");

/* entry() finds its stack as a call leaves it: 8 bytes off a multiple of 16, with a return address of 0 on top. */
void *tb__fiber_prepare(void *top, void (*entry)(void))
{
    uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15);
    *--sp = 0;
    *--sp = (uint64_t)(uintptr_t)entry;
    for (int i = 0; i < 6; i++) *--sp = 0;
    return sp;
}

#elif defined(__aarch64__) && defined(__ELF__) && !defined(TB_FIBER_UCONTEXT)

__asm__(".text\n"
        ".p2align 4\n"
        ".globl tb__fiber_switch\n"
        ".hidden tb__fiber_switch\n"
        ".type tb__fiber_switch, %function\n"
        "tb__fiber_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size tb__fiber_switch, .-tb__fiber_switch\n");

/* x30, from which the switch returns, leads to entry(). */
void *tb__fiber_prepare(void *top, void (*entry)(void))
{
    uint64_t *sp = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15) - 20;
    for (int i = 0; i < 20; i++) sp[i] = 0;
    sp[11] = (uint64_t)(uintptr_t)entry;
    return sp;
}

#else
#include <ucontext.h>

/* What is stored for a fiber that waits is the address of its context, which lies on its own stack. */
void tb__fiber_switch(void **from, void *to)
{
    ucontext_t here;
    *from = &here;
    swapcontext(&here, to);
}

void *tb__fiber_prepare(void *top, void (*entry)(void))
{
    enum { BELOW = 60 << 10 };
    ucontext_t *c = (ucontext_t *)(((uintptr_t)top - sizeof *c) & ~(uintptr_t)63);
    getcontext(c);
    c->uc_stack.ss_sp = (char *)c - BELOW;
    c->uc_stack.ss_size = BELOW;
    c->uc_link = NULL;
    makecontext(c, entry, 0);
    return c;
}
#endif
