#pragma once

#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/model/layer_load.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// The layers that are compressed at configuration q, with velocities v = dq/dt: of two surfaces that touch each takes
/// its share of the compression −g, and both carry the force −g/(1/k_a + 1/k_b) [eq. bars-8].
std::vector<model::LayerLoad> layer_loads(std::span<const ContactPair> pairs, std::span<const double> q,
                                          std::span<const double> v);

}  // namespace ictus::contact
