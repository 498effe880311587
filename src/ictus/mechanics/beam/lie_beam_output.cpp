#include <ictus/mechanics/beam/lie_beam_output.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/convert.hpp>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <ictus/mechanics/beam/lie_beam_state.hpp>

namespace ictus::mechanics {

using math::to_eigen;

using Layout = LieBeamLayout;
using math::Vector3;
using math::Wrench;

namespace {

/// Force and moment that the part of the beam after an element puts on the part before, in the axes of the element's
/// first section: ∂Φ/∂η.
Wrench<double> resultants(const LieBeamModel& model, std::size_t element, std::span<const double> q) {
  const auto eta = strain(Layout::pose(q, element), Layout::pose(q, element + 1), model.spacing);
  const auto rest = model.rest_of(element);
  return {scale(model.section.bend, eta.w - rest.w), scale(model.section.stretch, eta.c - rest.c)};
}

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

void probe_lie_beam(const LieBeamModel& model, double fraction, std::span<const double> q, std::span<const double> v,
                    std::span<double> values) {
  const double s = fraction * static_cast<double>(model.last());
  const std::size_t a = std::min(static_cast<std::size_t>(s), model.last() - 1);
  const double b = s - static_cast<double>(a);
  const auto between = [&](std::span<const double> x, std::size_t component) {
    return (1.0 - b) * Layout::get(x, a, component) + b * Layout::get(x, a + 1, component);
  };
  const math::Rotation<double> nearer = Layout::pose(q, b <= 0.5 ? a : a + 1).q;
  const Wrench<double> stress = resultants(model, a, q);
  Writer writer{values};
  writer.add(between(q, Layout::position));
  writer.add(between(v, Layout::linear));
  writer.add(between(v, Layout::spin));
  writer.add(nearer.s);
  writer.add(nearer.v);
  writer.add(stress.n);
  writer.add(stress.m);
}

Picture draw_lie_beam(const LieBeamProperties& beam, std::span<const double> q, std::span<const double> v) {
  const LieBeamModel& model = beam.model;
  Picture picture;
  Picture::Field velocity{"velocity", 3, false, {}}, spin{"angular_velocity", 3, false, {}};
  Picture::Field d1{"d1", 3, false, {}}, d2{"d2", 3, false, {}}, d3{"d3", 3, false, {}};
  Picture::Field displacement{"displacement", 3, false, {}}, shape{"section", 2, false, {}};
  std::vector<double> rest(model.size());
  set_shape(model, beam.start, beam.strains, rest);
  // The rectangle of the section's own rotary inertia, J = M (height², width²)/12, stands for a section without
  // outline.
  const double width = std::sqrt(12 * model.section.inertia.y / model.section.mass);
  const double height = std::sqrt(12 * model.section.inertia.x / model.section.mass);
  const double outer_width = 2 * reach(model.outline, {1.0, 0.0, 0.0});
  const double outer_height = 2 * reach(model.outline, {0.0, 1.0, 0.0});
  const bool round = model.outline.radius > 0 && model.outline.half_width == 0 && model.outline.half_height == 0;
  for (std::size_t a = 0; a < model.nodes; ++a) {
    const auto g = Layout::pose(q, a);
    picture.points.push_back(to_eigen(g.r));
    velocity.append(Layout::get(v, a, Layout::linear));
    spin.append(Layout::get(v, a, Layout::spin));
    const auto axes = matrix(g.q);
    d1.append(axes.a);
    d2.append(axes.b);
    d3.append(axes.c);
    displacement.append(g.r - Layout::pose(rest, a).r);
    shape.values.insert(shape.values.end(),
                        {outer_width > 0 ? outer_width : width, outer_height > 0 ? outer_height : height});
  }
  Picture::Field energy{"strain_energy_density", 1, true, {}};
  Picture::Field force{"force", 3, true, {}}, moment{"moment", 3, true, {}};
  for (std::size_t a = 0; a < model.last(); ++a) {
    picture.cells.push_back(Picture::Cell::line);
    picture.connectivity.insert(picture.connectivity.end(), {static_cast<int>(a), static_cast<int>(a) + 1});
    const Wrench<double> stress = resultants(model, a, q);
    force.append(stress.n);
    moment.append(stress.m);
    energy.values.push_back(energy_per_length(model.section, stress) / (width * height));
  }
  picture.fields = {std::move(velocity), std::move(spin),  std::move(d1),    std::move(d2),
                    std::move(d3),       std::move(force), std::move(moment)};
  for (Picture::Field* field : {&displacement, &shape, &energy}) picture.fields.push_back(std::move(*field));
  if (round) picture.fields.push_back({"radius", 1, false, std::vector<double>(model.nodes, model.outline.radius)});
  return picture;
}

}  // namespace ictus::mechanics
