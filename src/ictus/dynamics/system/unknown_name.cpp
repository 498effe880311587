#include <ictus/dynamics/system/unknown_name.hpp>

#include <fmt/format.h>

namespace ictus::dynamics {

std::string unknown_name(const System& system, std::size_t unknown) {
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    const mechanics::Range own = body->unknowns();
    if (unknown >= own.begin && unknown < own.end())
      return fmt::format("{} of {}", body->unknown_name(unknown), body->name());
  }
  return fmt::format("unknown {}", unknown);
}

}  // namespace ictus::dynamics
