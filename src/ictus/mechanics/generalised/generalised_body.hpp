#pragma once

#include <array>
#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/generalised/link_skin.hpp>

// Notation: q coordinates, v = q̇, T(q, v) kinetic energy, V(q) potential, g gap, w = ∂g/∂q or ∂γ/∂q̇.

namespace ictus::mechanics {

/// The most coordinates that a generalised body has: its linear systems live on the stack.
inline constexpr std::size_t max_coordinates = 9;
using CoordinateVector = std::array<double, max_coordinates>;

/// A square matrix of which the leading n rows and columns are used.
struct CoordinateMatrix {
  std::array<CoordinateVector, max_coordinates> rows;

  double& operator()(std::size_t i, std::size_t j) { return rows[i][j]; }
  double operator()(std::size_t i, std::size_t j) const { return rows[i][j]; }
};

/// Derivatives of T at one (q, v). Entries past the number of coordinates are not read.
struct Inertia {
  CoordinateVector momentum;             ///< ∂T/∂v
  CoordinateVector configuration_force;  ///< ∂T/∂q
  CoordinateMatrix mass;                 ///< ∂²T/∂v∂v, symmetric positive definite
  CoordinateMatrix coupling;             ///< ∂²T/∂vᵢ∂qⱼ
};

/// A force that no potential covers.
struct Damping {
  CoordinateVector force;
  CoordinateMatrix rate;  ///< ∂force/∂v
};

/// One contact of a body with its surroundings at one configuration.
struct ContactGeometry {
  CoordinateVector normal;    ///< w_N = ∂g/∂q
  CoordinateVector tangent1;  ///< w_T: γ_T = w_T·q̇ is a sliding velocity (m/s)
  CoordinateVector tangent2;
  int tangents = 0;           ///< how many of them there are
  math::Vec3 point;           ///< where the body touches (m)
  math::Vec3 push;            ///< unit vector in which the normal impulse pushes the body
  double metres_per_gap = 1;  ///< distance along `push` per unit of the gap: 1 where the gap is a distance
};

/// Where a rigid part of a body is, and how it moves with each coordinate.
struct LinkMotion {
  math::Vec3 x = math::Vec3::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< of its axes in space
  std::array<math::Vec3, max_coordinates> moves;             ///< ∂x/∂q
  std::array<math::Vec3, max_coordinates> turns;             ///< angular velocity in space per q̇
};

/// A body described by a few generalised coordinates: Lagrange's equations from T(q, v), V(q) and contacts g_i(q) ≥ 0
/// with its surroundings, which are not bodies with dofs. Arrays here are the body's own part of the System's.
/// Calls are virtual because each does the work of a whole body.
class GeneralisedBody : public Body {
 public:
  GeneralisedBody(std::string name, Range dofs, std::size_t contacts);
  ~GeneralisedBody() override;

  const GeneralisedBody* generalised() const override { return this; }
  Range dofs() const final { return dofs_; }
  /// A point for each contact; `surroundings` has the points that they can meet.
  const model::Surface& surface() const final { return *surface_; }
  const model::Surface& surroundings() const { return *surroundings_; }
  std::size_t coordinates() const { return dofs_.size; }
  std::size_t contacts() const { return contacts_; }

  /// Whether ∂²T/∂v² is one matrix for all q and v and T has no other terms, and there is no damping: then a step needs
  /// no iteration.
  virtual bool constant_inertia() const = 0;
  virtual double kinetic_energy(std::span<const double> q, std::span<const double> v) const = 0;
  virtual void inertia(std::span<const double> q, std::span<const double> v, Inertia& inertia) const = 0;

  virtual PotentialEnergy potential_energy(std::span<const double> q) const = 0;
  /// −∂V/∂q.
  virtual void force(std::span<const double> q, CoordinateVector& f) const = 0;
  /// Whether `damping` is to be asked.
  virtual bool damped() const = 0;
  virtual void damping(std::span<const double> q, std::span<const double> v, Damping& damping) const = 0;

  /// g_i of all contacts.
  virtual void gaps(std::span<const double> q, std::span<double> g) const = 0;
  virtual void contact(std::size_t i, std::span<const double> q, ContactGeometry& geometry) const = 0;

  /// Rigid parts by which other bodies meet it, and what they meet; none: it meets its surroundings alone.
  virtual std::size_t links() const { return 0; }
  virtual LinkSkin link_skin() const { return {}; }
  virtual void link(std::size_t /*i*/, std::span<const double> /*q*/, LinkMotion& /*motion*/) const {}

  /// Initial q and v of this body.
  virtual void start(std::span<double> q, std::span<double> v) const = 0;
  /// Adds the momentum in space, about the origin, of the generalised momentum p: nothing for a body that hangs on the
  /// ground.
  virtual void add_momentum_in_space(std::span<const double> q, std::span<const double> p, Momentum& sum) const = 0;

  /// q from `start`, p = ∂T/∂v there.
  void initialise(std::span<double> q, std::span<double> p) const final;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const final;
  double momentum_scale(std::span<const double> p) const override;

  /// This body's part of an array over the dofs.
  std::span<const double> part(std::span<const double> x) const { return x.subspan(dofs_.begin, dofs_.size); }
  std::span<double> part(std::span<double> x) const { return x.subspan(dofs_.begin, dofs_.size); }

 private:
  Range dofs_;
  std::size_t contacts_;
  std::unique_ptr<const model::Surface> surface_, surroundings_;
};

/// Adds what others meet of a body's links, as points, lines and triangles.
void draw_links(const GeneralisedBody& body, std::span<const double> q, Picture& picture);

}  // namespace ictus::mechanics
