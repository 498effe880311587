#pragma once

#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <ictus/mechanics/body/damped_body.hpp>
#include <ictus/mechanics/material/material.hpp>
#include <ictus/mechanics/solid/plastic_blocks.hpp>
#include <map>
#include <optional>

namespace ictus::mechanics {

/// `hencky`: elastic or plastic by the logarithm of the stretch.
enum class SolidMaterial { linear, st_venant_kirchhoff, neo_hookean, hencky };

/// Directions in which a node does not move.
struct HeldNode {
  int node;
  std::array<bool, 3> directions;
};

/// A pressure on some faces of the unloaded body: a dead load, which keeps its direction while the body turns.
struct SolidPressure {
  std::vector<geometry::OuterFace> faces;
  double pressure;  ///< Pa, pushing inwards
};

struct SolidProperties {
  SolidMaterial material = SolidMaterial::neo_hookean;
  Lame lame;  ///< Pa
  /// Of `hencky`; none: it never yields.
  std::optional<Plasticity> plasticity = std::nullopt;
  /// Beside the elastic law, whose stiffness is that of slow motion: springs whose stress fades.
  std::vector<MaxwellArm> arms{};
  /// Instead of `material`; `lame` is then that of Material at rest.
  std::shared_ptr<const Material> own = nullptr;
  double density = 0;  ///< kg/m³
  math::Vec3 velocity = math::Vec3::Zero();
  math::Vec3 spin = math::Vec3::Zero();     ///< rad/s about the centre of mass
  math::Vec3 gravity = math::Vec3::Zero();  ///< m/s²
  Rayleigh damping{};
  std::vector<HeldNode> held{};
  std::vector<SolidPressure> pressures{};
  /// Opposite corners of the box along whose longest side probes are; none: the body's own.
  std::optional<std::array<math::Vec3, 2>> extent = std::nullopt;
};

/// The position at `fraction` of the middle line along the longest side of a box.
math::Vec3 position_along(const std::array<math::Vec3, 2>& box, double fraction);

/// An elastic or plastic body of linear tetrahedra and 8-node hexahedra [eq. solids-1]. Dofs: the positions of its
/// nodes in space, x y z of each. Masses are lumped at the nodes.
class Solid final : public DampedBody {
 public:
  /// `mesh` without defects (geometry::defects), where the body is. `history_before`: numbers that bodies before this
  /// one remember.
  Solid(std::string name, const geometry::VolumeMesh& mesh, const SolidProperties& properties, std::size_t first_dof,
        std::size_t history_before = 0);
  ~Solid() override;

  const SolidBlocks& blocks() const { return blocks_; }
  std::size_t node_count() const { return dofs_.size / 3; }
  double total_mass() const;
  /// Whether its material is of a program.
  bool is_own() const { return properties_.own != nullptr; }
  /// Nodes of a set of the mesh, or nothing.
  const std::vector<int>* node_set(const std::string& name) const;
  const std::map<std::string, std::vector<int>>& node_sets() const { return node_sets_; }
  std::span<const geometry::OuterFace> faces() const { return faces_; }
  /// Adds the force of a pressure on a face of the unloaded surface, to each corner by its shape function
  /// [eq. solids-8], to forces on the body's own dofs.
  void add_pressure(const geometry::OuterFace& face, double pressure, std::span<double> force) const;

  const Solid* solid() const override { return this; }
  Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// Displacement and velocity x y z of the node nearest to the position at `fraction` of the middle line along the
  /// longest side of the body's box, or of SolidProperties::extent.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  std::string dof_name(std::size_t dof) const override;
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  /// Of gravity and pressure.
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override;
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override;
  std::size_t history() const override { return history_; }
  void begin_history(std::span<double> q) const override;
  std::vector<model::Loss> material_losses() const override;
  void advance(const exec::Executor& exec, double elapsed, std::span<double> q, double h,
               std::span<double> p) const override;
  Dissipated dissipated(const exec::Executor& exec, std::span<const double> q) const override;
  PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const override;
  PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                  double h) const override;
  PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                   double h) const override;
  double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                      double h) const override;
  void stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const override;
  /// Of the unloaded body; strongly compressed elements have less.
  CriticalStep critical_step() const override { return damped(critical_); }
  double stable_step(const exec::Executor& exec, std::span<const double> q) const override;
  bool linear() const override {
    if (!properties_.arms.empty()) return false;
    return has_matter_ ? matters_.front()->linear() : properties_.material == SolidMaterial::linear;
  }

 private:
  void make_matter();
  void lump_mass();
  void add_loads();
  void hold_nodes();
  CriticalStep find_critical_step() const;
  std::size_t node_at(double fraction) const;
  /// −Σ load·(x + time v).
  double load_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                     double time) const;
  void kick_loads(const exec::Executor& exec, double h, double* momenta) const;
  /// What resists: calls f(blocks, where their history begins) for the material and what relaxes beside it. The body's
  /// own history lies at the end of q with those of all bodies, the last body's first.
  template <class Number, class F>
  void for_each_matter(std::span<Number> q, F&& f) const {
    Number* at = q.data() + q.size() - history_before_ - history_;
    for (const auto& matter : matters_) {
      f(*matter, at);
      at += matter->history();
    }
  }
  MaterialBlocks::Held held(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                            double time) const;
  MaterialBlocks::Fields show(std::span<const double> q) const;
  void show_elastic(std::span<const double> q, MaterialBlocks::Fields& fields) const;
  /// The elastic law of the library, of solids that have no blocks of their own for it; else null.
  const SolidProperties* elastic() const { return has_matter_ ? nullptr : &properties_; }
  [[noreturn]] void report_inverted(std::span<const double> q) const;

  SolidProperties properties_;
  Range dofs_;
  SolidBlocks blocks_;
  /// First that of `hencky`, of one's own and of tetrahedra with nodal volumes, where there is one; then the arms.
  std::vector<std::unique_ptr<const MaterialBlocks>> matters_;
  bool has_matter_ = false;
  std::size_t history_ = 0, history_before_;
  std::vector<geometry::OuterFace> faces_;
  std::vector<double> mass_;
  std::vector<double> inverse_mass_;  ///< 0 where held
  std::vector<double> load_;          ///< gravity and pressure on each dof (N); empty: none
  std::vector<int> fixed_;
  std::vector<std::string> element_names_;
  std::map<std::string, std::vector<int>> node_sets_;
  double stiffening_ = 1;  ///< of a material of one's own over the isotropic law that `lame` is
  CriticalStep critical_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
