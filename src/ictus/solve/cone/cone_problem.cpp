#include <ictus/solve/cone/cone_problem.hpp>

#include <fmt/format.h>

#include <cmath>
#include <ictus/base/error.hpp>

namespace ictus::solve {

namespace {

bool is_finite(const LocalMatrix& m) { return is_finite(m.a) && is_finite(m.b) && is_finite(m.c); }

/// At most this many mistakes of one problem are listed: a damaged file has thousands.
constexpr std::size_t max_mistakes = 20;

class Check {
 public:
  void expect(bool holds, std::string key, std::string message) {
    if (!holds && mistakes_.size() < max_mistakes) mistakes_.push_back({"", 0, std::move(key), std::move(message)});
  }
  void throw_if_any() const {
    if (!mistakes_.empty()) throw base::InputError(mistakes_);
  }

 private:
  std::vector<base::Mistake> mistakes_;
};

void check_shape(const BlockProblem::Data& d) {
  Check check;
  const std::size_t n = d.q.size();
  check.expect(d.cones.size() == n, "mu", fmt::format("has {} entries for {} contacts", d.cones.size(), n));
  check.expect(d.columns.size() == d.blocks.size(), "W",
               fmt::format("has {} blocks but {} column numbers", d.blocks.size(), d.columns.size()));
  check.expect(
      d.row_offsets.size() == n + 1, "W",
      fmt::format("has {} row pointers for {} contacts, must have one more than contacts", d.row_offsets.size(), n));
  check.throw_if_any();
  check.expect(d.row_offsets.front() == 0 && d.row_offsets.back() == static_cast<int>(d.columns.size()), "W",
               fmt::format("row pointers run from {} to {}, must run from 0 to {}", d.row_offsets.front(),
                           d.row_offsets.back(), d.columns.size()));
  for (std::size_t i = 0; i < n; ++i) {
    check.expect(d.row_offsets[i] <= d.row_offsets[i + 1], "W", fmt::format("row pointers fall after row {}", i));
  }
  check.throw_if_any();
  for (std::size_t k = 0; k < d.columns.size(); ++k) {
    check.expect(d.columns[k] >= 0 && d.columns[k] < static_cast<int>(n), "W",
                 fmt::format("block {} has column {}, must lie in 0 .. {}", k, d.columns[k], static_cast<int>(n) - 1));
  }
  check.throw_if_any();
}

void check_values(const BlockProblem::Data& d) {
  Check check;
  for (std::size_t k = 0; k < d.blocks.size(); ++k) {
    check.expect(is_finite(d.blocks[k]), "W", fmt::format("block {} is not finite", k));
  }
  for (std::size_t i = 0; i < d.q.size(); ++i) {
    check.expect(is_finite(d.q[i]), "q", fmt::format("is not finite at contact {}", i));
    const auto& [mu1, mu2] = d.cones[i];
    check.expect(std::isfinite(mu1) && std::isfinite(mu2) && mu1 >= 0.0 && mu2 >= 0.0, "mu",
                 fmt::format("is {} at contact {}, must be finite and not negative", std::min(mu1, mu2), i));
  }
  check.throw_if_any();
}

}  // namespace

BlockProblem::BlockProblem(Data data) : data_(std::move(data)) {
  check_shape(data_);
  check_values(data_);
  Check check;
  const std::size_t n = size();
  prox_.resize(n);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    LocalMatrix diagonal{};
    for (int k = data_.row_offsets[i]; k < data_.row_offsets[i + 1]; ++k) {
      if (data_.columns[k] == static_cast<int>(i)) diagonal = diagonal + data_.blocks[k];
    }
    check.expect(
        diagonal.a.x > 0.0, "W",
        fmt::format("W_NN is {} at contact {}, must be positive (does anything move there?)", diagonal.a.x, i));
    prox_[i] = ProxStep(data_.cones[i], diagonal);
    sum += math::norm_sq(data_.q[i]);
  }
  check.throw_if_any();
  free_norm_ = std::sqrt(sum);
  plan_.assign_single(n);
}

}  // namespace ictus::solve
