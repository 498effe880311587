#pragma once

#include <ictus/dynamics/system/heap_figures.hpp>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/energy.hpp>
#include <ictus/model/state.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::dynamics {

/// The largest step that a scheme may take on a system, and what limits it, for people.
struct StepLimit {
  double step = 0;          ///< s; infinity where there is none
  std::string reason;       ///< e.g. "element 12 of left"
  double advised = 0;       ///< s; above it the scheme runs but not well, and the run warns; 0: no such step
  std::string advice = {};  ///< why
  double safe = 1;          ///< the share of the step above that runs may take
  std::string safety = {};  ///< why no more
};

/// What a scheme can do, so that a scene that asks for more is refused instead of being ignored.
/// Which contact of surfaces a scheme knows.
enum class SurfaceContact {
  none,
  stepwise,  ///< of triangulated surfaces, found anew in each step
  followed,  ///< of all skins, those of bars, frames and points among them, which long steps do not carry through each
             ///< other
};

struct Capabilities {
  bool contact = true;
  bool friction = false;
  bool linear_only = false;    ///< bodies must be linear
  double restitution_min = 0;  ///< range of the coefficient of restitution that the scheme can honour
  double restitution_max = 0;
  bool loads = false;            ///< forces that depend on time
  bool forces = false;           ///< forces that depend on the motion
  bool moving_supports = false;  ///< held nodes that follow a motion
  bool damping = false;          ///< bodies that damp their motion
  bool history = false;          ///< materials that remember, as those that yield
  bool ties = false;             ///< nodes of two bodies that move together
  bool joints = false;           ///< joints between bodies
  bool follows = false;          ///< steps that follow the deformation
  bool vanishing = false;        ///< obstacles that are there for a time only
  bool device = false;           ///< steps on a device, see FreeMotion
  bool implicit = false;         ///< linear bodies for which no step is too long, see ImplicitSteps
  SurfaceContact surfaces = SurfaceContact::none;
  bool meetings = false;  ///< takes constraints of points that meet later in a long step [eq. exact-contact-28]: their
                          ///< gap is zero and their row no gradient of a distance
  bool heap = false;      ///< figures of the contacts of many bodies, see Integrator::heap
  bool massless_tips = false;          ///< ends of bars that may touch something must have massless tips
  std::vector<model::Store> stores{};  ///< used besides kinetic, strain and potential
  std::vector<model::Loss> losses{};   ///< that it may book
};

/// Figures that only one scheme has, for the "extra" part of the summary.
using Extras = std::vector<std::pair<std::string, double>>;

/// A time-stepping scheme. Holds options and buffers, nothing that a run must remember: that is in the State, so that a
/// fresh integrator of the same kind continues a copied State to the same bits.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Name in a scene, e.g. "cd-lagrange".
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;
  /// On a system: nothing is lost by joints where there are none, and something to materials that yield.
  Capabilities capabilities(const System& system) const {
    Capabilities can = capabilities();
    if (system.joints().empty() && system.ties().size() == 0) {
      std::erase_if(can.losses, [](model::Loss loss) {
        return loss == model::Loss::joint || loss == model::Loss::joint_damping || loss == model::Loss::motor;
      });
    }
    for (const mechanics::NodalBody* body : system.nodal_bodies()) {
      for (const model::Loss loss : body->material_losses()) {
        if (std::find(can.losses.begin(), can.losses.end(), loss) == can.losses.end()) can.losses.push_back(loss);
      }
    }
    if (follows()) can.losses.push_back(model::Loss::sub_step);
    return can;
  }
  /// Lets steps follow the deformation: each is at most this share of what is stable where bodies have come to, and at
  /// most the h that start and step are given. Before prepare.
  void follow(double share) { followed_share_ = share; }
  bool follows() const { return followed_share_ > 0; }
  /// Whether the scheme knows how to move a body: those with a mass on each dof that do not turn, and those that do
  /// not move.
  virtual bool steps(const mechanics::Body& body) const {
    const auto* nodal = body.nodal();
    return body.dofs().size == 0 || (nodal && !nodal->turns());
  }
  /// Whether its reports tell what the supports of each body gave.
  virtual bool tells_supports() const { return false; }
  /// How many of the scene's time.step one step covers; the limit below is for one of them.
  virtual int stride() const { return 1; }
  virtual StepLimit step_limit(const System& system) const = 0;

  /// Sizes the buffers for a system. Called once before start or, on a resumed run, before the first step.
  virtual void prepare(const System& system) = 0;
  /// Takes System::initial_state() to the form in which this scheme steps (a half kick, say) and lays out
  /// State::memory. The report tells the momentum that the surroundings gave on the way.
  virtual StepReport start(const System& system, double h, model::State& state) = 0;
  /// One step: on entry `state` came from start or step with the same h; on exit time has grown by h, or less where it
  /// follows, step by one,
  /// and q and p are where they were in memory.
  /// Throws base::NumericalFailure, leaving `state` of no further use. Allocates nothing once warm.
  virtual StepReport step(const System& system, double h, model::State& state) = 0;

  /// How many steps it can take at once where nobody looks at what lies between them.
  virtual std::int64_t max_steps() const { return 1; }
  /// So many steps at once, at most max_steps(), as if `step` had been called so often; with one report of all.
  virtual StepReport steps(const System& system, double h, std::int64_t /*count*/, model::State& state) {
    return step(system, h, state);
  }

  /// The discrete energy that the scheme's own theory speaks of, at the state after start or step.
  virtual model::Stored energy(const System& system, double h, const model::State& state) const = 0;
  /// Loss::quadrature since the start, where only the whole motion tells it and no step books any: what a nonlinear
  /// potential changed by beyond the work of the forces that the scheme evaluated. Zero for linear bodies.
  virtual double quadrature(const System&, double, const model::State&) const { return 0; }
  /// Velocities dq/dt at the time of q, for output.
  virtual void velocity(const System& system, double h, const model::State& state, std::span<double> v) const = 0;
  virtual Extras extras(const model::State& state) const = 0;
  /// Of the contacts of the last step, of schemes whose capabilities say so.
  virtual HeapFigures heap(double) const { return {}; }

 protected:
  double followed_share() const { return followed_share_; }

 private:
  double followed_share_ = 0;  // 0: all steps are alike
};

}  // namespace ictus::dynamics
