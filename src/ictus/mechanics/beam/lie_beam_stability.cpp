#include <ictus/mechanics/beam/lie_beam_stability.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace ictus::mechanics {

namespace {

/// Largest ω² of bending with shear in one principal plane, over the wave lengths that the mesh carries.
double bending_frequency_sq(double shear, double bend, double inertia, double mass, double spacing) {
  constexpr int samples = 256;  // ω²(x) is smooth: its maximum is flat, or at an end
  double largest = 0.0;
  for (int i = 0; i <= samples; ++i) {
    const double x = static_cast<double>(i) / samples, per_length = 4.0 / (spacing * spacing);
    const double a = per_length * shear * x / mass;
    const double b = (shear * (1.0 - x) + per_length * bend * x) / inertia;
    const double d_sq = per_length * shear * shear * x * (1.0 - x) / (mass * inertia);
    largest = std::max(largest, 0.5 * (a + b) + std::sqrt(0.25 * (a - b) * (a - b) + d_sq));
  }
  return largest;
}

/// Vibrations of a straight free beam whose nodes carry different lengths, `per_node` unknowns each.
class FreeBeam {
 public:
  /// Modes of the lighter ends die out within a few elements.
  FreeBeam(const LieBeamModel& model, std::size_t per_node)
      : model_(model), nodes_(std::min<std::size_t>(model.nodes, 16)), per_node_(per_node) {
    stiffness_.setZero(static_cast<Eigen::Index>(nodes_ * per_node), static_cast<Eigen::Index>(nodes_ * per_node));
  }

  /// A strain of each element, which a stiffness per length resists: of the unknowns of its left node, then of the
  /// right one.
  FreeBeam& resist(double stiffness, const Eigen::VectorXd& strain) {
    for (std::size_t node = 0; node + 1 < nodes_; ++node) {
      const auto at = static_cast<Eigen::Index>(node * per_node_);
      stiffness_.block(at, at, strain.size(), strain.size()) +=
          model_.spacing * stiffness * strain * strain.transpose();
    }
    return *this;
  }

  /// Largest ω² where the unknowns of a node have these inertias per length.
  double fastest_sq(const Eigen::VectorXd& inertia) const {
    LieBeamModel cut = model_;
    cut.nodes = nodes_;
    Eigen::VectorXd root(stiffness_.rows());
    for (std::size_t node = 0; node < nodes_; ++node)
      root.segment(static_cast<Eigen::Index>(node * per_node_), inertia.size()) =
          (cut.weight(node) * inertia).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = root.asDiagonal() * stiffness_ * root.asDiagonal();
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  }

 private:
  const LieBeamModel& model_;
  std::size_t nodes_, per_node_;
  Eigen::MatrixXd stiffness_;
};

/// Ends that carry less than half an element are faster than the waves inside.
double fastest_at_ends_sq(const LieBeamModel& model) {
  const LieBeamSection& s = model.section;
  const double slope = 1 / model.spacing;
  const auto along = [&](double stiffness, double inertia) {
    return FreeBeam(model, 1)
        .resist(stiffness, Eigen::Vector2d(-slope, slope))
        .fastest_sq(Eigen::VectorXd::Constant(1, inertia));
  };
  const auto across = [&](double shear, double bend, double inertia) {
    return FreeBeam(model, 2)
        .resist(shear, Eigen::Vector4d(-slope, -0.5, slope, -0.5))
        .resist(bend, Eigen::Vector4d(0, -slope, 0, slope))
        .fastest_sq(Eigen::Vector2d(s.mass, inertia));
  };
  return std::max({along(s.stretch.z, s.mass), along(s.bend.z, s.inertia.z), across(s.stretch.y, s.bend.x, s.inertia.x),
                   across(s.stretch.x, s.bend.y, s.inertia.y)});
}

}  // namespace

double lie_beam_critical_step(const LieBeamModel& model) {
  const LieBeamSection& s = model.section;
  const double per_length = 4.0 / (model.spacing * model.spacing);
  // Bending about d₁ shears along d₂, and the other way round.
  double fastest_sq = std::max({per_length * s.stretch.z / s.mass, per_length * s.bend.z / s.inertia.z,
                                bending_frequency_sq(s.stretch.y, s.bend.x, s.inertia.x, s.mass, model.spacing),
                                bending_frequency_sq(s.stretch.x, s.bend.y, s.inertia.y, s.mass, model.spacing)});
  if (model.mesh == LieBeamMesh::slender) fastest_sq = std::max(fastest_sq, fastest_at_ends_sq(model));
  return 2.0 / std::sqrt(fastest_sq);
}

}  // namespace ictus::mechanics
