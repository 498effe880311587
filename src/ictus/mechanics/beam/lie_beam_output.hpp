#pragma once

#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <span>
#include <string_view>

// What is reported of a beam. q and v are in LieBeamLayout, v with the angular velocity and the velocity of each node,
// in space.

namespace ictus::mechanics {

/// Position, velocity and angular velocity in space; quaternion; force and moment in the axes of the section.
inline constexpr std::string_view lie_beam_quantities[]{"x",
                                                        "y",
                                                        "z",
                                                        "velocity.x",
                                                        "velocity.y",
                                                        "velocity.z",
                                                        "angular_velocity.x",
                                                        "angular_velocity.y",
                                                        "angular_velocity.z",
                                                        "quaternion.s",
                                                        "quaternion.x",
                                                        "quaternion.y",
                                                        "quaternion.z",
                                                        "force.x",
                                                        "force.y",
                                                        "force.z",
                                                        "moment.x",
                                                        "moment.y",
                                                        "moment.z"};

void probe_lie_beam(const LieBeamModel& model, double fraction, std::span<const double> q, std::span<const double> v,
                    std::span<double> values);

/// Lines between the nodes, with velocities, the axes d1, d2, d3 of the sections, and the stress of the elements.
Picture draw_lie_beam(const LieBeamProperties& beam, std::span<const double> q, std::span<const double> v);

}  // namespace ictus::mechanics
