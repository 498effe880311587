// Notation: a = g_{n−1}, G = g_{n+1}, g* = g_n + h w·M⁻¹p without this contact's own impulse, W = w·M⁻¹w,
// κ = ½ h² W k: then G = g* + h W λ and hWλ = −2κ/k · (φ(G) − φ(a))/(G − a).
#include <fmt/format.h>

#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/contact/detect.hpp>
#include <ictus/dynamics/discrete_gradient.hpp>
#include <ictus/math/roots.hpp>
#include <limits>
#include <numeric>

namespace ictus::dynamics {

namespace {

/// h W λ, the part of G − g* that the layer causes: the one root of the monotone equation
///   x = −κ (min(g* + x, 0)² − min(a, 0)²)/(g* + x − a)   [eq. exact-contact-6].
double layer_push(double a, double g_free, double kappa) {
  if (a <= 0) {
    // Compressed at both ends: x = −κ (g* + x + a).
    const double x = -kappa * (g_free + a) / (1 + kappa);
    if (g_free + x <= 0) return x;
    // Leaves: x (g* − a + x) = κ a², the root > 0.
    return math::real_roots(1, g_free - a, -kappa * a * a)->second;
  }
  if (g_free >= 0) return 0;
  // Arrives: x (a − g* − x) = κ (g* + x)²; the root between 0 and −g*, by G = g* + x, (1 + κ) G² − (a + g*) G + a g* =
  // 0.
  const double g_next = math::real_roots(1 + kappa, -(a + g_free), a * g_free)->first;
  return kappa * g_next * g_next / (a - g_next);
}

double layer_energy(double gap, double compliance) { return gap < 0 ? 0.5 * gap * gap / compliance : 0; }

/// Σ |w_k p_k/m_k|: the size of the velocities that make up a rate, and so of its round-off.
double rate_size(std::span<const model::RowEntry> row, std::span<const double> inverse_mass,
                 std::span<const double> p) {
  double sum = 0;
  for (const model::RowEntry& entry : row) {
    const auto k = static_cast<std::size_t>(entry.unknown);
    sum += std::abs(entry.weight * inverse_mass[k] * p[k]);
  }
  return sum;
}

constexpr int max_sweeps = 200;
constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

void DiscreteGradient::prepare(const System& system) {
  Leapfrog::prepare(system);
  model::ConstraintSet constraints;
  contact::detect(system.pairs(), system.initial_state().q, constraints);
  std::vector<base::Mistake> mistakes;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints.compliance(i) > 0) continue;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(constraints.place(i).pair)];
    mistakes.push_back({"", 0, "contacts",
                        fmt::format("{} and {} touch without an elastic layer, which discrete-gradient needs",
                                    pair.first, pair.second)});
  }
  for (const contact::ContactPair& pair : system.pairs()) {
    if (!pair.first_surface->mesh() && !pair.second_surface->mesh()) continue;
    mistakes.push_back(
        {"", 0, "contacts",
         fmt::format("the surfaces of {} and {} have no elastic layer, which discrete-gradient needs; use "
                     "capture-return, reflection, cd-lagrange or dcr",
                     pair.first, pair.second)});
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
}

void DiscreteGradient::respond(const Contact& contact, StepReport& report) {
  const std::size_t n = contact.constraints.size();
  lambda_.assign(n, 0.0);
  all_.resize(n);
  std::iota(all_.begin(), all_.end(), 0);
  bool settled = sweep(contact);
  report.iterations = 1;
  if (shared_.any(contact.constraints, all_, contact.system.inverse_mass())) {
    while (!settled && report.iterations++ < max_sweeps) settled = sweep(contact);
    if (!settled) ++report.fallbacks;
  }
  for (std::size_t i = 0; i < n; ++i) record(contact, i, {lambda_[i]}, model::Loss::impact, 0.0, report);
}

/// Solves each contact's equation with the other impulses held; true if no velocity changed beyond its round-off.
bool DiscreteGradient::sweep(const Contact& contact) {
  const auto inverse_mass = contact.system.inverse_mass();
  bool settled = true;
  for (std::size_t i = 0; i < lambda_.size(); ++i) {
    const auto row = contact.constraints.row(i);
    const double g = contact.constraints.gap(i), h = contact.h;
    const double inertia = model::effective_inverse_mass(row, inverse_mass);
    if (inertia == 0) continue;
    const double a = g - h * contact.rate_before(i);
    const double g_free = g + h * (contact.rate_now(i) - inertia * lambda_[i]);
    const double kappa = 0.5 * h * h * inertia / contact.constraints.compliance(i);
    const double lambda = layer_push(a, g_free, kappa) / (h * inertia);
    model::add_scaled(row, lambda - lambda_[i], contact.state.p);
    const double change = inertia * std::abs(lambda - lambda_[i]);
    settled = settled && change <= round_off * (rate_size(row, inverse_mass, contact.state.p) + std::abs(g) / h);
    lambda_[i] = lambda;
  }
  return settled;
}

model::Stored DiscreteGradient::energy(const System& system, double h, const model::State& state) const {
  model::Stored stored = Leapfrog::energy(system, h, state);
  model::ConstraintSet constraints;
  contact::detect(system.pairs(), state.q, constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double g = constraints.gap(i), compliance = constraints.compliance(i);
    const double g_next = g + h * model::rate(constraints.row(i), system.inverse_mass(), state.p);
    stored[model::Store::layer] += 0.5 * (layer_energy(g, compliance) + layer_energy(g_next, compliance));
  }
  return stored;
}

}  // namespace ictus::dynamics
