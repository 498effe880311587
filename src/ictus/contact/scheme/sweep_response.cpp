#include <ictus/contact/scheme/sweep_response.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ictus::contact {

using model::ConstraintSet;
using model::RowEntry;

/// Adds the contact's normal row to the entries, with the number of each dof in the compact list.
void SweepResponse::append(std::span<const RowEntry> row, std::span<const double> inverse_mass,
                           std::span<const double> p) {
  for (const RowEntry& entry : row) {
    int& slot = slot_[entry.index()];
    if (slot == 0) {
      dof_.push_back(entry.dof);
      momenta_.push_back(p[entry.index()]);
      slot = static_cast<int>(dof_.size());
    }
    entries_.push_back({slot - 1, inverse_mass[entry.index()], {entry.weight, 0.0, 0.0}});
  }
}

void SweepResponse::load(const ConstraintSet& constraints, std::span<const int> taking_part,
                         std::span<const double> inverse_mass, std::span<const double> p) {
  slot_.resize(p.size(), 0);
  dof_.clear();
  momenta_.clear();
  entries_.clear();
  contacts_.clear();
  for (const int number : taking_part) {
    const auto i = static_cast<std::size_t>(number);
    Contact contact{};
    contact.begin = entries_.size();
    append(constraints.row(i), inverse_mass, p);
    contact.end = entries_.size();
    contact.rubs = constraints.has_tangents(i);
    for (std::size_t k = 0; k < 2 && contact.rubs; ++k) {
      const auto tangent = constraints.tangent(i, k);
      for (std::size_t at = 0; at < tangent.size(); ++at)
        entries_[contact.begin + at].weight[k + 1] = tangent[at].weight;
    }
    contact.inertia = inertia(contact, 0, 0);
    contact.tangential_inertia = std::max(inertia(contact, 1, 1), inertia(contact, 2, 2));
    contact.coupling = {inertia(contact, 0, 1), inertia(contact, 0, 2)};
    contact.gap = constraints.gap(i);
    contact.ahead = constraints.onset(i) == ConstraintSet::Onset::ahead;
    contacts_.push_back(contact);
  }
  for (const int k : dof_) slot_[static_cast<std::size_t>(k)] = 0;
  lambda_.assign(taking_part.size(), 0.0);
  tangential_.assign(taking_part.size(), {0.0, 0.0});
  free_ = momenta_;
  impulses_before_.resize(taking_part.size());
  direction_.assign(taking_part.size(), Triple{});
  momenta_before_.resize(momenta_.size());
  momenta_direction_.assign(momenta_.size(), 0.0);
}

double SweepResponse::inertia(const Contact& contact, std::size_t a, std::size_t b) const {
  double sum = 0;
  for (const Entry& entry : entries(contact)) sum += entry.inverse * entry.weight[a] * entry.weight[b];
  return sum;
}

double SweepResponse::rate(const Contact& contact) const {
  double sum = 0;
  for (const Entry& entry : entries(contact))
    sum += entry.weight[0] * entry.inverse * momenta_[static_cast<std::size_t>(entry.dof)];
  return sum;
}

/// The rates along the normal and both tangents.
SweepResponse::Triple SweepResponse::rates(const Contact& contact) const {
  Triple sum{};
  for (const Entry& entry : entries(contact)) {
    const double v = entry.inverse * momenta_[static_cast<std::size_t>(entry.dof)];
    for (std::size_t k = 0; k < 3; ++k) sum[k] += entry.weight[k] * v;
  }
  return sum;
}

/// That of a rate and of the gap to which it leads in a step.
double SweepResponse::round_off(const Contact& contact, double h) const {
  double sum = std::abs(contact.gap) / h;
  for (const Entry& entry : entries(contact))
    sum += std::abs(entry.weight[0] * entry.inverse * momenta_[static_cast<std::size_t>(entry.dof)]);
  return 16 * std::numeric_limits<double>::epsilon() * sum;
}

void SweepResponse::push(const Contact& contact, double impulse) {
  for (const Entry& entry : entries(contact))
    momenta_[static_cast<std::size_t>(entry.dof)] += entry.weight[0] * impulse;
}

void SweepResponse::push(const Contact& contact, const Triple& impulses) {
  for (const Entry& entry : entries(contact)) {
    momenta_[static_cast<std::size_t>(entry.dof)] +=
        entry.weight[0] * impulses[0] + entry.weight[1] * impulses[1] + entry.weight[2] * impulses[2];
  }
}

void SweepResponse::release(std::size_t i) {
  push(contacts_[i], {-lambda_[i], -tangential_[i][0], -tangential_[i][1]});
  lambda_[i] = 0;
  tangential_[i] = {0.0, 0.0};
}

/// One constraint with the impulses of the others held; returns by how much its rates changed.
double SweepResponse::update(std::size_t i, const ImpactLaw& law, double h, bool may_leave) {
  Contact& contact = contacts_[i];
  const bool elastic = law.layer.stiffness > 0;
  if (!(contact.inertia > 0) || (!elastic && !contact.ahead && contact.gap > 0)) return 0;
  const Triple rates = contact.rubs ? this->rates(contact) : Triple{rate(contact), 0, 0};
  if (law.only_closing && contact.gap > 0 && (may_leave || !contact.engaged) &&
      contact.gap + h * (rates[0] - lambda_[i] * contact.inertia) > 0) {
    const double change = lambda_[i] * contact.inertia;
    if (lambda_[i] > 0) release(i);
    return change;
  }
  const double updated =
      elastic ? law.layer.impulse(law.gap_before, law.gap + h * (rates[0] - lambda_[i] * contact.inertia), h,
                                  contact.inertia)
              : std::max(0.0, lambda_[i] - (rates[0] + law.offset) / contact.inertia);
  contact.engaged = contact.engaged || (law.only_closing && !elastic) || updated > 0;
  const double step = updated - lambda_[i];
  lambda_[i] = updated;
  if (!contact.rubs) {
    if (step != 0) push(contact, step);
    return std::abs(step) * contact.inertia;
  }
  const std::array<double, 2> slip{rates[1] + contact.coupling[0] * step, rates[2] + contact.coupling[1] * step};
  const auto [first, second] = update_friction(i, law, slip);
  if (step != 0 || first != 0 || second != 0) push(contact, {step, first, second});
  return std::max(std::abs(step) * contact.inertia,
                  std::max(std::abs(first), std::abs(second)) * contact.tangential_inertia);
}

/// Returns by how much the tangential impulses change.
std::array<double, 2> SweepResponse::update_friction(std::size_t i, const ImpactLaw& law,
                                                     const std::array<double, 2>& slip) {
  const double limit = law.friction * lambda_[i];
  std::array<double, 2> updated = tangential_[i];
  for (std::size_t k = 0; k < 2; ++k)
    updated[k] -= (slip[k] + law.tangential_offset[k]) / contacts_[i].tangential_inertia;
  const double size = std::sqrt(updated[0] * updated[0] + updated[1] * updated[1]);
  if (size > limit) {
    for (double& impulse : updated) impulse *= limit / size;
  }
  const std::array<double, 2> change{updated[0] - tangential_[i][0], updated[1] - tangential_[i][1]};
  tangential_[i] = updated;
  return change;
}

void SweepResponse::begin_with_guesses(std::span<const ImpactLaw> laws) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!(laws[i].guess > 0)) continue;
    lambda_[i] = laws[i].guess;
    if (contacts_[i].rubs) tangential_[i] = laws[i].tangential_guess;
    contacts_[i].engaged = true;
    push(contacts_[i], impulses(i));
  }
}

int SweepResponse::Islands::root(int place) {
  int& parent = parent_[static_cast<std::size_t>(place)];
  while (parent_[static_cast<std::size_t>(place)] != place) place = parent_[static_cast<std::size_t>(place)];
  return parent = place;
}

/// Islands are in the order of their first constraints, and have theirs in order.
void SweepResponse::Islands::find(std::span<const int> numbers, std::span<const Contact> contacts,
                                  std::span<const Entry> entries, std::size_t dofs) {
  constexpr int none = -1;
  first_of_dof_.resize(dofs, none);
  touched_.clear();
  parent_.resize(numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const Contact& contact = contacts[static_cast<std::size_t>(numbers[place])];
    int own = parent_[place] = static_cast<int>(place);
    for (const Entry& entry : entries.subspan(contact.begin, contact.end - contact.begin)) {
      if (entry.inverse == 0) continue;
      int& first = first_of_dof_[static_cast<std::size_t>(entry.dof)];
      if (first == none) {
        first = static_cast<int>(place);
        touched_.push_back(entry.dof);
        continue;
      }
      const int other = root(first);
      parent_[static_cast<std::size_t>(std::max(own, other))] = std::min(own, other);
      own = std::min(own, other);
    }
  }
  // A root is the first constraint of its island, so that islands are numbered in passing.
  all_.clear();
  island_of_.resize(numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const auto first = static_cast<std::size_t>(root(static_cast<int>(place)));
    if (first == place) {
      island_of_[place] = all_.size();
      all_.push_back({});
    }
    island_of_[place] = island_of_[first];
    ++all_[island_of_[place]].end;
  }
  const auto island_of_dof = [&](int k) -> Island& {
    return all_[island_of_[static_cast<std::size_t>(first_of_dof_[static_cast<std::size_t>(k)])]];
  };
  for (const int k : touched_) ++island_of_dof(k).last_dof;
  std::size_t contact = 0, dof = 0;
  for (Island& island : all_) {
    const std::size_t own = island.end, own_dofs = island.last_dof;
    island = {contact, contact, dof, dof};
    contact += own;
    dof += own_dofs;
  }
  contacts_.resize(contact);
  dofs_.resize(dof);
  for (std::size_t place = 0; place < numbers.size(); ++place)
    contacts_[all_[island_of_[place]].end++] = numbers[place];
  for (const int k : touched_) dofs_[island_of_dof(k).last_dof++] = k;
  for (const int k : touched_) first_of_dof_[static_cast<std::size_t>(k)] = none;
}

/// Visits all constraints of the group, or those that push or have pushed; returns the largest change of a rate.
double SweepResponse::sweep(const Group& group, std::span<const ImpactLaw> laws, double h, bool may_leave, bool all) {
  double largest = 0;
  for (const int number : group.contacts) {
    const auto i = static_cast<std::size_t>(number);
    if (!all && !contacts_[i].engaged) continue;
    contacts_[i].change = update(i, laws[i], h, may_leave);
    largest = std::max(largest, contacts_[i].change);
  }
  return largest;
}

void SweepResponse::note(const Group& group) {
  for (const int i : group.contacts)
    impulses_before_[static_cast<std::size_t>(i)] = impulses(static_cast<std::size_t>(i));
  for (const int k : group.dofs) momenta_before_[static_cast<std::size_t>(k)] = momenta_[static_cast<std::size_t>(k)];
}

/// The impulses are measured by the energy of what they do to their own rates, W λ².
void SweepResponse::accelerate(const Group& group, double& change_sq) {
  double sq = 0;
  for (const int number : group.contacts) {
    const auto i = static_cast<std::size_t>(number);
    if (!contacts_[i].engaged) continue;
    const Triple now = impulses(i), &before = impulses_before_[i];
    sq += contacts_[i].inertia * (now[0] - before[0]) * (now[0] - before[0]);
    for (std::size_t k = 1; k < 3; ++k)
      sq += contacts_[i].tangential_inertia * (now[k] - before[k]) * (now[k] - before[k]);
  }
  const bool fresh = !(change_sq > 0), restart = !fresh && sq > change_sq;
  const double beta = fresh || restart ? 0 : sq / change_sq;
  change_sq = sq;
  const auto move = [=](double& now, double before, double& direction) {
    const double change = now - before, old = fresh ? 0 : beta * direction;
    now += old;
    direction = restart ? 0 : old + change;
  };
  for (const int number : group.contacts) {
    const auto i = static_cast<std::size_t>(number);
    move(lambda_[i], impulses_before_[i][0], direction_[i][0]);
    for (std::size_t k = 0; k < 2; ++k) move(tangential_[i][k], impulses_before_[i][k + 1], direction_[i][k + 1]);
  }
  for (const int dof : group.dofs) {
    const auto k = static_cast<std::size_t>(dof);
    move(momenta_[k], momenta_before_[k], momenta_direction_[k]);
  }
}

/// The momenta that the impulses lead to, without what has gathered of round-off on the way.
void SweepResponse::rebuild() {
  momenta_ = free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].engaged) push(contacts_[i], impulses(i));
  }
}

/// Sweeps over a group while the others rest; returns how many.
int SweepResponse::sweep_together(const Group& group, std::span<const ImpactLaw> laws, double h, int max_sweeps,
                                  double bound) {
  double change_sq = 0;
  for (int sweeps = 1;; ++sweeps) {
    note(group);
    if (sweep(group, laws, h, false, true) <= bound || sweeps == max_sweeps) return sweeps;
    accelerate(group, change_sq);
  }
}

/// Whether only few of a group change by more than a share of `change`; they are in restless_ then.
bool SweepResponse::find_restless(const Group& group, double change) {
  restless_.clear();
  for (const int i : group.contacts) {
    if (contacts_[static_cast<std::size_t>(i)].change > restless_share * change) restless_.push_back(i);
  }
  return many_in * restless_.size() <= group.contacts.size();
}

/// Sweeps over those that are restless, in islands of their own; returns how many visits that took.
std::size_t SweepResponse::sweep_apart(std::span<const ImpactLaw> laws, double h, double bound) {
  parts_.find(restless_, contacts_, entries_, dof_.size());
  std::size_t visits = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Group part = parts_[k];
    visits +=
        part.contacts.size() * static_cast<std::size_t>(sweep_together(part, laws, h, options_.max_sweeps, bound));
  }
  return visits;
}

SweepReport SweepResponse::settle(const Group& group, std::span<const ImpactLaw> laws, double h, double scale,
                                  double bound) {
  const auto own = group.contacts;
  const bool conditional =
      std::any_of(own.begin(), own.end(), [&](int i) { return laws[static_cast<std::size_t>(i)].only_closing; });
  SweepReport report;
  const std::size_t max_visits = static_cast<std::size_t>(options_.max_sweeps) * own.size();
  double change = scale, change_sq = 0;
  int directed = 0;
  bool all = true;
  for (std::size_t visits = own.size(); visits <= max_visits; visits += own.size()) {
    const bool may_leave = conditional && report.sweeps < options_.settling_sweeps;
    note(group);
    change = sweep(group, laws, h, may_leave, all);
    ++report.sweeps;
    if (all && change <= bound) break;
    if (may_leave) continue;
    // The second sweep without a direction shows who still changes by itself.
    if (++directed == 2 && find_restless(group, change)) {
      visits += sweep_apart(laws, h, restless_share * bound);
      directed = 0;
      all = true;
      continue;
    }
    if (directed > directed_sweeps) directed = 0;
    if (directed <= 1) change_sq = 0;
    all = directed == 1 || change <= bound || report.sweeps % 5 == 0;
    if (visits + own.size() <= max_visits) accelerate(group, change_sq);
  }
  report.settled = change <= bound;
  report.error = scale > 0 ? change / scale : 0;
  return report;
}

SweepReport SweepResponse::apply(const ConstraintSet& constraints, std::span<const int> taking_part,
                                 std::span<const ImpactLaw> laws, std::span<const double> inverse_mass, double h,
                                 std::span<double> p) {
  load(constraints, taking_part, inverse_mass, p);
  everyone_.resize(contacts_.size());
  std::iota(everyone_.begin(), everyone_.end(), 0);
  islands_.find(everyone_, contacts_, entries_, dof_.size());
  double scale = 0, noise = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double free = rate(contacts_[i]);
    const bool closes = contacts_[i].gap <= 0 || contacts_[i].gap + h * free <= 0;
    if (closes) scale = std::max(scale, std::abs(free));
    noise = std::max(noise, round_off(contacts_[i], h));
  }
  const double bound = options_.tolerance * scale + noise;
  if (scale > 0) begin_with_guesses(laws);
  SweepReport report;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    const SweepReport one = settle(islands_[k], laws, h, scale, bound);
    report.sweeps = std::max(report.sweeps, one.sweeps);
    report.settled = report.settled && one.settled;
    report.error = std::max(report.error, one.error);
  }
  rebuild();
  for (std::size_t k = 0; k < dof_.size(); ++k) p[static_cast<std::size_t>(dof_[k])] = momenta_[k];
  return report;
}

}  // namespace ictus::contact
