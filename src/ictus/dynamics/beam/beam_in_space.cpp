#include <ictus/dynamics/beam/beam_in_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <random>

namespace ictus::dynamics {

using Layout = mechanics::LieBeamLayout;
using math::Twist;
using math::Vector3;
using math::Wrench;
using mechanics::LieBeamHistory;
using mechanics::LieBeamSheet;
using mechanics::LieBeamSlice;
using model::State;
using model::Store;

namespace {

/// State::memory: strains η^j, six numbers each; the first energy; rectangles with their sums.
enum : std::size_t { strain_slot, energy_slot, rectangle_slot };
/// |E_N| may not grow beyond this many times its first value: it oscillates by per cents where the march is stable.
constexpr double energy_growth_limit = 10.0;
/// tan² φ/2 at φ = 170° between neighbours in space or time.
constexpr double turn_limit = 130.6;

constexpr std::string_view advice =
    "Marching along a beam turns the Courant condition round: use a larger time.step, fewer elements, or a stiffer "
    "beam";

[[noreturn]] void fail(std::string what, const LieBeamSheet& sheet, std::size_t section, std::size_t j) {
  throw base::NumericalFailure(std::move(what),
                               fmt::format("element {} of {}, t = {:.6g} s", section, sheet.name(),
                                           static_cast<double>(j) * sheet.history().period),
                               std::string(advice));
}

/// What a slice adds to a rectangle of space–time, section `a` being the one of the slice. [eq. lie-beam-26]
void add_slice(const LieBeamHistory& beam, const LieBeamSlice& slice, std::int64_t a, NoetherRectangle& r) {
  if (a < r.first_node || a > r.last_node) return;
  const auto about_origin = [&](const Wrench<double>& p, std::size_t j) {
    return Wrench<double>{p.m + cross(slice.poses[j].r, p.n), p.n};
  };
  const auto momentum = [&](std::size_t j) {
    if (j + 1 >= slice.poses.size()) return Wrench<double>{};
    return beam.spacing * about_origin(mechanics::momentum_between(beam, slice.poses[j], slice.poses[j + 1]), j);
  };
  const auto flux = [&](std::size_t j) { return beam.period * about_origin(slice.stresses[j], j); };
  if (r.first_step < 0 || r.last_step < r.first_step || r.last_step >= std::ssize(slice.stresses))
    throw base::InputError({"", 0, "", "a watched rectangle is not on its beam: the checkpoint is damaged"});
  const auto k = static_cast<std::size_t>(r.first_step), l = static_cast<std::size_t>(r.last_step);
  if (a == r.first_node) {
    r.sum = r.sum + flux(k) - momentum(k) + momentum(l);
    for (std::size_t j = k + 1; j <= l; ++j) r.sum = r.sum + flux(j) - momentum(j) + momentum(j - 1);
  } else {
    r.sum = r.sum + flux(k) - momentum(k) + momentum(l);
    const Wrench<double> load{{}, (beam.spacing * beam.period * beam.section.mass) * beam.gravity};
    for (std::size_t j = k + 1; j <= l; ++j) r.sum = r.sum - about_origin(load, j);
  }
  if (a < r.last_node) {
    r.sum = r.sum - flux(k);  // J³ of this section, at its neighbour
  } else {
    for (std::size_t j = k; j <= l; ++j) r.sum = r.sum - flux(j);
  }
}

std::span<const Twist<double>> strains_of(const State& state, std::vector<Twist<double>>& strains) {
  const std::vector<double>& x = state.memory[strain_slot].values;
  strains.clear();
  for (std::size_t i = 0; i < x.size(); i += 6)
    strains.push_back({{x[i], x[i + 1], x[i + 2]}, {x[i + 3], x[i + 4], x[i + 5]}});
  return strains;
}

void keep_strains(const LieBeamSlice& slice, State& state) {
  std::vector<double>& x = state.memory[strain_slot].values;
  x.clear();
  for (const Twist<double>& eta : slice.strains) {
    x.insert(x.end(), {eta.w.x, eta.w.y, eta.w.z, eta.c.x, eta.c.y, eta.c.z});
  }
}

}  // namespace

Capabilities BeamInSpace::capabilities() const {
  Capabilities can;
  can.contact = false;
  can.losses = {model::Loss::quadrature};
  return can;
}

bool BeamInSpace::steps(const mechanics::Body& body) const { return body.lie_beam_sheet() != nullptr; }

StepLimit BeamInSpace::step_limit(const System& system) const {
  const LieBeamSheet& sheet = *system.bodies().front()->lie_beam_sheet();
  return {mechanics::slowest_wave(sheet.history().section) * sheet.history().period,
          fmt::format("the slowest wave in {}", sheet.name())};
}

void BeamInSpace::prepare(const System& system) { sheet_ = system.bodies().front()->lie_beam_sheet(); }

void BeamInSpace::read(const State& state, LieBeamSlice& slice) const {
  std::vector<Twist<double>> strains;
  slice = sheet_->slice(state.q, state.p, strains_of(state, strains));
}

StepReport BeamInSpace::start(const System&, double, State& state) {
  const LieBeamHistory& history = sheet_->history();
  slice_ = sheet_->first();
  state.memory = {
      {"beam.strains", {}}, {"beam.first_energy", {mechanics::space_energy(history, slice_)}}, {"beam.noether", {}}};
  keep_strains(slice_, state);
  std::vector<double>& rectangles = state.memory[rectangle_slot].values;
  rectangles.resize(rectangles_ * NoetherRectangle::size);
  for (std::size_t i = 0; i < rectangles_; ++i) {
    random_rectangle(i, static_cast<std::int64_t>(sheet_->elements()), 0, static_cast<std::int64_t>(sheet_->times()))
        .write(&rectangles[i * NoetherRectangle::size]);
  }
  watch(slice_, state);
  return {};
}

void BeamInSpace::watch(const LieBeamSlice& slice, State& state) const {
  std::vector<double>& rectangles = state.memory[rectangle_slot].values;
  for (std::size_t i = 0; i < rectangles.size(); i += NoetherRectangle::size) {
    NoetherRectangle r = NoetherRectangle::read(&rectangles[i]);
    add_slice(sheet_->history(), slice, state.step, r);
    r.write(&rectangles[i]);
  }
}

StepReport BeamInSpace::step(const System&, double h, State& state) {
  const LieBeamHistory& history = sheet_->history();
  const auto section = static_cast<std::size_t>(state.step);
  read(state, slice_);
  for (std::size_t j = 0; j < slice_.strains.size(); ++j) {
    if (norm_sq((0.5 * history.spacing) * slice_.strains[j].w) > turn_limit) {
      fail("neighbouring sections are turned by nearly 180 degrees, where the Cayley map is singular", *sheet_, section,
           j);
    }
  }
  if (const auto bad = mechanics::next_slice(history, slice_, next_)) {
    fail("no strain belongs to the stress", *sheet_, section + 1, *bad);
  }
  const double energy = mechanics::space_energy(history, next_), first = state.memory[energy_slot].values[0];
  if (!(std::abs(energy) <= energy_growth_limit * std::abs(first))) {
    const auto steepest = std::max_element(next_.strains.begin(), next_.strains.end(),
                                           [](const Twist<double>& a, const Twist<double>& b) {
                                             return norm_sq(a.w) + norm_sq(a.c) < norm_sq(b.w) + norm_sq(b.c);
                                           });
    fail("the march along the beam is unstable: its energy has grown tenfold", *sheet_, section + 1,
         static_cast<std::size_t>(steepest - next_.strains.begin()));
  }
  sheet_->write(next_, state.q, state.p);
  keep_strains(next_, state);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  watch(next_, state);
  StepReport report;
  report.external_impulse = loads(next_);
  report.lost[model::Loss::quadrature] = mechanics::space_quadrature(history, slice_, next_);
  return report;
}

/// What gravity adds to J_N between two slices: −Δs M g and its moment at every instant.
mechanics::Momentum BeamInSpace::loads(const LieBeamSlice& slice) const {
  const LieBeamHistory& beam = sheet_->history();
  const Vector3<double> force = (-beam.period * beam.spacing * beam.section.mass) * beam.gravity;
  Wrench<double> sum{};
  for (const auto& g : slice.poses) sum = sum + Wrench<double>{cross(g.r, force), force};
  return {{sum.n.x, sum.n.y, sum.n.z}, {sum.m.x, sum.m.y, sum.m.z}};
}

model::Stored BeamInSpace::energy(const System&, double, const State& state) const {
  LieBeamSlice slice;
  read(state, slice);
  const mechanics::SpaceEnergy parts = mechanics::space_energy_parts(sheet_->history(), slice);
  model::Stored stored;
  stored[Store::kinetic] = parts.kinetic;
  stored[Store::strain] = parts.strain;
  stored[Store::potential] = parts.potential;
  return stored;
}

void BeamInSpace::velocity(const System&, double, const State& state, std::span<double> v) const {
  LieBeamSlice slice;
  read(state, slice);
  std::fill(v.begin(), v.end(), 0.0);
  const auto own = v.subspan(sheet_->dofs().begin, sheet_->dofs().size);
  for (std::size_t j = 0; j < slice.poses.size(); ++j) {
    const math::Rotation<double>& turn = slice.poses[j].q;
    Layout::set_momentum(own, j, {rotate(turn, slice.strains[j].w), rotate(turn, slice.strains[j].c)});
  }
}

Extras BeamInSpace::extras(const State& state) const {
  Extras extras{{"time_step", sheet_->history().period},
                {"instants", static_cast<double>(sheet_->times())},
                {"arc_length", static_cast<double>(state.step + 1) * sheet_->history().spacing}};
  if (rectangles_ == 0) return extras;
  const std::vector<double>& rectangles = state.memory[rectangle_slot].values;
  std::int64_t completed = 0;
  double largest = 0.0;
  for (std::size_t i = 0; i < rectangles.size(); i += NoetherRectangle::size) {
    const NoetherRectangle r = NoetherRectangle::read(&rectangles[i]);
    if (r.last_node > state.step) continue;
    ++completed;
    const double residual = std::sqrt(norm_sq(r.sum.m) + norm_sq(r.sum.n));
    if (!(residual <= largest)) largest = residual;
  }
  extras.emplace_back("noether_rectangles", static_cast<double>(completed));
  extras.emplace_back("noether_residual_max", largest / sheet_->momentum_scale(state.p));
  return extras;
}

}  // namespace ictus::dynamics
