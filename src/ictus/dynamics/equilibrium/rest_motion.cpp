#include <ictus/dynamics/equilibrium/rest_motion.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/so3.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::dynamics {

namespace {

constexpr std::size_t turning_at = model::RigidFrame::angular;

math::Rotation<double> orientation_at(std::span<const double> q, std::size_t frame) {
  const double* s = &q[frame + turning_at];
  return {s[0], {s[1], s[2], s[3]}};
}

}  // namespace

RestMotion::RestMotion(const System& system) : system_(system), kind_(system.dofs() + system.history()) {
  for (const mechanics::NodalBody* body : system.nodal_bodies()) {
    if (!body->turns()) continue;
    for (std::size_t k = body->dofs().begin; k < body->dofs().end(); k += model::RigidFrame::dofs) {
      frames_.push_back(k);
      std::fill_n(kind_.begin() + static_cast<std::ptrdiff_t>(k + turning_at), turning_at, Kind::turning);
      kind_[k + 2 * turning_at] = Kind::unused;
    }
  }
  for (const mechanics::Load& load : system.loads()) {
    for (const mechanics::FrameForce& force : load.on_frames)
      have_potential_ = have_potential_ && !force.turns_along && force.moment.isZero();
  }
}

void RestMotion::shift(std::span<const double> q, double part, std::span<const double> step,
                       std::span<double> to) const {
  for (std::size_t k = 0; k < q.size(); ++k) to[k] = is_coordinate(k) ? q[k] + part * step[k] : q[k];
  for (const std::size_t frame : frames_) {
    const double* by = &step[frame + turning_at];
    const math::Rotation<double> turned =
        normalized(orientation_at(q, frame) * math::cayley(part * math::Vector3<double>{by[0], by[1], by[2]}));
    double* at = &to[frame + turning_at];
    at[0] = turned.s;
    at[1] = turned.v.x;
    at[2] = turned.v.y;
    at[3] = turned.v.z;
  }
}

void RestMotion::displacement(std::span<const double> from, std::span<const double> q, std::span<double> moved) const {
  for (std::size_t k = 0; k < q.size(); ++k) moved[k] = is_coordinate(k) ? q[k] - from[k] : 0;
  for (const std::size_t frame : frames_) {
    const auto turn = math::rotation_vector(inverse(orientation_at(from, frame)) * orientation_at(q, frame));
    moved[frame + turning_at] = turn.x;
    moved[frame + turning_at + 1] = turn.y;
    moved[frame + turning_at + 2] = turn.z;
  }
}

double RestMotion::potential_of_loads(std::span<const double> values, std::span<const double> start,
                                      std::span<const double> q) const {
  double sum = 0;
  for (std::size_t i = 0; i < system_.loads().size(); ++i) {
    const mechanics::Load& load = system_.loads()[i];
    double work = 0;
    for (std::size_t k = 0; k < load.force.size(); ++k)
      work += load.force[k] * (is_coordinate(load.first + k) ? q[load.first + k] - start[load.first + k] : 0);
    for (const mechanics::FrameForce& one : load.on_frames) {
      const auto at = [&](std::span<const double> x) {
        return model::RigidFrame::at(x, one.first).position_of(one.lever);
      };
      work += one.force.dot(at(q) - at(start));
    }
    sum -= values[i] * work;
  }
  return sum;
}

}  // namespace ictus::dynamics
