// Notation: x control vertices, p momenta, w inverse masses, h step.
#include <ictus/mechanics/shell/shell.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/index.hpp>
#include <ictus/geometry/mesh/edge_topology.hpp>
#include <ictus/geometry/subdivision/loop_subdivision.hpp>
#include <limits>
#include <mutex>

namespace ictus::mechanics {

using base::index;

using math::Vec3;

namespace {

ShellWall wall_of(const ShellProperties& s) {
  const double plane = s.youngs_modulus / (1 - s.poissons_ratio * s.poissons_ratio), h = s.thickness;
  return {plane * h, plane * h * h * h / 12, s.poissons_ratio};
}

/// The control mesh as contact sees it.
class ShellSurface final : public model::Surface {
 public:
  ShellSurface(const geometry::TriangleMesh& mesh, std::size_t first_dof)
      : mesh_(mesh.triangles, dofs_of(mesh.positions.size(), first_dof), mesh.positions) {}

  std::size_t point_count() const override { return mesh_.vertex_count(); }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    return model::vertex_at(q, mesh_.dof()[point]);
  }
  Vec3 outward_normal(std::size_t point, std::span<const double> q) const override {
    Vec3 sum = Vec3::Zero();
    for (const auto& [a, b, c] : mesh_.triangles()) {
      if (index(a) != point && index(b) != point && index(c) != point) continue;
      const Vec3 x = position(index(a), q);
      sum += (position(index(b), q) - x).cross(position(index(c), q) - x);
    }
    return sum.normalized();
  }
  void pull_back(std::size_t point, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (int c = 0; c < 3; ++c) row.push_back({mesh_.dof()[point] + c, factor * n[c]});
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }
  const model::SurfaceMesh* mesh() const override { return &mesh_; }

 private:
  static std::vector<int> dofs_of(std::size_t vertices, std::size_t first) {
    std::vector<int> dof(vertices);
    for (std::size_t i = 0; i < vertices; ++i) dof[i] = static_cast<int>(first + 3 * i);
    return dof;
  }

  model::SurfaceMesh mesh_;
};

}  // namespace

struct Shell::Critical {
  std::once_flag found;
  CriticalStep step;
};

Shell::Shell(std::string name, ShellProperties properties, std::size_t first_dof, std::size_t history_before)
    : DampedBody(std::move(name), properties.damping),
      properties_(std::move(properties)),
      dofs_{first_dof, 3 * properties_.mesh.positions.size()},
      ghosted_(with_ghosts(properties_.mesh, properties_.symmetries, properties_.clamped)),
      elements_(ghosted_, wall_of(properties_)),
      layers_(properties_.layers
                  ? std::make_unique<ShellLayers>(elements_, properties_.youngs_modulus, properties_.poissons_ratio,
                                                  properties_.thickness, *properties_.layers)
                  : nullptr),
      history_before_(history_before),
      surface_(std::make_unique<ShellSurface>(properties_.mesh, first_dof)),
      critical_(std::make_unique<Critical>()) {
  const geometry::EdgeTopology topology(ghosted_.mesh);
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    ring_start_.push_back(static_cast<int>(ring_.size()));
    const std::vector<int> neighbours = ring(ghosted_.mesh, topology, static_cast<int>(v));
    ring_.insert(ring_.end(), neighbours.begin(), neighbours.end());
  }
  ring_start_.push_back(static_cast<int>(ring_.size()));
  for (const double area : elements_.vertex_area()) {
    const double mass = properties_.density * properties_.thickness * area;
    mass_.insert(mass_.end(), 3, mass);
    total_mass_ += mass;
  }
  std::vector<char> held(dofs_.size, 0);
  for (const std::vector<int>* vertices : {&properties_.held, &properties_.clamped})
    for (const int v : *vertices)
      for (std::size_t c = 0; c < 3; ++c) held[3 * index(v) + c] = 1;
  for (const auto& [v, along] : properties_.guided)
    for (std::size_t c = 0; c < 3; ++c)
      if (along[c]) held[3 * index(v) + c] = 1;
  for (const SymmetryPlane& plane : properties_.symmetries)
    for (const int v : plane.vertices) held[3 * index(v) + index(plane.axis)] = 1;
  inverse_mass_.resize(dofs_.size);
  for (std::size_t k = 0; k < dofs_.size; ++k) {
    inverse_mass_[k] = held[k] != 0 ? 0 : 1 / mass_[k];
    if (held[k] != 0) fixed_.push_back(static_cast<int>(first_dof + k));
  }
  if (!layers_) return;
  std::vector<double> rest(dofs_.size);
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = properties_.mesh.positions[k / 3][static_cast<int>(k % 3)];
  frequency_scale_ = layers_->frequency_scale(exec::Executor(), rest.data());
}

Shell::~Shell() = default;

double Shell::stable_step(const exec::Executor& exec, std::span<const double> q) const {
  const double at_rest = critical_step().step;
  if (!layers_) return at_rest;
  return at_rest * std::sqrt(frequency_scale_ / layers_->frequency_scale(exec, q.data() + dofs_.begin));
}

CriticalStep Shell::critical_step() const {
  std::call_once(critical_->found, [&] { critical_->step = damped(find_critical_step()); });
  return critical_->step;
}

void Shell::initialise(std::span<double> q, std::span<double> p) const {
  for (std::size_t i = 0; i < vertex_count(); ++i) {
    const Vec3& x = properties_.mesh.positions[i];
    const Vec3 v = properties_.velocity + properties_.spin.cross(x - properties_.spin_centre);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t k = 3 * i + c;
      q[dofs_.begin + k] = x[static_cast<int>(c)];
      p[dofs_.begin + k] = inverse_mass_[k] == 0 ? 0 : mass_[k] * v[static_cast<int>(c)];
    }
  }
}

Momentum Shell::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  for (std::size_t i = 0; i < vertex_count(); ++i) {
    const Vec3 x = Vec3::Map(&q[dofs_.begin + 3 * i]), momentum = Vec3::Map(&p[dofs_.begin + 3 * i]);
    sum += {momentum, x.cross(momentum)};
  }
  return sum;
}

double Shell::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertex_count(); ++i) sum += Vec3::Map(&p[dofs_.begin + 3 * i]).norm();
  return sum;
}

Momentum Shell::support_impulse(int dof, double p, std::span<const double> q) const {
  const std::size_t k = index(dof) - dofs_.begin;
  const Vec3 impulse = p * Vec3::Unit(static_cast<int>(k % 3));
  return {impulse, Vec3::Map(&q[dofs_.begin + k - k % 3]).cross(impulse)};
}

Momentum Shell::gravity_impulse(std::span<const double> q, double h) const {
  Momentum impulse;
  if (!properties_.gravity.isZero()) {
    Vec3 first_moment = Vec3::Zero();
    for (std::size_t i = 0; i < vertex_count(); ++i) first_moment += mass_[3 * i] * Vec3::Map(&q[dofs_.begin + 3 * i]);
    impulse = {total_mass_ * h * properties_.gravity, h * first_moment.cross(properties_.gravity)};
  }
  if (!properties_.symmetries.empty() || !properties_.clamped.empty()) {
    const double* x = q.data() + dofs_.begin;
    const auto [force, moment] = layers_ ? layers_->resultant(x, history_of(q)) : elements_.resultant(x);
    impulse += {h * force, h * moment};
  }
  return impulse;
}

void Shell::kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const {
  const double* const x = q.data() + dofs_.begin;
  double* const own = p.data() + dofs_.begin;
  if (!layers_)
    elements_.kick(exec, x, h, own);
  else if (!layers_->kick(exec, x, history_of(q), h, own))
    report_inverted(q);
  kick_gravity(h, own);
}

void Shell::advance(const exec::Executor& exec, double elapsed, std::span<double> q, double h,
                    std::span<double> p) const {
  if (history() == 0) return kick(exec, q, h, p);
  double* const own = p.data() + dofs_.begin;
  if (!layers_->advance(exec, q.data() + dofs_.begin, elapsed, history_of(q), h, own)) report_inverted(q);
  kick_gravity(h, own);
}

void Shell::kick_gravity(double h, double* own) const {
  if (properties_.gravity.isZero()) return;
  for (std::size_t k = 0; k < dofs_.size; ++k) own[k] += h * mass_[k] * properties_.gravity[static_cast<int>(k % 3)];
}

void Shell::begin_history(std::span<double> q) const {
  if (history() > 0) std::fill_n(history_of(q), history(), 0.0);
}

Dissipated Shell::dissipated(const exec::Executor& exec, std::span<const double> q) const {
  return history() > 0 ? layers_->dissipated(exec, history_of(q)) : Dissipated{};
}

ShellTiles::Measured Shell::held(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                 double time) const {
  return layers_->measure(exec, q.data() + dofs_.begin, history_of(q), p.data() + dofs_.begin, inverse_mass_.data(),
                          time);
}

void Shell::report_inverted(std::span<const double> q) const {
  const double* const x = q.data() + dofs_.begin;
  const double reach = properties_.thickness / 2;
  std::size_t worst = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < elements_.element_count(); ++e) {
    const ShellStrain<double> s = shell_strain(elements_.rest_of(e), elements_.derivatives(e, x));
    for (const double z : {-reach, reach}) {
      const double c11 = 1 + 2 * (s.e11 - z * s.k11), c22 = 1 + 2 * (s.e22 - z * s.k22), c12 = 2 * (s.e12 - z * s.k12);
      const double smallest = 0.5 * (c11 + c22) - std::hypot(0.5 * (c11 - c22), c12);
      if (!(smallest >= least)) least = smallest, worst = e;
    }
  }
  throw base::NumericalFailure("a layer is turned inside out",
                               fmt::format("triangle {} of {}, least squared stretch {:.3g}", worst, name(), least),
                               "Use a smaller time.step or time.follow, a finer mesh or a thinner wall");
}

/// −Σ m g·(x + time · v).
double Shell::gravity_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                             double time) const {
  if (properties_.gravity.isZero()) return 0;
  return exec.sum(dofs_.size, [&](std::size_t k) {
    const double x = q[dofs_.begin + k] + (time == 0 ? 0 : time * inverse_mass_[k] * p[dofs_.begin + k]);
    return -mass_[k] * properties_.gravity[static_cast<int>(k % 3)] * x;
  });
}

void Shell::apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                          std::span<double> p) const {
  elements_.apply_damping(exec, q.data() + dofs_.begin, v.data() + dofs_.begin, h, p.data() + dofs_.begin);
}

PotentialEnergy Shell::potential_energy(const exec::Executor& exec, std::span<const double> q) const {
  if (layers_) return {held(exec, q, q, 0).energy, gravity_energy(exec, q, {}, 0)};
  return {elements_.energy(exec, q.data() + dofs_.begin, nullptr, nullptr, 0), gravity_energy(exec, q, {}, 0)};
}

PotentialEnergy Shell::interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                       double h) const {
  if (layers_) {
    const ShellTiles::Measured now = held(exec, q, p, 0);
    return {now.energy + 0.5 * h * now.power, gravity_energy(exec, q, p, h / 2)};
  }
  return {elements_.interval_energy(exec, q.data() + dofs_.begin, p.data() + dofs_.begin, inverse_mass_.data(), h),
          gravity_energy(exec, q, p, h / 2)};
}

PotentialEnergy Shell::trapezoid_energy(const exec::Executor& exec, std::span<const double> q,
                                        std::span<const double> p, double h) const {
  if (layers_)
    return {0.5 * (held(exec, q, p, 0).energy + held(exec, q, p, h).energy), gravity_energy(exec, q, p, h / 2)};
  const double* const x = q.data() + dofs_.begin;
  const double* const momenta = p.data() + dofs_.begin;
  const double start = elements_.energy(exec, x, nullptr, nullptr, 0);
  const double end = elements_.energy(exec, x, momenta, inverse_mass_.data(), h);
  return {0.5 * (start + end), gravity_energy(exec, q, p, h / 2)};
}

double Shell::chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                           double h) const {
  return trapezoid_energy(exec, q, p, h).strain - interval_energy(exec, q, p, h).strain;
}

std::vector<Vec3> Shell::limit(std::span<const double> x, bool is_position) const {
  std::vector<Vec3> all;
  all.reserve(vertex_count() + ghosted_.ghosts.size());
  for (std::size_t i = 0; i < vertex_count(); ++i) all.emplace_back(Vec3::Map(&x[3 * i]));
  for (const Ghost& ghost : ghosted_.ghosts) {
    Vec3 sum = is_position ? ghost.offset : Vec3::Zero();
    for (const Ghost::Term& term : ghost.terms) sum += term.map * all[index(term.vertex)];
    all.push_back(sum);
  }
  std::vector<Vec3> result(vertex_count());
  for (std::size_t i = 0; i < vertex_count(); ++i) {
    const int valence = ring_start_[i + 1] - ring_start_[i];
    const double weight = geometry::limit_ring_weight(valence);
    Vec3 sum = Vec3::Zero();
    for (int k = ring_start_[i]; k < ring_start_[i + 1]; ++k) sum += all[index(ring_[index(k)])];
    result[i] = (1 - valence * weight) * all[i] + weight * sum;
  }
  return result;
}

std::vector<double> Shell::limit_force(std::size_t vertex, const Vec3& force) const {
  std::vector<Vec3> all(vertex_count() + ghosted_.ghosts.size(), Vec3::Zero());
  const int valence = ring_start_[vertex + 1] - ring_start_[vertex];
  const double weight = geometry::limit_ring_weight(valence);
  all[vertex] = (1 - valence * weight) * force;
  for (int k = ring_start_[vertex]; k < ring_start_[vertex + 1]; ++k) all[index(ring_[index(k)])] += weight * force;
  for (std::size_t g = ghosted_.ghosts.size(); g-- > 0;) {
    for (const Ghost::Term& term : ghosted_.ghosts[g].terms)
      all[index(term.vertex)] += term.map.transpose() * all[vertex_count() + g];
  }
  std::vector<double> result(3 * vertex_count());
  for (std::size_t i = 0; i < vertex_count(); ++i) Vec3::Map(&result[3 * i]) = all[i];
  return result;
}

}  // namespace ictus::mechanics
