#pragma once

#include <ictus/contact/law/contact_pair.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>

namespace ictus::contact {

/// Fills `constraints` with one constraint per pair at configuration q, or one per point where every point counts: the
/// gap between two facing points along the first one's outward normal n, or the pair's own direction,
/// g = n·(x₂ − x₁) − distance, or of a point above a plane, g = N·(x − x_plane). The gradient w is the pull-back of the
/// same direction, so that w·q̇ = ġ and equal and opposite impulses act on the two bodies. A body that meets its
/// surroundings has its slip rates, too, where it rubs. Pairs with a triangulated surface are the SurfaceDetector's,
/// and those of which one has vanished before `time` have no constraints.
void detect(std::span<const ContactPair> pairs, std::span<const double> q, model::ConstraintSet& constraints,
            double time = 0);

}  // namespace ictus::contact
