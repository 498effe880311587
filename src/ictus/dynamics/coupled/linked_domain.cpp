#include <ictus/dynamics/coupled/linked_domain.hpp>

#include <algorithm>
#include <array>

namespace ictus::dynamics {

using math::Pack;

LinkedDomain::LinkedDomain(ImplicitDomain part, int ratio, std::size_t ties, std::size_t loads)
    : part_(std::move(part)), ratio_(ratio), loads_before_(loads) {
  for (std::vector<double>* values : {&free_before_, &free_after_, &lambda_before_, &felt_before_, &felt_, &owed_,
                                      &owed_next_, &lambda_sum_, &beyond_})
    values->assign(ties, 0.0);
}

void LinkedDomain::recall(std::span<const double> memory) {
  const std::size_t ties = part_.rows().size();
  const std::array<std::vector<double>*, kept> values{&free_before_, &owed_, &owed_next_};
  for (std::size_t i = 0; i < kept; ++i) std::copy_n(memory.begin() + i * ties, ties, values[i]->begin());
}

void LinkedDomain::keep(std::span<double> memory) const {
  const std::size_t ties = part_.rows().size();
  const std::array<const std::vector<double>*, kept> values{&free_before_, &owed_, &owed_next_};
  for (std::size_t i = 0; i < kept; ++i) std::copy_n(values[i]->begin(), ties, memory.begin() + i * ties);
}

void LinkedDomain::start(std::span<const double> lambda, std::span<const double> p) {
  std::fill(owed_.begin(), owed_.end(), 0.0);
  std::fill(owed_next_.begin(), owed_next_.end(), 0.0);
  find_free_rates(lambda, p);
}

/// V − ΔT/2 M̃⁻¹LᵀΛ at the ties, with the operator of the step that begins.
void LinkedDomain::find_free_rates(std::span<const double> lambda, std::span<const double> p) {
  std::fill(free_before_.begin(), free_before_.end(), 0.0);
  part_.rows().add_rates(p, free_before_);
  const auto ties = static_cast<Eigen::Index>(part_.rows().size());
  Eigen::Map<Eigen::VectorXd>(free_before_.data(), ties).noalias() -=
      part_.compliance() * Eigen::Map<const Eigen::VectorXd>(lambda.data(), ties);
}

/// Λ and what is owed at the end of the step under way.
std::span<const double> LinkedDomain::felt(std::span<const double> lambda) {
  const std::size_t ties = part_.rows().size();
  for (std::size_t r = 0; r < ties; ++r) felt_[r] = lambda[r] + owed_[r];
  return std::span(felt_).first(ties);
}

bool LinkedDomain::open(const System& system, std::span<const double> lambda, std::span<const double> loads,
                        std::span<const double> loads_ahead, model::State& state, std::span<const double> acceleration,
                        std::span<double> factored) {
  const std::size_t ties = part_.rows().size();
  for (std::size_t r = 0; r < ties; ++r) {
    lambda_before_[r] = lambda[r];
    felt_before_[r] = lambda[r] + owed_[r];
  }
  std::swap(owed_, owed_next_);
  std::fill(lambda_sum_.begin(), lambda_sum_.end(), 0.0);
  std::copy(loads.begin(), loads.end(), loads_before_.begin());
  const bool is_new = part_.begin(system, loads_ahead, felt(lambda), state, acceleration, factored, free_after_);
  const auto n = static_cast<Eigen::Index>(ties);
  Eigen::Map<Eigen::VectorXd>(free_after_.data(), n).noalias() +=
      part_.compliance() * Eigen::Map<const Eigen::VectorXd>(owed_.data(), n);
  if (!part_.linear()) find_free_rates(lambda, state.p);
  return is_new;
}

void LinkedDomain::add_free_rates(int fine, std::span<double> out) const {
  const double share = static_cast<double>((fine - 1) % ratio_ + 1) / ratio_;
  const Pack late(share), early(1 - share);
  for (std::size_t r = 0; r < part_.rows().size(); r += Pack::lanes)
    (Pack::load(out.data() + r) + early * Pack::load(free_before_.data() + r) +
     late * Pack::load(free_after_.data() + r))
        .store(out.data() + r);
}

void LinkedDomain::take_beyond(const System& system, std::span<const double> lambda, const model::State& state,
                               std::span<double> out) {
  const std::size_t ties = part_.rows().size();
  part_.follow(system, felt(lambda), state, std::span(beyond_).first(ties));
  for (std::size_t r = 0; r < ties; ++r) out[r] -= beyond_[r];
}

ImplicitDomain::StepBalance LinkedDomain::close(const System& system, std::span<const double> lambda,
                                                std::span<const double> loads, model::State& state,
                                                std::span<double> acceleration) {
  const ImplicitDomain::StepBalance balance = part_.finish(
      system, felt(lambda), std::span(felt_before_).first(felt_.size()), loads, loads_before_, state, acceleration);
  std::swap(free_before_, free_after_);
  // Over a single fine step the two are the same numbers.
  for (std::size_t r = 0; r < part_.rows().size(); ++r)
    owed_next_[r] = lambda_sum_[r] / ratio_ - 0.5 * (lambda[r] + lambda_before_[r]);
  return balance;
}

}  // namespace ictus::dynamics
