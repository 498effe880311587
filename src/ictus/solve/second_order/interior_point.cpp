#include <ictus/solve/second_order/interior_point.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/solve/linear/gmres.hpp>
#include <ictus/solve/linear/sparse_blocks.hpp>
#include <ictus/solve/linear/sparse_cholesky.hpp>
#include <ictus/solve/second_order/nesterov_todd.hpp>
#include <ictus/solve/sweeps/gauss_seidel.hpp>
#include <vector>

// Notation: S = diag(1, μ₁, μ₂), r = S y, z = S û, A = S W S, E = 1 + e_N gᵀ with g = ∂s/∂z_T, s = √(|z_T|² + δ²);
// N scaling of Nesterov and Todd, λ = N y = N⁻¹ z.

namespace ictus::solve {

namespace {

/// δ relative to (y·z/n)/y_N.
constexpr double rounding = 0.3;
/// How far towards the boundary of the cones, and how near to it a contact may come relative to the mean.
constexpr double to_boundary = 0.99, max_uneven = 1e-3;
/// Steps that may pass without halving the error.
constexpr int interior_patience = 8;
constexpr double gmres_tolerance = 1e-4;
constexpr int gmres_products = 80;

class InteriorPoint {
 public:
  explicit InteriorPoint(const BlockProblem& problem) : problem_(problem), n_(problem.size()) {
    for (auto* values : {&y_, &z_, &u_, &lambda_, &defect_, &quotient_, &dy_, &dz_, &second_}) values->resize(n_);
    slope_.resize(n_);
    scaling_.resize(n_);
    right_.resize(static_cast<Eigen::Index>(3 * n_));
    double normal = 0.0;
    for (std::size_t i = 0; i < n_; ++i) normal += 1.0 / problem.prox(i).step.x;
    const double speed = std::max(problem.free_norm(), 1e-300) / std::sqrt(static_cast<double>(n_));
    for (std::size_t i = 0; i < n_; ++i) {
      y_[i] = {speed * static_cast<double>(n_) / normal, 0.0, 0.0};
      z_[i] = {speed, 0.0, 0.0};
    }
    lay_out();
  }

  void reactions(std::span<double> r) const {
    for (std::size_t i = 0; i < n_; ++i) store(scaled(i, y_[i]), i, r);
  }

  /// One step of predictor and corrector; returns its length, 0 where the equations could not be solved.
  double step() {
    const double gap = linearise();
    if (!factor()) return 0.0;
    const double mean = gap / static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) quotient_[i] = -lambda_[i];  // λ\(−λ∘λ)
    if (!solve()) return 0.0;
    const double most = step_to_boundary();
    double after = 0.0;
    for (std::size_t i = 0; i < n_; ++i) after += math::dot(y_[i] + most * dy_[i], z_[i] + most * dz_[i]);
    const double share = after / gap;
    const double sigma = std::clamp(share * share * share, std::max(1e-6, least_centring()), 0.9);
    const bool second_order = last_ >= 0.3;
    for (std::size_t i = 0; i < n_; ++i) {
      Local target = Local{sigma * mean, 0.0, 0.0} - jordan_product(lambda_[i], lambda_[i]);
      if (second_order) target = target - jordan_product(scaling_[i](dy_[i]), scaling_[i].inverse(dz_[i]));
      quotient_[i] = jordan_quotient(lambda_[i], target);
    }
    if (!solve()) return 0.0;
    last_ = advance();
    return last_;
  }

 private:
  Local scaled(std::size_t i, const Local& x) const {
    const FrictionCone& cone = problem_.cone(i);
    return {x.x, cone.mu1 * x.y, cone.mu2 * x.z};
  }
  double least_centring() const { return last_ < 0.1 ? 0.8 : last_ < 0.3 ? 0.4 : 0.0; }

  /// out = W S x.
  void respond(const std::vector<Local>& x, std::vector<Local>& out) const {
    const BlockProblem::Data& d = problem_.data();
    for (std::size_t i = 0; i < n_; ++i) {
      Local sum{};
      for (int k = d.row_offsets[i]; k < d.row_offsets[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(d.columns[k]);
        sum += d.blocks[k] * scaled(j, x[j]);
      }
      out[i] = sum;
    }
  }

  /// Scalings, slopes g and the defect S û − z of the present y and z; returns y·z.
  double linearise() {
    double gap = 0.0;
    for (std::size_t i = 0; i < n_; ++i) gap += math::dot(y_[i], z_[i]);
    respond(y_, u_);
    for (std::size_t i = 0; i < n_; ++i) {
      scaling_[i] = NesterovTodd(y_[i], z_[i]);
      lambda_[i] = scaling_[i](y_[i]);
      const Local at = scaled(i, u_[i] + problem_.data().q[i]);
      const double delta = rounding * gap / (static_cast<double>(n_) * y_[i].x);
      const double s = std::sqrt(at.y * at.y + at.z * at.z + delta * delta);
      slope_[i] = {0.0, at.y / s, at.z / s};
      defect_[i] = Local{at.x + s, at.y, at.z} - z_[i];
    }
    return gap;
  }

  /// dy and dz of (1 + N⁻¹ E A N⁻¹) x = λ\rc − N⁻¹ (S û − z), dy = N⁻¹ x, dz = N (λ\rc − x).
  bool solve() {
    for (std::size_t i = 0; i < n_; ++i) set(quotient_[i] - scaling_[i].inverse(defect_[i]), i, right_);
    gmres_.solve(
        [this](const Eigen::VectorXd& v, Eigen::VectorXd& w) { multiply(v, w); },
        [this](const Eigen::VectorXd& v, Eigen::VectorXd& w) {
          w.resize(v.size());
          factor_.solve({v.data(), static_cast<std::size_t>(v.size())}, {w.data(), static_cast<std::size_t>(w.size())});
        },
        right_, gmres_tolerance, gmres_products, solution_);
    for (std::size_t i = 0; i < n_; ++i) {
      const Local x = get(i, solution_);
      dy_[i] = scaling_[i].inverse(x);
      dz_[i] = scaling_[i](quotient_[i] - x);
    }
    return solution_.allFinite();
  }

  /// w = (1 + N⁻¹ E A N⁻¹) v.
  void multiply(const Eigen::VectorXd& v, Eigen::VectorXd& w) {
    for (std::size_t i = 0; i < n_; ++i) second_[i] = scaling_[i].inverse(get(i, v));
    respond(second_, u_);
    w.resize(v.size());
    for (std::size_t i = 0; i < n_; ++i) {
      Local at = scaled(i, u_[i]);
      at.x += math::dot(slope_[i], at);
      set(get(i, v) + scaling_[i].inverse(at), i, w);
    }
  }

  /// The pattern of the lower triangle of A, and where its blocks stand in it.
  void lay_out() {
    const BlockProblem::Data& d = problem_.data();
    std::vector<Eigen::Triplet<double>> entries;
    for_each_entry([&](std::size_t, int row, int column, double) { entries.emplace_back(row, column, 1.0); });
    const auto size = static_cast<int>(3 * n_);
    matrix_.resize(size, size);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    matrix_.makeCompressed();
    place_.reserve(entries.size());
    for (const auto& entry : entries) {
      const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col()];
      const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col() + 1];
      place_.push_back(static_cast<int>(std::lower_bound(begin, end, entry.row()) - matrix_.innerIndexPtr()));
    }
    scaled_blocks_.resize(d.blocks.size());
    factor_.analyse(matrix_);
  }

  /// Calls f(block, row, column, value) for the entries of N⁻¹ A N⁻¹ in the lower triangle.
  template <class F>
  void for_each_entry(F&& f) const {
    const BlockProblem::Data& d = problem_.data();
    for (std::size_t i = 0; i < n_; ++i) {
      for (int k = d.row_offsets[i]; k < d.row_offsets[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(d.columns[k]);
        if (j > i) continue;
        const LocalMatrix block = scaled_blocks_.empty() ? LocalMatrix{} : scaled_blocks_[static_cast<std::size_t>(k)];
        const Local* const columns[] = {&block.a, &block.b, &block.c};
        for (int c = 0; c < 3; ++c) {
          const double values[] = {columns[c]->x, columns[c]->y, columns[c]->z};
          for (int row = i == j ? c : 0; row < 3; ++row) {
            f(static_cast<std::size_t>(k), static_cast<int>(3 * i) + row, static_cast<int>(3 * j) + c, values[row]);
          }
        }
      }
    }
  }

  /// Cholesky of 1 + N⁻¹ A N⁻¹, which is a preconditioner only: where A has negative eigenvalues the diagonal is
  /// raised.
  bool factor() {
    const BlockProblem::Data& d = problem_.data();
    for (std::size_t i = 0; i < n_; ++i) {
      for (int k = d.row_offsets[i]; k < d.row_offsets[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(d.columns[k]);
        const auto column = [&](const Local& unit) {
          return scaling_[i].inverse(scaled(i, d.blocks[k] * scaled(j, scaling_[j].inverse(unit))));
        };
        if (j <= i)
          scaled_blocks_[static_cast<std::size_t>(k)] = {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
      }
    }
    double* values = matrix_.valuePtr();
    std::fill_n(values, matrix_.nonZeros(), 0.0);
    std::size_t next = 0;
    for_each_entry([&](std::size_t, int, int, double value) { values[place_[next++]] += value; });
    const auto raise = [&](double by) {
      for (int column = 0; column < matrix_.cols(); ++column) values[matrix_.outerIndexPtr()[column]] += by;
    };
    raise(1.0);
    if (!factor_.factor(matrix_)) return true;
    for (double shift = 1e-3; shift < 1e9; shift *= 10.0) {
      raise(shift);
      if (!factor_.factor(matrix_)) return true;
    }
    return false;
  }

  double step_to_boundary() const {
    double alpha = 1.0;
    for (std::size_t i = 0; i < n_; ++i) {
      alpha = std::min({alpha, step_within_lorentz(y_[i], dy_[i]), step_within_lorentz(z_[i], dz_[i])});
    }
    return alpha;
  }

  /// Whether no contact is much nearer to the boundary than the mean after a step of length α.
  bool even(double alpha) const {
    double gap = 0.0, least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n_; ++i) {
      const Local y = y_[i] + alpha * dy_[i], z = z_[i] + alpha * dz_[i];
      gap += math::dot(y, z);
      const double det_y = lorentz_det(y), det_z = lorentz_det(z);
      if (!(det_y > 0.0 && det_z > 0.0)) return false;
      least = std::min(least, std::sqrt(det_y * det_z));
    }
    return least >= max_uneven * gap / static_cast<double>(n_);
  }

  double advance() {
    double alpha = to_boundary * step_to_boundary();
    while (alpha > 1e-12 && !even(alpha)) alpha *= 0.8;
    if (!(alpha > 1e-12)) return 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      y_[i] += alpha * dy_[i];
      z_[i] += alpha * dz_[i];
    }
    return alpha;
  }

  static Local get(std::size_t i, const Eigen::VectorXd& v) {
    return load({v.data(), static_cast<std::size_t>(v.size())}, i);
  }
  static void set(const Local& x, std::size_t i, Eigen::VectorXd& v) {
    store(x, i, {v.data(), static_cast<std::size_t>(v.size())});
  }

  const BlockProblem& problem_;
  std::size_t n_;
  std::vector<Local> y_, z_, u_, lambda_, defect_, quotient_, dy_, dz_, second_, slope_;
  std::vector<NesterovTodd> scaling_;
  std::vector<LocalMatrix> scaled_blocks_;  // of N⁻¹ A N⁻¹
  std::vector<int> place_;                  // of their entries in the matrix
  SparseMatrix matrix_;                     // lower triangle
  SparseCholesky factor_;
  Gmres gmres_;
  Eigen::VectorXd right_, solution_;
  double last_ = 1.0;  // length of the step before
};

}  // namespace

void solve_by_interior_point(const BlockProblem& problem, const ConeOptions& options, std::span<double> reactions,
                             ConeReport& report) {
  if (problem.size() == 0) {
    report.settled(options);
    return;
  }
  const exec::Executor serial;
  InteriorPoint point(problem);
  std::vector<double> trial(reactions.size());
  double halved = std::numeric_limits<double>::infinity();
  for (int idle = 0; !report.settled(options);) {
    const double length = point.step();
    ++report.iterations;
    point.reactions(trial);
    const double error = contact_error(problem, serial, trial);
    if (!(error >= report.error)) {  // also where the guess was no number
      report.error = error;
      std::copy(trial.begin(), trial.end(), reactions.begin());
    }
    ++idle;
    if (error < 0.5 * halved) {
      halved = error;
      idle = 0;
    }
    if (idle < interior_patience && length > 0.0 && std::isfinite(error)) continue;
    if (!report.settled(options)) report.status = ConeStatus::stalled;
    return;
  }
}

}  // namespace ictus::solve
