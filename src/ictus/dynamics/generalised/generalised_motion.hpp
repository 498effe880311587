#pragma once

#include <ictus/mechanics/generalised/generalised_body.hpp>
#include <ictus/solve/linear/small_lu.hpp>
#include <type_traits>

// Notation: q coordinates, p momenta, v = q̇ at a node, u = (q_{k+1} − q_k)/h between nodes, T kinetic energy, h step.

namespace ictus::dynamics {

/// Calls visit(n), with n a constant of the compiler for the few coordinates that most bodies have: loops over them
/// unroll, and what they work on stays in registers.
template <class Visit>
decltype(auto) with_size(std::size_t n, Visit&& visit) {
  switch (n) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>{});
    case 2:
      return visit(std::integral_constant<std::size_t, 2>{});
    case 3:
      return visit(std::integral_constant<std::size_t, 3>{});
    default:
      return visit(n);
  }
}

/// The first n entries of `from` into those of `to`.
template <class From, class To, class Size>
void copy_entries(const From& from, To&& to, Size n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

/// a·b over the first n entries.
template <class Size>
double dot(const mechanics::CoordinateVector& a, const mechanics::CoordinateVector& b, Size n) {
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
  /// x = M⁻¹ b with the mass matrix that `velocity` or `factor_mass` has factored.
  void divide_by_mass(const Vector& b, Vector& x) const {
    if (constant_) return with_size(size_, [&](auto n) { multiply_by_inverse(b.data(), x, n); });
    x = b;
    mass_.solve(x);
  }
  /// Derivatives of T at (q, v), with M factored. False where M is singular.
  bool factor_mass(std::span<const double> q, std::span<const double> v);
  /// Those of the last factor_mass.
  const mechanics::Inertia& inertia() const { return here_; }

  /// The velocity u of the interval that begins at q with momentum p⁺, from the guess in u [eq. moreau-variational-4].
  /// Returns the Newton iterations; 0 where they do not converge.
  int interval(std::span<const double> q, std::span<const double> p_plus, double h, Vector& u);

  struct End {
    Vector q;                          ///< q_k + h u
    Vector p;                          ///< p_{k+1}⁻ [eq. moreau-variational-5]
    Vector first, last;                ///< impulses of the forces f over the halves of the interval, at its ends
    double damped_first, damped_last;  ///< energy that damping took in the halves (J)
    /// What potential and kinetic energy grew by, from the start of the interval to where the energy is reported,
    /// beyond the work of the forces at its ends (J) [eq. moreau-variational-21]: known at the end for a constant mass
    /// matrix, else in the middle.
    double unseen;
    double unseen_after;  ///< the same from there to the end; 0 for a constant mass matrix
  };
  /// Follows a call of `interval` with the same q and h; u may have been changed since.
  void finish(std::span<const double> q, std::span<const double> p_plus, double h, const Vector& u, End& end);

 private:
  void finish_varying(std::span<const double> q, double h, const Vector& u, End& end);
  void account_for_varying(std::span<const double> q, double h, const Vector& u, End& end);
  double beyond_interval(const mechanics::Inertia& inertia, const Vector& u, const Vector& jump);
  std::span<const double> view(const Vector& x) const { return std::span(x).first(size()); }
  template <class Size>
  void multiply_by_inverse(const double* b, Vector& x, Size n) const {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += inverse_(i, j) * b[j];
      x[i] = sum;
    }
  }

  const mechanics::GeneralisedBody* body_;
  std::size_t size_;
  bool constant_;                          // inertia
  mechanics::CoordinateMatrix inverse_{};  // of the mass matrix, where that is constant
  solve::SmallLu mass_, jacobian_;
  mechanics::Inertia here_{}, there_{};
  mechanics::Damping damping_{};
  Vector force_{}, residual_{}, next_{};
  mechanics::Inertia middle_{};
};

}  // namespace ictus::dynamics
