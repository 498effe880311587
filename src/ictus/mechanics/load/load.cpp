#include <ictus/mechanics/load/load.hpp>

#include <algorithm>
#include <ictus/mechanics/solid/solid.hpp>

namespace ictus::mechanics {

namespace {

/// What a dof's momentum is in space, per unit.
Momentum unit_momentum(const NodalBody& body, std::size_t dof, std::span<const double> q) {
  return body.support_impulse(static_cast<int>(dof), 1.0, q);
}

std::vector<double> initial_configuration(const NodalBody& body) {
  std::vector<double> q(body.dofs().end()), p(q.size());
  body.initialise(q, p);
  return q;
}

/// Adds forces on a body's dofs to a load; what acts on a support stays there.
class LoadPattern {
 public:
  explicit LoadPattern(const NodalBody& body)
      : body_(body), q_(initial_configuration(body)), is_held_(body.dofs().size, false) {
    for (const int k : body.fixed()) is_held_[static_cast<std::size_t>(k) - body.dofs().begin] = true;
  }
  std::span<const double> q() const { return q_; }

  void add(std::size_t dof, double force, Load& load) const {
    if (force == 0 || is_held_[dof - body_.dofs().begin]) return;
    load.force[dof - load.first] += force;
    Momentum share = unit_momentum(body_, dof, q_);
    share *= force;
    load.total += share;
  }

 private:
  const NodalBody& body_;
  std::vector<double> q_;
  std::vector<bool> is_held_;
};

}  // namespace

Load inertial_load(const NodalBody& body, std::shared_ptr<const Signal> signal, const math::Vec3& direction,
                   double factor) {
  const LoadPattern pattern(body);
  const Range range = body.dofs();
  std::vector<double> force(range.size);
  for (std::size_t i = 0; i < range.size; ++i)
    force[i] = factor * body.mass()[i] * unit_momentum(body, range.begin + i, pattern.q()).linear.dot(direction);
  // The pattern covers what it moves and no more: a grillage has its deflections before its slopes.
  std::size_t end = range.size;
  while (end > 0 && force[end - 1] == 0) --end;
  Load load{std::move(signal), range.begin, std::vector<double>(end), {}};
  for (std::size_t i = 0; i < end; ++i) pattern.add(range.begin + i, force[i], load);
  return load;
}

Load point_load(const NodalBody& body, std::size_t point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction) {
  const LoadPattern pattern(body);
  std::vector<model::RowEntry> row;
  body.surface().pull_back(point, pattern.q(), direction, 1.0, row);
  Load load{std::move(signal), body.dofs().begin, {}, {}};
  if (row.empty()) return load;
  const auto less = [](const model::RowEntry& a, const model::RowEntry& b) { return a.dof < b.dof; };
  const auto [low, high] = std::minmax_element(row.begin(), row.end(), less);
  load.first = static_cast<std::size_t>(low->dof);
  load.force.resize(static_cast<std::size_t>(high->dof - low->dof) + 1);
  for (const model::RowEntry& entry : row) pattern.add(entry.index(), entry.weight, load);
  return load;
}

namespace {

/// A load with these forces on all dofs of a body.
Load spread_load(const NodalBody& body, std::shared_ptr<const Signal> signal, std::span<const double> force) {
  const LoadPattern pattern(body);
  const Range range = body.dofs();
  Load load{std::move(signal), range.begin, std::vector<double>(range.size), {}};
  for (std::size_t i = 0; i < range.size; ++i) pattern.add(range.begin + i, force[i], load);
  return load;
}

}  // namespace

Load shared_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction) {
  std::vector<double> force(body.dofs().size);
  const math::Vec3 share = direction / static_cast<double>(nodes.size());
  for (const int node : nodes) {
    for (int c = 0; c < 3; ++c) force[static_cast<std::size_t>(3 * node + c)] += share[c];
  }
  return spread_load(body, std::move(signal), force);
}

Load pressure_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal) {
  std::vector<bool> chosen(body.node_count(), false);
  for (const int node : nodes) chosen[static_cast<std::size_t>(node)] = true;
  std::vector<double> force(body.dofs().size);
  for (const geometry::OuterFace& face : body.faces()) {
    if (std::all_of(face.begin(), face.end(),
                    [&](int node) { return node < 0 || chosen[static_cast<std::size_t>(node)]; }))
      body.add_pressure(face, 1.0, force);
  }
  return spread_load(body, std::move(signal), force);
}

}  // namespace ictus::mechanics
