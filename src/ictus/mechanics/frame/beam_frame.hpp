#pragma once

#include <array>
#include <ictus/mechanics/body/damped_body.hpp>
#include <ictus/mechanics/frame/frame_element.hpp>
#include <ictus/model/section.hpp>
#include <variant>

namespace ictus::mechanics {

enum class FrameKind {
  grillage,  ///< in a horizontal plane; dofs of a node: deflection w (upwards) and slopes w_x, w_y
  space      ///< dofs of a node: displacement and rotation vector
};

/// Inertia that an element of length h, mass μ per length, gives to the slope of each of its ends [eq. frames-6].
enum class RotaryMass {
  shape,    ///< μh³/78: that of its deflected shape
  section,  ///< ρ I h/2: that of its cross-section
  both      ///< their sum
};

/// A straight run of equal elements between two joints.
struct FrameMember {
  std::size_t start;
  std::size_t end;
  std::size_t elements;
  model::Section section;
  double youngs_modulus;            ///< Pa
  double shear_modulus;             ///< Pa
  double density;                   ///< kg/m³
  math::Vec3 up = {0.0, 0.0, 1.0};  ///< the height of the section lies in the plane of this and the member
};

struct FrameSupport {
  std::size_t joint;
  std::array<bool, 6> held{};  ///< which dofs of the joint, in their order
};

struct JointMass {
  std::size_t joint;
  double mass;         ///< kg
  double inertia = 0;  ///< kg m², against rotation about any axis
};

struct FrameProperties {
  FrameKind kind = FrameKind::space;
  bool shear = false;  ///< Timoshenko's beam instead of Euler and Bernoulli's
  RotaryMass rotary = RotaryMass::shape;
  std::vector<math::Vec3> joints;  ///< m
  std::vector<FrameMember> members;
  std::vector<FrameSupport> supports;
  std::vector<JointMass> point_masses;
  math::Vec3 gravity = math::Vec3::Zero();  ///< m/s²
  Rayleigh damping{};
};

/// Linear elastic beams that share joints [eq. frames-1]. Nodes: the joints, then the inner nodes of each member in
/// turn. Unknown c of node i is number c·nodes + i of the body, so that equal dofs of neighbours lie side by side.
class BeamFrame final : public DampedBody {
 public:
  /// Members have distinct ends and at least one element; in a grillage they are horizontal.
  BeamFrame(std::string name, const FrameProperties& properties, std::size_t first_dof);
  ~BeamFrame() override;

  const FrameProperties& properties() const { return properties_; }
  std::span<const math::Vec3> nodes() const { return nodes_; }
  /// The i-th node of a member, from its start (0) to its end (as many as it has elements).
  std::size_t node_of(std::size_t member, std::size_t i) const;
  std::size_t dofs_per_node() const { return properties_.kind == FrameKind::grillage ? 3 : 6; }
  /// Unknown of the System.
  int dof(std::size_t node, std::size_t component) const {
    return static_cast<int>(dofs_.begin + component * nodes_.size() + node);
  }
  /// Mass of members and points together (kg).
  double total_mass() const { return total_mass_; }

  const BeamFrame* beam_frame() const override { return this; }
  Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *surface_; }
  /// Its members with their sections: tubes where all are round and of one size, else prisms. Made when it is asked for
  /// first, while a system is made: most frames touch nothing.
  const model::Surface& skin() const override;
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  std::span<const std::string_view> probe_quantities() const override;
  /// `node_number` is the number of a node.
  void probe(double node_number, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  std::string dof_name(std::size_t dof) const override;
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override;
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override;
  PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const override;
  PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                  double h) const override;
  PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                   double h) const override;
  double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                      double h) const override;
  void stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const override;
  /// Along members that go straight on, each node in one line. The components of a node are in an order that suits the
  /// line.
  std::vector<DofLine> lines() const override;
  /// That of the assembled frame on its supports, which can be longer than that of its shortest element alone.
  CriticalStep critical_step() const override;
  bool linear() const override { return true; }

 private:
  void set_node_positions();
  void lump_masses();
  void hold_supports();
  void resist(const double* u, double h, double* p) const;
  template <class F>
  void for_each_block(F&& f) const;
  std::vector<double> moved(std::span<const double> q, std::span<const double> p, double h) const;
  double product_energy(const double* a, const double* b) const;
  double gravity_energy(std::span<const double> q, std::span<const double> p, double h) const;
  math::Vec3 acting_gravity() const;
  Momentum momentum_of(std::size_t component, std::size_t node, double p) const;
  math::Vec3 translation(std::size_t node, const double* u) const;
  math::Vec3 rotation(std::size_t node, const double* u) const;
  CriticalStep element_bound() const;
  std::vector<model::SurfaceMesh::Guide> guides(std::size_t node, const math::Vec3& lever) const;

  FrameProperties properties_;
  Range dofs_;
  std::vector<math::Vec3> nodes_;
  std::vector<std::size_t> inner_nodes_;  ///< first of each member
  std::variant<std::vector<FrameRun<GrillageElement>>, std::vector<FrameRun<SpaceElement>>> runs_;
  std::vector<double> mass_;
  std::vector<double> inverse_mass_;  ///< 0 where held
  std::vector<int> fixed_;
  double total_mass_ = 0;
  math::Vec3 first_moment_ = math::Vec3::Zero();  ///< Σ m X (kg m)
  std::unique_ptr<const model::Surface> surface_;
  mutable std::unique_ptr<const model::Surface> skin_;
};

}  // namespace ictus::mechanics
