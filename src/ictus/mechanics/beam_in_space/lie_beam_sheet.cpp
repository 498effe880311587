#include <ictus/mechanics/beam_in_space/lie_beam_sheet.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/math/convert.hpp>

namespace ictus::mechanics {

using math::to_eigen;

using Layout = LieBeamLayout;
using math::Vec3;
using math::Vector3;
using math::Wrench;

namespace {

class NoSurface final : public model::Surface {
 public:
  std::size_t point_count() const override { return 0; }
  Vec3 position(std::size_t, std::span<const double>) const override { return Vec3::Zero(); }
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return Vec3::Zero(); }
  void pull_back(std::size_t, std::span<const double>, const Vec3&, double,
                 std::vector<model::RowEntry>&) const override {}
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }
};

constexpr std::string_view sheet_quantities[] = {
    "x",       "y",       "z",       "quaternion.s", "quaternion.x", "quaternion.y", "quaternion.z",
    "force.x", "force.y", "force.z", "moment.x",     "moment.y",     "moment.z"};

}  // namespace

LieBeamSheet::LieBeamSheet(std::string name, LieBeamSheetProperties properties, std::size_t first_dof)
    : Body(std::move(name)),
      properties_(std::move(properties)),
      dofs_{first_dof, Layout::size(properties_.first.size())},
      surface_(std::make_unique<NoSurface>()) {}

LieBeamSheet::~LieBeamSheet() = default;

void LieBeamSheet::initialise(std::span<double> q, std::span<double> p) const { write(first(), q, p); }

LieBeamSlice LieBeamSheet::slice(std::span<const double> q, std::span<const double> p,
                                 std::span<const math::Twist<double>> strains) const {
  LieBeamSlice slice;
  const auto own_q = part(q), own_p = part(p);
  for (std::size_t j = 0; j < times(); ++j) {
    slice.poses.push_back(Layout::pose(own_q, j));
    slice.stresses.push_back(Layout::momentum(own_p, j));
  }
  slice.strains.assign(strains.begin(), strains.end());
  return slice;
}

void LieBeamSheet::write(const LieBeamSlice& slice, std::span<double> q, std::span<double> p) const {
  const auto own_q = part(q), own_p = part(p);
  std::fill(own_p.begin(), own_p.end(), 0.0);
  for (std::size_t j = 0; j < Layout::blocks(times()) * Layout::lanes; ++j) {
    Layout::set_pose(own_q, j, j < times() ? slice.poses[j] : math::Pose<double>{});
    if (j < times()) Layout::set_momentum(own_p, j, slice.stresses[j]);
  }
}

Momentum LieBeamSheet::momentum(std::span<const double> q, std::span<const double> p) const {
  const auto own_q = part(q), own_p = part(p);
  Wrench<double> sum{};
  for (std::size_t j = 0; j < times(); ++j) {
    const Wrench<double> stress = Layout::momentum(own_p, j);
    sum = sum + Wrench<double>{stress.m + cross(Layout::get(own_q, j, Layout::position), stress.n), stress.n};
  }
  return {history().period * to_eigen(sum.n), history().period * to_eigen(sum.m)};
}

double LieBeamSheet::momentum_scale(std::span<const double> p) const {
  const auto own_p = part(p);
  double sum = 0.0;
  for (std::size_t j = 0; j < times(); ++j) sum += std::sqrt(norm_sq(Layout::momentum(own_p, j).n));
  return history().period * sum;
}

std::span<const std::string_view> LieBeamSheet::probe_quantities() const { return sheet_quantities; }

/// ∂Φ/∂η in the axes of the section, from the rates along the beam.
Wrench<double> LieBeamSheet::resultants(std::size_t j, std::span<const double> q, std::span<const double> v) const {
  const math::Rotation<double> back = inverse(Layout::pose(q, j).q);
  const LieBeamSection& section = history().section;
  return {scale(section.bend, rotate(back, Layout::get(v, j, Layout::spin))),
          scale(section.stretch, rotate(back, Layout::get(v, j, Layout::linear)) - Vector3<double>{0.0, 0.0, 1.0})};
}

void LieBeamSheet::probe(double fraction, const Motion& motion, std::span<double> values) const {
  const auto own_q = part(motion.q), own_v = part(motion.v);
  const auto j = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(times() - 1)));
  const auto g = Layout::pose(own_q, j);
  const Wrench<double> stress = resultants(j, own_q, own_v);
  const double all[] = {g.r.x,      g.r.y,      g.r.z,      g.q.s,      g.q.v.x,    g.q.v.y,   g.q.v.z,
                        stress.n.x, stress.n.y, stress.n.z, stress.m.x, stress.m.y, stress.m.z};
  std::copy(std::begin(all), std::end(all), values.begin());
}

Picture LieBeamSheet::draw(std::span<const double> q, std::span<const double> v) const {
  const auto own_q = part(q), own_v = part(v);
  Picture picture;
  Picture::Field time{"time", 1, false, {}}, force{"force", 3, false, {}}, moment{"moment", 3, false, {}};
  Picture::Field d1{"d1", 3, false, {}}, d2{"d2", 3, false, {}}, d3{"d3", 3, false, {}};
  for (std::size_t j = 0; j < times(); ++j) {
    const auto g = Layout::pose(own_q, j);
    const Wrench<double> stress = resultants(j, own_q, own_v);
    const auto axes = matrix(g.q);
    picture.points.push_back(to_eigen(g.r));
    time.values.push_back(static_cast<double>(j) * history().period);
    force.append(stress.n);
    moment.append(stress.m);
    d1.append(axes.a);
    d2.append(axes.b);
    d3.append(axes.c);
    if (j == 0) continue;
    picture.cells.push_back(Picture::Cell::line);
    picture.connectivity.insert(picture.connectivity.end(), {static_cast<int>(j) - 1, static_cast<int>(j)});
  }
  picture.fields = {std::move(time), std::move(force), std::move(moment), std::move(d1), std::move(d2), std::move(d3)};
  return picture;
}

}  // namespace ictus::mechanics
