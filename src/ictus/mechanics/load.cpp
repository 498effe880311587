#include <algorithm>
#include <ictus/mechanics/load.hpp>

namespace ictus::mechanics {

namespace {

/// What an unknown's momentum is in space, per unit.
Momentum unit_momentum(const NodalBody& body, std::size_t unknown, std::span<const double> q) {
  return body.support_impulse(static_cast<int>(unknown), 1.0, q);
}

std::vector<double> initial_configuration(const NodalBody& body) {
  std::vector<double> q(body.unknowns().end()), p(q.size());
  body.initialise(q, p);
  return q;
}

bool is_held(const NodalBody& body, std::size_t unknown) {
  const auto held = body.fixed();
  return std::find(held.begin(), held.end(), static_cast<int>(unknown)) != held.end();
}

/// Adds a force on an unknown; what acts on a support stays there.
void add(const NodalBody& body, std::size_t unknown, double force, std::span<const double> q, Load& load) {
  if (force == 0 || is_held(body, unknown)) return;
  load.force[unknown - load.first] += force;
  Momentum share = unit_momentum(body, unknown, q);
  share *= force;
  load.total += share;
}

}  // namespace

Load inertial_load(const NodalBody& body, std::shared_ptr<const Signal> signal, const math::Vec3& direction,
                   double factor) {
  const std::vector<double> q = initial_configuration(body);
  const Range range = body.unknowns();
  std::vector<double> force(range.size);
  for (std::size_t i = 0; i < range.size; ++i)
    force[i] = factor * body.mass()[i] * unit_momentum(body, range.begin + i, q).linear.dot(direction);
  // The pattern covers what it moves and no more: a grillage has its deflections before its slopes.
  std::size_t end = range.size;
  while (end > 0 && force[end - 1] == 0) --end;
  Load load{std::move(signal), range.begin, std::vector<double>(end), {}};
  for (std::size_t i = 0; i < end; ++i) add(body, range.begin + i, force[i], q, load);
  return load;
}

Load point_load(const NodalBody& body, std::size_t point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction) {
  const std::vector<double> q = initial_configuration(body);
  std::vector<model::RowEntry> row;
  body.surface().pull_back(point, q, direction, 1.0, row);
  Load load{std::move(signal), body.unknowns().begin, {}, {}};
  if (row.empty()) return load;
  const auto less = [](const model::RowEntry& a, const model::RowEntry& b) { return a.unknown < b.unknown; };
  const auto [low, high] = std::minmax_element(row.begin(), row.end(), less);
  load.first = static_cast<std::size_t>(low->unknown);
  load.force.resize(static_cast<std::size_t>(high->unknown - low->unknown) + 1);
  for (const model::RowEntry& entry : row) add(body, static_cast<std::size_t>(entry.unknown), entry.weight, q, load);
  return load;
}

}  // namespace ictus::mechanics
