#pragma once

#include <cstddef>
#include <ictus/exec/executor.hpp>
#include <ictus/math/vector.hpp>
#include <ictus/math/vector3.hpp>
#include <ictus/model/energy.hpp>
#include <ictus/model/layer_load.hpp>
#include <ictus/model/surface.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::mechanics {

/// A consecutive range of the System's dofs.
struct Range {
  std::size_t begin = 0;
  std::size_t size = 0;

  std::size_t end() const { return begin + size; }
};

/// Linear and angular momentum about the origin, or the impulse of both.
struct Momentum {
  math::Vec3 linear = math::Vec3::Zero();
  math::Vec3 angular = math::Vec3::Zero();

  Momentum& operator+=(const Momentum& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
  Momentum& operator*=(double factor) {
    linear *= factor;
    angular *= factor;
    return *this;
  }
};

/// The largest stable step of an explicit scheme on a body, and the element that limits it.
struct CriticalStep {
  double step = 0;  ///< s
  std::size_t element = 0;
};

/// The motion at one instant.
struct Motion {
  std::span<const double> q;
  std::span<const double> v;                      ///< dq/dt at the time of q
  std::span<const model::LayerLoad> layers = {};  ///< those that contact compresses, of all bodies
};

/// What a body shows: points, cells and fields, in the cell types of VTK.
struct Picture {
  enum class Cell : unsigned char { vertex = 1, line = 3, triangle = 5, quad = 9, tetrahedron = 10, hexahedron = 12 };
  struct Field {
    std::string name;
    int components;
    bool per_cell;
    std::vector<double> values;

    void append(const math::Vector3<double>& a) { values.insert(values.end(), {a.x, a.y, a.z}); }
  };

  std::vector<math::Vec3> points;
  std::vector<Cell> cells;
  std::vector<int> connectivity;  ///< point numbers of all cells, one after the other
  std::vector<Field> fields;
};

class NodalBody;
class RigidBodies;
class Bar;
class BeamFrame;
class CoordinateBody;
class GeneralisedBody;
class LieBeam;
class LieBeamSheet;
class SectionBeam;
class Shell;
class Solid;

/// A thing in the scene. Every body has a name, a share of the dofs (possibly none), a surface that contact sees,
/// and can be drawn, probed and asked for its momentum. Immutable.
class Body {
 public:
  explicit Body(std::string name) : name_(std::move(name)) {}
  virtual ~Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  const std::string& name() const { return name_; }
  virtual Range dofs() const = 0;
  virtual const model::Surface& surface() const = 0;
  /// What it shows to bodies that have skins: its surface, but for bodies that meet their own kind in points.
  virtual const model::Surface& skin() const { return surface(); }

  /// What kind of body it is, for schemes and keys of scenes that know some kinds only: itself, or null.
  virtual const NodalBody* nodal() const { return nullptr; }
  virtual const RigidBodies* rigid_bodies() const { return nullptr; }
  virtual const GeneralisedBody* generalised() const { return nullptr; }
  virtual const LieBeam* lie_beam() const { return nullptr; }
  virtual const LieBeamSheet* lie_beam_sheet() const { return nullptr; }
  virtual const Bar* bar() const { return nullptr; }
  virtual const BeamFrame* beam_frame() const { return nullptr; }
  virtual const SectionBeam* section_beam() const { return nullptr; }
  virtual const Shell* shell() const { return nullptr; }
  virtual const Solid* solid() const { return nullptr; }
  virtual const CoordinateBody* coordinate_body() const { return nullptr; }

  /// Writes this body's part of the initial configuration and momenta.
  virtual void initialise(std::span<double> q, std::span<double> p) const = 0;
  virtual Momentum momentum(std::span<const double> q, std::span<const double> p) const = 0;
  /// Σ |p_i| over the body's points: the scale of a momentum error.
  virtual double momentum_scale(std::span<const double> p) const = 0;

  /// Quantities of a probe on this body, e.g. "displacement".
  virtual std::span<const std::string_view> probe_quantities() const = 0;
  /// Their values at `fraction` of the length (0 start, 1 end).
  virtual void probe(double fraction, const Motion& motion, std::span<double> values) const = 0;
  virtual Picture draw(std::span<const double> q, std::span<const double> v) const = 0;

 private:
  std::string name_;
};

/// Potential energies of a body (J).
struct PotentialEnergy {
  double strain = 0;
  double gravity = 0;
};

/// What its material has taken from a body since the start (J).
struct Dissipated {
  double heat = 0;
  double hardening = 0;  ///< kept by the material, not to be recovered
  double viscous = 0;
  double failure = 0;

  Dissipated& operator+=(const Dissipated& other) {
    heat += other.heat, hardening += other.hardening, viscous += other.viscous, failure += other.failure;
    return *this;
  }
};

/// One entry of a symmetric stiffness matrix ∂²V/∂q²; both triangles are given, entries of the same row and column add
/// up.
struct StiffnessEntry {
  int row;
  int column;
  double value;
};

/// Rayleigh's damping, forces −(α M + β K) v.
struct Rayleigh {
  double mass = 0;       ///< α (1/s)
  double stiffness = 0;  ///< β (s)

  bool any() const { return mass > 0 || stiffness > 0; }
};

/// Dofs of a body one after the other along a line, numbered from its first, with the component of its node that
/// each of the first ones is; the others follow in turn.
struct DofLine {
  std::vector<std::size_t> dofs;
  std::vector<int> components;
};

/// A body whose inertia is a constant mass on each dof: lumped masses of bars, shells, solids and frames, p = M q̇;
/// mass and principal moments of rigid bodies, whose angular momenta are along their own axes. Calls are virtual
/// because each is one call per body and step; the element loops behind them are not.
class NodalBody : public Body {
 public:
  using Body::Body;

  const NodalBody* nodal() const override { return this; }

  /// Lumped mass of each dof (kg).
  virtual std::span<const double> mass() const = 0;
  /// Dofs (of the System) that do not move.
  virtual std::span<const int> fixed() const = 0;
  /// A dof in words, for messages: "node 12 along y".
  virtual std::string dof_name(std::size_t dof) const { return "unknown " + std::to_string(dof - dofs().begin); }
  /// Impulse on the bodies' surroundings when momentum p of dof k is taken up by a support at configuration q.
  virtual Momentum support_impulse(int dof, double p, std::span<const double> q) const = 0;
  /// Impulse of gravity during a time h.
  virtual Momentum gravity_impulse(std::span<const double> q, double h) const = 0;

  /// Whether bodies turn: then q̇ = M⁻¹p does not hold for each dof by itself, and `fly` moves them.
  virtual bool turns() const { return false; }
  /// Of bodies that turn: q and p after a time h without forces. Returns the kinetic energy that they gained, which is
  /// zero where the flight keeps it. Throws base::NumericalFailure where one turns too far.
  virtual double fly(const exec::Executor&, double /*h*/, std::span<double> /*q*/, std::span<double> /*p*/) const {
    return 0;
  }

  /// p += h f(q), f = −∂V/∂q, for the body's own dofs.
  virtual void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const = 0;
  /// Numbers that the body's material remembers besides q, e.g. how it has flowed; zero: its forces depend on q alone.
  /// They follow the dofs of all bodies in the configuration, see System: every q that is given to a body that
  /// remembers has them behind its dofs. What is evaluated at a q does not change them, and is that of the material
  /// which they tell of, brought to q at once: what takes its time, flow by its rate, has not happened.
  virtual std::size_t history() const { return 0; }
  /// Writes what it remembers at the start into q, which has the histories of all bodies.
  virtual void begin_history(std::span<double> /*q*/) const {}
  /// `kick`, with what the material remembers taken to q: once in each step, at the configuration it has come to, when
  /// a time has `elapsed`.
  virtual void advance(const exec::Executor& exec, double /*elapsed*/, std::span<double> q, double h,
                       std::span<double> p) const {
    kick(exec, q, h, p);
  }
  /// By what names.
  virtual std::vector<model::Loss> material_losses() const { return {}; }
  /// Of what the history in q tells.
  virtual Dissipated dissipated(const exec::Executor&, std::span<const double> /*q*/) const { return {}; }
  /// V(q); of bodies that remember, with the work of flow on the way to q from where they were last.
  virtual PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const = 0;
  /// The potential part of the leapfrog's discrete energy over the interval in which the configuration goes from q to
  /// q + h v, v = M⁻¹p: V(q) − ½ h f(q)·v [eq. bars-4]. Together with ½ v·M v it changes by exactly ½ λ w·(v⁺ + v⁻) in
  /// contact; besides, not at all on a linear body, where it is ½ q·K (q + h v).
  virtual PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q,
                                          std::span<const double> p, double h) const = 0;
  /// ½ (V(q) + V(q + h v)) for every body: the plain energy of an interval, for comparison.
  virtual PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q,
                                           std::span<const double> p, double h) const = 0;
  /// What the trapezoid exceeds the interval energy by, ¼ h² v·K v of a linear body [eq. bars-12].
  virtual double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                              double h) const = 0;
  /// Appends K = ∂²V/∂q² at q.
  virtual void stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const = 0;
  /// Its dofs by lines in which neighbours lie side by side, for products with its stiffness.
  virtual std::vector<DofLine> lines() const {
    DofLine all{{}, {0}};
    for (std::size_t k = 0; k < dofs().size; ++k) all.dofs.push_back(k);
    return {all};
  }
  virtual Rayleigh damping() const { return {}; }
  /// p −= h K v for the body's own dofs, K the stiffness at q as far as it resists strain rates: never gives
  /// energy, and nothing resists a rigid motion. Of bodies that are damped.
  virtual void apply_damping(const exec::Executor&, std::span<const double> /*q*/, std::span<const double> /*v*/,
                             double /*h*/, std::span<double> /*p*/) const {}
  virtual CriticalStep critical_step() const = 0;
  /// A step at q that is stable on the body as it is deformed, by a bound that takes no eigenvalues. Of bodies that do
  /// not say, critical_step().
  virtual double stable_step(const exec::Executor&, std::span<const double> /*q*/) const {
    return critical_step().step;
  }
  /// What of the body keeps free_steps() from being asked for, in words; empty: nothing.
  virtual std::string free_steps_obstacle() const { return "its kind of body"; }
  /// The leapfrog of the body with nothing around it but gravity and supports, many steps at once, on the device of
  /// `exec` or, where there is none, on the host.
  virtual std::unique_ptr<exec::ElementSteps> free_steps(const exec::Executor& exec) const;
  /// Whether f is linear in q: then the discrete energy above is an exact invariant of free motion.
  virtual bool linear() const = 0;
};

}  // namespace ictus::mechanics
