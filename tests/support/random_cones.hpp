#pragma once

#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/small_cone.hpp>
#include <random>
#include <vector>

namespace ictus::solve {

/// Random contact problems W = GGᵀ, q = G v with G of 3n × rank normal numbers: like contacts on a body of `rank`
/// degrees of freedom, so a solution exists for any friction (v = 0 obeys every constraint).
class RandomCones {
 public:
  explicit RandomCones(unsigned seed) : random_(seed) {}

  BlockProblem block_problem(int contacts, int rank, const FrictionCone& cone) {
    const std::vector<double> g = normals(3 * contacts * rank);
    const std::vector<double> v = normals(rank);
    const auto row = [&](int i) { return &g[static_cast<std::size_t>(i * rank)]; };
    const auto product = [&](const double* a, const double* b) {
      double sum = 0.0;
      for (int k = 0; k < rank; ++k) sum += a[k] * b[k];
      return sum;
    };
    BlockProblem::Data data;
    data.row_offsets.push_back(0);
    for (int i = 0; i < contacts; ++i) {
      for (int j = 0; j < contacts; ++j) {
        const auto column = [&](int c) {
          return Local{product(row(3 * i), row(3 * j + c)), product(row(3 * i + 1), row(3 * j + c)),
                       product(row(3 * i + 2), row(3 * j + c))};
        };
        data.columns.push_back(j);
        data.blocks.push_back({column(0), column(1), column(2)});
      }
      data.row_offsets.push_back(static_cast<int>(data.columns.size()));
      data.q.push_back(
          {product(row(3 * i), v.data()), product(row(3 * i + 1), v.data()), product(row(3 * i + 2), v.data())});
      data.cones.push_back(cone);
    }
    return BlockProblem(std::move(data));
  }

  std::vector<double> normals(int count) {
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = normal(random_);
    return values;
  }

 private:
  std::mt19937 random_;
};

}  // namespace ictus::solve
