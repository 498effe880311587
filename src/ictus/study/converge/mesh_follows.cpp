#include <ictus/study/converge/mesh_follows.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <limits>
#include <numeric>

namespace ictus::study {

namespace {

[[noreturn]] void refuse(std::string message) {
  throw base::InputError(base::Mistake{"", 0, "--mesh-follows", std::move(message)});
}

/// k at which h₀ g/k is nearest to the step asked for, at least 1.
double nearest_divisions(double exact) {
  const double below = std::max(1.0, std::floor(exact)), above = below + 1;
  return std::abs(exact / below - 1) <= std::abs(exact / above - 1) ? below : above;
}

}  // namespace

FollowedMesh follow_mesh(const scene::Scene& scene, double own_step, double asked_step) {
  int divisor = 0, largest = 0;
  for (const auto& [name, body] : scene.bodies) {
    const auto* bar = std::get_if<scene::BarSpec>(&body);
    if (!bar) continue;
    divisor = std::gcd(divisor, bar->cells);
    largest = std::max(largest, bar->cells);
  }
  if (divisor == 0) refuse("the scene has no bar whose mesh could follow the step");

  const double exact = divisor * own_step / asked_step, k = nearest_divisions(exact);
  if (largest / divisor * k > std::numeric_limits<int>::max())
    refuse(fmt::format("a step of {:g} s takes more elements than can be counted", asked_step));
  const auto step_at = [&](double divisions) { return divisor * own_step / divisions; };
  if (std::abs(step_at(k) / asked_step - 1) > largest_move) {
    const double below = std::max(1.0, std::floor(exact));
    refuse(fmt::format("no step near {:g} s leaves every bar with whole elements; {:g} s and {:g} s do", asked_step,
                       step_at(below), step_at(below + 1)));
  }
  FollowedMesh mesh{step_at(k), {}};
  for (const auto& [name, body] : scene.bodies) {
    if (const auto* bar = std::get_if<scene::BarSpec>(&body))
      mesh.elements.emplace_back(name, bar->cells / divisor * static_cast<int>(k));
  }
  return mesh;
}

}  // namespace ictus::study
