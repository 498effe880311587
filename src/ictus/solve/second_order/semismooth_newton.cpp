#include <ictus/solve/second_order/semismooth_newton.hpp>

#include <algorithm>
#include <ictus/solve/linear/sparse_blocks.hpp>
#include <ictus/solve/linear/sparse_lu.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <vector>

namespace ictus::solve {

namespace {

/// Shift of the diagonal of W, relative to the proximal steps.
constexpr double shift = 1e-7;
constexpr int helping_sweeps = 20;

/// x = r − step∘u.
Local stepped(const ProxStep& prox, const Local& r, const Local& u) {
  return {r.x - prox.step.x * u.x, r.y - prox.step.y * u.y, r.z - prox.step.z * u.z};
}

/// The proximal map p(x): normal max(0, x_N), tangential shrunk to the ellipse.
Local prox_map(const ProxStep& prox, const Local& x) { return prox.shrunk({std::max(0.0, x.x), x.y, x.z}); }

/// A = ∂p/∂x.
LocalMatrix prox_derivative(const ProxStep& prox, const Local& x) {
  if (!(x.x > 0.0)) return {};
  const double a = prox.inverse_mu1 * x.y;
  const double b = prox.inverse_mu2 * x.z;
  const double size = std::sqrt(a * a + b * b);
  const double moves1 = prox.inverse_mu1 > 0.0 ? 1.0 : 0.0;
  const double moves2 = prox.inverse_mu2 > 0.0 ? 1.0 : 0.0;
  if (size <= x.x) return {{1.0, 0.0, 0.0}, {0.0, moves1, 0.0}, {0.0, 0.0, moves2}};
  // p_T = x_N x_T/|s|, s = (x_T1/μ₁, x_T2/μ₂): ∂p_T/∂x_N = x_T/|s|, ∂p_T/∂x_T = x_N/|s| (1 − x_T (D⁻²x_T)ᵀ/|s|²).
  const double shrink = x.x / size;
  const double g1 = prox.inverse_mu1 * a / (size * size);
  const double g2 = prox.inverse_mu2 * b / (size * size);
  return {{1.0, x.y / size, x.z / size},
          {0.0, shrink * (1.0 - x.y * g1), -shrink * x.z * g1},
          {0.0, -shrink * x.y * g2, shrink * (1.0 - x.z * g2)}};
}

class NewtonSystem {
 public:
  explicit NewtonSystem(const BlockProblem& problem)
      : problem_(problem), size_(static_cast<int>(problem.state_size())) {}

  /// |Φ|², Φ = r − p(r − step∘u) weighted by W_NN so that it is a velocity.
  double residual(std::span<const double> r) {
    residual_.resize(size_);
    velocity_.resize(problem_.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const Local here = load(r, i);
      velocity_[i] = problem_.velocity(i, r);
      const Local defect = here - prox_map(problem_.prox(i), stepped(problem_.prox(i), here, velocity_[i]));
      store(defect, i, std::span(residual_.data(), problem_.state_size()));
      sum += math::norm_sq(defect) / (problem_.prox(i).step.x * problem_.prox(i).step.x);
    }
    return sum;
  }

  /// δ with (1 − A + A step W) δ = −Φ at the r of the last residual(); false where the factorisation fails.
  bool step(std::span<const double> r, Eigen::VectorXd& delta) {
    entries_.clear();
    const BlockProblem::Data& d = problem_.data();
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const ProxStep& prox = problem_.prox(i);
      const LocalMatrix a = prox_derivative(prox, stepped(prox, load(r, i), velocity_[i]));
      const LocalMatrix scaled{prox.step.x * a.a, prox.step.y * a.b, prox.step.z * a.c};
      const int row = static_cast<int>(3 * i);
      add(row, row,
          {Local{1.0, 0.0, 0.0} - (1.0 - shift) * a.a, Local{0.0, 1.0, 0.0} - (1.0 - shift) * a.b,
           Local{0.0, 0.0, 1.0} - (1.0 - shift) * a.c});
      for (int k = d.row_offsets[i]; k < d.row_offsets[i + 1]; ++k) {
        const LocalMatrix& w = d.blocks[k];
        add(row, 3 * d.columns[k], {scaled * w.a, scaled * w.b, scaled * w.c});
      }
    }
    SparseMatrix jacobian(size_, size_);
    jacobian.setFromTriplets(entries_.begin(), entries_.end());
    SparseLu factor;
    if (!factor.factor(jacobian)) return false;
    delta.resize(size_);
    factor.solve(std::span(residual_.data(), problem_.state_size()), std::span(delta.data(), problem_.state_size()));
    delta = -delta;
    return delta.allFinite();
  }

 private:
  void add(int row, int column, const LocalMatrix& block) {
    const Local* columns[] = {&block.a, &block.b, &block.c};
    for (int c = 0; c < 3; ++c) {
      const double values[] = {columns[c]->x, columns[c]->y, columns[c]->z};
      for (int k = 0; k < 3; ++k) {
        if (values[k] != 0.0) entries_.emplace_back(row + k, column + c, values[k]);
      }
    }
  }

  const BlockProblem& problem_;
  int size_;
  Eigen::VectorXd residual_;
  std::vector<Local> velocity_;
  std::vector<Eigen::Triplet<double>> entries_;
};

/// Moves r along δ with the first of the lengths 1, ½, ¼ … that lowers the residual.
bool line_search(NewtonSystem& system, const Eigen::VectorXd& delta, double before, std::span<double> r) {
  std::vector<double> trial(r.size());
  for (double length = 1.0; length > 1e-3; length *= 0.5) {
    for (std::size_t i = 0; i < r.size(); ++i) trial[i] = r[i] + length * delta[static_cast<Eigen::Index>(i)];
    if (system.residual(trial) <= (1.0 - 0.1 * length) * before) {
      std::copy(trial.begin(), trial.end(), r.begin());
      return true;
    }
  }
  return false;
}

}  // namespace

void solve_by_newton(const BlockProblem& problem, const ConeOptions& options, std::span<double> reactions,
                     ConeReport& report) {
  const exec::Executor serial;
  NewtonSystem system(problem);
  Eigen::VectorXd delta;
  double partial = 0.0;
  bool help = true;
  while (!report.settled(options)) {
    if (help) {
      for (int k = 0; k < helping_sweeps; ++k) sweep(problem, serial, options.relaxation, reactions, {&partial, 1});
    }
    const double before = system.residual(reactions);
    help = !system.step(reactions, delta) || !line_search(system, delta, before, reactions);
    ++report.iterations;
    if (help) ++report.rejections;
    report.error = contact_error(problem, serial, reactions);
  }
}

}  // namespace ictus::solve
