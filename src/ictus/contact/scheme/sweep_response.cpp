#include <ictus/contact/scheme/sweep_response.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ictus::contact {

using model::ConstraintSet;
using model::RowEntry;

int SweepResponse::append(std::span<const RowEntry> row, std::span<const double> inverse_mass,
                          std::span<const double> p) {
  for (const RowEntry& entry : row) {
    const auto k = entry.index();
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
  free_ = momenta_;
  impulses_before_.resize(taking_part.size());
  direction_.assign(taking_part.size(), Triple{});
  momenta_before_.resize(momenta_.size());
  momenta_direction_.assign(momenta_.size(), 0.0);
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

/// Adds a constraint's impulses to the momenta, or takes them back.
void SweepResponse::push_all(std::size_t i, double sign) {
  const Contact& contact = contacts_[i];
  push(contact.begin, contact.end, sign * lambda_[i]);
  for (std::size_t k = 0; k < 2; ++k) push(contact.tangents[k], contact.tangents[k + 1], sign * tangential_[i][k]);
}

void SweepResponse::release(std::size_t i) {
  push_all(i, -1);
  lambda_[i] = 0;
  tangential_[i] = {0.0, 0.0};
}

/// One constraint with the impulses of the others held; returns by how much the rate changed.
double SweepResponse::update(std::size_t i, const ImpactLaw& law, double h, bool may_leave) {
  Contact& contact = contacts_[i];
  const bool elastic = law.layer.stiffness > 0;
  if (!(contact.inertia > 0) || (!elastic && !contact.ahead && contact.gap > 0)) return 0;
  const double rate = this->rate(contact.begin, contact.end);
  if (law.only_closing && contact.gap > 0 && (may_leave || !contact.engaged) &&
      contact.gap + h * (rate - lambda_[i] * contact.inertia) > 0) {
    const double change = lambda_[i] * contact.inertia;
    if (lambda_[i] > 0) release(i);
    return change;
  }
  const double updated =
      elastic
          ? law.layer.impulse(law.gap_before, law.gap + h * (rate - lambda_[i] * contact.inertia), h, contact.inertia)
          : std::max(0.0, lambda_[i] - (rate + law.offset) / contact.inertia);
  contact.engaged = contact.engaged || (law.only_closing && !elastic) || updated > 0;
  double change = std::abs(updated - lambda_[i]) * contact.inertia;
  if (updated != lambda_[i]) push(contact.begin, contact.end, updated - lambda_[i]);
  lambda_[i] = updated;
  if (contact.tangents[2] > contact.tangents[0]) change = std::max(change, update_friction(i, law));
  return change;
}

double SweepResponse::update_friction(std::size_t i, const ImpactLaw& law) {
  const Contact& contact = contacts_[i];
  const double limit = law.friction * lambda_[i];
  std::array<double, 2> updated = tangential_[i];
  for (std::size_t k = 0; k < 2; ++k) {
    const double rate = this->rate(contact.tangents[k], contact.tangents[k + 1]);
    updated[k] -= (rate + law.tangential_offset[k]) / contact.tangential_inertia;
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

void SweepResponse::begin_with_guesses(std::span<const ImpactLaw> laws) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!(laws[i].guess > 0)) continue;
    lambda_[i] = laws[i].guess;
    if (contacts_[i].tangents[2] > contacts_[i].tangents[0]) tangential_[i] = laws[i].tangential_guess;
    contacts_[i].engaged = true;
    push_all(i, 1);
  }
}

int SweepResponse::root(int unknown) {
  int& parent = parent_[static_cast<std::size_t>(unknown)];
  while (parent_[static_cast<std::size_t>(unknown)] != unknown) unknown = parent_[static_cast<std::size_t>(unknown)];
  return parent = unknown;
}

/// Islands are in the order of their first constraints, and have theirs in order.
void SweepResponse::find_islands() {
  constexpr int none = -1;
  parent_.resize(unknown_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  const auto first_moving = [&](const Contact& contact, auto&& join) {
    int first = none;
    for (int e = contact.begin; e < contact.tangents[2]; ++e) {
      const Entry& entry = entries_[static_cast<std::size_t>(e)];
      if (entry.inverse == 0) continue;
      if (first == none) first = entry.unknown;
      join(first, entry.unknown);
    }
    return first;
  };
  for (const Contact& contact : contacts_) {
    first_moving(contact, [&](int first, int other) {
      const int a = root(first), b = root(other);
      parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    });
  }
  number_of_root_.assign(unknown_.size(), none);
  island_of_.assign(contacts_.size() + unknown_.size(), none);
  islands_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int first = first_moving(contacts_[i], [](int, int) {});
    int fresh = none;
    int& number = first == none ? fresh : number_of_root_[static_cast<std::size_t>(root(first))];
    if (number == none) {
      number = static_cast<int>(islands_.size());
      islands_.push_back({});
    }
    island_of_[i] = number;
    ++islands_[static_cast<std::size_t>(number)].end;
  }
  for (std::size_t k = 0; k < unknown_.size(); ++k) {
    const int number = number_of_root_[static_cast<std::size_t>(root(static_cast<int>(k)))];
    island_of_[contacts_.size() + k] = number;
    if (number != none) ++islands_[static_cast<std::size_t>(number)].last_unknown;
  }
  std::size_t contacts = 0, unknowns = 0;
  for (Island& island : islands_) {
    const std::size_t own = island.end, own_unknowns = island.last_unknown;
    island = {contacts, contacts, unknowns, unknowns};
    contacts += own;
    unknowns += own_unknowns;
  }
  by_island_.resize(contacts);
  unknowns_by_island_.resize(unknowns);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    by_island_[islands_[static_cast<std::size_t>(island_of_[i])].end++] = static_cast<int>(i);
  for (std::size_t k = 0; k < unknown_.size(); ++k) {
    const int number = island_of_[contacts_.size() + k];
    if (number != none)
      unknowns_by_island_[islands_[static_cast<std::size_t>(number)].last_unknown++] = static_cast<int>(k);
  }
}

/// Visits all constraints, or those that push or have pushed; returns the largest change of a rate.
double SweepResponse::sweep(const Island& island, std::span<const ImpactLaw> laws, double h, bool may_leave, bool all) {
  double change = 0;
  for (const int number : members(island)) {
    const auto i = static_cast<std::size_t>(number);
    if (all || contacts_[i].engaged) change = std::max(change, update(i, laws[i], h, may_leave));
  }
  return change;
}

void SweepResponse::note(const Island& island) {
  for (const int i : members(island))
    impulses_before_[static_cast<std::size_t>(i)] = impulses(static_cast<std::size_t>(i));
  for (std::size_t u = island.first_unknown; u < island.last_unknown; ++u) {
    const auto k = static_cast<std::size_t>(unknowns_by_island_[u]);
    momenta_before_[k] = momenta_[k];
  }
}

/// The impulses are measured by the energy of what they do to their own rates, W λ².
void SweepResponse::accelerate(const Island& island) {
  double sq = 0;
  for (const int number : members(island)) {
    const auto i = static_cast<std::size_t>(number);
    if (!contacts_[i].engaged) continue;
    const Triple now = impulses(i), &before = impulses_before_[i];
    sq += contacts_[i].inertia * (now[0] - before[0]) * (now[0] - before[0]);
    for (std::size_t k = 1; k < 3; ++k)
      sq += contacts_[i].tangential_inertia * (now[k] - before[k]) * (now[k] - before[k]);
  }
  const bool restart = change_sq_ > 0 && sq > change_sq_;
  const double beta = change_sq_ > 0 && !restart ? sq / change_sq_ : 0;
  change_sq_ = sq;
  const auto move = [=](double& now, double before, double& direction) {
    const double change = now - before, old = beta * direction;
    now += old;
    direction = restart ? 0 : old + change;
  };
  for (const int number : members(island)) {
    const auto i = static_cast<std::size_t>(number);
    if (!contacts_[i].engaged) continue;
    move(lambda_[i], impulses_before_[i][0], direction_[i][0]);
    for (std::size_t k = 0; k < 2; ++k) move(tangential_[i][k], impulses_before_[i][k + 1], direction_[i][k + 1]);
  }
  for (std::size_t u = island.first_unknown; u < island.last_unknown; ++u) {
    const auto k = static_cast<std::size_t>(unknowns_by_island_[u]);
    move(momenta_[k], momenta_before_[k], momenta_direction_[k]);
  }
}

/// The momenta that the impulses lead to, without what has gathered of round-off on the way.
void SweepResponse::rebuild() {
  momenta_ = free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].engaged) push_all(i, 1);
  }
}

SweepReport SweepResponse::settle(const Island& island, std::span<const ImpactLaw> laws, double h, double scale,
                                  double bound) {
  const auto own = members(island);
  const bool conditional =
      std::any_of(own.begin(), own.end(), [&](int i) { return laws[static_cast<std::size_t>(i)].only_closing; });
  SweepReport report;
  double change = scale;
  bool all = true;
  change_sq_ = 0;
  while (report.sweeps < options_.max_sweeps) {
    const bool may_leave = conditional && report.sweeps < options_.settling_sweeps;
    note(island);
    change = sweep(island, laws, h, may_leave, all);
    ++report.sweeps;
    if (all && change <= bound) break;
    all = change <= bound || report.sweeps % 5 == 0;
    if (!may_leave && report.sweeps < options_.max_sweeps) accelerate(island);
  }
  report.settled = change <= bound;
  report.error = scale > 0 ? change / scale : 0;
  return report;
}

SweepReport SweepResponse::apply(const ConstraintSet& constraints, std::span<const int> taking_part,
                                 std::span<const ImpactLaw> laws, std::span<const double> inverse_mass, double h,
                                 std::span<double> p) {
  load(constraints, taking_part, inverse_mass, p);
  find_islands();
  double scale = 0, noise = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double free = rate(contacts_[i].begin, contacts_[i].end);
    const bool closes = contacts_[i].gap <= 0 || contacts_[i].gap + h * free <= 0;
    if (closes) scale = std::max(scale, std::abs(free));
    noise = std::max(noise, round_off(contacts_[i], h));
  }
  const double bound = options_.tolerance * scale + noise;
  if (scale > 0) begin_with_guesses(laws);
  SweepReport report;
  for (const Island& island : islands_) {
    const SweepReport one = settle(island, laws, h, scale, bound);
    report.sweeps = std::max(report.sweeps, one.sweeps);
    report.settled = report.settled && one.settled;
    report.error = std::max(report.error, one.error);
  }
  rebuild();
  for (std::size_t k = 0; k < unknown_.size(); ++k) p[static_cast<std::size_t>(unknown_[k])] = momenta_[k];
  return report;
}

}  // namespace ictus::contact
