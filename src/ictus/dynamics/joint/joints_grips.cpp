// Notation: s rate of a joint's coordinate, w its gradient, c damping, h duration, s∓ before and after the node.
#include <ictus/dynamics/joint/joints.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/base/index.hpp>

// Dampers, friction and motors that keep a speed.

namespace ictus::dynamics {

using base::index;

namespace {

/// Rounds after which what grips stays as it is.
constexpr int max_rounds = 40;

}  // namespace

/// The impulse of those that slide.
double Joints::Grip::slid() const {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (regime != 2 * k + 1) sum += impulse(k);
  }
  return sum;
}

/// What grips begins where the strongest holds.
void Joints::begin_grip(Grip& grip, double duration) const {
  const JointDrive& drive = joints_[index(grip.joint)].drive;
  const double friction = drive.friction * duration, motor = drive.max_effort * duration;
  const double speed = effort_[index(grip.joint)].speed;
  grip.count = 0;
  grip.held = 0;
  const auto add = [&](double target, double strength, double of_motor) {
    grip.target[grip.count] = target;
    grip.strength[grip.count] = strength;
    grip.of_motor[grip.count] = of_motor;
    ++grip.count;
  };
  if (drive.speed && drive.friction > 0 && speed == 0) {
    add(0, friction + motor, std::isfinite(motor) ? motor / (friction + motor) : 1);
  } else {
    if (drive.speed && speed < 0) add(speed, motor, 1);
    if (drive.friction > 0) add(0, friction, 0);
    if (drive.speed && speed >= 0) add(speed, motor, 1);
  }
  grip.regime = grip.count == 0 ? 0 : grip.count == 2 && grip.strength[1] > grip.strength[0] ? 3 : 1;
}

/// −½ c h (s⁺ + s⁻)   [eq. joints-8].
double Joints::damping_impulse(const Grip& grip, const Node& node, double duration) const {
  const auto i = index(grip.joint);
  if (joints_[i].drive.damping == 0) return 0;
  return -0.5 * joints_[i].drive.damping * duration *
         (rate_along(i, node.inverse_mass, node.p) + rate_along(i, node.inverse_mass, node.before));
}

/// The row of the coordinate as the regime has it.
void Joints::set_soft_row(const Grip& grip, double duration) {
  const auto i = index(grip.joint);
  const double damping = joints_[i].drive.damping;
  using Kind = SoftRow::Kind;
  soft_row_[i] = grip.holds()  ? SoftRow{Kind::holds, 0, grip.target[grip.regime / 2]}
                 : damping > 0 ? SoftRow{Kind::gives, 2 / (damping * duration), 0}
                               : SoftRow{};
  const double scale = soft_row_[i].kind == Kind::none ? 0 : drive_scale(i);
  const auto row = static_cast<Eigen::Index>(row_count_[i]);
  for (auto c = index(first_column_[i]); c < index(first_column_[i + 1]); ++c)
    gradient_[c].row(row) = scale * along_[c].transpose();
}

/// Goes to the next regime where the present one is contradicted; returns whether it was.
bool Joints::reconsider(Grip& grip, const Node& node, double duration) const {
  const auto i = index(grip.joint);
  const std::size_t k = grip.regime / 2;
  if (grip.holds()) {
    const double impulse = drive_scale(i) * impulse_[i][static_cast<Eigen::Index>(row_count_[i])];
    grip.held = impulse - damping_impulse(grip, node, duration);
    if (std::abs(grip.held) <= grip.strength[k]) return false;
    grip.regime += grip.held > 0 ? -1 : 1;
    return true;
  }
  const double rate = rate_along(i, node.inverse_mass, node.p);
  if (k > 0 && rate < grip.target[k - 1]) {
    --grip.regime;
    return true;
  }
  if (k < grip.count && rate > grip.target[k]) {
    ++grip.regime;
    return true;
  }
  return false;
}

/// Takes the row out again, and what it did into the momenta with which joints begin.
void Joints::settle_grip(const Grip& grip, const Node& node, double duration) {
  const auto i = index(grip.joint);
  Effort& effort = effort_[i];
  effort.damper = damping_impulse(grip, node, duration);
  double sum = effort.damper;
  for (std::size_t k = 0; k < grip.count; ++k) {
    const double impulse = grip.impulse(k);
    sum += impulse;
    effort.motor += grip.of_motor[k] * impulse;
    effort.damper += (1 - grip.of_motor[k]) * impulse;
  }
  push_along(i, sum, kicked_);
  const auto row = static_cast<Eigen::Index>(row_count_[i]);
  impulse_[i][row] = 0;
  for (auto c = index(first_column_[i]); c < index(first_column_[i + 1]); ++c) gradient_[c].row(row).setZero();
  soft_row_[i] = {};
}

/// Rates and joints in one system for the regimes of all that grips, until none is contradicted [eq. joints-10].
void Joints::open_gripped(const Node& node, double duration) {
  for (Grip& grip : grips_) begin_grip(grip, duration);
  for (int round = 0;; ++round) {
    for (const int k : dofs_) node.p[index(k)] = kicked_[index(k)];
    for (Vector& impulse : impulse_) impulse.setZero();
    for (const Grip& grip : grips_) {
      set_soft_row(grip, duration);
      push_along(index(grip.joint), grip.slid(), node.p);
    }
    assemble(node.inverse_mass, soft_);
    close_gaps(node, soft_);
    bool changed = false;
    for (Grip& grip : grips_) changed = reconsider(grip, node, duration) || changed;
    if (!changed || round == max_rounds) break;
  }
  for (const Grip& grip : grips_) settle_grip(grip, node, duration);
}

}  // namespace ictus::dynamics
