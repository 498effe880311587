#pragma once

#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/contact/scheme/lasting_contacts.hpp>
#include <ictus/contact/scheme/sweep_response.hpp>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/booking/pair_closings.hpp>
#include <ictus/dynamics/explicit/free_motion.hpp>
#include <ictus/dynamics/explicit/implicit_steps.hpp>
#include <ictus/dynamics/explicit/shadow_energy.hpp>
#include <ictus/dynamics/joint/joints.hpp>
#include <ictus/dynamics/support/driven_contacts.hpp>
#include <ictus/dynamics/support/moving_supports.hpp>
#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/model/constraint_set.hpp>
#include <vector>

namespace ictus::dynamics {

/// Leapfrog with contact at the grid times [eq. bars-3]:
///   q_n = q_{n−1} + h M⁻¹p⁻,   p⁺ = p⁻ + h (f(q_n) + F(t_n)) + d + Σ w_i λ_i,   p^∓ = p_{n∓1/2},
/// f the forces of the bodies, F the loads in time, d = −h (½ α (p⁻ + p⁺) + β K M⁻¹p⁻) the impulse of damping
/// [eq. newmark-8]; p* is p⁺ without contact.
/// The state after a step is (q_n, p⁺). A scheme is what it makes of the impulses λ. The discrete energy
///   Ē = ½ p⁺·M⁻¹p⁺ + V(q_n, q_{n+1})
/// changes by exactly ½ λ w·M⁻¹(p⁺ + p⁻) in contact [eq. bars-5], by ½ h F·M⁻¹(p⁺ + p⁻) under load, which is booked as
/// external work, by ½ d·M⁻¹(p⁺ + p⁻), which is booked as damping, and by the work of supports that move, against
/// bodies and against contact; besides, not at all on linear bodies. On nonlinear ones the energy is the shadow energy,
/// and what its potential part changes by beyond the work of the forces,
///   Σ_n ½ h f(q_n)·M⁻¹(p⁺ + p⁻)   [eq. exact-contact-21],
/// is known as quadrature, with what the flight of beams changes their kinetic energy by [eq. mixed-6] and less what
/// plastic flow took [eq. plasticity-8]: contact has no part in it.
///
/// Where steps follow the deformation, h_n is chosen from q_n and what materials remember, and
///   q_{n+1} = q_n + h_n M⁻¹p⁺,   p⁺ = p⁻ + ½(h_{n−1} + h_n)(f + F) + …;
/// what that changes Ē by, ¼(h_n − h_{n−1}) f·M⁻¹(p⁺ − p⁻), is booked as sub-step [eq. plasticity-14].
class Leapfrog : public Integrator {
 public:
  /// Bodies that turn, too.
  bool steps(const mechanics::Body& body) const override { return Integrator::steps(body) || body.nodal(); }
  bool tells_supports() const override { return true; }
  StepLimit step_limit(const System& system) const override;
  void prepare(const System& system) override;
  StepReport start(const System& system, double h, model::State& state) override;
  StepReport step(const System& system, double h, model::State& state) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;
  double quadrature(const System& system, double h, const model::State& state) const override;
  void velocity(const System& system, double h, const model::State& state, std::span<double> v) const override;
  Extras extras(const model::State& state) const override;

  /// Whether the scheme must see contacts of surfaces that were closed before the last step and are open after it.
  virtual bool looks_back() const { return false; }
  /// Whether the scheme must see contacts of surfaces in sight that no step can close.
  virtual bool sees_parting() const { return false; }

  /// Arrays that the leapfrog itself keeps in State::memory; what a scheme adds comes after them.
  static constexpr std::size_t memory_arrays = 9;

 protected:
  /// What a response may use: the constraints at q_n, p⁻ and p* where they act (other entries of `before` and `kicked`
  /// are stale), and the state, whose p is p* on entry and must be p⁺ on exit. Momenta of driven dofs are armed,
  /// see DrivenContacts, those of implicit bodies the coordinates of ImplicitSteps, and all are (1 + ½ h α) times
  /// themselves where masses are damped [eq. newmark-13]: they go with `inverse_mass` and the rows of `constraints`.
  struct Contact {
    const System& system;
    std::span<const double> inverse_mass;
    double h;                                 ///< of the interval that begins
    double kick;                              ///< how long forces acted
    const model::ConstraintSet& constraints;  ///< with rows that fit joints and implicit bodies
    const model::ConstraintSet& jointed;      ///< the same with rows that fit joints, along dofs
    const model::ConstraintSet& geometry;     ///< the same as they are
    contact::NodeMomenta moving;              ///< p* of dofs, which goes with the rows of `geometry`
    const contact::Skins& skins;
    std::span<const double> approach;  ///< gap of each pair of surfaces that the step could close (m)
    std::span<const double> sight;     ///< gap of each pair of surfaces up to which it is in sight (m)
    std::span<const double> before;
    std::span<const double> kicked;  ///< only where there are constraints
    double outside;                  ///< work of loads, supports and damping before this step (J)
    model::State& state;

    const contact::ContactPair& pair(std::size_t i) const {
      return system.pairs()[static_cast<std::size_t>(constraints.contact(i).pair)];
    }
    /// w_i·M⁻¹p⁻, w_i·M⁻¹p* and w_i·M⁻¹p of the present p.
    double rate_before(std::size_t i) const { return model::rate(constraints.row(i), inverse_mass, before); }
    double rate_kicked(std::size_t i) const { return model::rate(constraints.row(i), inverse_mass, kicked); }
    double rate_now(std::size_t i) const { return model::rate(constraints.row(i), inverse_mass, state.p); }
    /// By how much the gap of a constraint changes faster than its row tells, because joints that turn have velocities
    /// of their own, at momenta with which they close; and the same of its slip.
    double turning_rate(std::size_t i) const { return turning(geometry.row(i), jointed.row(i)); }
    double turning_slip(std::size_t i, std::size_t k) const {
      return &jointed == &geometry ? 0 : turning(geometry.tangent(i, k), jointed.tangent(i, k));
    }
    double turning(std::span<const model::RowEntry> as_it_is, std::span<const model::RowEntry> that_fits) const {
      return &jointed == &geometry ? 0
                                   : model::rate(as_it_is, moving.inverse_mass, moving.p) -
                                         model::rate(that_fits, moving.inverse_mass, moving.p);
    }
    /// −½ p·M⁻¹(p⁺ + p⁻): what an impulse along a row takes from the discrete energy, p⁺ being the present p.
    double energy_loss(std::span<const model::RowEntry> row, double impulse) const {
      return impulse == 0
                 ? 0
                 : 0.5 * impulse *
                       (0.0 - model::rate(row, inverse_mass, state.p) - model::rate(row, inverse_mass, before));
    }
    /// What both parts of a constraint's impulse take.
    struct Taken {
      double normal = 0, friction = 0;
    };
    Taken taken_by(std::size_t i, const ContactRecord::Push& push) const;
    /// What its tangential part takes.
    double friction_loss(std::size_t i, const ContactRecord::Push& push) const { return taken_by(i, push).friction; }
    /// Whether the pair is so near that what it is owed may be given back; pairs of points always are.
    bool in_sight(std::size_t i) const {
      return constraints.onset(i) == model::ConstraintSet::Onset::closed ||
             constraints.gap(i) <= sight[static_cast<std::size_t>(constraints.contact(i).pair)];
    }
    /// Whether the step could close the gap, or it is closed.
    bool in_reach(std::size_t i) const {
      const double gap = constraints.gap(i);
      return constraints.onset(i) == model::ConstraintSet::Onset::closed
                 ? gap <= pair(i).slack
                 : gap <= approach[static_cast<std::size_t>(constraints.contact(i).pair)];
    }
  };

  /// The scheme: adds its impulses Σ w_i λ_i to state.p, and books each with `record`.
  virtual void respond(const Contact& contact, StepReport& report) = 0;

  /// Surfaces that would pass through each other in spite of all impulses were kept apart by changes `push` of the
  /// momenta, which took `taken` from the discrete energy (J). Books it as lost to a fallback.
  virtual void keep_account(const Contact& contact, std::span<const model::RowEntry> push, double energy,
                            StepReport& report);

  /// Sweeps over the constraints that take part, beginning at p*. What they leave unsettled is accepted, and counted.
  static void sweep(const Contact& contact, std::span<const int> taking_part, std::span<const contact::ImpactLaw> laws,
                    contact::SweepResponse& response, StepReport& report);
  /// Books the impulse of constraint i, with the energy `lost` by its normal part under `name`, and by its tangential
  /// part to friction.
  void record(const Contact& contact, std::size_t i, const ContactRecord::Push& push, model::Loss name, double lost,
              double lost_to_friction, StepReport& report);
  /// The energy of the leapfrog in free motion less the work of loads, supports and damping since the start, with what
  /// plastic flow took and the present p as p⁺ (J).
  double evaluate(const Contact& contact);
  /// What supports that follow a motion work by against an impulse along a row, before it is booked.
  double driven_work(std::span<const model::RowEntry> row, double impulse) const {
    return driven_.work_of(row, impulse);
  }
  /// Steps of bodies with nothing around them, many at once.
  StepReport run_free(FreeMotion& free, const System& system, double h, std::int64_t count, model::State& state);
  /// The energy of the leapfrog in free motion. Evaluating it changes buffers only.
  ShadowEnergy& shadow() const { return shadow_; }

 private:
  /// Slots of State::memory: which pairs were closed, and the momenta that contact gave in the last step and to which
  /// dofs, from which the velocity at t_n follows; for nonlinear bodies the work of the forces so far, the
  /// potential part of the energy at the start and the kinetic energy that flights gave, and the work of loads,
  /// supports and damping so far; the impulse of damping; the forces on driven dofs; forces of one's own; what joints
  /// remember; of steps that follow, the length of the interval that begins, the smallest so far and how often it
  /// changed.
  enum Slot : std::size_t { closed, touched, pushed, account, damped, reaction, own, joints, interval, slots };
  enum Figure : std::size_t { work_of_forces, potential_at_start, gained_in_flight, outside, stepped, figures };
  enum IntervalFigure : std::size_t { length, smallest, changes, interval_figures };
  static_assert(slots == memory_arrays);

  /// h of the interval that begins at a state, of at most h.
  double interval_of(double h, const model::State& state) const {
    return follows() ? state.memory[interval].values[length] : h;
  }
  double stable_share(const System& system, std::span<const double> q) const;
  double choose_interval(const System& system, double h, model::State& state) const;
  bool contact_may_act() const { return constraints_.size() > 0 || surfaces_.any(); }
  void keep(const System& system, std::vector<double>& buffer, std::span<const double> p) const;
  static void keep_all(const System& system, std::vector<double>& buffer, std::span<const double> p);
  /// The potential part of the discrete energy but for that of implicit bodies (J).
  double potential_energy(const System& system, double h, const model::State& state) const;
  /// Opens the contact problem at p*, lets the scheme respond, closes it and keeps surfaces apart. Supports of implicit
  /// bodies take what momenta change by since `held_from`.
  void meet(const System& system, double h, double kick, std::span<const double> inverse_mass, std::span<double> before,
            std::span<const double> held_from, double work_before, model::State& state, StepReport& report);
  void keep_apart(const Contact& contact, StepReport& report);
  double implicit_gain(const Contact& contact);
  void weigh(const System& system, double h, std::span<const double> from, model::State& state, StepReport& report);
  void meet_at_start(const System& system, double h, model::State& state, StepReport& report);
  void remember_push(const System& system, double h, model::State& state);
  double work_of_supports(double h, model::State& state);
  void damp_supports(const System& system, std::span<const double> q, std::span<const double> d, double factor);
  void start_damping(const System& system, double h, model::State& state, StepReport& report);
  void damp(const System& system, double h, model::State& state, StepReport& report);
  void settle_damping(const System& system, double h, model::State& state, StepReport& report);
  void evaluate_forces(const System& system, model::State& state);
  /// Power of loads and forces of one's own with momenta p (W).
  double outside_power(const System& system, const model::State& state, std::span<const double> p) const;
  double damping_work(const System& system, std::span<const double> d, std::span<const double> p) const;
  /// Whether some masses are damped, which slows what impulses do to them.
  bool slows() const { return !slowed_.empty(); }
  /// How long forces acted, and by how much longer the interval after is than the one before.
  struct Kick {
    double time, growth;
  };
  void count_work(const System& system, const Kick& kick, model::State& state, StepReport& report) const;
  void rest_on_contacts(const System& system, double h, model::State& state, StepReport& report);
  void close_joints(const Joints::Node& node, StepReport& report, Joints::Books books = Joints::Books::all);
  void join_at_start(const System& system, double h, std::span<const double> unforced, model::State& state,
                     StepReport& report);

  model::ConstraintSet constraints_;
  contact::SurfaceDetector surfaces_;
  mutable ShadowEnergy shadow_;
  bool keeps_all_ = false;                       // p⁻ and p* of every dof, not only of those that contact touches
  std::vector<double> before_;                   // p⁻
  std::vector<double> kicked_;                   // p*
  std::vector<double> forced_;                   // p⁻ + h f, where loads or damping act besides and it is asked for
  std::span<const model::RowEntry> kept_apart_;  // changes of momenta by which surfaces were kept apart in this step
  std::vector<double> velocity_;                 // M⁻¹p⁻ of damped systems
  std::vector<double> force_velocity_;           // M⁻¹p⁻ as forces of one's own see it; empty: there are none
  std::vector<double> slowed_;                   // 1/((1 + ½ h α) m) as contact sees it, where masses are damped
  double slowed_for_ = 0;                        // h of these
  std::vector<double> before_slowed_;            // (1 + ½ h α) p⁻
  std::vector<double> unslowed_;                 // p⁺ on the way
  std::vector<double> load_values_;
  double support_work_ = 0, power_before_ = 0;  // of the present step
  MovingSupports supports_;
  std::vector<mechanics::Momentum> support_impulse_;  // of each nodal body, in this step
  DrivenContacts driven_;
  mutable ImplicitSteps implicit_;  // whose factor is kept from step to step
  Joints joints_;
  ContactRecord record_;
  std::vector<std::size_t> pushing_;  // constraints with an impulse in this step
  PairClosings closings_;
};

}  // namespace ictus::dynamics
