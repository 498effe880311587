#pragma once

#include <ictus/mechanics/generalised_body.hpp>
#include <ictus/solve/small_lu.hpp>

// Notation: q coordinates, p momenta, v = q̇ at a node, u = (q_{k+1} − q_k)/h between nodes, T kinetic energy, h step.

namespace ictus::dynamics {

/// a·b over the first n entries.
inline double dot(const mechanics::CoordinateVector& a, const mechanics::CoordinateVector& b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The smooth equations of one generalised body. Keeps no state of the motion, only buffers and the factors of the
/// mass matrix.
class GeneralisedMotion {
 public:
  using Vector = mechanics::CoordinateVector;

  explicit GeneralisedMotion(const mechanics::GeneralisedBody& body);

  const mechanics::GeneralisedBody& body() const { return *body_; }
  std::size_t size() const { return size_; }
  /// Whether the mass matrix is one for all q.
  bool constant() const { return constant_; }

  /// v with ∂T/∂v(q, v) = p, from the guess in v; factors the mass matrix there. False where there is none.
  bool velocity(std::span<const double> q, std::span<const double> p, Vector& v);
  /// x ← M⁻¹ x with the mass matrix that `velocity` or `factor_mass` has factored.
  void divide_by_mass(Vector& x) const {
    if (!constant_) return mass_.solve(x);
    const Vector b = x;
    for (std::size_t i = 0; i < size_; ++i) x[i] = dot(inverse_.rows[i], b, size_);
  }
  /// Derivatives of T at (q, v), with M factored. False where M is singular.
  bool factor_mass(std::span<const double> q, std::span<const double> v);
  /// Those of the last factor_mass.
  const mechanics::Inertia& inertia() const { return here_; }

  /// The velocity u of the interval that begins at q with momentum p⁺, from the guess in u [eq. moreau-variational-4].
  /// Returns the Newton iterations; 0 where they do not converge.
  int interval(std::span<const double> q, std::span<const double> p_plus, double h, Vector& u);

  struct End {
    Vector q;            ///< q_k + h u
    Vector p;            ///< p_{k+1}⁻ [eq. moreau-variational-5]
    Vector first, last;  ///< impulses of the forces f over the halves of the interval, at its ends
    double damped = 0;   ///< energy that damping took (J)
  };
  /// Follows a call of `interval` with the same q and h; u may have been changed since.
  void finish(std::span<const double> q, std::span<const double> p_plus, double h, const Vector& u, End& end);

 private:
  std::span<const double> view(const Vector& x) const { return std::span(x).first(size()); }

  const mechanics::GeneralisedBody* body_;
  std::size_t size_;
  bool constant_;                          // inertia
  mechanics::CoordinateMatrix inverse_{};  // of the mass matrix, where that is constant
  solve::SmallLu mass_, jacobian_;
  mechanics::Inertia here_{}, there_{};
  mechanics::Damping damping_{};
  Vector force_{}, residual_{}, next_{};
};

}  // namespace ictus::dynamics
