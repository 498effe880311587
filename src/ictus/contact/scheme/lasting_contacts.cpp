#include <ictus/contact/scheme/lasting_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/whole.hpp>
#include <limits>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;

namespace {

/// Numbers of a contact in memory: its name, the gap that it keeps, its normal and, as a vector, tangential impulse.
struct Remembered {
  enum : std::size_t { kind, first, second, kept_gap, normal, tangential, numbers = tangential + 3 };
};

/// Share of the way by which the touching points move over each other in a step that a gap may have changed by turning.
constexpr double turning_share = 0.2;

ConstraintSet::Name name_at(const double* contact) {
  return {math::whole<int>(contact[Remembered::kind]), math::whole<int>(contact[Remembered::first]),
          math::whole<int>(contact[Remembered::second])};
}

/// |Σ w_k v_k|, the speed of the one touching point relative to the other; with the most that the turning of frames and
/// motion along guides add.
double relative_speed(const ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                      std::span<const double> p) {
  using Kind = model::RowEntry::Kind;
  const auto row = constraints.row(i);
  const Vec3& n = constraints.place(i).normal;
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
      turning += weights.norm() * rates.norm();
    } else {
      sum += n.dot(weights) * rates;
    }
  }
  return sum.norm() + turning;
}

}  // namespace

void LastingContacts::recall(std::span<const double> memory, const ConstraintSet& constraints,
                             std::span<const int> taking_part, std::span<ImpactLaw> laws) {
  kept_gap_.assign(taking_part.size(), std::numeric_limits<double>::quiet_NaN());
  const double *contact = memory.data(), *end = contact + memory.size();
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const ConstraintSet::Name& name = constraints.name(i);
    if (name.kind == ConstraintSet::nameless) continue;
    while (contact != end && name_at(contact) < name) contact += Remembered::numbers;
    if (contact == end) break;
    if (name_at(contact) != name) continue;
    kept_gap_[a] = contact[Remembered::kept_gap];
    laws[a].guess = contact[Remembered::normal];
    if (!constraints.has_tangents(i)) continue;
    const auto tangents = model::tangent_basis(constraints.place(i).normal);
    for (std::size_t k = 0; k < 2; ++k)
      laws[a].tangential_guess[k] = tangents[k].dot(Vec3::Map(contact + Remembered::tangential));
  }
}

void LastingContacts::hold(const ConstraintSet& constraints, std::span<const int> taking_part,
                           std::span<const double> inverse_mass, std::span<const double> p, double h,
                           std::span<ImpactLaw> laws) {
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const double gap = constraints.gap(i), drift = gap - kept_gap_[a];
    const bool lasts = std::abs(drift) <= turning_share * h * relative_speed(constraints, i, inverse_mass, p);
    if (!lasts) kept_gap_[a] = std::min(0.0, gap);
    laws[a].offset = (gap - kept_gap_[a]) / h;
  }
}

void LastingContacts::remember(const ConstraintSet& constraints, std::span<const int> taking_part,
                               const SweepResponse& impulses, std::vector<double>& memory) const {
  memory.clear();
  memory.reserve(Remembered::numbers * constraints.size());
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    const ConstraintSet::Name& name = constraints.name(i);
    const double lambda = impulses.lambda()[a];
    if (!(lambda > 0) || name.kind == ConstraintSet::nameless) continue;
    const auto tangents = model::tangent_basis(constraints.place(i).normal);
    const auto& [t0, t1] = impulses.tangential()[a];
    const double kept_gap = std::isnan(kept_gap_[a]) ? 0 : kept_gap_[a];
    const Vec3 slip = t0 * tangents[0] + t1 * tangents[1];
    for (const double number : {static_cast<double>(name.kind), static_cast<double>(name.first),
                                static_cast<double>(name.second), kept_gap, lambda})
      memory.push_back(number);
    memory.insert(memory.end(), slip.begin(), slip.end());
  }
}

}  // namespace ictus::contact
