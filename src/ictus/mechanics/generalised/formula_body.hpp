#pragma once

#include <ictus/mechanics/generalised/formula_derivatives.hpp>

namespace ictus::mechanics {

/// What FormulaBody asks of a formula: how many coordinates and contacts, the energies and gaps over any scalar type,
/// the direction of sliding, and where a contact is in space.
template <class F>
concept BodyFormula = requires(const F& formula, const double* q, std::span<const double> own, CoordinateVector& w) {
  { F::coordinates } -> std::convertible_to<std::size_t>;
  { F::contacts } -> std::convertible_to<std::size_t>;
  { F::quantities[0] } -> std::convertible_to<std::string_view>;  // names of all q, then of all v
  { formula.kinetic(q, q) } -> std::convertible_to<double>;
  { formula.strain(q) } -> std::convertible_to<double>;
  { formula.gravity(q) } -> std::convertible_to<double>;
  { formula.gap(std::size_t{}, q) } -> std::convertible_to<double>;
  { formula.sliding(std::size_t{}, own, w) } -> std::convertible_to<int>;  // tangents written: 0 without friction, or 1
  { formula.point(std::size_t{}, own) } -> std::convertible_to<math::Vec3>;
  { formula.push(std::size_t{}, own) } -> std::convertible_to<math::Vec3>;  // unit vector
};

/// Whether a formula has a force that no potential covers: damping, a control.
/// `template <class S> void applied(const S* q, const S* v, S* force) const` writes it.
template <class F>
inline constexpr bool has_applied_force = requires(const F& formula, const double* q, double* force) {
  formula.applied(q, q, force);
};

/// What a formula may give besides, for bodies that others meet: how many links there are, what of them is met, and
/// where they are over any scalar type; see derive_link.
template <class F>
concept FormulaWithLinks = BodyFormula<F> && requires(const F& formula, const double* q) {
  { F::links } -> std::convertible_to<std::size_t>;
  { formula.skin() } -> std::convertible_to<LinkSkin>;
  { formula.place(std::size_t{}, q) } -> std::convertible_to<std::array<double, 3>>;
};

/// A body from the formulas of its energies and gaps: derivatives come from dual numbers, exact and in no need of
/// thought. A body with derivatives by hand is some ten times faster.
template <BodyFormula F>
class FormulaBody final : public GeneralisedBody {
 public:
  using Values = std::array<double, F::coordinates>;

  FormulaBody(std::string name, F formula, const Values& q, const Values& v, std::size_t first_dof)
      : GeneralisedBody(std::move(name), {first_dof, F::coordinates}, F::contacts),
        formula_(std::move(formula)),
        q_(q),
        v_(v) {
    static_assert(F::coordinates <= max_coordinates);
    static_assert(std::size(F::quantities) == 2 * F::coordinates);
  }

  bool constant_inertia() const override { return false; }
  double kinetic_energy(std::span<const double> q, std::span<const double> v) const override {
    return formula_.kinetic(q.data(), v.data());
  }
  void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const override {
    derive_inertia(formula_, q, v, inertia);
  }
  PotentialEnergy potential_energy(std::span<const double> q) const override {
    return {formula_.strain(q.data()), formula_.gravity(q.data())};
  }
  void force(std::span<const double> q, CoordinateVector& f) const override { derive_force(formula_, q, f); }
  bool damped() const override { return has_applied_force<F>; }
  void damping(std::span<const double> q, std::span<const double> v, Damping& damping) const override {
    if constexpr (has_applied_force<F>) derive_applied(formula_, q, v, damping);
  }
  void gaps(std::span<const double> q, std::span<double> g) const override {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = formula_.gap(i, q.data());
  }
  void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const override {
    derive_gap(formula_, i, q, geometry.normal);
    geometry.tangents = formula_.sliding(i, q, geometry.tangent1);
    geometry.point = formula_.point(i, q);
    geometry.push = formula_.push(i, q);
    geometry.metres_per_gap = 1;
  }
  std::size_t links() const override {
    if constexpr (FormulaWithLinks<F>) return F::links;
    return 0;
  }
  LinkSkin link_skin() const override {
    if constexpr (FormulaWithLinks<F>) return formula_.skin();
    return {};
  }
  void link(std::size_t i, std::span<const double> q, LinkMotion& motion) const override {
    if constexpr (FormulaWithLinks<F>) derive_link(formula_, i, q, motion);
  }
  void start(std::span<double> q, std::span<double> v) const override {
    std::copy(q_.begin(), q_.end(), q.begin());
    std::copy(v_.begin(), v_.end(), v.begin());
  }
  void add_momentum_in_space(std::span<const double>, std::span<const double>, Momentum&) const override {}

  /// The formula, for those who set what it reads while the run goes on.
  const F& formula() const { return formula_; }

  std::span<const std::string_view> probe_quantities() const override { return F::quantities; }
  void probe(double, const Motion& motion, std::span<double> values) const override {
    std::copy_n(part(motion.q).begin(), F::coordinates, values.begin());
    std::copy_n(part(motion.v).begin(), F::coordinates, values.begin() + F::coordinates);
  }
  /// The points that can touch, and what others meet.
  Picture draw(std::span<const double> q, std::span<const double>) const override {
    Picture picture;
    for (std::size_t i = 0; i < F::contacts; ++i) {
      picture.points.push_back(formula_.point(i, part(q)));
      picture.cells.push_back(Picture::Cell::vertex);
      picture.connectivity.push_back(static_cast<int>(i));
    }
    draw_links(*this, part(q), picture);
    return picture;
  }

 private:
  F formula_;
  Values q_, v_;
};

}  // namespace ictus::mechanics
