#pragma once

#include <array>
#include <ictus/exec/executor.hpp>
#include <span>
#include <vector>

// Notation: z state before a sweep, g = G(z) after it, f = g − z (reactions only), m steps remembered.

namespace ictus::solve {

/// Anderson mixing of the fixed-point map z → G(z) [eq. contact-solvers-9]: the next state is g − Σ γⱼ Δgⱼ with γ that
/// minimises |f − Σ γⱼ Δfⱼ|. The residual f is taken on the first `measured` entries only, the rest follows linearly.
/// Steps are remembered in single precision, which halves what a mix has to read: they only say where to look next.
/// Sums run in blocks of fixed size: same bits on any number of threads.
class AndersonMixer {
 public:
  static constexpr int max_depth = 16;

  /// Forgets everything; allocates where the sizes have grown.
  void reset(std::size_t state_size, std::size_t measured, int depth);
  /// Forgets the steps, keeps the sizes.
  void forget() {
    stored_ = next_ = 0;
    has_previous_ = false;
  }

  /// Notes z before a sweep.
  void begin(const exec::Executor& executor, std::span<const double> state);
  /// Replaces the state g after the sweep by the mixed one.
  void mix(const exec::Executor& executor, std::span<double> state);
  /// Takes the last mix() back: the state becomes the g it started from.
  void restore(const exec::Executor& executor, std::span<double> state) const;

 private:
  void remember(const exec::Executor& executor, std::span<const double> state);
  void solve_weights();

  std::size_t size_ = 0, measured_ = 0;
  int depth_ = 0, stored_ = 0, next_ = 0;
  bool has_previous_ = false;
  std::vector<double> start_;              // z
  std::vector<double> previous_residual_;  // f of the step before
  std::vector<double> previous_image_;     // g of the step before
  std::vector<float> residual_steps_;      // Δf, depth rows
  std::vector<float> image_steps_;         // Δg, depth rows
  std::vector<double> partial_;
  std::array<double, max_depth * max_depth> gram_{};
  std::array<double, max_depth> projection_{};  // Δf·f
  std::array<double, max_depth> weight_{};      // γ
};

}  // namespace ictus::solve
