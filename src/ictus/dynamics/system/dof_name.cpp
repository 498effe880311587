#include <ictus/dynamics/system/dof_name.hpp>

#include <fmt/format.h>

namespace ictus::dynamics {

std::string dof_name(const System& system, std::size_t dof) {
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    const mechanics::Range own = body->dofs();
    if (dof >= own.begin && dof < own.end()) return fmt::format("{} of {}", body->dof_name(dof), body->name());
  }
  return fmt::format("unknown {}", dof);
}

}  // namespace ictus::dynamics
