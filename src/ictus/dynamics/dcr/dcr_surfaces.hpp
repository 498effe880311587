#pragma once

#include <ictus/contact/detect/penetration_detector.hpp>
#include <ictus/dynamics/booking/contact_record.hpp>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/state.hpp>
#include <vector>

namespace ictus::dynamics {

/// Decomposition contact response (cirak-2005) of triangulated surfaces and planes, on the predictor: pairs that
/// penetrate, one after the other at the configuration to which the ones before have led, are put where they touch,
///   x_k += (−d/W) w_k n/m_k,   W = Σ w_k²/m_k,
/// each side by its inverse mass, 1/m_k of each direction, 0 of those that supports hold, and get the impulse
///   J = −(1+e) v_n/W along n,   |J_t| = min(|v_t|/W, μ J) against the slip v_t
/// if they approach, v_n < 0, v_r = Σ w_k v_k. The four nodes' momentum before is split into what reverses, what
/// slides, the rigid motion and the change of shape (§7 of the paper) for the record.
class DcrSurfaces {
 public:
  void prepare(const System& system);
  bool any() const { return any_; }

  /// Projects state.q and reflects state.p; `before` is the configuration of the step before. Counts closings of pairs,
  /// whose memory `closed` is.
  void respond(const System& system, std::span<const double> before, model::State& state, std::vector<double>& closed,
               ContactRecord& record, StepReport& report);

 private:
  using Penetration = contact::Penetration;

  void find_on_planes(const System& system, std::span<const double> q);
  /// The first `count` vertices are those that take part.
  void respond_to(const System& system, const Penetration& penetration, std::size_t count, int pair,
                  model::State& state, ContactRecord& record, StepReport& report);
  bool second_is_positive(int pair, const Penetration& penetration) const;

  bool any_ = false;
  contact::PenetrationDetector detector_;
  struct OnPlane {
    int pair;
    int vertex;
  };
  std::vector<OnPlane> on_planes_;
  std::vector<char> penetrates_;  // by pair
};

}  // namespace ictus::dynamics
