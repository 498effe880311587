#include <ictus/mechanics/frame/frame_section.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/mechanics/frame/beam_frame_layout.hpp>

namespace ictus::mechanics {

using math::Vec3;

namespace {

constexpr std::array<std::string_view, 5> grillage_section{"displacement", "velocity", "shear_force", "bending_moment",
                                                           "torque"};
constexpr std::array<std::string_view, 12> space_section{
    "displacement_x", "displacement_y", "displacement_z", "velocity_x", "velocity_y", "velocity_z",
    "axial_force",    "shear_y",        "shear_z",        "torque",     "moment_y",   "moment_z"};

/// One element between two nodes: its deformations, and the forces that belong to them.
template <class Element>
struct Deformed {
  typename Element::Block e, n;

  Deformed(const Element& element, std::size_t nodes, std::size_t a, std::size_t b, const double* u) {
    element.deform({u, nodes}, a, b, 0, e);
    n = e;
    element.resist(0, n);
  }
};

/// What the turns e₀, e₁ of the ends against the chord add to its deflection, over h: a cubic, whose slopes are the
/// turns and the angle of shear, γ = −½ Φ (e₀ + e₁)/(1 + Φ).
double bulge(const BendingStiffness& bending, double e0, double e1, double at) {
  const double softening = 3 * (bending.same - bending.other) / (bending.same + bending.other) - 1;
  const double shear = -0.5 * softening * (e0 + e1) / (1 + softening);
  return at * (1 - at) * ((e0 + shear) * (1 - at) - (e1 + shear) * at);
}

/// EI w″ and the shear force that the part towards the end puts on the part towards the start.
struct Bending {
  double moment, shear;

  Bending(double m0, double m1, double length, double at)
      : moment((1 - at) * -m0 + at * m1), shear(0.0 - (m0 + m1) / length) {}
};

}  // namespace

FrameSection::FrameSection(const BeamFrame& frame, std::size_t member, double along) : frame_(frame), member_(member) {
  const std::size_t last = frame.properties().members[member].elements - 1;
  element_ = std::min(static_cast<std::size_t>(std::max(along, 0.0)), last);
  fraction_ = std::clamp(along - static_cast<double>(element_), 0.0, 1.0);
}

std::span<const std::string_view> FrameSection::quantities() const {
  if (frame_.properties().kind == FrameKind::grillage) return grillage_section;
  return space_section;
}

void FrameSection::read(const Motion& motion, std::span<double> values) const {
  const FrameProperties& properties = frame_.properties();
  const FrameMember& member = properties.members[member_];
  const std::size_t n = frame_.nodes().size(), a = frame_.node_of(member_, element_),
                    b = frame_.node_of(member_, element_ + 1);
  const double *u = motion.q.data() + frame_.dofs().begin, *v = motion.v.data() + frame_.dofs().begin;
  const double h = element_length(properties, member), at = fraction_;
  if (properties.kind == FrameKind::grillage) {
    const GrillageElement element = grillage_element(properties, member);
    const auto moved = [&](const double* x) {
      const Deformed<GrillageElement> d(element, n, a, b, x);
      return (1 - at) * x[a] + at * x[b] + h * bulge(element.bending, d.e[0][0], d.e[1][0], at);
    };
    const Deformed<GrillageElement> d(element, n, a, b, u);
    const Bending bending(d.n[0][0], d.n[1][0], h, at);
    const std::array read{moved(u), moved(v), bending.shear, bending.moment, d.n[2][0]};
    std::copy(read.begin(), read.end(), values.begin());
    return;
  }
  const SpaceElement element = space_element(properties, member);
  const auto moved = [&](const double* x) {
    const Deformed<SpaceElement> d(element, n, a, b, x);
    const Vec3 first(x[a], x[n + a], x[2 * n + a]), second(x[b], x[n + b], x[2 * n + b]);
    const Vec3 local(0, h * bulge(element.bending_xy, d.e[3][0], d.e[4][0], at),
                     h * bulge(element.bending_xz, d.e[1][0], d.e[2][0], at));
    return Vec3((1 - at) * first + at * second + element.axes.transpose() * local);
  };
  Vec3::Map(&values[0]) = moved(u);
  Vec3::Map(&values[3]) = moved(v);
  const Deformed<SpaceElement> d(element, n, a, b, u);
  const Bending in_xz(d.n[1][0], d.n[2][0], h, at), in_xy(d.n[3][0], d.n[4][0], h, at);
  const std::array forces{d.n[0][0], in_xy.shear, in_xz.shear, d.n[5][0], in_xz.moment, in_xy.moment};
  std::copy(forces.begin(), forces.end(), values.begin() + 6);
}

}  // namespace ictus::mechanics
