#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <memory>

namespace ictus::testing {

/// What is wrong with the forces of a body; nothing by default.
struct BodyFault {
  double force = 1;            ///< they are this many times what they should be
  const bool* mute = nullptr;  ///< they are zero while this says so
  double noise = 0;            ///< they change by this fraction from one evaluation to the next
  double taken = 1;            ///< what flow took is told to be this many times that
};

/// A nodal body with its energies, and its forces but for a fault.
class FaultyBody final : public mechanics::NodalBody {
 public:
  FaultyBody(std::unique_ptr<const mechanics::NodalBody> body, const BodyFault& fault)
      : NodalBody(body->name()), body_(std::move(body)), fault_(fault) {}

  void kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const override {
    if (fault_.mute && *fault_.mute) return;
    body_->kick(exec, q, h * (fault_.force + (kicks_++ % 2 == 0 ? fault_.noise : -fault_.noise)), p);
  }

  std::size_t history() const override { return body_->history(); }
  void begin_history(std::span<double> q) const override { body_->begin_history(q); }
  void advance(const exec::Executor& exec, double elapsed, std::span<double> q, double h,
               std::span<double> p) const override {
    if (body_->history() == 0) return kick(exec, q, h, p);
    body_->advance(exec, elapsed, q, h * fault_.force, p);
  }
  mechanics::Dissipated dissipated(const exec::Executor& exec, std::span<const double> q) const override {
    const mechanics::Dissipated own = body_->dissipated(exec, q);
    return {fault_.taken * own.heat, fault_.taken * own.hardening};
  }
  mechanics::Range dofs() const override { return body_->dofs(); }
  const model::Surface& surface() const override { return body_->surface(); }
  const model::Surface& skin() const override { return body_->skin(); }
  void initialise(std::span<double> q, std::span<double> p) const override { body_->initialise(q, p); }
  mechanics::Momentum momentum(std::span<const double> q, std::span<const double> p) const override {
    return body_->momentum(q, p);
  }
  double momentum_scale(std::span<const double> p) const override { return body_->momentum_scale(p); }
  std::span<const std::string_view> probe_quantities() const override { return body_->probe_quantities(); }
  void probe(double fraction, const mechanics::Motion& motion, std::span<double> values) const override {
    body_->probe(fraction, motion, values);
  }
  mechanics::Picture draw(std::span<const double> q, std::span<const double> v) const override {
    return body_->draw(q, v);
  }
  std::span<const double> mass() const override { return body_->mass(); }
  std::span<const int> fixed() const override { return body_->fixed(); }
  mechanics::Momentum support_impulse(int dof, double p, std::span<const double> q) const override {
    return body_->support_impulse(dof, p, q);
  }
  mechanics::Momentum gravity_impulse(std::span<const double> q, double h) const override {
    return body_->gravity_impulse(q, h);
  }
  mechanics::PotentialEnergy potential_energy(const exec::Executor& exec, std::span<const double> q) const override {
    return body_->potential_energy(exec, q);
  }
  mechanics::PotentialEnergy interval_energy(const exec::Executor& exec, std::span<const double> q,
                                             std::span<const double> p, double h) const override {
    return body_->interval_energy(exec, q, p, h);
  }
  mechanics::PotentialEnergy trapezoid_energy(const exec::Executor& exec, std::span<const double> q,
                                              std::span<const double> p, double h) const override {
    return body_->trapezoid_energy(exec, q, p, h);
  }
  double chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                      double h) const override {
    return body_->chord_energy(exec, q, p, h);
  }
  void stiffness(std::span<const double> q, std::vector<mechanics::StiffnessEntry>& entries) const override {
    body_->stiffness(q, entries);
  }
  mechanics::CriticalStep critical_step() const override { return body_->critical_step(); }
  bool linear() const override { return body_->linear(); }
  void apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                     std::span<double> p) const override {
    body_->apply_damping(exec, q, v, h, p);
  }
  mechanics::Rayleigh damping() const override { return body_->damping(); }
  bool turns() const override { return body_->turns(); }
  double fly(const exec::Executor& exec, double h, std::span<double> q, std::span<double> p) const override {
    return body_->fly(exec, h, q, p);
  }

 private:
  std::unique_ptr<const mechanics::NodalBody> body_;
  BodyFault fault_;
  mutable int kicks_ = 0;
};

}  // namespace ictus::testing
