#include <ictus/mechanics/obstacle/moved_plane.hpp>

#include <array>
#include <ictus/mechanics/body/frame_momentum.hpp>
#include <ictus/mechanics/obstacle/plane_surface.hpp>

namespace ictus::mechanics {

namespace {

constexpr std::array<std::string_view, 6> plane_quantities{"displacement_x", "displacement_y", "displacement_z",
                                                           "velocity_x",     "velocity_y",     "velocity_z"};

}  // namespace

MovedPlane::MovedPlane(std::string name, const model::Plane& plane, std::size_t first_dof)
    : Held(std::move(name), {first_dof, model::RigidFrame::dofs}),
      plane_(plane),
      surface_(std::make_unique<PlaneSurface>(plane, static_cast<int>(first_dof))) {}

MovedPlane::~MovedPlane() = default;

void MovedPlane::initialise(std::span<double> q, std::span<double> p) const {
  const std::size_t first = dofs().begin;
  const std::array<double, model::RigidFrame::dofs> at{
      plane_.point.x(), plane_.point.y(), plane_.point.z(), 1, 0, 0, 0};
  std::copy(at.begin(), at.end(), q.begin() + static_cast<std::ptrdiff_t>(first));
  std::fill_n(p.begin() + static_cast<std::ptrdiff_t>(first), at.size(), 0.0);
}

std::span<const std::string_view> MovedPlane::probe_quantities() const { return plane_quantities; }

void MovedPlane::probe(double, const Motion& motion, std::span<double> values) const {
  const std::size_t first = dofs().begin;
  for (std::size_t c = 0; c < 3; ++c) {
    values[c] = motion.q[first + c] - plane_.point[static_cast<math::Vec3::Index>(c)];
    values[3 + c] = motion.v[first + c];
  }
}

Picture MovedPlane::draw(std::span<const double> q, std::span<const double>) const {
  return picture_of(model::plane_at(*surface_, q));
}

Momentum MovedPlane::support_impulse(int dof, double p, std::span<const double> q) const {
  return frame_momentum(q, dofs().begin, static_cast<std::size_t>(dof) - dofs().begin, p);
}

}  // namespace ictus::mechanics
