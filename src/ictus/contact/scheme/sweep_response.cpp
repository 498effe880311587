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

/// Within this of its size a row is along the directions of its contact.
constexpr double along_directions = 1e-14;

using math::Quad;

double sum(const Quad& lane) { return (lane[0] + lane[1]) + (lane[2] + lane[3]); }

/// Sums of the lanes of three, in the first three lanes.
Quad sums(const Quad& a, const Quad& b, const Quad& c) {
  const Quad ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Quad cc = __builtin_shufflevector(c, c, 0, 0, 2, 2) + __builtin_shufflevector(c, c, 1, 1, 3, 3);
  return __builtin_shufflevector(ab, cc, 0, 1, 4, 4) + __builtin_shufflevector(ab, cc, 2, 3, 6, 6);
}

Quad quad(const math::Vec3& a) { return Quad{a[0], a[1], a[2], 0}; }

/// The weights of three entries that follow each other.
math::Vec3 three(std::span<const RowEntry> row, std::size_t at) {
  return {row[at].weight, row[at + 1].weight, row[at + 2].weight};
}

/// Whether three entries are of dofs that follow each other.
bool are_three(std::span<const RowEntry> row, std::size_t at) {
  return row[at].dof + 1 == row[at + 1].dof && row[at].dof + 2 == row[at + 2].dof;
}

}  // namespace

void SweepResponse::fill(int block, int lane, std::size_t dof, std::span<const double> inverse_mass,
                         std::span<const double> p) {
  slot_[dof] = {block, lane};
  Block& own = this->block(block);
  own.inverse_mass[lane] = inverse_mass[dof];
  own.velocity[lane] = inverse_mass[dof] * p[dof];
}

/// The block of an entry's dof, which is filled where it is new: that of the dof before it in the row and in number,
/// or one of its own.
int SweepResponse::block_of(std::span<const RowEntry> row, std::size_t at, std::span<const double> inverse_mass,
                            std::span<const double> p) {
  const std::size_t dof = row[at].index();
  if (slot_[dof].block >= 0) return slot_[dof].block;
  if (at > 0 && row[at - 1].index() + 1 == dof) {
    const Slot before = slot_[dof - 1];
    int& used = lanes_[static_cast<std::size_t>(before.block)];
    if (before.lane + 1 == used && used < lanes_of_point) {
      fill(before.block, used++, dof, inverse_mass, p);
      return before.block;
    }
  }
  lanes_.push_back(1);
  first_dof_.push_back(dof);
  blocks_.emplace_back();
  fill(static_cast<int>(lanes_.size()) - 1, 0, dof, inverse_mass, p);
  return slot_[dof].block;
}

/// The block of three dofs from this one on, which are in one or in none.
int SweepResponse::block_of_three(std::size_t dof, std::span<const double> inverse_mass, std::span<const double> p) {
  if (slot_[dof].block >= 0) return slot_[dof].block;
  lanes_.push_back(lanes_of_point);
  first_dof_.push_back(dof);
  blocks_.emplace_back();
  for (int lane = 0; lane < lanes_of_point; ++lane)
    fill(static_cast<int>(lanes_.size()) - 1, lane, dof + static_cast<std::size_t>(lane), inverse_mass, p);
  return slot_[dof].block;
}

/// Whether constraint i pushes points along its directions and turns bodies, and does nothing else, by dofs of which
/// each three are a block.
bool SweepResponse::pushes_points(const ConstraintSet& constraints, std::size_t i) const {
  using Kind = RowEntry::Kind;
  const auto row = constraints.row(i);
  if (row.size() % lanes_of_point != 0) return false;
  const math::Vec3& n = constraints.contact(i).normal;
  const auto is_along = [&](std::span<const RowEntry> one, std::size_t at, const math::Vec3& e, double weight) {
    return (three(one, at) - weight * e).cwiseAbs().maxCoeff() <= along_directions * std::abs(weight);
  };
  for (std::size_t at = 0; at < row.size(); at += lanes_of_point) {
    if (!are_three(row, at) || row[at].kind == Kind::guided) return false;
    const Slot &first = slot_[row[at].index()], &last = slot_[row[at + 2].index()];
    if (first.block != last.block || (first.block >= 0 && first.lane != 0)) return false;
    if (first.block < 0 && slot_[row[at + 1].index()].block >= 0) return false;
    if (row[at].kind == Kind::turning) continue;
    const double weight = n.dot(three(row, at));
    if (!is_along(row, at, n, weight)) return false;
    for (std::size_t k = 0; k < 2 && constraints.has_tangents(i); ++k)
      if (!is_along(constraints.tangent(i, k), at, constraints.tangents(i)[k], weight)) return false;
  }
  return true;
}

/// Adds what a constraint pushes that pushes points.
void SweepResponse::append_points(const ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                                  std::span<const double> p, Contact& contact) {
  const math::Vec3& n = constraints.contact(i).normal;
  contact.directions[0] = quad(n);
  for (std::size_t k = 0; k < 2 && contact.rubs; ++k) contact.directions[k + 1] = quad(constraints.tangents(i)[k]);
  const auto row = constraints.row(i);
  for (std::size_t at = 0; at < row.size(); at += lanes_of_point) {
    const int block = block_of_three(row[at].index(), inverse_mass, p);
    if (row[at].kind == RowEntry::Kind::turning) {
      Part& part = part_of(contact, block);
      part.weight[0] += quad(three(row, at));
      for (std::size_t k = 0; k < 2 && contact.rubs; ++k)
        part.weight[k + 1] += quad(three(constraints.tangent(i, k), at));
      continue;
    }
    const double weight = n.dot(three(row, at));
    const auto own = std::find_if(points_.begin() + contact.first_point, points_.end(),
                                  [&](const Point& point) { return point.block == block; });
    if (own == points_.end()) {
      points_.push_back({block, weight});
    } else {
      own->weight += weight;
    }
  }
}

/// Adds what any other constraint does.
void SweepResponse::append_parts(const ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                                 std::span<const double> p, const Contact& contact) {
  const auto row = constraints.row(i);
  for (std::size_t at = 0; at < row.size(); ++at) {
    Part& part = part_of(contact, block_of(row, at, inverse_mass, p));
    const int lane = slot_[row[at].index()].lane;
    part.weight[0][lane] += row[at].weight;
    for (std::size_t k = 0; k < 2 && contact.rubs; ++k)
      part.weight[k + 1][lane] += constraints.tangent(i, k)[at].weight;
  }
}

/// The part that a contact, the last one so far, has in a block; a new one where it has none.
SweepResponse::Part& SweepResponse::part_of(const Contact& contact, int block) {
  const auto own = std::find_if(parts_.begin() + contact.first_part, parts_.end(),
                                [&](const Part& part) { return part.block == block; });
  return own != parts_.end() ? *own : parts_.emplace_back(Part{{}, block});
}

/// Finds what the contact feels of inertia.
void SweepResponse::measure(Contact& contact) const {
  std::array<Quad, 5> product{};
  const auto add = [&](const Directions& weight, const Quad& inverse_mass) {
    const Quad pushed = weight[0] * inverse_mass;
    product[0] += weight[0] * pushed;
    product[1] += weight[1] * weight[1] * inverse_mass;
    product[2] += weight[2] * weight[2] * inverse_mass;
    product[3] += weight[1] * pushed;
    product[4] += weight[2] * pushed;
  };
  Quad of_points{};
  for (const Point& point : points(contact)) of_points += point.weight * point.weight * block(point.block).inverse_mass;
  add(contact.directions, of_points);
  for (const Part& part : parts(contact)) add(part.weight, block(part.block).inverse_mass);
  const auto inverse = [](double inertia) { return inertia > 0 ? 1 / inertia : 0; };
  contact.inertia = sum(product[0]);
  contact.tangential_inertia = std::max(sum(product[1]), sum(product[2]));
  contact.inverse_inertia = inverse(contact.inertia);
  contact.inverse_tangential_inertia = inverse(contact.tangential_inertia);
  contact.coupling = {sum(product[3]), sum(product[4])};
}

void SweepResponse::load(const ConstraintSet& constraints, std::span<const int> taking_part,
                         std::span<const ImpactLaw> laws, std::span<const double> inverse_mass,
                         std::span<const double> p) {
  slot_.resize(p.size());
  first_dof_.clear();
  lanes_.clear();
  blocks_.clear();
  points_.clear();
  parts_.clear();
  contacts_.clear();
  const auto end_of = [](const auto& list) { return static_cast<int>(list.size()); };
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const auto i = static_cast<std::size_t>(taking_part[a]);
    Contact& contact = contacts_.emplace_back();
    contact.first_point = end_of(points_);
    contact.first_part = end_of(parts_);
    contact.rubs = constraints.has_tangents(i);
    if (pushes_points(constraints, i)) {
      append_points(constraints, i, inverse_mass, p, contact);
    } else {
      append_parts(constraints, i, inverse_mass, p, contact);
    }
    contact.last_point = end_of(points_);
    contact.last_part = end_of(parts_);
    measure(contact);
    contact.gap = constraints.gap(i);
    contact.ahead = constraints.onset(i) == ConstraintSet::Onset::ahead;
    contact.offset = laws[a].offset;
    contact.friction = laws[a].friction;
    contact.tangential_offset = laws[a].tangential_offset;
    contact.elastic = laws[a].layer.stiffness > 0;
    contact.only_closing = laws[a].only_closing;
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    std::fill_n(slot_.begin() + static_cast<std::ptrdiff_t>(first_dof_[k]), lanes_[k], Slot{});
  impulses_before_.resize(taking_part.size());
  direction_.resize(taking_part.size());
  velocity_before_.resize(blocks_.size());
  velocity_direction_.resize(blocks_.size());
}

double SweepResponse::rate(const Contact& contact) const {
  Quad at{};
  for (const Point& point : points(contact)) at += point.weight * block(point.block).velocity;
  Quad product = contact.directions[0] * at;
  for (const Part& part : parts(contact)) product += part.weight[0] * block(part.block).velocity;
  return sum(product);
}

/// The rates along the normal and both tangents.
SweepResponse::Triple SweepResponse::rates(const Contact& contact) const {
  Quad at{};
  for (const Point& point : points(contact)) at += point.weight * block(point.block).velocity;
  Directions product;
  for (std::size_t k = 0; k < 3; ++k) product[k] = contact.directions[k] * at;
  for (const Part& part : parts(contact)) {
    const Quad v = block(part.block).velocity;
    for (std::size_t k = 0; k < 3; ++k) product[k] += part.weight[k] * v;
  }
  const Quad rates = sums(product[0], product[1], product[2]);
  return {rates[0], rates[1], rates[2]};
}

/// That of a rate and of the gap to which it leads in a step.
double SweepResponse::round_off(const Contact& contact, double h) const {
  const auto size_of = [](const Quad& a) { return a < 0 ? -a : a; };
  Quad size{};
  for (const Point& point : points(contact))
    size += size_of(point.weight * contact.directions[0] * block(point.block).velocity);
  for (const Part& part : parts(contact)) size += size_of(part.weight[0] * block(part.block).velocity);
  return 16 * std::numeric_limits<double>::epsilon() * (std::abs(contact.gap) / h + sum(size));
}

void SweepResponse::push(const Contact& contact, const Triple& impulses) {
  const Quad force = along(contact.directions, impulses);
  for (const Point& point : points(contact)) {
    Block& own = block(point.block);
    own.velocity += point.weight * force * own.inverse_mass;
  }
  for (const Part& part : parts(contact)) {
    Block& own = block(part.block);
    own.velocity += along(part.weight, impulses) * own.inverse_mass;
  }
}

/// One constraint with the impulses of the others held; returns by how much its rates changed.
double SweepResponse::update(Contact& contact, const ImpactLaw& law, double h, bool may_leave) {
  if (!(contact.inertia > 0) || (!contact.elastic && !contact.ahead && contact.gap > 0)) return 0;
  const double lambda = contact.impulse[0];
  const bool rests = contact.impulse == Triple{} && !contact.elastic && !contact.only_closing;
  if (rests && rate(contact) + contact.offset >= 0) return 0;
  const Triple rates = all_rates(contact);
  if (contact.only_closing && contact.gap > 0 && (may_leave || !contact.engaged) &&
      contact.gap + h * (rates[0] - lambda * contact.inertia) > 0) {
    if (lambda > 0) {
      push(contact, {-lambda, -contact.impulse[1], -contact.impulse[2]});
      contact.impulse = {};
    }
    return lambda * contact.inertia;
  }
  const double updated =
      contact.elastic
          ? law.layer.impulse(law.gap_before, law.gap + h * (rates[0] - lambda * contact.inertia), h, contact.inertia)
          : std::max(0.0, lambda - (rates[0] + contact.offset) * contact.inverse_inertia);
  contact.engaged = contact.engaged || (contact.only_closing && !contact.elastic) || updated > 0;
  const double step = updated - lambda;
  contact.impulse[0] = updated;
  if (!contact.rubs) {
    if (step != 0) push(contact, {step, 0, 0});
    return std::abs(step) * contact.inertia;
  }
  const std::array<double, 2> slip{rates[1] + contact.coupling[0] * step, rates[2] + contact.coupling[1] * step};
  const auto [first, second] = update_friction(contact, slip);
  if (step != 0 || first != 0 || second != 0) push(contact, {step, first, second});
  return std::max(std::abs(step) * contact.inertia,
                  std::max(std::abs(first), std::abs(second)) * contact.tangential_inertia);
}

/// Returns by how much the tangential impulses change.
std::array<double, 2> SweepResponse::update_friction(Contact& contact, const std::array<double, 2>& slip) {
  const double limit = contact.friction * contact.impulse[0];
  std::array<double, 2> updated{contact.impulse[1], contact.impulse[2]};
  for (std::size_t k = 0; k < 2; ++k)
    updated[k] -= (slip[k] + contact.tangential_offset[k]) * contact.inverse_tangential_inertia;
  const double size_sq = updated[0] * updated[0] + updated[1] * updated[1];
  if (size_sq > limit * limit) {
    const double share = limit / std::sqrt(size_sq);
    for (double& impulse : updated) impulse *= share;
  }
  const std::array<double, 2> change{updated[0] - contact.impulse[1], updated[1] - contact.impulse[2]};
  contact.impulse[1] = updated[0];
  contact.impulse[2] = updated[1];
  return change;
}

void SweepResponse::begin_with_guesses(std::span<const ImpactLaw> laws) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!(laws[i].guess > 0)) continue;
    Contact& contact = contacts_[i];
    const auto& [first, second] = laws[i].tangential_guess;
    contact.impulse = {laws[i].guess, contact.rubs ? first : 0, contact.rubs ? second : 0};
    contact.engaged = true;
    push(contact, contact.impulse);
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
  first_of_block_.resize(sweeps.blocks_.size(), none);
  touched_.clear();
  parent_.resize(numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const Contact& contact = sweeps.contacts_[static_cast<std::size_t>(numbers[place])];
    int own = parent_[place] = static_cast<int>(place);
    const auto touch = [&](int block) {
      if (sum(sweeps.block(block).inverse_mass) == 0) return;
      int& first = first_of_block_[static_cast<std::size_t>(block)];
      if (first == none) {
        first = static_cast<int>(place);
        touched_.push_back(block);
        return;
      }
      const int other = root(first);
      parent_[static_cast<std::size_t>(std::max(own, other))] = std::min(own, other);
      own = std::min(own, other);
    };
    for (const Point& point : sweeps.points(contact)) touch(point.block);
    for (const Part& part : sweeps.parts(contact)) touch(part.block);
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
    Contact& contact = contacts_[i];
    if (!all && !contact.engaged) continue;
    contact.change = update(contact, laws[i], h, may_leave);
    largest = std::max(largest, contact.change);
  }
  return largest;
}

void SweepResponse::note(const Group& group) {
  for (const int i : group.contacts)
    impulses_before_[static_cast<std::size_t>(i)] = contacts_[static_cast<std::size_t>(i)].impulse;
  for (const int k : group.blocks) velocity_before_[static_cast<std::size_t>(k)] = block(k).velocity;
}

/// The impulses are measured by the energy of what they do to their own rates, W λ².
void SweepResponse::accelerate(const Group& group, double& change_sq) {
  double sq = 0;
  for (const int number : group.contacts) {
    const Contact& contact = contacts_[static_cast<std::size_t>(number)];
    if (!contact.engaged) continue;
    const Triple &now = contact.impulse, &before = impulses_before_[static_cast<std::size_t>(number)];
    sq += contact.inertia * (now[0] - before[0]) * (now[0] - before[0]);
    for (std::size_t k = 1; k < 3; ++k) sq += contact.tangential_inertia * (now[k] - before[k]) * (now[k] - before[k]);
  }
  const bool fresh = !(change_sq > 0), restart = !fresh && sq > change_sq;
  const double beta = fresh || restart ? 0 : sq / change_sq;
  change_sq = sq;
  const double keep = restart ? 0 : 1, old_share = beta;
  const auto move = [=](auto& now, const auto& before, auto& direction) {
    const auto change = now - before;
    if (fresh) {
      direction = change;
      return;
    }
    const auto old = old_share * direction;
    now += old;
    direction = keep * (old + change);
  };
  for (const int number : group.contacts) {
    const auto i = static_cast<std::size_t>(number);
    for (std::size_t k = 0; k < 3; ++k) move(contacts_[i].impulse[k], impulses_before_[i][k], direction_[i][k]);
  }
  for (const int number : group.blocks) {
    const auto k = static_cast<std::size_t>(number);
    move(blocks_[k].velocity, velocity_before_[k], velocity_direction_[k]);
  }
}

/// Gives the momenta their impulses, without what has gathered of round-off on the way.
void SweepResponse::hand_over(std::span<double> p) {
  lambda_.resize(contacts_.size());
  tangential_.resize(contacts_.size());
  const auto give = [&](int block, const Quad& impulse) {
    const auto k = static_cast<std::size_t>(block);
    for (int lane = 0; lane < lanes_[k]; ++lane) p[first_dof_[k] + static_cast<std::size_t>(lane)] += impulse[lane];
  };
  for (std::size_t a = 0; a < contacts_.size(); ++a) {
    const Contact& contact = contacts_[a];
    lambda_[a] = contact.impulse[0];
    tangential_[a] = {contact.impulse[1], contact.impulse[2]};
    if (!contact.engaged) continue;
    const Quad force = along(contact.directions, contact.impulse);
    for (const Point& point : points(contact)) give(point.block, point.weight * force);
    for (const Part& part : parts(contact)) give(part.block, along(part.weight, contact.impulse));
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
  double change = std::numeric_limits<double>::infinity(), change_sq = 0;
  int directed = 0;
  bool all = true, plain = true;
  for (std::size_t visits = own.size(); visits <= max_visits; visits += own.size()) {
    const bool may_leave = conditional && report.sweeps < options_.settling_sweeps;
    if (!plain) note(group);
    const double before = change;
    change = sweep(group, laws, h, may_leave, all);
    ++report.sweeps;
    if (all && change <= bound) break;
    if (may_leave) continue;
    if (plain) {
      plain = change < quick_share * before;
      continue;
    }
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
  load(constraints, taking_part, laws, inverse_mass, p);
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
  hand_over(p);
  return report;
}

}  // namespace ictus::contact
