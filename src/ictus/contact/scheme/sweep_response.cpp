#include <ictus/contact/scheme/sweep_response.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ictus::contact {

using model::ConstraintSet;
using model::RowEntry;

namespace {

/// Lanes of a block that dofs fill: a point has three.
constexpr int lanes_of_point = 3;

double sum(const math::Quad& lane) { return (lane[0] + lane[1]) + (lane[2] + lane[3]); }

}  // namespace

/// The block of an entry's dof, which is filled where it is new: that of the dof before it in the row and in number,
/// or one of its own.
int SweepResponse::block_of(std::span<const RowEntry> row, std::size_t at, std::span<const double> inverse_mass,
                            std::span<const double> p) {
  const std::size_t dof = row[at].index();
  Slot& slot = slot_[dof];
  if (slot.block >= 0) return slot.block;
  if (at > 0 && row[at - 1].index() + 1 == dof) {
    const Slot& before = slot_[dof - 1];
    const int used = lanes_[static_cast<std::size_t>(before.block)];
    if (before.lane + 1 == used && used < lanes_of_point) slot = {before.block, used};
  }
  if (slot.block < 0) {
    slot = {static_cast<int>(lanes_.size()), 0};
    lanes_.push_back(0);
    scale_.emplace_back();
    momenta_.emplace_back();
  }
  const auto block = static_cast<std::size_t>(slot.block);
  ++lanes_[block];
  dof_.push_back(row[at].dof);
  scale_[block].lane[slot.lane] = std::sqrt(inverse_mass[dof]);
  momenta_[block].lane[slot.lane] = scale_[block].lane[slot.lane] * p[dof];
  return slot.block;
}

/// Adds the parts of constraint i.
void SweepResponse::append(const ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                           std::span<const double> p) {
  const std::size_t begin = parts_.size(), rows = constraints.has_tangents(i) ? 3 : 1;
  const auto row = constraints.row(i);
  for (std::size_t at = 0; at < row.size(); ++at) {
    const int block = block_of(row, at, inverse_mass, p);
    std::size_t part = parts_.size();
    while (part > begin && block_of_part_[part - 1] != block) --part;
    if (part == begin) {
      block_of_part_.push_back(block);
      parts_.emplace_back();
      part = parts_.size();
    }
    const int lane = slot_[row[at].index()].lane;
    const double scale = scale_[static_cast<std::size_t>(block)].lane[lane];
    for (std::size_t k = 0; k < rows; ++k)
      parts_[part - 1].weight[k].lane[lane] += scale * (k == 0 ? row : constraints.tangent(i, k - 1))[at].weight;
  }
}

/// Finds what the contact feels of inertia.
void SweepResponse::measure(Contact& contact) const {
  std::array<math::Quad, 5> product{};
  for (std::size_t part = contact.begin; part < contact.end; ++part) {
    const auto& [normal, first, second] = parts_[part].weight;
    product[0] += normal.lane * normal.lane;
    product[1] += first.lane * first.lane;
    product[2] += second.lane * second.lane;
    product[3] += normal.lane * first.lane;
    product[4] += normal.lane * second.lane;
  }
  const auto inverse = [](double inertia) { return inertia > 0 ? 1 / inertia : 0; };
  contact.inertia = sum(product[0]);
  contact.tangential_inertia = std::max(sum(product[1]), sum(product[2]));
  contact.inverse_inertia = inverse(contact.inertia);
  contact.inverse_tangential_inertia = inverse(contact.tangential_inertia);
  contact.coupling = {sum(product[3]), sum(product[4])};
}

void SweepResponse::load(const ConstraintSet& constraints, std::span<const int> taking_part,
                         std::span<const double> inverse_mass, std::span<const double> p) {
  slot_.resize(p.size());
  dof_.clear();
  lanes_.clear();
  scale_.clear();
  momenta_.clear();
  block_of_part_.clear();
  parts_.clear();
  contacts_.clear();
  for (const int number : taking_part) {
    const auto i = static_cast<std::size_t>(number);
    Contact contact{};
    contact.begin = parts_.size();
    append(constraints, i, inverse_mass, p);
    contact.end = parts_.size();
    contact.rubs = constraints.has_tangents(i);
    measure(contact);
    contact.gap = constraints.gap(i);
    contact.ahead = constraints.onset(i) == ConstraintSet::Onset::ahead;
    contacts_.push_back(contact);
  }
  for (const int k : dof_) slot_[static_cast<std::size_t>(k)] = {};
  lambda_.assign(taking_part.size(), 0.0);
  tangential_.assign(taking_part.size(), {0.0, 0.0});
  impulses_before_.resize(taking_part.size());
  direction_.assign(taking_part.size(), Triple{});
  momenta_before_.resize(momenta_.size());
  momenta_direction_.assign(momenta_.size(), Block{});
}

double SweepResponse::rate(const Contact& contact) const {
  math::Quad product{};
  for (std::size_t part = contact.begin; part < contact.end; ++part)
    product += parts_[part].weight[0].lane * momenta_[static_cast<std::size_t>(block_of_part_[part])].lane;
  return sum(product);
}

/// The rates along the normal and both tangents.
SweepResponse::Triple SweepResponse::rates(const Contact& contact) const {
  math::Quad normal{}, first{}, second{};
  for (std::size_t part = contact.begin; part < contact.end; ++part) {
    const math::Quad v = momenta_[static_cast<std::size_t>(block_of_part_[part])].lane;
    const auto& weight = parts_[part].weight;
    normal += weight[0].lane * v;
    first += weight[1].lane * v;
    second += weight[2].lane * v;
  }
  return {sum(normal), sum(first), sum(second)};
}

/// That of a rate and of the gap to which it leads in a step.
double SweepResponse::round_off(const Contact& contact, double h) const {
  double size = std::abs(contact.gap) / h;
  for (std::size_t part = contact.begin; part < contact.end; ++part) {
    const math::Quad product =
        parts_[part].weight[0].lane * momenta_[static_cast<std::size_t>(block_of_part_[part])].lane;
    for (int lane = 0; lane < lanes_of_point; ++lane) size += std::abs(product[lane]);
  }
  return 16 * std::numeric_limits<double>::epsilon() * size;
}

void SweepResponse::push(const Contact& contact, const Triple& impulses) {
  for (std::size_t part = contact.begin; part < contact.end; ++part) {
    const auto& weight = parts_[part].weight;
    momenta_[static_cast<std::size_t>(block_of_part_[part])].lane +=
        weight[0].lane * impulses[0] + weight[1].lane * impulses[1] + weight[2].lane * impulses[2];
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
              : std::max(0.0, lambda_[i] - (rates[0] + law.offset) * contact.inverse_inertia);
  contact.engaged = contact.engaged || (law.only_closing && !elastic) || updated > 0;
  const double step = updated - lambda_[i];
  lambda_[i] = updated;
  if (!contact.rubs) {
    if (step != 0) push(contact, {step, 0, 0});
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
    updated[k] -= (slip[k] + law.tangential_offset[k]) * contacts_[i].inverse_tangential_inertia;
  const double size_sq = updated[0] * updated[0] + updated[1] * updated[1];
  if (size_sq > limit * limit) {
    const double share = limit / std::sqrt(size_sq);
    for (double& impulse : updated) impulse *= share;
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
void SweepResponse::Islands::find(std::span<const int> numbers, const SweepResponse& sweeps) {
  constexpr int none = -1;
  first_of_block_.resize(sweeps.momenta_.size(), none);
  touched_.clear();
  parent_.resize(numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const Contact& contact = sweeps.contacts_[static_cast<std::size_t>(numbers[place])];
    int own = parent_[place] = static_cast<int>(place);
    for (std::size_t part = contact.begin; part < contact.end; ++part) {
      const auto block = static_cast<std::size_t>(sweeps.block_of_part_[part]);
      if (sum(sweeps.scale_[block].lane) == 0) continue;
      int& first = first_of_block_[block];
      if (first == none) {
        first = static_cast<int>(place);
        touched_.push_back(sweeps.block_of_part_[part]);
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
  const auto island_of_block = [&](int k) -> Island& {
    return all_[island_of_[static_cast<std::size_t>(first_of_block_[static_cast<std::size_t>(k)])]];
  };
  for (const int k : touched_) ++island_of_block(k).last_block;
  std::size_t contact = 0, block = 0;
  for (Island& island : all_) {
    const std::size_t own = island.end, own_blocks = island.last_block;
    island = {contact, contact, block, block};
    contact += own;
    block += own_blocks;
  }
  contacts_.resize(contact);
  blocks_.resize(block);
  for (std::size_t place = 0; place < numbers.size(); ++place)
    contacts_[all_[island_of_[place]].end++] = numbers[place];
  for (const int k : touched_) blocks_[island_of_block(k).last_block++] = k;
  for (const int k : touched_) first_of_block_[static_cast<std::size_t>(k)] = none;
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
  for (const int k : group.blocks) momenta_before_[static_cast<std::size_t>(k)] = momenta_[static_cast<std::size_t>(k)];
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
  const double keep = restart ? 0 : 1, old_share = fresh ? 0 : beta;
  const auto move = [=](auto& now, const auto& before, auto& direction) {
    const auto change = now - before, old = old_share * direction;
    now += old;
    direction = keep * (old + change);
  };
  for (const int number : group.contacts) {
    const auto i = static_cast<std::size_t>(number);
    move(lambda_[i], impulses_before_[i][0], direction_[i][0]);
    for (std::size_t k = 0; k < 2; ++k) move(tangential_[i][k], impulses_before_[i][k + 1], direction_[i][k + 1]);
  }
  for (const int block : group.blocks) {
    const auto k = static_cast<std::size_t>(block);
    move(momenta_[k].lane, momenta_before_[k].lane, momenta_direction_[k].lane);
  }
}

/// Gives the momenta their impulses, without what has gathered of round-off on the way.
void SweepResponse::hand_over(const ConstraintSet& constraints, std::span<const int> taking_part,
                              std::span<double> p) const {
  for (std::size_t a = 0; a < contacts_.size(); ++a) {
    if (!contacts_[a].engaged) continue;
    const auto i = static_cast<std::size_t>(taking_part[a]);
    model::add_scaled(constraints.row(i), lambda_[a], p);
    for (std::size_t k = 0; k < 2 && contacts_[a].rubs; ++k)
      model::add_scaled(constraints.tangent(i, k), tangential_[a][k], p);
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
  restless_islands_.find(restless_, *this);
  std::size_t visits = 0;
  for (std::size_t k = 0; k < restless_islands_.size(); ++k) {
    const Group island = restless_islands_[k];
    visits +=
        island.contacts.size() * static_cast<std::size_t>(sweep_together(island, laws, h, options_.max_sweeps, bound));
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
  islands_.find(everyone_, *this);
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
    SweepReport one = settle(islands_[k], laws, h, scale, bound);
    if (!one.settled) settle_as_cones(islands_[k], laws, h, scale, bound, one);
    report.sweeps = std::max(report.sweeps, one.sweeps);
    report.settled = report.settled && one.settled;
    report.error = std::max(report.error, one.error);
  }
  hand_over(constraints, taking_part, p);
  return report;
}

}  // namespace ictus::contact
