#include <ictus/mechanics/beam/lie_beam.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/beam/lie_beam_output.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>

namespace ictus::mechanics {

using math::to_eigen;

using Layout = LieBeamLayout;
using math::Vec3;
using math::Vector3;
using math::Wrench;

namespace {

class LieBeamSurface final : public model::Surface {
 public:
  LieBeamSurface(const LieBeamModel& model, Range dofs) : model_(model), dofs_(dofs) {}

  std::size_t point_count() const override { return model_.nodes; }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    return to_eigen(Layout::get(q.subspan(dofs_.begin, dofs_.size), point, Layout::position));
  }
  Vec3 furthest(std::size_t point, const Vec3& direction, std::span<const double> q) const override {
    const Vector3<double> against{-direction.x(), -direction.y(), -direction.z()};
    return to_eigen(touching_point(model_, point, against, q.subspan(dofs_.begin, dofs_.size)));
  }
  /// A node looks in every direction.
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return Vec3::Zero(); }
  void pull_back(std::size_t point, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t dof = dofs_.begin + Layout::at(point, Layout::position + c);
      row.push_back({static_cast<int>(dof), factor * n[static_cast<Eigen::Index>(c)]});
    }
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  const LieBeamModel& model_;  // of the beam
  Range dofs_;
};

}  // namespace

LieBeam::LieBeam(std::string name, LieBeamProperties properties, std::size_t first_dof)
    : Body(std::move(name)),
      properties_(std::move(properties)),
      dofs_{first_dof, properties_.model.size()},
      surface_(std::make_unique<LieBeamSurface>(properties_.model, dofs_)) {}

LieBeam::~LieBeam() = default;

void LieBeam::initialise(std::span<double> q, std::span<double> p) const {
  set_shape(model(), properties_.start, properties_.strains, part(q));
  set_velocities(model(), properties_.velocities, part(q), part(p));
}

Momentum LieBeam::momentum(std::span<const double> q, std::span<const double> p) const {
  const Wrench<double> total = momentum_map(model(), part(q), part(p));
  return {to_eigen(total.n), to_eigen(total.m)};
}

double LieBeam::momentum_scale(std::span<const double> p) const {
  double sum = 0.0;
  for (std::size_t a = 0; a < model().nodes; ++a) sum += std::sqrt(norm_sq(Layout::momentum(part(p), a).n));
  return sum;
}

std::span<const std::string_view> LieBeam::probe_quantities() const { return lie_beam_quantities; }

void LieBeam::probe(double fraction, const Motion& motion, std::span<double> values) const {
  probe_lie_beam(model(), fraction, part(motion.q), part(motion.v), values);
}

Picture LieBeam::draw(std::span<const double> q, std::span<const double> v) const {
  return draw_lie_beam(properties_, part(q), part(v));
}

}  // namespace ictus::mechanics
