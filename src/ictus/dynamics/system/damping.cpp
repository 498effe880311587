#include <ictus/dynamics/system/damping.hpp>

#include <algorithm>

namespace ictus::dynamics {

std::vector<const mechanics::NodalBody*> damped_among(std::span<const mechanics::NodalBody* const> bodies) {
  std::vector<const mechanics::NodalBody*> damped;
  std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(damped),
               [](const mechanics::NodalBody* body) { return body->damping().any(); });
  return damped;
}

void damping_force(const System& system, const mechanics::NodalBody& body, std::span<const double> q,
                   std::span<const double> v, std::span<double> force) {
  const mechanics::Range range = body.dofs();
  std::fill_n(force.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size, 0.0);
  const mechanics::Rayleigh damping = body.damping();
  if (damping.stiffness > 0) body.apply_damping(system.exec(), q, v, damping.stiffness, force);
  const auto inverse_mass = system.inverse_mass();
  for (std::size_t k = range.begin; k < range.end(); ++k)
    force[k] = inverse_mass[k] == 0 ? 0 : force[k] - damping.mass * v[k] / inverse_mass[k];
}

}  // namespace ictus::dynamics
