#include <ictus/dynamics/beam/lie_beam_noether.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/math/whole.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <random>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Vector3;
using math::Wrench;

namespace {

/// A rectangle lies within so many steps from when it is drawn: 4 to 1024, so that short runs complete some too.
std::int64_t window(std::uint64_t seed) { return std::int64_t{4} << seed % 9; }

/// Ad*_{g⁻¹} of a node's momentum.
Wrench<double> map(std::size_t node, std::span<const double> q, std::span<const double> p) {
  const Wrench<double> momentum = Layout::momentum(p, node);
  return {momentum.m + cross(Layout::get(q, node, Layout::position), momentum.n), momentum.n};
}

struct Terms {
  const BeamStepRecord& step;

  /// κ Ad*_{g⁻¹} λ of the element that starts at a node.
  Wrench<double> flux(std::size_t node) const {
    if (node >= step.model.last()) return {};
    const auto left = Layout::pose(step.q, node), right = Layout::pose(step.q, node + 1);
    const auto stress = mechanics::element_stress(left.q, matrix(left.q), right.q, right.r - left.r, step.model.spacing,
                                                  step.model.section.stretch, step.model.section.bend);
    return step.kick * Wrench<double>{stress.left_moment + cross(left.r, stress.force), stress.force};
  }
  /// κ times the loads on a node.
  Wrench<double> load(std::size_t node) const {
    const mechanics::LieBeamModel& m = step.model;
    Wrench<double> load =
        m.weight(node) * Wrench<double>{m.loads.per_length.m, m.section.mass * m.gravity + m.loads.per_length.n};
    if (node == 0) load = load + m.loads.start;
    if (node == m.last()) load = load + m.loads.end;
    return step.kick * Wrench<double>{load.m + cross(Layout::get(step.q, node, Layout::position), load.n), load.n};
  }

  /// J¹, J² and J³: what the cell at a node puts on its own corner, on the one after and on the one beside it.
  Wrench<double> j1(std::size_t node) const { return flux(node) - map(node, step.q_next, step.p_next); }
  Wrench<double> j2(std::size_t node) const { return map(node, step.q_next, step.p_next); }
  Wrench<double> j2_before(std::size_t node) const { return map(node, step.q, step.p); }
  Wrench<double> j3(std::size_t node) const { return -flux(node); }
};

// Memory: scale, drawn, completed, largest, then for each rectangle the four indices and the six components of the sum.
enum Head : std::size_t { scale, drawn, completed_count, largest, head_size };

}  // namespace

NoetherRectangle NoetherRectangle::read(const double* x) {
  const auto index = [&](std::size_t i) { return math::whole<std::int64_t>(x[i]); };
  return {index(0), index(1), index(2), index(3), {{x[4], x[5], x[6]}, {x[7], x[8], x[9]}}};
}

void NoetherRectangle::write(double* x) const {
  const double values[size] = {static_cast<double>(first_node),
                               static_cast<double>(last_node),
                               static_cast<double>(first_step),
                               static_cast<double>(last_step),
                               sum.m.x,
                               sum.m.y,
                               sum.m.z,
                               sum.n.x,
                               sum.n.y,
                               sum.n.z};
  std::copy(std::begin(values), std::end(values), x);
}

NoetherRectangle random_rectangle(std::uint64_t seed, std::int64_t nodes, std::int64_t first_step, std::int64_t steps) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  NoetherRectangle r;
  r.first_node = below(nodes - 1);
  r.last_node = r.first_node + 1 + below(nodes - 1 - r.first_node);
  r.first_step = first_step + below(steps - 1);
  r.last_step = r.first_step + 1 + below(first_step + steps - 1 - r.first_step);
  return r;
}

void add_step(const BeamStepRecord& record, NoetherRectangle& r) {
  if (record.step < r.first_step || record.step > r.last_step) return;
  const Terms terms{record};
  if (r.first_node < 0 || r.last_node < r.first_node || r.last_node > static_cast<std::int64_t>(record.model.last()))
    throw base::InputError({"", 0, "", "a watched rectangle is not on its beam: the checkpoint is damaged"});
  const auto b = static_cast<std::size_t>(r.first_node), c = static_cast<std::size_t>(r.last_node);
  if (record.step == r.first_step) {
    for (std::size_t a = b + 1; a <= c; ++a) r.sum = r.sum + terms.j1(a) + terms.j3(a - 1);
    r.sum = r.sum + terms.j1(b) + terms.j3(c);
  } else {
    r.sum = r.sum + terms.j1(b) + terms.j2_before(b) + terms.j3(c);
    for (std::size_t a = b + 1; a <= c; ++a) r.sum = r.sum - terms.load(a);
  }
  if (record.step == r.last_step) {
    for (std::size_t a = b; a <= c; ++a) r.sum = r.sum + terms.j2(a);
  }
}

NoetherRectangle NoetherMonitor::draw(std::int64_t now, const mechanics::LieBeamModel& model) {
  // A seed of its own for each draw: the next rectangle depends on the memory alone.
  const auto seed = math::whole<std::uint64_t>(values_[drawn]++);
  return random_rectangle(seed, static_cast<std::int64_t>(model.nodes), now, window(seed));
}

void NoetherMonitor::begin(std::size_t rectangles, double momentum_scale, const mechanics::LieBeamModel& model) {
  values_.assign(head_size + rectangles * NoetherRectangle::size, 0.0);
  values_[scale] = momentum_scale;
  for (std::size_t i = head_size; i < values_.size(); i += NoetherRectangle::size) draw(0, model).write(&values_[i]);
}

void NoetherMonitor::add(const BeamStepRecord& record) {
  for (std::size_t i = head_size; i < values_.size(); i += NoetherRectangle::size) {
    NoetherRectangle r = NoetherRectangle::read(&values_[i]);
    if (record.step < r.first_step) continue;
    add_step(record, r);
    if (record.step == r.last_step) {
      values_[completed_count] += 1.0;
      const double residual = std::sqrt(norm_sq(r.sum.m) + norm_sq(r.sum.n)) / values_[scale];
      // A sum that is not a number must not pass as small.
      if (!(residual <= values_[largest])) values_[largest] = residual;
      r = draw(record.step + 1, record.model);
    }
    r.write(&values_[i]);
  }
}

void NoetherMonitor::interrupt(std::int64_t step, const mechanics::LieBeamModel& model) {
  for (std::size_t i = head_size; i < values_.size(); i += NoetherRectangle::size) {
    if (step >= NoetherRectangle::read(&values_[i]).first_step) draw(step + 1, model).write(&values_[i]);
  }
}

std::int64_t NoetherMonitor::completed() const { return math::whole<std::int64_t>(values_[completed_count]); }

double NoetherMonitor::largest_residual() const { return values_[largest]; }

}  // namespace ictus::dynamics
