#include <algorithm>
#include <cmath>
#include <ictus/contact/sweep_response.hpp>
#include <limits>

namespace ictus::contact {

using model::ConstraintSet;
using model::RowEntry;

int SweepResponse::append(std::span<const RowEntry> row, std::span<const double> inverse_mass,
                          std::span<const double> p) {
  for (const RowEntry& entry : row) {
    const auto k = static_cast<std::size_t>(entry.unknown);
    if (place_[k] == 0) {
      unknown_.push_back(entry.unknown);
      momenta_.push_back(p[k]);
      place_[k] = static_cast<int>(unknown_.size());
    }
    entries_.push_back({place_[k] - 1, entry.weight, entry.weight * inverse_mass[k]});
  }
  return static_cast<int>(entries_.size());
}

void SweepResponse::load(const ConstraintSet& constraints, std::span<const int> taking_part,
                         std::span<const double> inverse_mass, std::span<const double> p) {
  place_.resize(p.size(), 0);
  unknown_.clear();
  momenta_.clear();
  entries_.clear();
  contacts_.clear();
  for (const int number : taking_part) {
    const auto i = static_cast<std::size_t>(number);
    Contact contact{};
    contact.begin = static_cast<int>(entries_.size());
    contact.end = append(constraints.row(i), inverse_mass, p);
    contact.inertia = inertia(contact.begin, contact.end);
    std::fill_n(contact.tangents, 3, contact.end);
    if (constraints.has_tangents(i)) {
      contact.tangents[1] = append(constraints.tangent(i, 0), inverse_mass, p);
      contact.tangents[2] = append(constraints.tangent(i, 1), inverse_mass, p);
      contact.tangential_inertia = std::max(inertia(contact.tangents[0], contact.tangents[1]),
                                            inertia(contact.tangents[1], contact.tangents[2]));
    }
    contact.gap = constraints.gap(i);
    contact.ahead = constraints.onset(i) == ConstraintSet::Onset::ahead;
    contacts_.push_back(contact);
  }
  for (const int k : unknown_) place_[static_cast<std::size_t>(k)] = 0;
  lambda_.assign(taking_part.size(), 0.0);
  tangential_.assign(taking_part.size(), {0.0, 0.0});
}

double SweepResponse::rate(int begin, int end) const {
  double sum = 0;
  for (const Entry* entry = entries_.data() + begin; entry != entries_.data() + end; ++entry) {
    sum += entry->inverse * momenta_[static_cast<std::size_t>(entry->unknown)];
  }
  return sum;
}

/// That of a rate and of the gap to which it leads in a step.
double SweepResponse::round_off(const Contact& contact, double h) const {
  double sum = std::abs(contact.gap) / h;
  for (const Entry* entry = entries_.data() + contact.begin; entry != entries_.data() + contact.end; ++entry) {
    sum += std::abs(entry->inverse * momenta_[static_cast<std::size_t>(entry->unknown)]);
  }
  return 16 * std::numeric_limits<double>::epsilon() * sum;
}

void SweepResponse::push(int begin, int end, double impulse) {
  for (const Entry* entry = entries_.data() + begin; entry != entries_.data() + end; ++entry) {
    momenta_[static_cast<std::size_t>(entry->unknown)] += entry->weight * impulse;
  }
}

double SweepResponse::inertia(int begin, int end) const {
  double sum = 0;
  for (const Entry* entry = entries_.data() + begin; entry != entries_.data() + end; ++entry) {
    sum += entry->weight * entry->inverse;
  }
  return sum;
}

/// Takes a constraint's impulses back.
void SweepResponse::release(std::size_t i) {
  const Contact& contact = contacts_[i];
  push(contact.begin, contact.end, -lambda_[i]);
  for (std::size_t k = 0; k < 2; ++k) push(contact.tangents[k], contact.tangents[k + 1], -tangential_[i][k]);
  lambda_[i] = 0;
  tangential_[i] = {0.0, 0.0};
}

/// One constraint with the impulses of the others held; returns by how much the rate changed.
double SweepResponse::update(std::size_t i, const ImpactLaw& law, double h, bool may_leave) {
  Contact& contact = contacts_[i];
  const bool elastic = law.layer.stiffness > 0;
  if (!(contact.inertia > 0) || (!elastic && !contact.ahead && contact.gap > 0)) return 0;
  const double rate = this->rate(contact.begin, contact.end);
  if (!elastic && contact.gap > 0 && (may_leave || !contact.engaged) &&
      contact.gap + h * (rate - lambda_[i] * contact.inertia) > 0) {
    const double change = lambda_[i] * contact.inertia;
    if (lambda_[i] > 0) release(i);
    return change;
  }
  const double updated =
      elastic
          ? law.layer.impulse(law.gap_before, law.gap + h * (rate - lambda_[i] * contact.inertia), h, contact.inertia)
          : std::max(0.0, lambda_[i] - (rate + law.offset) / contact.inertia);
  contact.engaged = contact.engaged || !elastic || updated > 0;
  double change = std::abs(updated - lambda_[i]) * contact.inertia;
  if (updated != lambda_[i]) push(contact.begin, contact.end, updated - lambda_[i]);
  lambda_[i] = updated;
  if (contact.tangents[2] > contact.tangents[0]) change = std::max(change, update_friction(i, law.friction * updated));
  return change;
}

double SweepResponse::update_friction(std::size_t i, double limit) {
  const Contact& contact = contacts_[i];
  std::array<double, 2> updated = tangential_[i];
  for (std::size_t k = 0; k < 2; ++k) {
    updated[k] -= rate(contact.tangents[k], contact.tangents[k + 1]) / contact.tangential_inertia;
  }
  const double size = std::hypot(updated[0], updated[1]);
  double change = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    if (size > limit) updated[k] *= limit / size;
    const double step = updated[k] - tangential_[i][k];
    if (step != 0) push(contact.tangents[k], contact.tangents[k + 1], step);
    change = std::max(change, std::abs(step) * contact.tangential_inertia);
  }
  tangential_[i] = updated;
  return change;
}

SweepReport SweepResponse::apply(const ConstraintSet& constraints, std::span<const int> taking_part,
                                 std::span<const ImpactLaw> laws, std::span<const double> inverse_mass, double h,
                                 std::span<double> p) {
  load(constraints, taking_part, inverse_mass, p);
  double scale = 0, noise = 0;
  for (const Contact& contact : contacts_) {
    scale = std::max(scale, std::abs(rate(contact.begin, contact.end)));
    noise = std::max(noise, round_off(contact, h));
  }
  const double bound = options_.tolerance * scale + noise;
  SweepReport report;
  double change = scale;
  bool all = true;  // the next sweep visits everyone, not only those that push or have pushed
  while (report.sweeps < options_.max_sweeps) {
    change = 0;
    const bool may_leave = report.sweeps++ < options_.settling_sweeps;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (all || contacts_[i].engaged) change = std::max(change, update(i, laws[i], h, may_leave));
    }
    if (all && change <= bound) break;
    all = change <= bound || report.sweeps % 5 == 0;
  }
  report.settled = all && change <= bound;
  for (std::size_t k = 0; k < unknown_.size(); ++k) p[static_cast<std::size_t>(unknown_[k])] = momenta_[k];
  return report;
}

}  // namespace ictus::contact
