/* peer.c - work that uses the memory of another device: access is enabled when it is first needed. */
#include <stdio.h>

#include "backend/memory/memory.h"
#include "base/error.h"

static bool peer_ready[TB_DEVICE_MAX][TB_DEVICE_MAX]; /* [device][owner]: access has been enabled */

/* The backend's call is about the current device. */
static tb_status enable_peer(int device, int owner)
{
    enum { ALREADY_ENABLED = 704, NOT_SUPPORTED = 801 };
    int64_t pair[2] = {device, owner}, can = 0;
    int before = tb__device_current();
    if (tb__backend->on_host || peer_ready[device][owner]) return TB_OK;
    tb_status asked = tb__backend->cudart(TB_RT_deviceCanAccessPeer, pair, &can);
    if (asked != TB_OK && tb_error_driver_code() != NOT_SUPPORTED) return asked;
    if (!can)
        return tb__fail(TB_ERR_VALUE,
                        "Array device must be same as the current device: array device = %d while"
                        " current = %d, and the two cannot access each other's memory",
                        owner, device);
    tb__current_device = device;
    tb_status status = tb__backend->cudart(TB_RT_deviceEnablePeerAccess, &pair[1], NULL);
    tb__current_device = before;
    if (status != TB_OK && tb_error_driver_code() != ALREADY_ENABLED) return status;
    peer_ready[device][owner] = true;
    return TB_OK;
}

void tb__peer_reach(int device, int owner) { (void)enable_peer(device, owner); }

tb_status tb__peer_ready(int device, int owner)
{
    char text[160];
    if (device == owner) return TB_OK;
    TB_TRY(enable_peer(device, owner));
    snprintf(text, sizeof text,
             "The device where the array resides (%d) is different from the current device (%d)."
             " Peer access has been activated automatically.",
             owner, device);
    return tb__warn(text);
}

void tb__peer_forget(int device, int owner) { peer_ready[device][owner] = false; }
