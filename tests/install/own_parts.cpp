// Parts of one's own in a scene of structs: a body of nodes, a force, a signal, an observer, and a metal.
#include "own_parts.hpp"

#include <array>
#include <cmath>
#include <ictus/ictus.hpp>

#include "own_metal.hpp"

namespace {

using namespace ictus;
using math::Vec3;

/// A bead of 2 kg on a spring of 200 N/m to the point where it starts, with the skin of a point.
class Bead final : public mechanics::NodalBody, private model::Surface {
 public:
  Bead(std::string name, std::size_t first_dof) : NodalBody(std::move(name)), dofs_{first_dof, 3} {}

  static constexpr double spring = 200;  // N/m

  mechanics::Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *this; }
  void initialise(std::span<double> q, std::span<double> p) const override {
    for (std::size_t k = dofs_.begin; k < dofs_.end(); ++k) q[k] = p[k] = 0;
  }
  mechanics::Momentum momentum(std::span<const double> q, std::span<const double> p) const override {
    return {at(p), at(q).cross(at(p))};
  }
  double momentum_scale(std::span<const double> p) const override { return at(p).norm(); }
  std::span<const std::string_view> probe_quantities() const override { return quantities; }
  void probe(double, const mechanics::Motion& motion, std::span<double> values) const override {
    values[0] = motion.q[dofs_.begin];
  }
  mechanics::Picture draw(std::span<const double> q, std::span<const double>) const override {
    return {{at(q)}, {mechanics::Picture::Cell::vertex}, {0}, {}};
  }

  std::span<const double> mass() const override { return masses; }
  std::span<const int> fixed() const override { return {}; }
  mechanics::Momentum support_impulse(int dof, double p, std::span<const double> q) const override {
    const Vec3 impulse = p * Vec3::Unit(dof - static_cast<int>(dofs_.begin));
    return {impulse, at(q).cross(impulse)};
  }
  mechanics::Momentum gravity_impulse(std::span<const double>, double) const override { return {}; }
  void kick(const exec::Executor&, std::span<const double> q, double h, std::span<double> p) const override {
    for (std::size_t k = dofs_.begin; k < dofs_.end(); ++k) p[k] -= h * spring * q[k];
  }
  mechanics::PotentialEnergy potential_energy(const exec::Executor&, std::span<const double> q) const override {
    return {0.5 * spring * at(q).squaredNorm(), 0};
  }
  mechanics::PotentialEnergy interval_energy(const exec::Executor&, std::span<const double> q,
                                             std::span<const double> p, double h) const override {
    return {0.5 * spring * at(q).dot(at(q) + h / masses[0] * at(p)), 0};
  }
  mechanics::PotentialEnergy trapezoid_energy(const exec::Executor&, std::span<const double> q,
                                              std::span<const double> p, double h) const override {
    return {0.25 * spring * (at(q).squaredNorm() + (at(q) + h / masses[0] * at(p)).squaredNorm()), 0};
  }
  double chord_energy(const exec::Executor&, std::span<const double>, std::span<const double> p,
                      double h) const override {
    return 0.25 * spring * (h / masses[0] * at(p)).squaredNorm();
  }
  void stiffness(std::span<const double>, std::vector<mechanics::StiffnessEntry>& entries) const override {
    for (int k = 0; k < 3; ++k) {
      const int dof = static_cast<int>(dofs_.begin) + k;
      entries.push_back({dof, dof, spring});
    }
  }
  mechanics::CriticalStep critical_step() const override { return {2 / std::sqrt(spring / masses[0]), 0}; }
  bool linear() const override { return true; }

 private:
  Vec3 at(std::span<const double> values) const { return Vec3::Map(values.data() + dofs_.begin); }

  std::size_t point_count() const override { return 1; }
  Vec3 position(std::size_t, std::span<const double> q) const override { return at(q); }
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return {1, 0, 0}; }
  void pull_back(std::size_t, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (int c = 0; c < 3; ++c) row.push_back({static_cast<int>(dofs_.begin) + c, factor * n[c]});
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

  static constexpr std::array<double, 3> masses{2, 2, 2};
  static constexpr std::string_view quantities[] = {"displacement_x"};
  mechanics::Range dofs_;
};

/// 3 N along x for a second.
struct Push final : mechanics::Force {
  void add(const Motion& motion, std::span<double> force) const override {
    ++asked;
    if (motion.time < 1) force[0] += 3;
  }
  mutable int asked = 0;
};

/// Nothing for a second, then a pull that grows.
struct Ramp final : mechanics::Signal {
  double at(double time) const override { return time < 1 ? 0 : time - 1; }
};

struct Furthest final : dynamics::Observer {
  void observe(const dynamics::Snapshot& now, const dynamics::StepReport& report) override {
    x = std::max(x, now.state.q[0]);
    strikes += report.closings;
  }
  double x = 0;
  int strikes = 0;
};

}  // namespace

bool own_parts_work_together() {
  scene::Scene scene;
  scene.time = {.end = 2, .step = 1e-4, .courant = {}};
  scene.integrator = scene::CdLagrangeSpec{};
  scene.bodies.add("bead", scene::OwnBodySpec{});
  scene.bodies.add("wall", scene::PlaneSpec{.position = {0.02, 0, 0}, .normal = {-1, 0, 0}});
  scene.contacts.push_back({.between = {"bead", "wall"}, .restitution = 0});
  scene.loads.push_back(scene::OwnForceSpec{.name = "push", .on = "bead"});
  scene.loads.push_back(
      scene::BodyForceSpec{.on = {"bead"}, .direction = {0, 0, 1}, .signal = scene::ControlSpec{"ramp"}});
  const auto make = [](const std::string& name, std::size_t first_dof) -> dynamics::BodyPtr {
    return std::make_unique<Bead>(name, first_dof);
  };
  const auto push = std::make_shared<Push>();
  run::Simulation simulation(
      scene,
      {.bodies = {{"bead", make}}, .forces = {{"push", push}}, .controls = {{"ramp", std::make_shared<Ramp>()}}});
  Furthest furthest;
  simulation.watch(furthest);
  // 3 N on 200 N/m swing to 0.03 m, but the wall at 0.02 m takes what there is: ½ k x₀² − ½ k (0.02 − x₀)², x₀ = 0.015.
  simulation.run_until(0.2);
  const double lost = simulation.energies().lost.total(),
               expected = 0.5 * Bead::spring * (0.015 * 0.015 - 0.005 * 0.005);
  const bool struck = std::abs(lost - expected) < 1e-2 * expected;
  simulation.run_until(2);
  // The pull grows slowly over the second: z follows it by t − 1 over k/m, less what still swings.
  const double w = std::sqrt(Bead::spring / 2), z = (1 - std::sin(w) / w) / (w * w);
  return struck && furthest.strikes > 0 && furthest.x < 0.02 + 1e-5 && push->asked >= 20000 &&
         std::abs(simulation.positions()[2] - z) < 1e-3 * z &&
         std::abs(simulation.energies().error()) < 1e-3 * expected;
}

bool own_metal_flows() {
  scene::Scene scene;
  scene.time = {.end = 1.5, .step = {}, .courant = 0.5};
  scene::MaterialSpec metal;
  metal.law = scene::SolidLaw::own;
  metal.density = 1;
  scene.materials.add("metal", metal);
  scene::SolidSpec bar;
  bar.shape =
      scene::BoxShapeSpec{.size = {0.5, 0.5, 2}, .cells = {2, 2, 8}, .element = scene::SolidElement::hexahedron};
  bar.material.name = "metal";
  bar.position = {0, 0, 1e-3};
  bar.velocity = {0, 0, -1};
  scene.bodies.add("bar", bar);
  scene.bodies.add("wall", scene::PlaneSpec{});
  scene.contacts.push_back({.between = {"bar", "wall"}, .restitution = {}});
  run::Simulation simulation(
      scene, {.materials = {{"metal", std::make_shared<mechanics::FormulaMaterial<OwnMetal>>(OwnMetal{})}}});
  simulation.run_until(1.5);
  const run::Energies energies = simulation.energies();
  const double flow = energies.lost[model::Loss::heat] + energies.lost[model::Loss::hardening];
  // ½ m v² of 0.25 J; σ_y = 1 Pa takes most of it over a few per cent of the length.
  return flow > 0.1 && flow < 0.25 && std::abs(energies.error()) < 5e-3 * energies.initial;
}
