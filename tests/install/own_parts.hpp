#pragma once

/// A body of nodes of one's own on a spring strikes a plane, driven by a force and a signal of one's own, while an
/// observer of one's own looks on. True if all was asked and the energy is that of the closed form.
bool own_parts_work_together();

/// A bar of a metal of one's own strikes a wall. True if it stays shorter, and what flow took is booked.
bool own_metal_flows();
