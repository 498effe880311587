#include <ictus/mechanics/beam/lie_beam.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
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
  LieBeamSurface(const LieBeamModel& model, Range unknowns) : model_(model), unknowns_(unknowns) {}

  std::size_t point_count() const override { return model_.nodes; }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    return to_eigen(Layout::get(q.subspan(unknowns_.begin, unknowns_.size), point, Layout::place));
  }
  Vec3 furthest(std::size_t point, const Vec3& direction, std::span<const double> q) const override {
    const Vector3<double> against{-direction.x(), -direction.y(), -direction.z()};
    return to_eigen(touching_point(model_, point, against, q.subspan(unknowns_.begin, unknowns_.size)));
  }
  /// A node looks in every direction.
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return Vec3::Zero(); }
  void pull_back(std::size_t point, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t unknown = unknowns_.begin + Layout::at(point, Layout::place + c);
      row.push_back({static_cast<int>(unknown), factor * n[static_cast<Eigen::Index>(c)]});
    }
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  const LieBeamModel& model_;  // of the beam
  Range unknowns_;
};

/// Force and moment that the part of the beam after an element puts on the part before, in the axes of the element's
/// first section: ∂Φ/∂η.
Wrench<double> resultants(const LieBeamModel& model, std::size_t element, std::span<const double> q) {
  const auto eta = strain(Layout::pose(q, element), Layout::pose(q, element + 1), model.spacing);
  return {scale(model.section.bend, eta.w), scale(model.section.stretch, eta.c - Vector3<double>{0.0, 0.0, 1.0})};
}

constexpr std::string_view lie_beam_quantities[] = {"x",
                                                    "y",
                                                    "z",
                                                    "velocity.x",
                                                    "velocity.y",
                                                    "velocity.z",
                                                    "angular_velocity.x",
                                                    "angular_velocity.y",
                                                    "angular_velocity.z",
                                                    "quaternion.s",
                                                    "quaternion.x",
                                                    "quaternion.y",
                                                    "quaternion.z",
                                                    "force.x",
                                                    "force.y",
                                                    "force.z",
                                                    "moment.x",
                                                    "moment.y",
                                                    "moment.z"};

/// Writes values one after the other.
struct Writer {
  std::span<double> values;
  std::size_t next = 0;

  void add(double value) { values[next++] = value; }
  void add(const Vector3<double>& a) {
    add(a.x);
    add(a.y);
    add(a.z);
  }
};

/// ½ n·C₁⁻¹n + ½ m·C₂⁻¹m (J/m).
double energy_per_length(const LieBeamSection& section, const Wrench<double>& stress) {
  const auto half = [](const Vector3<double>& a, const Vector3<double>& c) {
    return 0.5 * (a.x * a.x / c.x + a.y * a.y / c.y + a.z * a.z / c.z);
  };
  return half(stress.n, section.stretch) + half(stress.m, section.bend);
}

}  // namespace

LieBeam::LieBeam(std::string name, LieBeamProperties properties, std::size_t first_unknown)
    : Body(std::move(name)),
      properties_(std::move(properties)),
      unknowns_{first_unknown, properties_.model.size()},
      surface_(std::make_unique<LieBeamSurface>(properties_.model, unknowns_)) {}

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
  const auto own_q = part(motion.q), own_v = part(motion.v);
  const double s = fraction * static_cast<double>(model().last());
  const std::size_t a = std::min(static_cast<std::size_t>(s), model().last() - 1);
  const double b = s - static_cast<double>(a);
  const auto between = [&](std::span<const double> x, std::size_t component) {
    return (1.0 - b) * Layout::get(x, a, component) + b * Layout::get(x, a + 1, component);
  };
  const math::Rotation<double> nearer = Layout::pose(own_q, b <= 0.5 ? a : a + 1).q;
  const Wrench<double> stress = resultants(model(), a, own_q);
  Writer writer{values};
  writer.add(between(own_q, Layout::place));
  writer.add(between(own_v, Layout::linear));
  writer.add(between(own_v, Layout::spin));
  writer.add(nearer.s);
  writer.add(nearer.v);
  writer.add(stress.n);
  writer.add(stress.m);
}

Frame LieBeam::frame(std::span<const double> q, std::span<const double> v) const {
  const auto own_q = part(q), own_v = part(v);
  Frame frame;
  Frame::Field velocity{"velocity", 3, false, {}}, spin{"angular_velocity", 3, false, {}};
  Frame::Field d1{"d1", 3, false, {}}, d2{"d2", 3, false, {}}, d3{"d3", 3, false, {}};
  Frame::Field displacement{"displacement", 3, false, {}}, shape{"section", 2, false, {}};
  std::vector<double> rest(unknowns_.size);
  set_shape(model(), properties_.start, properties_.strains, rest);
  // The rectangle of the section's own rotary inertia, J = M (height², width²)/12, stands for a section without
  // outline.
  const double width = std::sqrt(12 * model().section.inertia.y / model().section.mass);
  const double height = std::sqrt(12 * model().section.inertia.x / model().section.mass);
  const double outer_width = 2 * reach(model().outline, {1.0, 0.0, 0.0});
  const double outer_height = 2 * reach(model().outline, {0.0, 1.0, 0.0});
  for (std::size_t a = 0; a < model().nodes; ++a) {
    const auto g = Layout::pose(own_q, a);
    frame.points.push_back(to_eigen(g.r));
    velocity.append(Layout::get(own_v, a, Layout::linear));
    spin.append(Layout::get(own_v, a, Layout::spin));
    const auto axes = matrix(g.q);
    d1.append(axes.a);
    d2.append(axes.b);
    d3.append(axes.c);
    displacement.append(g.r - Layout::pose(rest, a).r);
    shape.values.insert(shape.values.end(),
                        {outer_width > 0 ? outer_width : width, outer_height > 0 ? outer_height : height});
  }
  Frame::Field energy{"strain_energy_density", 1, true, {}};
  Frame::Field force{"force", 3, true, {}}, moment{"moment", 3, true, {}};
  for (std::size_t a = 0; a < model().last(); ++a) {
    frame.cells.push_back(Frame::Cell::line);
    frame.connectivity.insert(frame.connectivity.end(), {static_cast<int>(a), static_cast<int>(a) + 1});
    const Wrench<double> stress = resultants(model(), a, own_q);
    force.append(stress.n);
    moment.append(stress.m);
    energy.values.push_back(energy_per_length(model().section, stress) / (width * height));
  }
  frame.fields = {std::move(velocity), std::move(spin),  std::move(d1),    std::move(d2),
                  std::move(d3),       std::move(force), std::move(moment)};
  for (Frame::Field* field : {&displacement, &shape, &energy}) frame.fields.push_back(std::move(*field));
  return frame;
}

}  // namespace ictus::mechanics
