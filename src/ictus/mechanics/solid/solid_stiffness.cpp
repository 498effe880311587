// Stiffness and critical step of solids.
#include <ictus/mechanics/solid/solid.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/body/largest_eigenvalue.hpp>
#include <ictus/mechanics/solid/solid_element.hpp>

namespace ictus::mechanics {

using namespace solid_element;

namespace {

/// Rows of 3 × 3 blocks, one for each pair of nodes that share an element.
class BlockMatrix {
 public:
  /// Those of `patches`, lists of nodes, too.
  BlockMatrix(const SolidBlocks& blocks, std::size_t nodes, const std::vector<std::vector<int>>& patches)
      : start_(nodes + 1, 0) {
    std::vector<std::vector<int>> rows(nodes);
    for (const auto& patch : patches) {
      for (const int a : patch) {
        auto& row = rows[static_cast<std::size_t>(a)];
        row.insert(row.end(), patch.begin(), patch.end());
      }
    }
    for (std::size_t e = 0; e < blocks.count(); ++e) {
      const ElementShape shape = blocks.shape(e);
      for (int a = 0; a < shape.nodes; ++a) {
        auto& row = rows[static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)]) / 3];
        for (int b = 0; b < shape.nodes; ++b) row.push_back(shape.node[static_cast<std::size_t>(b)] / 3);
      }
    }
    for (std::size_t i = 0; i < nodes; ++i) {
      std::sort(rows[i].begin(), rows[i].end());
      column_.insert(column_.end(), rows[i].begin(), std::unique(rows[i].begin(), rows[i].end()));
      start_[i + 1] = column_.size();
      std::vector<int>().swap(rows[i]);
    }
    value_.resize(9 * column_.size());
  }

  double* block(std::size_t row, int column) {
    const auto begin = column_.begin() + static_cast<std::ptrdiff_t>(start_[row]),
               end = column_.begin() + static_cast<std::ptrdiff_t>(start_[row + 1]);
    return value_.data() + 9 * (std::lower_bound(begin, end, column) - column_.begin());
  }

  void append(int first_dof, std::vector<StiffnessEntry>& entries) const {
    entries.reserve(entries.size() + value_.size());
    for (std::size_t row = 0; row + 1 < start_.size(); ++row) {
      for (std::size_t at = start_[row]; at < start_[row + 1]; ++at) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j)
            entries.push_back({first_dof + 3 * static_cast<int>(row) + i, first_dof + 3 * column_[at] + j,
                               value_[9 * at + static_cast<std::size_t>(3 * i + j)]});
        }
      }
    }
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<int> column_;
  std::vector<double> value_;
};

/// The nodes of the tetrahedra around each node, in order.
std::vector<std::vector<int>> patches_of(const SolidBlocks& blocks, std::size_t nodes) {
  std::vector<std::vector<int>> patches(nodes);
  for (std::size_t e = 0; e < blocks.tetrahedra(); ++e) {
    const ElementShape shape = blocks.shape(e);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b)
        patches[static_cast<std::size_t>(shape.node[a]) / 3].push_back(shape.node[b] / 3);
    }
  }
  for (auto& patch : patches) {
    std::sort(patch.begin(), patch.end());
    patch.erase(std::unique(patch.begin(), patch.end()), patch.end());
  }
  return patches;
}

/// What nodal volumes add to the stiffness: λ/V_a c_a c_aᵀ at each node, c_a what V_a θ̄_a grows by.
class NodalStiffness {
 public:
  NodalStiffness(const SolidBlocks& blocks, std::size_t nodes) {
    if (!blocks.nodal_means()) return;
    patches_ = patches_of(blocks, nodes);
    for (const auto& patch : patches_) growth_.emplace_back(3 * patch.size(), 0.0);
  }
  const std::vector<std::vector<int>>& patches() const { return patches_; }

  /// A quarter of what the volume integral of θ of a tetrahedron grows by.
  void add(const ElementShape& shape, const double* mean) {
    for (std::size_t a = 0; a < 4; ++a) {
      const auto node = static_cast<std::size_t>(shape.node[a]) / 3;
      for (std::size_t b = 0; b < 4; ++b) {
        double* to = growth_[node].data() + 3 * place(patches_[node], shape.node[b] / 3);
        for (std::size_t i = 0; i < 3; ++i) to[i] += mean[3 * b + i] / 4;
      }
    }
  }
  void write(double lambda, std::span<const double> volumes, BlockMatrix& matrix) const {
    for (std::size_t node = 0; node < patches_.size(); ++node) {
      const std::vector<int>& patch = patches_[node];
      const double* c = growth_[node].data();
      for (std::size_t a = 0; a < patch.size(); ++a) {
        for (std::size_t b = 0; b < patch.size(); ++b) {
          double* block = matrix.block(static_cast<std::size_t>(patch[a]), patch[b]);
          for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
              block[3 * i + j] += lambda / volumes[node] * c[3 * a + i] * c[3 * b + j];
          }
        }
      }
    }
  }

 private:
  static std::size_t place(const std::vector<int>& patch, int node) {
    return static_cast<std::size_t>(std::lower_bound(patch.begin(), patch.end(), node) - patch.begin());
  }

  std::vector<std::vector<int>> patches_;
  std::vector<std::vector<double>> growth_;
};

/// ω² of the fastest mode of a tetrahedron with a quarter of its mass at each node, or `known` if that is more. Its
/// stiffness is V BᵀDB with B 6 × 12, and the nonzero eigenvalues are those of V D^½ BBᵀ D^½, where in Mandel's
/// notation D = 2μ I + λ 1 1ᵀ.
double tetrahedron_frequency_sq(const ElementShape& shape, const Lame& lame, double density, double known) {
  const double r = std::sqrt(0.5), shear = std::sqrt(2 * lame.mu);
  const double mean = (std::sqrt(3 * lame.lambda + 2 * lame.mu) - shear) / 3;
  std::array<std::array<double, 6>, 6> product{};
  for (int a = 0; a < 4; ++a) {
    const Vector& g = shape.gradient[0][a];
    double columns[3][6] = {
        {g.x, 0, 0, 0, r * g.z, r * g.y}, {0, g.y, 0, r * g.z, 0, r * g.x}, {0, 0, g.z, r * g.y, r * g.x, 0}};
    for (auto& c : columns) {
      const double trace = c[0] + c[1] + c[2];
      for (int i = 0; i < 6; ++i) c[i] = shear * c[i] + (i < 3 ? mean * trace : 0);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) product[i][j] += c[i] * c[j];
      }
    }
  }
  return largest_eigenvalue(product, known * density / 4) * 4 / density;
}

/// The same of a hexahedron with its share of the mass at each node.
double hexahedron_frequency_sq(const ElementShape& shape, const Lame& lame, double density, const Vector* x,
                               double known) {
  Stiffness k;
  stiffness<LinearLaw>(shape, lame, x, k);
  double root[8];
  for (int a = 0; a < 8; ++a) root[a] = 1 / std::sqrt(density * share_of_volume(shape, a));
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 24; ++j) k[i][j] *= root[i / 3] * root[j / 3];
  }
  return largest_eigenvalue(k, known);
}

}  // namespace

void Solid::stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const {
  NodalStiffness nodal(blocks_, node_count());
  BlockMatrix matrix(blocks_, node_count(), nodal.patches());
  const double* own = q.data() + dofs_.begin;
  with_law(properties_.material, [&]<class Law>(Law) {
    Stiffness k;
    Vector x[8];
    const double* pressures =
        blocks_.nodal_means() ? blocks_.nodal_pressure<Law>(exec::Executor(1), own, properties_.lame) : nullptr;
    for (std::size_t e = 0; e < blocks_.count(); ++e) {
      const ElementShape shape = blocks_.shape(e);
      read_nodes(shape, own, x);
      if (pressures && shape.nodes == 4) {
        double mean[12];
        stiffness_at<Law>(shape, properties_.lame.mu, nodal_mean(shape, pressures), x, k, mean);
        nodal.add(shape, mean);
      } else if (!has_matter_ || !matters_.front()->stiffness(shape, x, k)) {
        solid_element::stiffness<Law>(shape, properties_.lame, x, k);
      }
      for (std::size_t a = 0; a < static_cast<std::size_t>(shape.nodes); ++a) {
        for (std::size_t b = 0; b < static_cast<std::size_t>(shape.nodes); ++b) {
          double* block = matrix.block(static_cast<std::size_t>(shape.node[a]) / 3, shape.node[b] / 3);
          for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) block[3 * i + j] += k[3 * a + i][3 * b + j];
          }
        }
      }
    }
  });
  if (blocks_.nodal_means()) nodal.write(properties_.lame.lambda, blocks_.nodal_means()->volumes(), matrix);
  matrix.append(static_cast<int>(dofs_.begin), entries);
}

/// No frequency of the mesh is above that of its elements with their own shares of the mass [eq. solids-6]. Volumes
/// that are kept around nodes resist less than those of the elements by themselves, and bounds of the law may say more.
CriticalStep Solid::find_critical_step() const {
  Lame fast = properties_.lame;  // arms resist fast motion
  for (const MaxwellArm& arm : properties_.arms) {
    fast.mu += arm.mu;
    fast.lambda -= 2.0 / 3 * arm.mu;
  }
  double highest = 0;
  std::size_t limiting = 0;
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    Vector x[8];
    read_nodes(shape, blocks_.reference().data(), x);
    const double omega_sq = shape.nodes == 4 ? tetrahedron_frequency_sq(shape, fast, properties_.density, highest)
                                             : hexahedron_frequency_sq(shape, fast, properties_.density, x, highest);
    if (omega_sq > highest) highest = omega_sq, limiting = e;
  }
  if (has_matter_ && properties_.arms.empty() && blocks_.nodal_means()) {
    const MaterialBlocks& matter = *matters_.front();
    std::vector<double> history(matter.history());
    matter.begin(history.data());
    const auto bound = matter.frequency_sq_bound(exec::Executor(1), blocks_.reference().data(), history.data());
    if (bound) highest = std::min(highest, *bound);
  }
  return {2 / std::sqrt(stiffening_ * highest), blocks_.number(limiting)};
}

}  // namespace ictus::mechanics
