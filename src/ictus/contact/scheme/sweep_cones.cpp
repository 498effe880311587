#include <ictus/contact/scheme/sweep_response.hpp>

#include <algorithm>
#include <cmath>

// Islands on which sweeps stall, as cone problems [eq. contact-solvers-1].

namespace ictus::contact {

using model::ConstraintSet;

namespace {

/// Constraints up to which assembling W is worth it.
constexpr std::size_t most_cones = 300;
/// Times that those which begin to push are added to the problem.
constexpr int max_rounds = 4;

}  // namespace

solve::ConeOptions SweepResponse::cone_options() {
  solve::ConeOptions options;
  options.tolerance = 1e-8;
  options.max_iterations = 20000;
  return options;
}

/// Lists what takes part; false where some of it is no cone or there is too much.
bool SweepResponse::list_cones(const Group& group) {
  coned_.clear();
  for (const int number : group.contacts) {
    const Contact& contact = contacts_[static_cast<std::size_t>(number)];
    if (contact.elastic) return false;
    const bool may_push = contact.inertia > 0 && (contact.ahead || contact.gap <= 0);
    if (may_push && (contact.engaged || !contact.only_closing)) coned_.push_back(number);
  }
  return !coned_.empty() && coned_.size() <= most_cones;
}

/// W and the rates without impulses of what is listed, whose impulses are taken from the velocities.
solve::BlockProblem SweepResponse::cone_problem() {
  solve::BlockProblem::Data data;
  for (const int number : coned_) {
    const Contact& contact = contacts_[static_cast<std::size_t>(number)];
    push(contact, {-contact.impulse[0], -contact.impulse[1], -contact.impulse[2]});
  }
  const std::size_t n = coned_.size();
  std::vector<solve::LocalMatrix> blocks(n * n);
  const std::vector<Block> before = blocks_;
  for (Block& block : blocks_) block.velocity = math::Quad{};
  double diagonal = 0;
  for (std::size_t column = 0; column < n; ++column) {
    const Contact& contact = contacts_[static_cast<std::size_t>(coned_[column])];
    for (std::size_t k = 0; k < (contact.rubs ? 3 : 1); ++k) {
      Triple unit{};
      unit[k] = 1;
      push(contact, unit);
      for (std::size_t row = 0; row < n; ++row) {
        const Triple u = all_rates(contacts_[static_cast<std::size_t>(coned_[row])]);
        solve::LocalMatrix& block = blocks[n * row + column];
        const solve::Local effect{u[0], u[1], u[2]};
        (k == 0 ? block.a : k == 1 ? block.b : block.c) = effect;
      }
      for (const Point& point : points(contact)) block(point.block).velocity = math::Quad{};
      for (const Part& part : parts(contact)) block(part.block).velocity = math::Quad{};
    }
    diagonal += contact.inertia / static_cast<double>(n);
  }
  blocks_ = before;
  data.row_offsets.push_back(0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const solve::LocalMatrix& block = blocks[n * row + column];
      const double size = math::norm_sq(block.a) + math::norm_sq(block.b) + math::norm_sq(block.c);
      if (row != column && size == 0) continue;
      data.columns.push_back(static_cast<int>(column));
      data.blocks.push_back(block);
    }
    data.row_offsets.push_back(static_cast<int>(data.columns.size()));
    const Contact& contact = contacts_[static_cast<std::size_t>(coned_[row])];
    const Triple u = all_rates(contact);
    data.q.push_back({u[0] + contact.offset, u[1] + contact.tangential_offset[0], u[2] + contact.tangential_offset[1]});
    data.cones.emplace_back(contact.rubs ? contact.friction : 0.0);
  }
  data.reaction_unit = diagonal;
  return solve::BlockProblem(std::move(data));
}

/// Solves what takes part together, until a sweep over all finds nothing to change.
void SweepResponse::settle_as_cones(const Group& group, std::span<const ImpactLaw> laws, double h, double scale,
                                    double bound, SweepReport& report) {
  for (int round = 0; round < max_rounds && !report.settled && list_cones(group); ++round) {
    std::vector<double> reactions;
    for (const int number : coned_) {
      const Triple& own = contacts_[static_cast<std::size_t>(number)].impulse;
      reactions.insert(reactions.end(), own.begin(), own.end());
    }
    cones_.solve(cone_problem(), reactions);  // no worse than the sweeps in any case
    for (std::size_t k = 0; k < coned_.size(); ++k) {
      Contact& contact = contacts_[static_cast<std::size_t>(coned_[k])];
      contact.impulse = {reactions[3 * k], reactions[3 * k + 1], reactions[3 * k + 2]};
      contact.engaged = contact.engaged || contact.impulse[0] > 0;
      push(contact, contact.impulse);
    }
    const double change = sweep(group, laws, h, false, true);
    report.settled = change <= bound;
    report.error = scale > 0 ? change / scale : 0;
    ++report.sweeps;
  }
}

}  // namespace ictus::contact
