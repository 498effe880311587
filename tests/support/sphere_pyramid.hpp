#pragma once

#include <cmath>
#include <ictus/solve/cone/rigid_contacts.hpp>
#include <vector>

namespace ictus::solve {

/// A square pyramid of unit spheres (mass 1, diameter 1), each on four below, the lowest layer on held spheres: one
/// step of gravity from rest. 23 layers are 4324 spheres and 17296 contacts.
struct SpherePyramid {
  std::vector<RigidInertia> inertias;
  std::vector<RigidVelocity> velocities;
  std::vector<RigidContact> contacts;

  explicit SpherePyramid(int layers, double mu = 0.3, double speed = 9.81e-3) {
    // Neighbours in a layer are a little apart: they do not touch.
    const double pitch = 1.0001;
    const double rise = std::sqrt(1.0 - 0.5 * pitch * pitch);
    std::vector<Vec> below = layer(layers + 1, 0.0, 0.0, pitch);
    std::vector<int> below_id(below.size(), RigidContact::held);
    for (int side = layers; side >= 1; --side) {
      const double shift = 0.5 * pitch * (layers + 1 - side);
      const std::vector<Vec> here = layer(side, shift, rise * (layers + 1 - side), pitch);
      std::vector<int> id;
      for (int k = 0; k < side * side; ++k) {
        id.push_back(static_cast<int>(inertias.size()));
        inertias.push_back({1.0, {10.0, 10.0, 10.0}, {}});  // I = ⅖ m R²
        velocities.push_back({{0.0, 0.0, -speed}, {}});
        for (int corner = 0; corner < 4; ++corner) {
          const int under = (k / side + corner / 2) * (side + 1) + k % side + corner % 2;
          contacts.push_back(touch(below_id[under], below[under], id.back(), here[k], mu));
        }
      }
      below = here;
      below_id = id;
    }
  }

 private:
  static std::vector<Vec> layer(int side, double shift, double height, double pitch) {
    std::vector<Vec> centres;
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) centres.push_back({shift + pitch * i, shift + pitch * j, height});
    }
    return centres;
  }
  static RigidContact touch(int a, const Vec& centre_a, int b, const Vec& centre_b, double mu) {
    const auto unit = [](const Vec& x) { return (1.0 / std::sqrt(math::norm_sq(x))) * x; };
    RigidContact c;
    c.body_a = a;
    c.body_b = b;
    c.normal = unit(centre_b - centre_a);
    c.tangent = unit(math::cross(c.normal, std::abs(c.normal.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0}));
    c.lever_a = 0.5 * c.normal;
    c.lever_b = -0.5 * c.normal;
    c.cone = FrictionCone(mu);
    return c;
  }
};

}  // namespace ictus::solve
