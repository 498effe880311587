#include <ictus/dynamics/coupled/linear_stepper_contacts.hpp>

#include <algorithm>
#include <ictus/contact/detect/detect.hpp>

namespace ictus::dynamics {

using math::Pack;
using math::Vec3;
using model::RowEntry;
using model::Surface;

LinearStepperContacts::LinearStepperContacts(const System& system, LinearStepper& stepper)
    : takes_(system.pairs().size()) {
  const auto marches = [&](const Surface* surface) {
    return surface->plane() || std::any_of(stepper.bodies().begin(), stepper.bodies().end(),
                                           [&](const auto* body) { return &body->surface() == surface; });
  };
  for (std::size_t i = 0; i < takes_.size(); ++i)
    takes_[i] = marches(system.pairs()[i].first_surface) && marches(system.pairs()[i].second_surface);
  const model::State state = system.initial_state();
  model::ConstraintSet all;
  contact::detect(system.pairs(), state.q, all);
  std::size_t nth = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& at = all.contact(i);
    if (!takes(at.pair)) continue;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(at.pair)];
    // Constraints of one pair with every point of a surface follow one another.
    nth = !number_.empty() && all.contact(number_.back()).pair == at.pair ? nth + 1 : 0;
    number_.push_back(i);
    slack_.push_back(pair.slack);
    for (const RowEntry& entry : all.row(i)) {
      const int where = stepper.slot(entry.index());
      rows_.open_row().push_back({where, entry.weight});
      stepper.touch(static_cast<std::size_t>(where));
    }
    rows_.add(all.gap(i), at);
    const bool first_moves = !pair.first_surface->plane(), second_moves = !pair.second_surface->plane();
    const double share = first_moves && second_moves ? 0.5 : 1.0;
    if (first_moves) add_point(stepper, state.q, *pair.first_surface, pair.every_point ? nth : pair.first_point, share);
    if (second_moves)
      add_point(stepper, state.q, *pair.second_surface, pair.every_point ? nth : pair.second_point, share);
    point_start_.push_back(points_.size());
    inertia_.push_back(model::effective_inverse_mass(rows_.row(rows_.size() - 1), stepper.inverse_mass()));
    active_.push_back(static_cast<int>(active_.size()));
  }
  is_apart_ = !contact::SharedDofs().any(rows_, active_, stepper.inverse_mass());
  packed_.emplace(rows_, stepper.inverse_mass(), [](std::size_t k) { return static_cast<int>(k); });
  contact_.resize(number_.size());
  const std::size_t whole = (number_.size() + Pack::lanes - 1) / Pack::lanes * Pack::lanes;
  for (std::vector<double>* values : {&gap_, &now_, &rate_before_, &rate_, &lambda_}) values->resize(whole);
}

void LinearStepperContacts::add_point(const LinearStepper& stepper, std::span<const double> q, const Surface& surface,
                                      std::size_t point, double share) {
  std::vector<RowEntry> row;
  for (int c = 0; c < 3; ++c) {
    row.clear();
    surface.pull_back(point, q, Vec3::Unit(c), share, row);
    for (const RowEntry& entry : row)
      points_.push_back({c, static_cast<std::size_t>(stepper.slot(entry.index())), entry.weight});
  }
}

Vec3 LinearStepperContacts::point_of(std::size_t i, std::span<const double> shift) const {
  Vec3 x = contact_[i].point;
  for (std::size_t k = point_start_[i]; k < point_start_[i + 1]; ++k)
    x[points_[k].coordinate] += points_[k].weight * shift[points_[k].slot];
  return x;
}

void LinearStepperContacts::begin(const model::ConstraintSet& now) {
  for (std::size_t i = 0; i < number_.size(); ++i) {
    gap_[i] = now.gap(number_[i]);
    contact_[i] = now.contact(number_[i]);
  }
}

/// w·M⁻¹p of all contacts.
void LinearStepperContacts::find_rates(LinearStepper& stepper, std::span<double> rates) const {
  for (std::size_t i = 0; i < rates.size(); i += Pack::lanes) packed_->rates(stepper.p(), i).store(&rates[i]);
}

void LinearStepperContacts::find(LinearStepper& stepper, std::span<double> closed, StepReport& report) {
  for (std::size_t i = 0; i < now_.size(); i += Pack::lanes)
    (Pack::load(&gap_[i]) + packed_->values(stepper.shift(), i)).store(&now_[i]);
  double narrowest = -report.max_penetration;
  active_.clear();
  for (std::size_t i = 0; i < contact_.size();) {
    const int pair = contact_[i].pair;
    bool is_closed = false;
    for (; i < contact_.size() && contact_[i].pair == pair; ++i) {
      narrowest = std::min(narrowest, now_[i]);
      if (now_[i] > slack_[i]) continue;
      is_closed = true;
      active_.push_back(static_cast<int>(i));
    }
    double& was_closed = closed[static_cast<std::size_t>(pair)];
    if (is_closed && was_closed == 0) ++report.closings;
    was_closed = is_closed ? 1 : 0;
  }
  report.max_penetration = -narrowest;
  if (!active_.empty()) find_rates(stepper, rate_before_);
}

/// Impulses of the closed contacts. Rows that share nothing, which is known beforehand, have their answers at once.
void LinearStepperContacts::solve(LinearStepper& stepper, StepReport& report) {
  if (!is_apart_) {
    offset_.assign(active_.size(), 0.0);
    const solve::LcpReport solved = response_.apply(rows_, active_, stepper.inverse_mass(), offset_, stepper.p());
    report.iterations = std::max(report.iterations, solved.iterations);
    if (!solved.solved()) ++report.fallbacks;
    for (std::size_t a = 0; a < active_.size(); ++a)
      lambda_[static_cast<std::size_t>(active_[a])] = response_.lambda()[a];
    return;
  }
  find_rates(stepper, rate_);
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    lambda_[i] = 0;
    if (rate_[i] >= 0) continue;
    if (inertia_[i] > 0) {
      lambda_[i] = -rate_[i] / inertia_[i];
      model::add_scaled(rows_.row(i), lambda_[i], stepper.p());
    } else {
      ++report.fallbacks;  // it closes, and nothing that it touches can move
    }
  }
}

void LinearStepperContacts::respond(const System& system, double time, LinearStepper& stepper, ContactRecord& record,
                                    StepReport& report) {
  if (active_.empty()) return;
  solve(stepper, report);
  find_rates(stepper, rate_);
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    if (lambda_[i] == 0) continue;
    const model::ConstraintSet::Contact at{contact_[i].pair, point_of(i, stepper.shift()), contact_[i].normal};
    record.add(system, at, time, lambda_[i], model::Loss::impact, -0.5 * lambda_[i] * (rate_[i] + rate_before_[i]),
               report);
  }
}

}  // namespace ictus::dynamics
