#pragma once

#include <ictus/geometry/mesh/curve_order.hpp>
#include <ictus/geometry/mesh/mesh_generators.hpp>
#include <ictus/mechanics/shell/shell.hpp>
#include <random>
#include <vector>

namespace ictus::mechanics {

/// The material of cirak-2005, §6.2.
inline ShellProperties steel_like(geometry::TriangleMesh mesh, double thickness) {
  ShellProperties properties;
  properties.mesh = std::move(mesh);
  properties.thickness = thickness;
  properties.youngs_modulus = 2.1e5;
  properties.poissons_ratio = 0.3;
  properties.density = 0.0785;
  return properties;
}

inline std::vector<double> rest_of(const Shell& shell) {
  std::vector<double> q(shell.dofs().end()), p(q.size());
  shell.initialise(q, p);
  return q;
}

inline std::vector<double> force(const Shell& shell, const std::vector<double>& q, int threads = 1) {
  std::vector<double> f(q.size(), 0.0);
  shell.kick(exec::Executor(threads), q, 1, f);
  return f;
}

inline double energy(const Shell& shell, const std::vector<double>& q) {
  return shell.potential_energy(exec::Executor(1), q).strain;
}

/// Every dof moved by at most `size`, always the same way.
inline std::vector<double> disturbed(std::vector<double> q, double size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-size, size);
  for (double& x : q) x += any(random);
  return q;
}

}  // namespace ictus::mechanics
