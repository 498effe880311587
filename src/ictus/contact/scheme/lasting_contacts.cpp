#include <ictus/contact/scheme/lasting_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ictus/math/whole.hpp>
#include <ictus/model/rigid_frame.hpp>
#include <limits>
#include <optional>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;
using model::State;

namespace {

/// Numbers of a contact in memory: its name, the gap that it keeps, its normal and, as a vector, tangential impulse; of
/// one that sticks how many numbers its material points have, and the slip without the tangential part of what was
/// between them then.
struct Remembered {
  enum : std::size_t {
    kind,
    first,
    second,
    kept_gap,
    normal,
    tangential,
    points = tangential + 3,
    anchor,
    numbers = anchor + 3
  };
};

/// Within this of one, a weight is that of a body which bears all of its side.
constexpr double whole_weight = 1e-12;

/// Share of the way by which the touching points move over each other in a step that a gap may have changed by turning.
constexpr double turning_share = 0.2;

ConstraintSet::Name name_at(const double* contact) {
  return {math::whole<int>(contact[Remembered::kind]), math::whole<int>(contact[Remembered::first]),
          math::whole<int>(contact[Remembered::second])};
}

std::size_t points_of(const double* contact) {
  return static_cast<std::size_t>(math::whole<std::uint32_t>(contact[Remembered::points]));
}

/// |Σ w_k v_k|, the speed of the one touching point relative to the other; with the most that the turning of frames and
/// motion along guides add.
double relative_speed(const ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                      std::span<const double> p) {
  using Kind = model::RowEntry::Kind;
  const auto row = constraints.row(i);
  const Vec3& n = constraints.contact(i).normal;
  Vec3 sum = Vec3::Zero();
  double turning = 0;
  for (std::size_t entry = 0; entry < row.size(); entry += row[entry].kind == Kind::guided ? 1 : 3) {
    const std::size_t k = row[entry].index();
    if (row[entry].kind == Kind::guided) {
      turning += std::abs(row[entry].weight * inverse_mass[k] * p[k]);
      continue;
    }
    const Vec3 weights(row[entry].weight, row[entry + 1].weight, row[entry + 2].weight);
    const Vec3 rates(inverse_mass[k] * p[k], inverse_mass[k + 1] * p[k + 1], inverse_mass[k + 2] * p[k + 2]);
    if (row[entry].kind == Kind::turning) {
      turning += std::sqrt(weights.squaredNorm() * rates.squaredNorm());
    } else {
      sum += n.dot(weights) * rates;
    }
  }
  return sum.norm() + turning;
}

/// Calls nodes(dof, weight), bodies(dof, weight, entry) and guides(dof, entry) for the blocks of which the
/// two material points of a contact are made, each with its weight in second less first; `entry` is where the moment
/// begins in the rows, or where the guide is.
template <class Nodes, class Bodies, class Guides>
void for_each_block(const ConstraintSet& constraints, std::size_t i, Nodes&& nodes, Bodies&& bodies, Guides&& guides) {
  using Kind = model::RowEntry::Kind;
  const auto row = constraints.row(i);
  const Vec3& n = constraints.contact(i).normal;
  for (std::size_t entry = 0; entry < row.size();) {
    if (row[entry].kind == Kind::guided) {
      guides(row[entry].index(), entry);
      entry += 1;
      continue;
    }
    const double weight = n.dot(Vec3(row[entry].weight, row[entry + 1].weight, row[entry + 2].weight));
    const bool turns = entry + 5 < row.size() && row[entry + 3].kind == Kind::turning;
    turns ? bodies(row[entry].index(), weight, entry + 3) : nodes(row[entry].index(), weight);
    entry += turns ? 6 : 3;
  }
}

/// By how far the one material point moves against the other with the coordinate of a guide, or how fast with a
/// momentum of a system with coordinates of its own, whose slot in q counts the way.
Vec3 along_guide(const ConstraintSet& constraints, std::size_t i, std::size_t entry) {
  const Vec3& n = constraints.contact(i).normal;
  const auto& tangents = constraints.tangents(i);
  Vec3 sum = constraints.row(i)[entry].weight * n;
  for (std::size_t k = 0; k < 2; ++k) sum += constraints.tangent(i, k)[entry].weight * tangents[k];
  return sum;
}

/// w l of the point of a rigid body that a contact pushes with weight w, l in the axes of the body. One that bears all
/// of a side is pushed where the contact is; otherwise the rows have the moments l × w Λᵀe for e the normal and the two
/// tangents, and Σ e × (l × e) = 2l.
Vec3 weighted_lever(const ConstraintSet& constraints, std::size_t i, std::size_t entry, double weight,
                    const model::RigidFrame& frame) {
  const Vec3& n = constraints.contact(i).normal;
  const Eigen::Matrix3d& axes = frame.axes;
  if (std::abs(std::abs(weight) - 1) < whole_weight)
    return weight * (axes.transpose() * (constraints.contact(i).point - frame.x));
  const auto& tangents = constraints.tangents(i);
  const auto moment = [&](std::span<const model::RowEntry> row) {
    return Vec3(row[entry].weight, row[entry + 1].weight, row[entry + 2].weight);
  };
  const auto force_along = [&](const Vec3& e) { return Vec3(axes.transpose() * e); };
  Vec3 twice = force_along(n).cross(moment(constraints.row(i)));
  for (std::size_t k = 0; k < 2; ++k) twice += force_along(tangents[k]).cross(moment(constraints.tangent(i, k)));
  return 0.5 * twice;
}

/// Numbers in memory of the block of a rigid body, w l in its axes and its orientation; a node has its weight alone, a
/// guide its direction and its coordinate.
struct BodyNumbers {
  enum : std::size_t { weight, lever, orientation = lever + 3, numbers = orientation + 4 };
};
constexpr std::size_t guide_numbers = 4;

/// Appends the material points of a contact; returns what is between them, second less first, at q.
Vec3 append_points(const ConstraintSet& constraints, std::size_t i, std::span<const double> q,
                   std::vector<double>& points) {
  Vec3 between = Vec3::Zero();
  const auto node = [&](std::size_t dof, double weight) {
    points.push_back(weight);
    between += weight * Vec3::Map(&q[dof]);
  };
  const auto body = [&](std::size_t dof, double weight, std::size_t entry) {
    const auto frame = model::RigidFrame::at(q, dof);
    const Vec3 lever = weighted_lever(constraints, i, entry, weight, frame);
    const std::array<double, BodyNumbers::numbers> numbers{weight,     lever[0],   lever[1],   lever[2],
                                                           q[dof + 3], q[dof + 4], q[dof + 5], q[dof + 6]};
    points.insert(points.end(), numbers.begin(), numbers.end());
    between += weight * frame.x + frame.axes * lever;
  };
  const auto guide = [&](std::size_t dof, std::size_t entry) {
    const Vec3 along = along_guide(constraints, i, entry);
    points.insert(points.end(), along.begin(), along.end());
    points.push_back(q[dof]);
  };
  for_each_block(constraints, i, node, body, guide);
  return between;
}

/// κ = 2 tan(θ/2) e of the rotation between two orientations: Λ − Λ₀ = κ̂ ½(Λ + Λ₀).
Vec3 cayley_vector(const double* from, const double* to) {
  const Eigen::Quaterniond between = Eigen::Quaterniond(to[0], to[1], to[2], to[3]) *
                                     Eigen::Quaterniond(from[0], from[1], from[2], from[3]).conjugate();
  return 2 / between.w() * between.vec();
}

/// What is between the material points of the step before at q; none where they are not of this contact. A rigid body
/// that rolls turns by κ about the mean of its levers then and now, l₀ and l, and no single point of it does:
/// κ × ½(l − Λl₀) more than the point that touched. With a guide it moves along the mean of its directions.
std::optional<Vec3> between_points(const ConstraintSet& constraints, std::size_t i, std::span<const double> q,
                                   std::span<const double> points) {
  std::size_t numbers = 0;
  for_each_block(
      constraints, i, [&](std::size_t, double) { numbers += 1; },
      [&](std::size_t, double, std::size_t) { numbers += BodyNumbers::numbers; },
      [&](std::size_t, std::size_t) { numbers += guide_numbers; });
  if (numbers != points.size()) return std::nullopt;
  Vec3 between = Vec3::Zero();
  const double* next = points.data();
  const auto node = [&](std::size_t dof, double) { between += *next++ * Vec3::Map(&q[dof]); };
  const auto body = [&](std::size_t dof, double weight, std::size_t entry) {
    const auto frame = model::RigidFrame::at(q, dof);
    const Vec3 before = frame.axes * Vec3::Map(next + BodyNumbers::lever);
    const Vec3 now = frame.axes * weighted_lever(constraints, i, entry, weight, frame);
    const Vec3 turned = cayley_vector(next + BodyNumbers::orientation, &q[dof + 3]);
    between += next[BodyNumbers::weight] * frame.x + before + 0.5 * turned.cross(now - before);
    next += BodyNumbers::numbers;
  };
  const auto guide = [&](std::size_t dof, std::size_t entry) {
    between += 0.5 * (q[dof] - next[3]) * (Vec3::Map(next) + along_guide(constraints, i, entry));
    next += guide_numbers;
  };
  for_each_block(constraints, i, node, body, guide);
  return between;
}

Vec3 along_surface(const Vec3& a, const Vec3& n) { return a - n.dot(a) * n; }

}  // namespace

void LastingContacts::lay_out(std::vector<model::Memory>& memory) {
  memory.push_back({"contact.lasting", {}});
  memory.push_back({"contact.anchors", {}});
}

void LastingContacts::recall(const State& state, const ConstraintSet& constraints, std::span<const int> taking_part,
                             std::span<ImpactLaw> laws) {
  holds_ = false;
  kept_gap_.assign(taking_part.size(), std::numeric_limits<double>::quiet_NaN());
  anchor_.assign(taking_part.size(), nullptr);
  first_point_.assign(taking_part.size(), 0);
  const std::vector<double>& memory = state.memory[slot_].values;
  const double *contact = memory.data(), *end = contact + memory.size();
  std::size_t point = 0;
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const ConstraintSet::Name& name = constraints.name(i);
    if (name.kind == ConstraintSet::nameless) continue;
    for (; contact != end && name_at(contact) < name; contact += Remembered::numbers) point += points_of(contact);
    if (contact == end) break;
    if (name_at(contact) != name) continue;
    kept_gap_[a] = contact[Remembered::kept_gap];
    laws[a].guess = contact[Remembered::normal];
    if (!constraints.has_tangents(i)) continue;
    const auto& tangents = constraints.tangents(i);
    for (std::size_t k = 0; k < 2; ++k)
      laws[a].tangential_guess[k] = tangents[k].dot(Vec3::Map(contact + Remembered::tangential));
    if (points_of(contact) == 0) continue;
    anchor_[a] = contact;
    first_point_[a] = point;
  }
}

void LastingContacts::hold(const State& state, const ConstraintSet& constraints, std::span<const int> taking_part,
                           const NodeMomenta& moving, double h, std::span<ImpactLaw> laws) {
  holds_ = true;
  slip_.assign(taking_part.size(), Vec3::Zero());
  explained_.assign(taking_part.size(), 0.0);
  const std::span<const double> points = state.memory[slot_ + 1].values;
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const double gap = constraints.gap(i), drift = gap - kept_gap_[a];
    const bool has_begun = !std::isnan(kept_gap_[a]);
    const double explained =
        has_begun ? turning_share * h * relative_speed(constraints, i, moving.inverse_mass, moving.p) : 0;
    const bool lasts = std::abs(drift) <= explained;
    if (lasts) explained_[a] = explained;
    if (!lasts) kept_gap_[a] = std::min(0.0, gap);
    laws[a].offset = (gap - kept_gap_[a]) / h;
    if (!lasts || !anchor_[a] || first_point_[a] > points.size()) continue;
    const std::size_t numbers = std::min(points_of(anchor_[a]), points.size() - first_point_[a]);
    const auto between = between_points(constraints, i, state.q, points.subspan(first_point_[a], numbers));
    if (!between) continue;
    const Vec3& n = constraints.contact(i).normal;
    const Vec3 slip = along_surface(*between + Vec3::Map(anchor_[a] + Remembered::anchor), n);
    if (!(slip.norm() <= explained)) continue;
    slip_[a] = slip;
    const auto& tangents = constraints.tangents(i);
    for (std::size_t k = 0; k < 2; ++k) laws[a].tangential_offset[k] = tangents[k].dot(slip) / h;
  }
}

void LastingContacts::remember(const ConstraintSet& constraints, std::span<const int> taking_part,
                               std::span<const ImpactLaw> laws, const SweepResponse& impulses, State& state) const {
  std::vector<double>&memory = state.memory[slot_].values, &points = state.memory[slot_ + 1].values;
  memory.clear();
  points.clear();
  memory.reserve(Remembered::numbers * constraints.size());
  points.reserve(guide_numbers * constraints.entries());  // a body has eight numbers and six entries
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const ConstraintSet::Name& name = constraints.name(i);
    const double lambda = impulses.lambda()[a];
    if (!(lambda > 0) || name.kind == ConstraintSet::nameless) continue;
    const Vec3& n = constraints.contact(i).normal;
    const auto& tangents = constraints.tangents(i);
    const auto& [t0, t1] = impulses.tangential()[a];
    const double kept_gap = std::isnan(kept_gap_[a]) ? 0 : kept_gap_[a];
    const Vec3 rubbing = t0 * tangents[0] + t1 * tangents[1];
    Vec3 anchor = Vec3::Zero();
    const std::size_t before = points.size();
    if (holds_ && constraints.has_tangents(i) && impulses.sticks(a, laws[a].friction))
      anchor = slip_[a] - along_surface(append_points(constraints, i, state.q, points), n);
    const std::array<double, Remembered::numbers> numbers{static_cast<double>(name.kind),
                                                          static_cast<double>(name.first),
                                                          static_cast<double>(name.second),
                                                          kept_gap,
                                                          lambda,
                                                          rubbing[0],
                                                          rubbing[1],
                                                          rubbing[2],
                                                          static_cast<double>(points.size() - before),
                                                          anchor[0],
                                                          anchor[1],
                                                          anchor[2]};
    memory.insert(memory.end(), numbers.begin(), numbers.end());
  }
}

}  // namespace ictus::contact
