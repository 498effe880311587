#pragma once

#include <ictus/math/dual.hpp>
#include <ictus/math/hyper_dual.hpp>
#include <ictus/mechanics/generalised/generalised_body.hpp>

// Notation: n coordinates; S a scalar: double, or a dual number.

namespace ictus::mechanics {

template <class S>
using FormulaVector = std::array<S, max_coordinates>;

/// Coordinates and velocities as a scalar type takes them.
template <class S>
FormulaVector<S> lift(std::span<const double> x) {
  FormulaVector<S> lifted{};
  for (std::size_t i = 0; i < x.size(); ++i) lifted[i] = S(x[i]);
  return lifted;
}

/// A formula F gives `template <class S> S kinetic(const S* q, const S* v) const`. Its derivatives are exact; they cost
/// about 2n² evaluations.
template <class F>
void derive_inertia(const F& formula, std::span<const double> q, std::span<const double> v, Inertia& inertia) {
  using math::HyperDual;
  const std::size_t n = q.size();
  FormulaVector<HyperDual> dual_q = lift<HyperDual>(q), dual_v = lift<HyperDual>(v);
  const auto kinetic = [&] { return formula.kinetic(dual_q.data(), dual_v.data()); };
  for (std::size_t i = 0; i < n; ++i) {
    dual_v[i].a = 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      dual_v[j].b = 1.0;
      const HyperDual with_v = kinetic();
      dual_v[j].b = 0.0;
      dual_q[j].b = 1.0;
      const HyperDual with_q = kinetic();
      dual_q[j].b = 0.0;
      inertia.momentum[i] = with_v.a;
      inertia.mass(i, j) = with_v.ab;
      inertia.coupling(i, j) = with_q.ab;
      inertia.configuration_force[j] = with_q.b;
    }
    dual_v[i].a = 0.0;
  }
}

/// −∂V/∂q of a formula with `template <class S> S strain(const S* q) const` and `gravity`, both energies.
template <class F>
void derive_force(const F& formula, std::span<const double> q, CoordinateVector& f) {
  FormulaVector<math::Dual> dual_q = lift<math::Dual>(q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    dual_q[i].d = 1.0;
    f[i] = -(formula.strain(dual_q.data()) + formula.gravity(dual_q.data())).d;
    dual_q[i].d = 0.0;
  }
}

/// f(q, v) of a formula with `template <class S> void applied(const S* q, const S* v, S* force) const`, and ∂f/∂v.
template <class F>
void derive_applied(const F& formula, std::span<const double> q, std::span<const double> v, Damping& damping) {
  FormulaVector<math::Dual> dual_q = lift<math::Dual>(q), dual_v = lift<math::Dual>(v), force{};
  for (std::size_t j = 0; j < v.size(); ++j) {
    dual_v[j].d = 1.0;
    formula.applied(dual_q.data(), dual_v.data(), force.data());
    for (std::size_t i = 0; i < v.size(); ++i) {
      damping.force[i] = force[i].v;
      damping.rate(i, j) = force[i].d;
    }
    dual_v[j].d = 0.0;
  }
}

/// Where link i of a formula is and how it moves: `template <class S> std::array<S, 3> place(std::size_t link, const S*
/// q) const` and, where the link turns, `std::array<S, 4> turn(std::size_t link, const S* q) const`, a unit quaternion
/// with the real part first.
template <class F>
void derive_link(const F& formula, std::size_t link, std::span<const double> q, LinkMotion& motion) {
  FormulaVector<math::Dual> dual_q = lift<math::Dual>(q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    dual_q[i].d = 1.0;
    const std::array<math::Dual, 3> x = formula.place(link, dual_q.data());
    motion.x = {x[0].v, x[1].v, x[2].v};
    motion.moves[i] = {x[0].d, x[1].d, x[2].d};
    motion.turns[i] = math::Vec3::Zero();
    if constexpr (requires { formula.turn(link, dual_q.data()); }) {
      const std::array<math::Dual, 4> t = formula.turn(link, dual_q.data());
      motion.turn = Eigen::Quaterniond(t[0].v, t[1].v, t[2].v, t[3].v);
      motion.turns[i] = 2 * (Eigen::Quaterniond(t[0].d, t[1].d, t[2].d, t[3].d) * motion.turn.conjugate()).vec();
    }
    dual_q[i].d = 0.0;
  }
}

/// ∂g/∂q of a formula with `template <class S> S gap(std::size_t contact, const S* q) const`.
template <class F>
void derive_gap(const F& formula, std::size_t contact, std::span<const double> q, CoordinateVector& w) {
  FormulaVector<math::Dual> dual_q = lift<math::Dual>(q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    dual_q[i].d = 1.0;
    w[i] = formula.gap(contact, dual_q.data()).d;
    dual_q[i].d = 0.0;
  }
}

}  // namespace ictus::mechanics
