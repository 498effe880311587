#pragma once

#include <ictus/dynamics/generalised/generalised_contacts.hpp>
#include <ictus/dynamics/system/integrator.hpp>

namespace ictus::dynamics {

/// One generalised body of a System with the laws of its contacts.
struct GeneralisedMember {
  GeneralisedMotion motion;
  std::vector<ContactLaw> laws;  ///< one for each contact of the body
  std::size_t number = 0;        ///< among the generalised bodies
};

/// The generalised bodies of a System in its order. The law of a body's contact i is that of the pair whose first
/// surface is the body's and whose first point is i; a contact without such a pair never closes.
std::vector<GeneralisedMember> generalised_members(const System& system);

/// Whether the body is one of them, or does not move.
bool is_generalised_or_fixed(const mechanics::Body& body);

/// 2/ω of the fastest small vibration about the start, the largest step of a scheme that is explicit in the potential.
StepLimit generalised_step_limit(const System& system);

/// What schemes for generalised bodies keep in State::memory.
/// second_half: for each body what its last interval did after its middle, where energy is reported there: growth of
/// the energy that no work explains, and what damping took (J).
enum GeneralisedSlot : std::size_t { interval_velocity, contact_closed, contact_impulse, second_half };
/// Lays it out: velocities from the momenta, no contact closed yet.
void lay_out_generalised_memory(const System& system, model::State& state);

/// v = q̇ of the momenta of all generalised bodies.
void generalised_velocity(const System& system, const model::State& state, std::span<double> v);
/// The same of one body.
void node_velocity(const mechanics::GeneralisedBody& body, const model::State& state, mechanics::CoordinateVector& v);
/// Adds v·∂T/∂v − T and V of a body.
void add_energy(const mechanics::GeneralisedBody& body, const mechanics::CoordinateVector& q,
                const mechanics::CoordinateVector& v, model::Stored& stored);

/// Notes which contacts of a body carried an impulse, in the report and for the next step.
class GeneralisedRecord {
 public:
  void prepare(std::size_t pairs) {
    impulses_.clear();
    impulses_.reserve(pairs);
  }
  void clear() { impulses_.clear(); }
  std::span<const Impulse> impulses() const { return impulses_; }
  /// `lost` by each closed contact, normal and tangential together.
  void add(const GeneralisedMember& member, const GeneralisedContacts& contacts,
           const GeneralisedContacts::Rows& impulses, std::span<const double> lost, double time, model::State& state,
           StepReport& report);

 private:
  std::vector<Impulse> impulses_;
};

/// The impulses of the last step of the closed contacts, as a guess.
void recall_impulses(const GeneralisedContacts& contacts, const model::State& state,
                     GeneralisedContacts::Rows& impulses);

[[noreturn]] void fail_generalised(std::string what, const mechanics::Body& body, double time, std::string advice);
/// Fails unless q and p are finite.
void require_finite_motion(const mechanics::GeneralisedBody& body, const mechanics::CoordinateVector& q,
                           const mechanics::CoordinateVector& p, double time);

}  // namespace ictus::dynamics
