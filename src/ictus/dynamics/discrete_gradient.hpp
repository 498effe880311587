#pragma once

#include <ictus/contact/shared_unknowns.hpp>
#include <ictus/dynamics/leapfrog.hpp>

namespace ictus::dynamics {

/// Contact through the elastic layers of the surfaces, φ(g) = ½ k min(g, 0)², whose force is a discrete gradient over
/// two steps,
///   λ = −h (φ(g_{n+1}) − φ(g_{n−1}))/(g_{n+1} − g_{n−1})   [eq. exact-contact-5],
/// g_{n±1} = g_n ± h w·M⁻¹p^±. Ē + ½(φ(g_n) + φ(g_{n+1})) is kept to round-off, contact lasts without chatter, and the
/// stiffness of the layer puts no limit on the step. Surfaces must have a layer: bars get massless tips.
class DiscreteGradient final : public Leapfrog {
 public:
  std::string_view name() const override { return "discrete-gradient"; }
  Capabilities capabilities() const override {
    return {.restitution_min = 1,
            .restitution_max = 1,
            .loads = true,
            .moving_supports = true,
            .damping = true,
            .massless_tips = true,
            .stores = {model::Store::layer},
            .losses = {model::Loss::damping, model::Loss::quadrature}};
  }
  /// Throws base::InputError for a pair without a layer.
  void prepare(const System& system) override;
  model::Stored energy(const System& system, double h, const model::State& state) const override;

 private:
  void respond(const Contact& contact, StepReport& report) override;
  bool sweep(const Contact& contact);

  contact::SharedUnknowns shared_;
  std::vector<int> all_;
  std::vector<double> lambda_;
};

}  // namespace ictus::dynamics
