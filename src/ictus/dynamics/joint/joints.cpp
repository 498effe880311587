// Notation: q configuration, p momenta, h step, g gaps, G their gradients at q_n, Λ impulses, A = G M⁻¹ Gᵀ.
#include <ictus/dynamics/joint/joints.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/base/index.hpp>
#include <ictus/mechanics/beam/section_beam.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <ictus/mechanics/rigid/rigid_flight.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <numbers>

namespace ictus::dynamics {

using base::index;
using math::Vec3;
using model::Loss;
using model::RowEntry;

namespace {

/// Gaps up to this share of the size are closed: some units of rounding.
constexpr double closed_joint_share = 4e-15;
/// Where passes no longer help, gaps up to this share are.
constexpr double settled_joint_share = 1e-12;
constexpr int max_passes = 60;

enum Number : std::size_t { angle, spring_energy };

/// An angle in (−π, π] as one near `before`.
double counted(double angle, double before) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((before - angle) / turn);
}

double largest_entry_of(const solve::BlockCholesky::Vector& v) { return v.cwiseAbs().maxCoeff(); }

}  // namespace

void Joints::lay_out(std::span<const double> q, std::vector<double>& memory) const {
  memory.clear();
  for (const Joint& joint : joints_) {
    memory.push_back(JointPose(joint, q).angle());
    memory.push_back(0);
  }
}

void Joints::begin(const Node& node) {
  at_ = node.q;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    impulse_[i].setZero();
    const Joint& joint = joints_[i];
    if (joint.type == JointType::tie) continue;
    const JointPose pose(joint, node.q);
    double& turned = node.memory[remembered * i + angle];
    turned = counted(pose.angle(), turned);
    const JointRows rows(joint, pose, turned);
    row_count_[i] = rows.size();
    place_[i] = pose.x[1];
    scale_[i] = std::max({pose.x[0].lpNorm<Eigen::Infinity>(), pose.x[1].lpNorm<Eigen::Infinity>(), joint.size});
    effort_[i] = {};
    if (joint.drive.acts()) effort_[i].along = joint_coordinate(joint, pose, turned);
    set_gradient(node.q, i, pose, rows);
    JointReaction& reaction = reactions_[i];
    reaction = {.place = pose.x[1], .angle = turned};
    reaction.displacement = joint.type == JointType::distance ? pose.distance() : pose.along_axis();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const bool follows = joint.drive.follows >= 0 && k + 1 == rows.size();
      const double at = follows ? drive_scale(i) * node.q[index(joint.drive.follows)] : 0;
      reaction.gap = std::max(reaction.gap, std::abs(rows[k].gap - at));
    }
  }
  is_blown_ = false;
}

void Joints::set_gradient(std::span<const double> q, std::size_t i, const JointPose& pose, const JointRows& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    row_[i][2 * k] = rows[k].force;
    row_[i][2 * k + 1] = rows[k].moment[1];
  }
  for (auto c = index(first_column_[i]); c < index(first_column_[i + 1]); ++c) {
    const Column& column = columns_[c];
    const Mover& mover = movers_[index(column.mover)];
    Block& g = gradient_[c];
    if (mover.kind == Mover::Kind::driven) {
      g(row_of_drive(i), 0) = -drive_scale(i);
      continue;
    }
    const bool turns = mover.turns();
    const auto frame = turns ? model::RigidFrame::at(q, index(mover.dof)) : model::RigidFrame{};
    const Vec3 arm = turns ? Vec3(pose.x[column.side] - frame.x) : Vec3(Vec3::Zero());
    const auto effect_of = [&](const JointRow& row) {
      const Vec3 force = column.side == 0 ? Vec3(-row.force) : row.force;
      const Vec3& moment = row.moment[column.side];
      Vector effect = Vector::Zero();
      if (turns) effect << force, frame.axes.transpose() * (arm.cross(force) + moment);
      for (std::size_t k = column.first_guide; k < column.first_guide + column.guides; ++k) {
        const Guide& guide = guides_[k];
        effect[guide.dof - mover.dof] += guide.move.dot(force) + guide.turn.dot(moment);
      }
      return effect;
    };
    for (std::size_t k = 0; k < rows.size(); ++k) g.row(static_cast<Eigen::Index>(k)) = effect_of(rows[k]).transpose();
    if (joints_[i].drive.acts()) along_[c] = effect_of(effort_[i].along);
  }
}

void Joints::assemble(std::span<const double> inverse_mass, solve::BlockCholesky& matrix) {
  matrix.clear();
  for (const Product& product : products_) {
    const Mover& mover = movers_[index(columns_[index(product.left)].mover)];
    Block scaled = gradient_[index(product.left)];
    for (std::size_t c = 0; c < mover.size(); ++c)
      scaled.col(static_cast<Eigen::Index>(c)) *= inverse_mass[index(mover.dof) + c];
    matrix.add(product.slot, scaled.lazyProduct(gradient_[index(product.right)].transpose()));
  }
  for (const Grip& grip : grips_) {
    const auto i = index(grip.joint);
    if (soft_row_[i].kind != SoftRow::Kind::gives) continue;
    Block give = Block::Zero();
    const auto row = static_cast<Eigen::Index>(row_count_[i]);
    give(row, row) = drive_scale(i) * drive_scale(i) * soft_row_[i].give;
    matrix.add(matrix.slot(grip.joint, grip.joint), give);
  }
  matrix.factor();
}

/// Where what is jointed is a step later.
void Joints::fly(const Node& node) {
  for (const Mover& mover : movers_) {
    const std::size_t k = index(mover.dof);
    const bool turns = mover.turns();
    const std::size_t numbers = turns ? model::RigidFrame::dofs : mover.size();
    std::copy_n(&node.q[k], numbers, &ahead_[k]);
    if (turns && node.inverse_mass[k] == 0) continue;
    if (!turns) {
      for (std::size_t c = k; c < k + numbers; ++c) ahead_[c] += node.h * node.inverse_mass[c] * node.p[c];
      continue;
    }
    std::copy_n(&node.p[k], numbers, &ahead_p_[k]);
    bool flies = false;
    if (mover.kind == Mover::Kind::rigid) {
      const mechanics::RigidProperties& body = mover.body->rigid_bodies()->properties();
      flies = mechanics::fly(body.mass, body.inertia, node.h, &ahead_[k], &ahead_p_[k]);
    } else {
      flies = static_cast<const mechanics::SectionBeam*>(mover.body)->fly_section(k, node.h, &ahead_[k], &ahead_p_[k]);
    }
    if (!flies)
      throw base::NumericalFailure("a jointed body turns too far in one step", mover.body->name(),
                                   "Try a smaller time.step");
  }
}

/// The gaps of joint i a step later.
void Joints::measure_joint(const Node& node, std::size_t i) {
  const Joint& joint = joints_[i];
  gap_[i].setZero();
  for (std::size_t k = 0; k < joint.rows.size(); ++k)
    gap_[i][static_cast<Eigen::Index>(k)] = model::dot(joint.rows[k].entries, ahead_) - joint.rows[k].rest;
  if (joint.type == JointType::tie) return;
  const JointPose pose(joint, ahead_);
  const double turned = counted(pose.angle(), node.memory[remembered * i + angle]);
  const JointRows rows(joint, pose, turned);
  for (std::size_t k = 0; k < rows.size(); ++k) gap_[i][static_cast<Eigen::Index>(k)] = rows[k].gap;
  if (joint.drive.follows >= 0) gap_[i][row_of_drive(i)] -= drive_scale(i) * ahead_[index(joint.drive.follows)];
  const SoftRow& soft = soft_row_[i];
  if (soft.kind == SoftRow::Kind::none) return;
  const double scale = drive_scale(i);
  double& gap = gap_[i][static_cast<Eigen::Index>(row_count_[i])];
  if (soft.kind == SoftRow::Kind::holds) {
    gap = scale * (joint_coordinate(joint, pose, turned).gap - effort_[i].along.gap - node.h * soft.rate);
  } else {
    const double sum = rate_along(i, node.inverse_mass, node.p) + rate_along(i, node.inverse_mass, node.before);
    const double impulse = scale * impulse_[i][static_cast<Eigen::Index>(row_count_[i])];
    gap = scale * node.h * (sum + soft.give * impulse);
  }
}

/// The gaps a step later; returns the largest over its size.
double Joints::measure(const Node& node) {
  fly(node);
  double worst = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    measure_joint(node, i);
    const double share = largest_entry_of(gap_[i]) / scale_[i];
    worst = std::isfinite(share) ? std::max(worst, share) : INFINITY;
  }
  return worst;
}

/// Passes δΛ = −A⁻¹ g(q_{n+1})/h [eq. joints-3], until rounding is left.
void Joints::close_gaps(const Node& node, const solve::BlockCholesky& matrix) {
  double before = INFINITY;
  for (int pass = 0;; ++pass) {
    const double worst = measure(node);
    if (worst <= closed_joint_share) return;
    if (worst <= settled_joint_share && worst > 0.5 * before) return;
    if (pass == max_passes || !std::isfinite(worst)) fail_to_close(node);
    before = worst;
    for (std::size_t i = 0; i < joints_.size(); ++i) work_[i] = (-1 / node.h) * gap_[i];
    solve_all(matrix, work_);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      add_impulse(i, work_[i], node.p);
      impulse_[i] += work_[i];
    }
  }
}

void Joints::fail_to_close(const Node&) const {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!(largest_entry_of(gap_[i]) / scale_[i] <= largest_entry_of(gap_[worst]) / scale_[worst])) worst = i;
  }
  throw base::NumericalFailure(
      fmt::format("the joint {} does not close: {:g} m are left", joints_[worst].name, largest_entry_of(gap_[worst])),
      fmt::format("{} and {}", joints_[worst].first.body, joints_[worst].second.body),
      "Use a smaller time.step, or joints that agree with each other");
}

void Joints::solve_all(const solve::BlockCholesky& matrix, std::span<Vector> x) {
  for (int component = 0; component < matrix.components(); ++component) matrix.solve(component, x);
}

/// p += Gᵀ Λ of one joint.
void Joints::add_impulse(std::size_t joint, const Vector& impulse, std::span<double> p) const {
  for (auto c = index(first_column_[joint]); c < index(first_column_[joint + 1]); ++c) {
    const Mover& mover = movers_[index(columns_[c].mover)];
    const Vector added = gradient_[c].transpose().lazyProduct(impulse);
    for (std::size_t k = 0; k < mover.size(); ++k) p[index(mover.dof) + k] += added[static_cast<Eigen::Index>(k)];
  }
}

Joints::Vector Joints::rate_of(std::size_t joint, std::span<const double> inverse_mass,
                               std::span<const double> p) const {
  Vector rate = Vector::Zero();
  for (auto c = index(first_column_[joint]); c < index(first_column_[joint + 1]); ++c) {
    const Mover& mover = movers_[index(columns_[c].mover)];
    for (std::size_t k = 0; k < mover.size(); ++k) {
      const std::size_t dof = index(mover.dof) + k;
      rate += inverse_mass[dof] * p[dof] * gradient_[c].col(static_cast<Eigen::Index>(k));
    }
  }
  return rate;
}

/// Calls f(dof, weight) for the gradient of the coordinate of joint i.
template <class F>
void Joints::for_each_along(std::size_t i, F&& f) const {
  for (auto c = index(first_column_[i]); c < index(first_column_[i + 1]); ++c) {
    const Mover& mover = movers_[index(columns_[c].mover)];
    if (mover.kind == Mover::Kind::driven) continue;
    for (std::size_t k = 0; k < mover.size(); ++k) f(index(mover.dof) + k, along_[c][static_cast<Eigen::Index>(k)]);
  }
}

double Joints::rate_along(std::size_t i, std::span<const double> inverse_mass, std::span<const double> p) const {
  double sum = 0;
  for_each_along(i, [&](std::size_t dof, double weight) { sum += weight * inverse_mass[dof] * p[dof]; });
  return sum;
}

void Joints::push_along(std::size_t i, double impulse, std::span<double> p) const {
  for_each_along(i, [&](std::size_t dof, double weight) { p[dof] += impulse * weight; });
}

void Joints::push(const Node& node, double time, double duration) {
  for (const int k : dofs_) pure_[index(k)] = node.p[index(k)];
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDrive& drive = joints_[i].drive;
    Effort& effort = effort_[i];
    if (!drive.acts()) continue;
    effort.spring = -drive.stiffness * (effort.along.gap - drive.rest);
    effort.impulse = duration * effort.spring;
    effort.motor = drive.effort ? duration * drive.effort->at(time) : 0;
    effort.speed = drive.speed ? drive.speed->at(time + 0.5 * node.h) : 0;  // in the middle of the interval
    push_along(i, effort.impulse + effort.motor, node.p);
  }
}

void Joints::open(const Node& node, double duration) {
  for (const int k : dofs_) kicked_[index(k)] = node.p[index(k)];
  if (!grips_.empty()) open_gripped(node, duration);
  assemble(node.inverse_mass, matrix_);
  if (grips_.empty()) close_gaps(node, matrix_);
  opened_ = impulse_;
}

void Joints::reopen(const Node& node) {
  assemble(node.inverse_mass, matrix_);
  for (const int k : dofs_) pure_[index(k)] = kicked_[index(k)] = node.p[index(k)];
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    effort_[i].impulse = effort_[i].motor = effort_[i].damper = 0;
    impulse_[i].setZero();
  }
  opened_ = impulse_;
  is_blown_ = false;
}

void Joints::take_back_springs(double h, std::span<double> before) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].drive.stiffness > 0) push_along(i, -h * effort_[i].spring, before);
  }
}

void Joints::note(std::span<const RowEntry> row, double impulse) {
  if (impulse == 0) return;
  for (const RowEntry& entry : row) {
    if (mover_of_dof_[entry.index()] < 0) continue;
    blow_[entry.index()] += impulse * entry.weight;
    is_blown_ = true;
  }
}

void Joints::restore(std::span<double> kicked) const {
  for (const int k : dofs_) kicked[index(k)] = pure_[index(k)];
}

/// ½ Λ·G(v⁺ + v⁻) of the impulses before contact, and what those after it add [eq. joints-6].
void Joints::close(const Node& node, StepReport& report, Books books) {
  for (std::size_t i = 0; i < joints_.size(); ++i)
    rate_[i] = rate_of(i, node.inverse_mass, node.p) + rate_of(i, node.inverse_mass, node.before);
  close_gaps(node, matrix_);
  double gained = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Vector later = impulse_[i] - opened_[i];
    gained += 0.5 * opened_[i].dot(rate_[i]);
    if (later.isZero(0)) continue;
    gained +=
        0.5 * later.dot(rate_[i] + rate_of(i, node.inverse_mass, node.p) - rate_of(i, node.inverse_mass, kicked_));
  }
  if (books != Books::none) report.lost[Loss::joint] -= gained;
  book_drives(node, report, books);
  react(node, report);
}

/// Springs have the energy V − ½ h f·v⁺ of an interval; what it changes by beyond the work of their impulses is
/// quadrature [eq. mixed-6].
void Joints::book_drives(const Node& node, StepReport& report, Books books) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDrive& drive = joints_[i].drive;
    if (!drive.acts()) continue;
    const Effort& effort = effort_[i];
    const double before = rate_along(i, node.inverse_mass, node.before);
    const double after = rate_along(i, node.inverse_mass, node.p);
    const double stretch = effort.along.gap - drive.rest, energy = 0.5 * drive.stiffness * stretch * stretch;
    double& stored = node.memory[remembered * i + spring_energy];
    if (books == Books::all) {
      report.lost[Loss::quadrature] -= energy + 0.5 * node.h * effort.spring * before - stored;
      report.lost[Loss::motor] -= 0.5 * effort.motor * (before + after);
      report.lost[Loss::joint_damping] -= 0.5 * effort.damper * (before + after);
    }
    stored = energy - 0.5 * node.h * effort.spring * after;
  }
}

/// What each joint did to its second end, what the world gave, and the work of motors that lead.
void Joints::react(const Node& node, StepReport& report) {
  for (Vector& response : blow_response_) response.setZero();
  if (is_blown_) {
    for (std::size_t i = 0; i < joints_.size(); ++i) blow_response_[i] = -rate_of(i, node.inverse_mass, blow_);
    solve_all(matrix_, blow_response_);
    for (const int k : dofs_) blow_[index(k)] = 0;
  }
  for (std::size_t i = 0; i < told_; ++i) {
    const Joint& joint = joints_[i];
    const Effort& effort = effort_[i];
    const Vector total = impulse_[i] + blow_response_[i];
    const double driven = effort.impulse + effort.motor + effort.damper;
    Vec3 force = driven * effort.along.force, moment = driven * effort.along.moment[1];
    for (std::size_t k = 0; k < row_count_[i]; ++k) {
      force += total[static_cast<Eigen::Index>(k)] * row_[i][2 * k];
      moment += total[static_cast<Eigen::Index>(k)] * row_[i][2 * k + 1];
    }
    reactions_[i].impulse = force;
    reactions_[i].moment = moment;
    const double sign = joint.first.in_world() ? 1 : joint.second.in_world() ? -1 : 0;
    if (sign != 0) report.external_impulse += {sign * force, sign * (place_[i].cross(force) + moment)};
    if (joint.drive.follows < 0) continue;
    const std::size_t k = index(joint.drive.follows);
    const double speeds = node.inverse_mass[k] * (node.p[k] + node.before[k]);
    const double work = 0.5 * drive_scale(i) * total[row_of_drive(i)] * speeds;
    report.lost[Loss::motor] -= work;
    report.external_work -= work;  // of the support that moves, which counts it by itself
  }
  report.joints = std::span(reactions_).first(told_);
}

double Joints::stored(std::span<const double> memory) const {
  double sum = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) sum += memory[remembered * i + spring_energy];
  return sum;
}

/// A row that fits: what does not belong to mechanisms as it is, then all of each mechanism that it touches.
void Joints::append_fitting(std::span<const RowEntry> row, std::span<const double> inverse_mass) {
  std::vector<RowEntry>& fitting = fitted_.open_row();
  touched_.clear();
  for (const RowEntry& entry : row) {
    const int mover = mover_of_dof_[entry.index()];
    const int component = mover < 0 ? -1 : component_of_mover_[index(mover)];
    if (component < 0) {
      fitting.push_back(entry);
      continue;
    }
    weight_[entry.index()] += entry.weight;
    if (std::find(touched_.begin(), touched_.end(), component) == touched_.end()) touched_.push_back(component);
  }
  for (const int component : touched_) {
    const Mechanism& own = mechanisms_[index(component)];
    for (const int i : own.joints) work_[index(i)] = -rate_of(index(i), inverse_mass, weight_);
    matrix_.solve(component, work_);
    for (const int i : own.joints) add_impulse(index(i), work_[index(i)], weight_);
    for (const int m : own.movers) {
      const Mover& mover = movers_[index(m)];
      for (std::size_t k = 0; k < mover.size(); ++k) {
        const auto kind = mover.size() == 1 ? RowEntry::Kind::guided
                          : k < 3           ? RowEntry::Kind::coordinate
                                            : RowEntry::Kind::turning;
        double& weight = weight_[index(mover.dof) + k];
        fitting.push_back({mover.dof + static_cast<int>(k), weight, kind});
        weight = 0;
      }
    }
  }
}

const model::ConstraintSet& Joints::fit(const model::ConstraintSet& constraints, std::span<const double> inverse_mass) {
  const auto is_jointed = [&](const RowEntry& entry) {
    const int mover = mover_of_dof_[entry.index()];
    return mover >= 0 && component_of_mover_[index(mover)] >= 0;
  };
  bool any_jointed = false;
  for (std::size_t i = 0; i < constraints.size() && !any_jointed && any(); ++i) {
    const auto row = constraints.row(i);
    any_jointed = std::any_of(row.begin(), row.end(), is_jointed);
  }
  if (!any_jointed) return constraints;
  fitted_.clear();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    append_fitting(constraints.row(i), inverse_mass);
    fitted_.add(constraints.gap(i), constraints.contact(i), constraints.compliance(i), constraints.onset(i),
                constraints.name(i));
    for (std::size_t k = 0; k < 2 && constraints.has_tangents(i); ++k) {
      append_fitting(constraints.tangent(i, k), inverse_mass);
      fitted_.add_tangent();
    }
  }
  return fitted_;
}

}  // namespace ictus::dynamics
