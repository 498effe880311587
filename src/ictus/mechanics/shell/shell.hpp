#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <ictus/mechanics/body/damped_body.hpp>
#include <ictus/mechanics/shell/shell_layers.hpp>
#include <optional>

namespace ictus::mechanics {

struct ShellProperties {
  geometry::TriangleMesh mesh;  ///< control mesh as it lies in space, at rest, without defects
  double thickness = 0;         ///< m
  double youngs_modulus = 0;    ///< Pa
  double poissons_ratio = 0;
  double density = 0;  ///< kg/m³
  /// Of a wall whose layers may yield; none: Koiter's elastic wall.
  std::optional<LayerProperties> layers = std::nullopt;
  math::Vec3 velocity = math::Vec3::Zero();     ///< m/s
  math::Vec3 spin = math::Vec3::Zero();         ///< angular velocity (rad/s)
  math::Vec3 spin_centre = math::Vec3::Zero();  ///< the point that moves with `velocity` alone
  math::Vec3 gravity = math::Vec3::Zero();      ///< m/s²
  Rayleigh damping = {};
  std::vector<int> held = {};                                    ///< vertices that do not move
  std::vector<std::pair<int, std::array<bool, 3>>> guided = {};  ///< vertices that do not move along some axes
  std::vector<int> clamped = {};               ///< of the boundary: held, and so is the tangent plane along their edges
  std::vector<SymmetryPlane> symmetries = {};  ///< their vertices stay in the plane
};

/// A thin shell on the limit surface of Loop's subdivision of its mesh, with Koiter's elastic energy [eq. shells-6] or
/// with layers in plane stress that may yield [eq. layers-1].
/// Dofs: the positions of the vertices of the control mesh, vertex i at 3i.
class Shell final : public DampedBody {
 public:
  /// `history_before`: numbers that bodies before this one remember.
  Shell(std::string name, ShellProperties properties, std::size_t first_dof, std::size_t history_before = 0);
  ~Shell() override;

  const ShellProperties& properties() const { return properties_; }
  const ShellTiles& elements() const { return elements_; }
  double total_mass() const { return total_mass_; }

  const Shell* shell() const override { return this; }
  Range dofs() const override { return dofs_; }
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// Position, displacement and velocity of the limit surface: at the vertex nearest to the point that lies at the
  /// fraction of the longest side of the bounding box at rest (x before y before z), in the middle of the others.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  /// The limit surface: displacement, velocity; for each element the mean strain energy per volume, the principal
  /// membrane forces (N/m) and bending moments (N), and von Mises' stress of the outer fibres (Pa), or the largest of
  /// the layers; of these the thickness too, and where they yield plastic strain and work.
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  std::span<const double> mass() const override { return mass_; }
  std::span<const int> fixed() const override { return fixed_; }
  Momentum support_impulse(int dof, double p, std::span<const double> q) const override;
  /// Of gravity, and of what the mirror images beyond planes of symmetry and the clamps push.
  Momentum gravity_impulse(std::span<const double> q, double h) const override;
  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override;
  std::size_t history() const override { return layers_ ? layers_->history() : 0; }
  void begin_history(std::span<double> q) const override;
  void advance(const exec::Executor& exec, double elapsed, std::span<double> q, double h,
               std::span<double> p) const override;
  std::vector<model::Loss> material_losses() const override {
    if (history() == 0) return {};
    return {model::Loss::heat, model::Loss::hardening};
  }
  Dissipated dissipated(const exec::Executor& exec, std::span<const double> q) const override;
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
  /// Found at the first call, and remembered.
  CriticalStep critical_step() const override;
  /// Of layers; the elastic wall has critical_step() [eq. layers-7].
  double stable_step(const exec::Executor& exec, std::span<const double> q) const override;
  std::string free_steps_obstacle() const override;
  std::unique_ptr<exec::ElementSteps> free_steps(const exec::Executor& exec) const override;
  bool linear() const override { return false; }

  /// Where the vertices lie on the limit surface when the control vertices are at x (or move with velocity x: then
  /// without the offsets of mirrors) [eq. shells-3].
  std::vector<math::Vec3> limit(std::span<const double> x, bool is_position) const;
  /// What a force on the limit surface at a vertex is on the control vertices: the transpose of the map above.
  std::vector<double> limit_force(std::size_t vertex, const math::Vec3& force) const;

 private:
  /// By how much the square of the largest frequency may be above what Lanczos' recurrence finds.
  static constexpr double ritz_margin = 0.05;
  struct Critical;  ///< the critical step, once it was asked for

  CriticalStep find_critical_step() const;
  double largest_ritz_value() const;
  std::size_t vertex_count() const { return properties_.mesh.positions.size(); }
  /// Where the body's own history begins in q: those of all bodies lie at its end, the last body's first.
  template <class Number>
  Number* history_of(std::span<Number> q) const {
    return q.data() + q.size() - history_before_ - layers_->history();
  }
  ShellTiles::Measured held(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                            double time) const;
  void kick_gravity(double h, double* own) const;
  [[noreturn]] void report_inverted(std::span<const double> q) const;
  void draw_wall(std::span<const double> q, Picture& picture) const;
  void draw_layers(std::span<const double> q, Picture& picture) const;
  double gravity_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                        double time) const;

  ShellProperties properties_;
  Range dofs_;
  GhostedMesh ghosted_;
  ShellTiles elements_;
  std::unique_ptr<const ShellLayers> layers_;  ///< none: the elastic wall
  std::size_t history_before_;
  double frequency_scale_ = 0;   ///< of layers at rest
  std::vector<int> ring_start_;  ///< of each real vertex into ring_
  std::vector<int> ring_;        ///< neighbours, ghosts included
  std::vector<double> mass_;
  std::vector<double> inverse_mass_;  ///< 0 where held
  double total_mass_ = 0;
  std::vector<int> fixed_;
  std::unique_ptr<const model::Surface> surface_;
  std::unique_ptr<Critical> critical_;
};

}  // namespace ictus::mechanics
