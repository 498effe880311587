#include <fmt/format.h>

#include <array>
#include <ictus/dynamics/unknown_name.hpp>
#include <ictus/mechanics/beam_frame.hpp>

namespace ictus::dynamics {

namespace {

std::string name_in_frame(const mechanics::BeamFrame& frame, std::size_t k) {
  constexpr std::array grillage{"deflection", "slope w_x", "slope w_y"};
  constexpr std::array space{"displacement x",   "displacement y",   "displacement z",
                             "rotation about x", "rotation about y", "rotation about z"};
  const std::size_t nodes = frame.nodes().size(), component = k / nodes;
  const math::Vec3& x = frame.nodes()[k % nodes];
  const bool is_grillage = frame.properties().kind == mechanics::FrameKind::grillage;
  return fmt::format("the {} of {} at ({:g}, {:g}, {:g})", is_grillage ? grillage[component] : space[component],
                     frame.name(), x.x(), x.y(), x.z());
}

}  // namespace

std::string unknown_name(const System& system, int unknown) {
  const auto k = static_cast<std::size_t>(unknown);
  for (const BodyPtr& body : system.bodies()) {
    const mechanics::Range range = body->unknowns();
    if (k < range.begin || k >= range.end()) continue;
    if (const auto* frame = dynamic_cast<const mechanics::BeamFrame*>(body.get()))
      return name_in_frame(*frame, k - range.begin);
    return fmt::format("unknown {} of {}", k - range.begin, body->name());
  }
  return fmt::format("unknown {}", unknown);
}

}  // namespace ictus::dynamics
