#include <ictus/mechanics/load/load.hpp>

#include <algorithm>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/shell/shell.hpp>
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

/// Whether the dofs of a body are positions of its nodes.
bool has_positions(const NodalBody& body) {
  const model::SurfaceMesh* mesh = body.surface().mesh();
  return mesh && !mesh->has_frames() && !mesh->is_guided();
}

bool is_held(const NodalBody& body, std::size_t dof) {
  const auto held = body.fixed();
  return std::find(held.begin(), held.end(), static_cast<int>(dof)) != held.end();
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

Momentum Load::momentum(std::span<const double> q) const {
  Momentum sum = on_nodes ? Momentum{} : total;
  for (std::size_t k = 0; on_nodes && k < force.size(); k += 3) {
    const math::Vec3 push = math::Vec3::Map(&force[k]);
    sum += {push, math::Vec3(math::Vec3::Map(&q[first + k])).cross(push)};
  }
  for (const FrameForce& one : on_frames) {
    const auto frame = model::RigidFrame::at(q, one.first);
    const auto [push, turn] = one.at(frame);
    sum += {push, frame.x.cross(push) + frame.axes * turn};
  }
  return sum;
}

Load inertial_load(const NodalBody& body, std::shared_ptr<const Signal> signal, const math::Vec3& direction,
                   double factor) {
  if (body.turns()) {
    Load load{std::move(signal), body.dofs().begin, {}};
    for (std::size_t k = 0; k < body.dofs().size; k += model::RigidFrame::dofs) {
      const std::size_t first = body.dofs().begin + k;
      const math::Vec3 force = factor * body.mass()[k] * direction, nothing = math::Vec3::Zero();
      if (!is_held(body, first)) load.on_frames.push_back({first, nothing, force, nothing});
    }
    return load;
  }
  const LoadPattern pattern(body);
  const Range range = body.dofs();
  std::vector<double> force(range.size);
  for (std::size_t i = 0; i < range.size; ++i)
    force[i] = factor * body.mass()[i] * unit_momentum(body, range.begin + i, pattern.q()).linear.dot(direction);
  // The pattern covers what it moves and no more: a grillage has its deflections before its slopes.
  const bool on_nodes = has_positions(body);
  std::size_t end = range.size;
  while (!on_nodes && end > 0 && force[end - 1] == 0) --end;
  Load load{std::move(signal), range.begin, std::vector<double>(end), {}, on_nodes};
  for (std::size_t i = 0; i < end; ++i) pattern.add(range.begin + i, force[i], load);
  return load;
}

Load frame_load(const NodalBody& body, std::size_t number, std::shared_ptr<const Signal> signal,
                const math::Vec3& point, const math::Vec3& force, const math::Vec3& moment, bool turns_along) {
  Load load{std::move(signal), body.dofs().begin, {}};
  const std::size_t first = body.dofs().begin + model::RigidFrame::dofs * number;
  if (is_held(body, first)) return load;
  const auto frame = model::RigidFrame::at(initial_configuration(body), first);
  const auto given = [&](const math::Vec3& v) { return turns_along ? math::Vec3(frame.axes.transpose() * v) : v; };
  load.on_frames.push_back(
      {first, frame.axes.transpose() * (point - frame.x), given(force), given(moment), turns_along});
  return load;
}

Load point_load(const NodalBody& body, std::size_t point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction) {
  const LoadPattern pattern(body);
  std::vector<model::RowEntry> row;
  body.surface().pull_back(point, pattern.q(), direction, 1.0, row);
  Load load{std::move(signal), body.dofs().begin, {}, {}, has_positions(body)};
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
  Load load{std::move(signal), range.begin, std::vector<double>(range.size), {}, has_positions(body)};
  for (std::size_t i = 0; i < range.size; ++i) pattern.add(range.begin + i, force[i], load);
  return load;
}

}  // namespace

Load node_moment(const BeamFrame& body, std::size_t node, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction) {
  const LoadPattern pattern(body);
  Load load{std::move(signal), body.dofs().begin, std::vector<double>(body.dofs().size)};
  for (std::size_t c = 0; c < body.dofs_per_node(); ++c) {
    const int dof = body.dof(node, c);
    const Momentum unit = body.support_impulse(dof, 1.0, {});
    if (unit.linear.isZero()) pattern.add(static_cast<std::size_t>(dof), unit.angular.dot(direction), load);
  }
  return load;
}

Load shell_load(const Shell& body, const math::Vec3& point, std::shared_ptr<const Signal> signal,
                const math::Vec3& direction) {
  const std::vector<double> q = initial_configuration(body);
  const std::vector<math::Vec3> limit = body.limit(std::span(q).subspan(body.dofs().begin), true);
  const auto nearer = [&](const math::Vec3& a, const math::Vec3& b) { return (a - point).norm() < (b - point).norm(); };
  const auto vertex = static_cast<std::size_t>(std::min_element(limit.begin(), limit.end(), nearer) - limit.begin());
  return spread_load(body, std::move(signal), body.limit_force(vertex, direction));
}

Load shared_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                 const math::Vec3& direction) {
  std::vector<double> force(body.dofs().size);
  const math::Vec3 share = direction / static_cast<double>(nodes.size());
  for (const int node : nodes) {
    for (int c = 0; c < 3; ++c) force[static_cast<std::size_t>(3 * node + c)] += share[c];
  }
  return spread_load(body, std::move(signal), force);
}

namespace {

/// Calls f for the outer faces whose nodes are all among these.
template <class F>
void for_each_face(const Solid& body, std::span<const int> nodes, F&& f) {
  std::vector<bool> chosen(body.node_count(), false);
  for (const int node : nodes) chosen[static_cast<std::size_t>(node)] = true;
  for (const geometry::OuterFace& face : body.faces()) {
    if (std::all_of(face.begin(), face.end(),
                    [&](int node) { return node < 0 || chosen[static_cast<std::size_t>(node)]; }))
      f(face);
  }
}

}  // namespace

Load pressure_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal) {
  std::vector<double> force(body.dofs().size);
  for_each_face(body, nodes, [&](const geometry::OuterFace& face) { body.add_pressure(face, 1.0, force); });
  return spread_load(body, std::move(signal), force);
}

/// On flat faces: the area that belongs to a node is the size of what a pressure would push it by.
Load traction_load(const Solid& body, std::span<const int> nodes, std::shared_ptr<const Signal> signal,
                   const math::Vec3& direction) {
  std::vector<double> force(body.dofs().size), pressed(body.dofs().size);
  for_each_face(body, nodes, [&](const geometry::OuterFace& face) {
    body.add_pressure(face, 1.0, pressed);
    for (const int node : face) {
      if (node < 0) continue;
      auto own = math::Vec3::Map(&pressed[3 * static_cast<std::size_t>(node)]);
      math::Vec3::Map(&force[3 * static_cast<std::size_t>(node)]) += own.norm() * direction;
      own.setZero();
    }
  });
  return spread_load(body, std::move(signal), force);
}

}  // namespace ictus::mechanics
