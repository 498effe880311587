#include <ictus/dynamics/coupled/march_contacts.hpp>

#include <algorithm>
#include <ictus/contact/detect/detect.hpp>

namespace ictus::dynamics {

using math::Pack;
using math::Vec3;
using model::RowEntry;
using model::Surface;

MarchContacts::MarchContacts(const System& system, LinearMarch& march) : takes_(system.pairs().size()) {
  const auto marches = [&](const Surface* surface) {
    return surface->plane() || std::any_of(march.bodies().begin(), march.bodies().end(),
                                           [&](const auto* body) { return &body->surface() == surface; });
  };
  for (std::size_t i = 0; i < takes_.size(); ++i)
    takes_[i] = marches(system.pairs()[i].first_surface) && marches(system.pairs()[i].second_surface);
  const model::State state = system.initial_state();
  model::ConstraintSet all;
  contact::detect(system.pairs(), state.q, all);
  std::size_t nth = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& place = all.place(i);
    if (!takes(place.pair)) continue;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(place.pair)];
    // Constraints of one pair with every point of a surface follow one another.
    nth = !number_.empty() && all.place(number_.back()).pair == place.pair ? nth + 1 : 0;
    number_.push_back(i);
    slack_.push_back(pair.slack);
    for (const RowEntry& entry : all.row(i)) {
      const int where = march.place(entry.index());
      rows_.open_row().push_back({where, entry.weight});
      march.touch(static_cast<std::size_t>(where));
    }
    rows_.add(all.gap(i), place);
    const bool first_moves = !pair.first_surface->plane(), second_moves = !pair.second_surface->plane();
    const double share = first_moves && second_moves ? 0.5 : 1.0;
    if (first_moves) add_point(march, state.q, *pair.first_surface, pair.every_point ? nth : pair.first_point, share);
    if (second_moves)
      add_point(march, state.q, *pair.second_surface, pair.every_point ? nth : pair.second_point, share);
    point_start_.push_back(points_.size());
    inertia_.push_back(model::effective_inverse_mass(rows_.row(rows_.size() - 1), march.inverse_mass()));
    active_.push_back(static_cast<int>(active_.size()));
  }
  is_apart_ = !contact::SharedUnknowns().any(rows_, active_, march.inverse_mass());
  packed_.emplace(rows_, march.inverse_mass(), [](std::size_t k) { return static_cast<int>(k); });
  place_.resize(number_.size());
  const std::size_t whole = (number_.size() + Pack::lanes - 1) / Pack::lanes * Pack::lanes;
  for (std::vector<double>* values : {&gap_, &now_, &rate_before_, &rate_, &lambda_}) values->resize(whole);
}

void MarchContacts::add_point(const LinearMarch& march, std::span<const double> q, const Surface& surface,
                              std::size_t point, double share) {
  std::vector<RowEntry> row;
  for (int c = 0; c < 3; ++c) {
    row.clear();
    surface.pull_back(point, q, Vec3::Unit(c), share, row);
    for (const RowEntry& entry : row)
      points_.push_back({c, static_cast<std::size_t>(march.place(entry.index())), entry.weight});
  }
}

Vec3 MarchContacts::point_of(std::size_t i, std::span<const double> shift) const {
  Vec3 x = place_[i].point;
  for (std::size_t k = point_start_[i]; k < point_start_[i + 1]; ++k)
    x[points_[k].coordinate] += points_[k].weight * shift[points_[k].place];
  return x;
}

void MarchContacts::begin(const model::ConstraintSet& now) {
  for (std::size_t i = 0; i < number_.size(); ++i) {
    gap_[i] = now.gap(number_[i]);
    place_[i] = now.place(number_[i]);
  }
}

/// w·M⁻¹p of all contacts.
void MarchContacts::find_rates(LinearMarch& march, std::span<double> rates) const {
  for (std::size_t i = 0; i < rates.size(); i += Pack::lanes) packed_->rates(march.p(), i).store(&rates[i]);
}

void MarchContacts::find(LinearMarch& march, std::span<double> closed, StepReport& report) {
  for (std::size_t i = 0; i < now_.size(); i += Pack::lanes)
    (Pack::load(&gap_[i]) + packed_->values(march.shift(), i)).store(&now_[i]);
  double narrowest = -report.max_penetration;
  active_.clear();
  for (std::size_t i = 0; i < place_.size();) {
    const int pair = place_[i].pair;
    bool is_closed = false;
    for (; i < place_.size() && place_[i].pair == pair; ++i) {
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
  if (!active_.empty()) find_rates(march, rate_before_);
}

/// Impulses of the closed contacts. Rows that share nothing, which is known beforehand, have their answers at once.
void MarchContacts::solve(LinearMarch& march, StepReport& report) {
  if (!is_apart_) {
    offset_.assign(active_.size(), 0.0);
    const solve::LcpReport solved = response_.apply(rows_, active_, march.inverse_mass(), offset_, march.p());
    report.iterations = std::max(report.iterations, solved.iterations);
    if (!solved.solved()) ++report.fallbacks;
    for (std::size_t a = 0; a < active_.size(); ++a)
      lambda_[static_cast<std::size_t>(active_[a])] = response_.lambda()[a];
    return;
  }
  find_rates(march, rate_);
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    lambda_[i] = 0;
    if (rate_[i] >= 0) continue;
    if (inertia_[i] > 0) {
      lambda_[i] = -rate_[i] / inertia_[i];
      model::add_scaled(rows_.row(i), lambda_[i], march.p());
    } else {
      ++report.fallbacks;  // it closes, and nothing that it touches can move
    }
  }
}

void MarchContacts::respond(const System& system, double time, LinearMarch& march, ContactRecord& record,
                            StepReport& report) {
  if (active_.empty()) return;
  solve(march, report);
  find_rates(march, rate_);
  for (const int number : active_) {
    const auto i = static_cast<std::size_t>(number);
    if (lambda_[i] == 0) continue;
    const model::ConstraintSet::Place place{place_[i].pair, point_of(i, march.shift()), place_[i].normal};
    record.add(system, place, time, lambda_[i], model::Loss::impact, -0.5 * lambda_[i] * (rate_[i] + rate_before_[i]),
               report);
  }
}

}  // namespace ictus::dynamics
