// Notation: a = g_{n−1}, G = g_{n+1}, W = w·M⁻¹w, α the scale of all impulses of a step.
#include <ictus/dynamics/scheme/discrete_gradient.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>
#include <ictus/dynamics/scheme/require_layers.hpp>
#include <limits>

namespace ictus::dynamics {

using model::ConstraintSet;
using model::State;

namespace {

/// Layers are at least this share of the way by which surfaces approach each other in a step: what is left between them
/// must not be small against the motion, or the next normal cannot be foreseen.
constexpr double growth_share = 0.5;
/// Impulses are scaled by at most this to empty the bank.
constexpr double max_scaling = 0.02;
/// τ of a pair of which no side deforms, in steps [eq. mixed-9].
constexpr double rigid_steps = 16;
/// Few points: their sweeps go on to round-off, because their energy is kept without a bank.
constexpr contact::SweepOptions to_round_off{400, 400, 0};

/// What one side gives to the layer of a pair.
struct Side {
  double compliance = 0;    // 1/k_a; zero: it does not deform
  double inverse_mass = 0;  // 1/m_a; zero: it does not move
};

/// m_a: the mean over the vertices of a skin of the least mass that a force on a vertex meets along an axis. Of nodes
/// it is their own.
double mass_of_vertex(const mechanics::NodalBody& body, const model::SurfaceMesh& mesh, std::span<const double> q) {
  std::vector<model::RowEntry> row;
  double sum = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      row.clear();
      mesh.pull_back(v, q, mesh.position(v, q), math::Vec3::Unit(axis), row);
      double inertia = 0;
      for (const model::RowEntry& entry : row)
        inertia += entry.weight * entry.weight / body.mass()[entry.index() - body.dofs().begin];
      largest = std::max(largest, inertia);
    }
    sum += 1 / largest;
  }
  return sum / static_cast<double>(mesh.vertex_count());
}

/// Whether the pair is a stop of a joint: points on a line that nothing deforms.
bool is_stop(const contact::ContactPair& pair) { return pair.rigid && pair.direction.has_value(); }

/// Of what does not deform the mass that a point of it has in a direction.
Side rigid_side(const System& system, const model::Surface& surface, std::size_t point, const math::Vec3& n) {
  const model::State state = system.initial_state();
  std::vector<model::RowEntry> row;
  surface.pull_back(point, state.q, n, 1, row);
  return {0, model::effective_inverse_mass(row, system.inverse_mass())};
}

/// Parts of systems with coordinates of their own do not deform, whatever vibrates in these.
Side side_of(const System& system, const contact::ContactPair& pair, const model::Surface& surface, std::size_t point,
             double kappa) {
  if (surface.meets_surroundings())
    return rigid_side(system, surface, point, surface.outward_normal(point, system.initial_state().q));
  if (is_stop(pair)) return rigid_side(system, surface, point, *pair.direction);
  if (!surface.mesh()) return {};
  const auto bodies = system.nodal_bodies();
  const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const auto* candidate) {
    return &candidate->surface() == &surface || &candidate->skin() == &surface;
  });
  const double mass = mass_of_vertex(**body, *surface.mesh(), system.initial_state().q);
  const double step = (*body)->critical_step().step;
  if (std::isfinite(step) && !surface.mesh()->follows_coordinates()) return {step * step / (kappa * mass), 1 / mass};
  const bool moves = system.inverse_mass()[static_cast<std::size_t>(surface.mesh()->dof(0))] > 0;
  return {0, moves ? 1 / mass : 0};
}

}  // namespace

void DiscreteGradient::prepare(const System& system) {
  Leapfrog::prepare(system);
  const contact::Skins skins(system.pairs());
  has_surfaces_ =
      !skins.skins().empty() || std::any_of(system.pairs().begin(), system.pairs().end(), [](const auto& pair) {
        return pair.first_surface->meets_surroundings() || is_stop(pair);
      });
  sweeps_ = contact::SweepResponse(has_surfaces_ ? options_.sweeps : to_round_off);
  pushed_.resize(system.dofs());
  law_of_pair_.clear();
  rigid_strength_.clear();
  for (std::size_t i = 0; i < system.pairs().size(); ++i) {
    const contact::ContactPair& pair = system.pairs()[i];
    const double e = pair.restitution.value_or(1);
    Side both;
    for (const auto& [surface, point] :
         {std::pair(pair.first_surface, pair.first_point), {pair.second_surface, pair.second_point}}) {
      const Side side = side_of(system, pair, *surface, point, options_.stiffness);
      both.compliance += side.compliance;
      both.inverse_mass += side.inverse_mass;
    }
    // Planes have sides, and need no barrier.
    const double thickness = pair.with_obstacle() ? 0 : skins.laws()[i].thickness;
    law_of_pair_.push_back({both.compliance > 0 ? 1 / both.compliance : 0, thickness, e * e});
    const bool is_rigid = both.compliance == 0 && both.inverse_mass > 0;
    rigid_strength_.push_back(is_rigid ? options_.stiffness / (rigid_steps * rigid_steps * both.inverse_mass) : 0);
  }
  require_layers(system, name());
}

/// The layer of constraint i with its gap now, as thick as it has grown; no gap before and no friction yet.
contact::ImpactLaw DiscreteGradient::law_of(const ConstraintSet& constraints, std::size_t i, double h,
                                            const State& state) const {
  const auto pair = static_cast<std::size_t>(constraints.contact(i).pair);
  contact::ImpactLaw law{0, 0, law_of_pair_[pair], constraints.gap(i)};
  if (constraints.compliance(i) > 0) law.layer.stiffness = 1 / constraints.compliance(i);
  if (rigid_strength_[pair] > 0) law.layer.stiffness = rigid_strength_[pair] / (h * h);
  if (law.layer.thickness > 0) {
    const double grown = state.memory[grown_slot].values[pair];
    law.layer.thickness += grown;
    law.gap -= grown;
  }
  return law;
}

/// Lets the layers of surfaces keep up with the speed of approach in sight, before it closes a gap: up to the least gap
/// of the pair, so that a layer that grows holds no energy.
void DiscreteGradient::grow(std::span<const double> inverse_mass, const ConstraintSet& constraints, double h,
                            State& state) {
  if (!has_surfaces_) return;
  wanted_.assign(law_of_pair_.size(), 0.0);
  least_gap_.assign(law_of_pair_.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints.contact(i).pair);
    const double approach = -h * model::rate(constraints.row(i), inverse_mass, state.p);
    wanted_[pair] = std::max(wanted_[pair], growth_share * approach - law_of_pair_[pair].thickness);
    least_gap_[pair] = std::min(least_gap_[pair], constraints.gap(i));
  }
  for (std::size_t pair = 0; pair < wanted_.size(); ++pair) {
    double& grown = state.memory[grown_slot].values[pair];
    grown = std::max(grown, std::min(wanted_[pair], least_gap_[pair]));
  }
}

StepReport DiscreteGradient::start(const System& system, double h, State& state) {
  const StepReport report = Leapfrog::start(system, h, state);
  state.memory.push_back({"discrete-gradient", std::vector<double>(figures)});
  state.memory.push_back({"discrete-gradient.grown", std::vector<double>(system.pairs().size())});
  contact::LastingContacts::lay_out(state.memory);
  state.memory.push_back({"discrete-gradient.q_before", has_surfaces_ ? state.q : std::vector<double>()});
  ConstraintSet constraints;
  contact::detect(system.pairs(), state.q, constraints);
  contact::SurfaceDetector detector;
  detector.prepare(system.pairs());
  detector.expect_layers(true);
  detector.detect(system.pairs(), {state.q, state.p, system.inverse_mass(), h}, constraints);
  grow(system.inverse_mass(), constraints, h, state);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const contact::ImpactLaw law = law_of(constraints, i, h, state);
    const double next = law.gap + h * model::rate(constraints.row(i), system.inverse_mass(), state.p);
    figure(state, in_layers) += 0.5 * (law.layer.energy(law.gap) + law.layer.energy(next));
  }
  return report;
}

void DiscreteGradient::respond(const Contact& contact, StepReport& report) {
  State& state = contact.state;
  grow(contact.inverse_mass, contact.constraints, contact.h, state);
  choose(contact);
  lasting_.recall(state, contact.constraints, active_, laws_);
  sweep(contact, active_, laws_, sweeps_, report);
  lasting_.remember(contact.geometry, active_, laws_, sweeps_, state);
  read_layers(contact);
  double scale = 1;
  if (has_surfaces_) {
    double unpaid = 0;
    for (const Layer& layer : layers_) unpaid += layer.unpaid(contact.h);
    report.lost[model::Loss::solver] -= unpaid;
    const double owned = figure(state, in_layers) + figure(state, bank) + unpaid;
    scale = balance(contact.h, owned);
    if (scale != 1) scale_impulses(contact, scale);
    figure(state, bank) = -unbalanced(contact.h, scale, owned);
    if (!std::isfinite(figure(state, bank))) {
      throw base::NumericalFailure("the energy of the contact layers is not finite",
                                   fmt::format("t = {:g} s", state.time),
                                   "Use a smaller time.step, or a larger thickness of the contact");
    }
    figure(state, bank_max) = std::max(figure(state, bank_max), std::abs(figure(state, bank)));
  }
  double stored = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    stored += layers_[a].stored(contact.h, scale);
    const auto [slip, across] = sweeps_.tangential()[a];
    const auto i = static_cast<std::size_t>(active_[a]);
    const ContactRecord::Push push{scale * layers_[a].lambda, {scale * slip, scale * across}};
    record(contact, i, push, model::Loss::restitution, layers_[a].lost(contact.h, scale),
           contact.friction_loss(i, push), report);
  }
  if (has_surfaces_) std::copy(state.q.begin(), state.q.end(), state.memory[before_slot].values.begin());
  figure(state, in_layers) = stored;
  figure(state, layer_max) = std::max(figure(state, layer_max), stored);
}

/// Contacts whose gap the step could close, and those that were closed before it.
void DiscreteGradient::choose(const Contact& contact) {
  active_.clear();
  laws_.clear();
  gap_now_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    const bool point = contact.constraints.onset(i) == ConstraintSet::Onset::closed;
    if (!point && !contact.in_reach(i) && contact.constraints.gap(i) > contact.h * contact.rate_before(i)) continue;
    active_.push_back(static_cast<int>(i));
    contact::ImpactLaw law = law_of(contact.constraints, i, contact.h, contact.state);
    law.friction = contact.pair(i).friction;
    law.gap_before = gap_before(contact, i, law.gap);
    gap_now_.push_back(law.gap);
    // A force that only holds must do no work: G − a is h w·M⁻¹(p⁺ + p⁻) there.
    if (law.layer.returned < 1) law.gap = law.gap_before + contact.h * contact.rate_before(i);
    laws_.push_back(law);
  }
}

/// The gap of constraint i at q_{n−1}, of the same features; `gap` is that of its layer now.
double DiscreteGradient::gap_before(const Contact& contact, std::size_t i, double gap) {
  const ConstraintSet& constraints = contact.constraints;
  const contact::ContactPair& pair = contact.pair(i);
  if (is_stop(pair)) {
    const std::vector<double>& q = contact.state.memory[before_slot].values;
    return pair.direction->dot(pair.second_surface->position(pair.second_point, q) -
                               pair.first_surface->position(pair.first_point, q));
  }
  if (constraints.onset(i) == ConstraintSet::Onset::closed) return gap - contact.h * contact.rate_before(i);  // linear
  const double before = contact::gap_of_features(contact.skins, contact.system.pairs(), constraints.contact(i).pair,
                                                 constraints.name(i), contact.state.memory[before_slot].values);
  return before + gap - constraints.gap(i);
}

void DiscreteGradient::read_layers(const Contact& contact) {
  layers_.clear();
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const double kicked = contact.rate_kicked(i);
    layers_.push_back({gap_now_[a], laws_[a].gap_before, laws_[a].gap + contact.h * kicked,
                       kicked + contact.rate_before(i), contact.rate_now(i) - kicked, sweeps_.lambda()[a],
                       laws_[a].layer});
  }
}

/// What the bodies, the layers and restitution have more than the `owned` energy after impulses scaled by α; the bank
/// must be its negative.
double DiscreteGradient::unbalanced(double h, double scale, double owned) const {
  double sum = -owned;
  for (const Layer& layer : layers_) sum += layer.work(scale) + layer.stored(h, scale) + layer.lost(h, scale);
  return sum;
}

/// The scale at which the bank is emptied, or comes nearest to that within the bounds.
double DiscreteGradient::balance(double h, double owned) const {
  double best = 1, least = std::abs(unbalanced(h, 1, owned));
  double low = 1, f_low = unbalanced(h, 1, owned);
  double high = 1 + 1e-4, f_high = unbalanced(h, high, owned);
  for (int i = 0; i < 4 && f_high != f_low; ++i) {
    const double next = std::clamp(high - f_high * (high - low) / (f_high - f_low), 1 - max_scaling, 1 + max_scaling);
    low = high;
    f_low = f_high;
    high = next;
    f_high = unbalanced(h, high, owned);
    if (std::abs(f_high) < least) {
      least = std::abs(f_high);
      best = high;
    }
    if (low == high) break;
  }
  return best;
}

void DiscreteGradient::scale_impulses(const Contact& contact, double scale) {
  const auto each = [&](auto&& f) {
    for (const int number : active_) {
      const auto i = static_cast<std::size_t>(number);
      for (const model::RowEntry& entry : contact.constraints.row(i)) f(entry.index());
    }
  };
  each([&](std::size_t k) { pushed_[k] = contact.state.p[k] - contact.kicked[k]; });
  each([&](std::size_t k) { contact.state.p[k] = contact.kicked[k] + scale * pushed_[k]; });
}

model::Stored DiscreteGradient::energy(const System& system, double h, const State& state) const {
  model::Stored stored = Leapfrog::energy(system, h, state);
  stored[model::Store::layer] = state.memory[figures_slot].values[in_layers];
  stored[model::Store::bank] = state.memory[figures_slot].values[bank];
  return stored;
}

Extras DiscreteGradient::extras(const State& state) const {
  const std::vector<double>& values = state.memory[figures_slot].values;
  return {{"bank", values[bank]}, {"bank_max", values[bank_max]}, {"layer_max", values[layer_max]}};
}

}  // namespace ictus::dynamics
