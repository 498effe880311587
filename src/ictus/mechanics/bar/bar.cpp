// Notation: u axial displacement, p momentum, m lumped mass, l element length, e = u_{i+1} − u_i elongation, h step.
#include <ictus/mechanics/bar/bar.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/bar/bar_element.hpp>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <numbers>

namespace ictus::mechanics {

using math::Vec3;

namespace {

model::SurfaceMesh ends_of_bar(const BarProperties& bar, Range dofs) {
  const int first = static_cast<int>(dofs.begin), last = static_cast<int>(dofs.end()) - 1;
  return {{{0, 0, 0}, {1, 1, 1}},
          {bar.start, bar.start + bar.length * bar.direction},
          {{{first, bar.direction}}, {{last, bar.direction}}},
          0,
          bar.length / static_cast<double>(bar.elements)};
}

/// Share of the end element at point 0 or 1 that lies outside the mass: the layer of a massless tip.
double layer_share(const BarProperties& properties, std::size_t point) {
  const bool massless = point == 0 ? properties.massless_start && !properties.fixed_start
                                   : properties.massless_end && !properties.fixed_end;
  return massless ? 0.25 : 0;
}

/// The two end faces of a bar: point 0 is the start, point 1 the end.
class BarSurface final : public model::Surface {
 public:
  BarSurface(const BarProperties& properties, Range dofs) : properties_(properties), dofs_(dofs) {}

  std::size_t point_count() const override { return 2; }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    const double s = point == 0 ? 0.0 : properties_.length;
    return properties_.start + (s + q[dof(point)]) * properties_.direction;
  }
  Vec3 outward_normal(std::size_t point, std::span<const double>) const override {
    return point == 0 ? Vec3(-properties_.direction) : properties_.direction;
  }
  void pull_back(std::size_t point, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    row.push_back({static_cast<int>(dof(point)), factor * n.dot(properties_.direction)});
  }
  double layer_compliance(std::size_t point) const override {
    const double element_length = properties_.length / static_cast<double>(properties_.elements);
    return layer_share(properties_, point) * element_length / properties_.stiffness;
  }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  std::size_t dof(std::size_t point) const { return point == 0 ? dofs_.begin : dofs_.end() - 1; }

  BarProperties properties_;
  Range dofs_;
};

/// Calls f with the law of an element of some length, so that the loop inside is compiled for each law.
template <class F>
auto with_law(const BarProperties& properties, double element_length, F&& f) {
  const double stiffness = properties.stiffness / element_length;
  if (properties.material == BarMaterial::linear) return f(LinearElement{stiffness, element_length});
  return f(StVenantKirchhoffElement{stiffness, element_length});
}

/// Σ over the elements of pair(e0, e1), e1 = e0 + h (v_{i+1} − v_i) the elongation at the end of the interval.
template <class Pair>
double sum_elements(const exec::Executor& exec, std::size_t elements, const double* u, const double* p,
                    const double* inverse_mass, double h, Pair pair) {
  return exec.sum(elements, [=](std::size_t i) {
    const double e0 = u[i + 1] - u[i];
    return pair(e0, e0 + h * (p[i + 1] * inverse_mass[i + 1] - p[i] * inverse_mass[i]));
  });
}

/// p_i += h (N_i − N_{i−1} + m_i g) for the nodes of [begin, end); N_i the force of the element that starts at node i.
template <class Element>
void kick_nodes(const Element& element, const double* u, const double* m, double g, double h, std::size_t begin,
                std::size_t end, std::size_t last, double* p) {
  const auto force = [&](std::size_t i) { return element.force(u[i + 1] - u[i]); };
  if (begin == 0) p[0] += h * (force(0) + m[0] * g);
  const std::size_t inner_begin = std::max<std::size_t>(begin, 1), inner_end = std::min(end, last);
  if (g == 0) {
    for (std::size_t i = inner_begin; i < inner_end; ++i) p[i] += h * (force(i) - force(i - 1));
  } else {
    for (std::size_t i = inner_begin; i < inner_end; ++i) p[i] += h * (force(i) - force(i - 1) + m[i] * g);
  }
  if (end == last + 1) p[last] += h * (-force(last - 1) + m[last] * g);
}

constexpr std::string_view bar_quantities[] = {"displacement", "velocity", "force"};

}  // namespace

Bar::Bar(std::string name, const BarProperties& properties, std::size_t first_dof)
    : DampedBody(std::move(name), properties.damping),
      properties_(properties),
      dofs_{first_dof, properties.elements + 1},
      element_length_(properties.length / static_cast<double>(properties.elements)),
      mass_(dofs_.size, element_length_ * properties.mass_per_length),
      surface_(std::make_unique<BarSurface>(properties, dofs_)),
      skin_(std::make_unique<MeshSurface>(ends_of_bar(properties, dofs_))) {
  mass_.front() /= 2;
  mass_.back() /= 2;
  inverse_mass_.resize(mass_.size());
  std::transform(mass_.begin(), mass_.end(), inverse_mass_.begin(), [](double m) { return 1 / m; });
  if (properties.fixed_start) inverse_mass_.front() = 0;
  if (properties.fixed_end) inverse_mass_.back() = 0;
  if (properties.fixed_start) fixed_.push_back(static_cast<int>(dofs_.begin));
  if (properties.fixed_end) fixed_.push_back(static_cast<int>(dofs_.end() - 1));
  for (const std::size_t point : {0, 1}) {
    const double layer = layer_share(properties, point) * element_length_;
    const std::size_t element = point == 0 ? 0 : properties.elements - 1;
    if (layer == 0) continue;
    if (!short_elements_.empty() && short_elements_.front().element == element) {
      short_elements_.front().length -= layer;
    } else {
      short_elements_.push_back({element, element_length_ - layer});
    }
  }
}

Bar::~Bar() = default;

void Bar::initialise(std::span<double> q, std::span<double> p) const {
  std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(dofs_.begin), dofs_.size, 0.0);
  for (std::size_t i = 0; i < dofs_.size; ++i) p[dofs_.begin + i] = mass_[i] * properties_.velocity;
  for (const int k : fixed_) p[static_cast<std::size_t>(k)] = 0;
}

/// A momentum p along the axis: its moment about the origin is start × direction p wherever on the axis it acts.
Momentum Bar::along_axis(double p) const {
  return {p * properties_.direction, p * properties_.start.cross(properties_.direction)};
}

Momentum Bar::momentum(std::span<const double>, std::span<const double> p) const {
  return along_axis(exec::sum_lanes(dofs_.begin, dofs_.end(), [&](std::size_t k) { return p[k]; }));
}

double Bar::momentum_scale(std::span<const double> p) const {
  return exec::sum_lanes(dofs_.begin, dofs_.end(), [&](std::size_t k) { return std::abs(p[k]); });
}

Momentum Bar::support_impulse(int, double p, std::span<const double>) const { return along_axis(p); }

Momentum Bar::gravity_impulse(std::span<const double>, double h) const {
  return along_axis(h * axial_gravity() * properties_.mass_per_length * properties_.length);
}

void Bar::kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const {
  const double* u = q.data() + dofs_.begin;
  double* momenta = p.data() + dofs_.begin;
  with_law(properties_, element_length_, [&](const auto& element) {
    exec.for_blocks(dofs_.size, [&](std::size_t begin, std::size_t end) {
      kick_nodes(element, u, mass_.data(), axial_gravity(), h, begin, end, dofs_.size - 1, momenta);
    });
    for (const ShortElement& tip : short_elements_) {
      const double e = u[tip.element + 1] - u[tip.element];
      const double more = with_law(properties_, tip.length, [&](const auto& law) { return law.force(e); });
      const double impulse = h * (more - element.force(e));
      momenta[tip.element] += impulse;
      momenta[tip.element + 1] -= impulse;
    }
  });
}

/// Calls f with the law of one element.
template <class F>
auto Bar::with_element(std::size_t element, F&& f) const {
  double length = element_length_;
  for (const ShortElement& tip : short_elements_) {
    if (tip.element == element) length = tip.length;
  }
  return with_law(properties_, length, f);
}

/// Σ over the elements of energy(law, e0, e1); e0, e1 the elongations at q and at q + h v.
template <class Energy>
double Bar::strain_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p, double h,
                          Energy energy) const {
  const double *u = q.data() + dofs_.begin, *momenta = p.data() + dofs_.begin;
  return with_law(properties_, element_length_, [&](const auto& law) {
    const auto pair = [law, energy](double e0, double e1) { return energy(law, e0, e1); };
    double sum = sum_elements(exec, properties_.elements, u, momenta, inverse_mass_.data(), h, pair);
    for (const auto& [i, length] : short_elements_) {
      const double e0 = u[i + 1] - u[i];
      const double e1 = e0 + h * (momenta[i + 1] * inverse_mass_[i + 1] - momenta[i] * inverse_mass_[i]);
      sum += with_law(properties_, length, [&](const auto& tip) { return energy(tip, e0, e1); }) - pair(e0, e1);
    }
    return sum;
  });
}

/// −Σ m_i g·(x_i + time v_i).
double Bar::gravity_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                           double time) const {
  if (properties_.gravity.isZero()) return 0;
  const double at_start = properties_.gravity.dot(properties_.start), g = axial_gravity(), l = element_length_;
  const double *u = q.data() + dofs_.begin, *momenta = p.data() + dofs_.begin;
  const double *m = mass_.data(), *inverse_mass = inverse_mass_.data();
  const double shift = (layer_share(properties_, 0) - layer_share(properties_, 1)) * l;  // of the two end masses
  return -m[0] * g * shift - exec.sum(dofs_.size, [=](std::size_t i) {
    const double s = static_cast<double>(i) * l + u[i] + time * momenta[i] * inverse_mass[i];
    return m[i] * (at_start + g * s);
  });
}

void Bar::apply_damping(const exec::Executor&, std::span<const double>, std::span<const double> v, double h,
                        std::span<double> p) const {
  for (std::size_t i = 0; i < properties_.elements; ++i) {
    const std::size_t k = dofs_.begin + i;
    const double resisted = h * with_element(i, [](const auto& law) { return law.stiffness; }) * (v[k + 1] - v[k]);
    p[k] += resisted;
    p[k + 1] -= resisted;
  }
}

PotentialEnergy Bar::potential_energy(const exec::Executor& exec, std::span<const double> q) const {
  return trapezoid_energy(exec, q, q, 0.0);
}

PotentialEnergy Bar::interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                     double h) const {
  const double strain = strain_energy(
      exec, q, p, h, [](const auto& law, double e0, double e1) { return mechanics::interval_energy(law, e0, e1); });
  return {strain, gravity_energy(exec, q, p, h / 2)};
}

PotentialEnergy Bar::trapezoid_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                      double h) const {
  const double strain = strain_energy(
      exec, q, p, h, [](const auto& law, double e0, double e1) { return 0.5 * (law.energy(e0) + law.energy(e1)); });
  return {strain, gravity_energy(exec, q, p, h / 2)};
}

double Bar::chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                         double h) const {
  return strain_energy(exec, q, p, h, [](const auto& law, double e0, double e1) {
    return 0.5 * (law.energy(e0) + law.energy(e1)) - mechanics::interval_energy(law, e0, e1);
  });
}

void Bar::stiffness(std::span<const double> q, std::vector<StiffnessEntry>& entries) const {
  for (std::size_t i = 0; i < properties_.elements; ++i) {
    const int a = static_cast<int>(dofs_.begin + i), b = a + 1;
    const double e = q[dofs_.begin + i + 1] - q[dofs_.begin + i];
    const double k = with_element(i, [e](const auto& law) { return law.tangent(e); });
    entries.insert(entries.end(), {{a, a, k}, {b, b, k}, {a, b, -k}, {b, a, -k}});
  }
}

CriticalStep Bar::free_step() const {
  if (!short_elements_.empty()) return {2 / std::sqrt(largest_frequency_sq()), 0};
  // The element between two half masses l μ/2 has ω² = 4 K/(μ l²), a bound for the mesh; 2/ω = l √(μ/K) [eq. bars-2].
  return {element_length_ * std::sqrt(properties_.mass_per_length / properties_.stiffness), 0};
}

/// ω² of the fastest mode of the linear bar with free ends, by bisection: ω²M − K has positive pivots exactly above it.
double Bar::largest_frequency_sq() const {
  const std::size_t n = properties_.elements;
  const auto stiffness = [&](std::size_t i) { return with_element(i, [](const auto& law) { return law.stiffness; }); };
  const auto is_above = [&](double omega_sq) {
    double pivot = omega_sq * mass_[0] - stiffness(0);
    for (std::size_t i = 1; i <= n && pivot > 0; ++i) {
      const double left = stiffness(i - 1), right = i < n ? stiffness(i) : 0;
      pivot = omega_sq * mass_[i] - left - right - left * left / pivot;
    }
    return pivot > 0;
  };
  // An element alone, between half masses, is a bound for the mesh.
  double high = 0;
  for (const ShortElement& tip : short_elements_) high = std::max(high, 2 * stiffness(tip.element) / mass_[0]);
  double low = 0;
  while (high - low > 1e-14 * high) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

double Bar::axial_force(std::size_t element, std::span<const double> u) const {
  return with_element(element, [&](const auto& law) { return law.force(u[element + 1] - u[element]); });
}

std::span<const std::string_view> Bar::probe_quantities() const { return bar_quantities; }

void Bar::probe(double fraction, const Motion& motion, std::span<double> values) const {
  const double s = fraction * static_cast<double>(properties_.elements);
  const std::size_t i = std::min(static_cast<std::size_t>(s), properties_.elements - 1);
  // Position within the part of the element between two masses, which massless tips shorten.
  const double from = i == 0 ? layer_share(properties_, 0) : 0;
  const double to = i + 1 == properties_.elements ? 1 - layer_share(properties_, 1) : 1;
  const double position = s - static_cast<double>(i), b = std::clamp((position - from) / (to - from), 0.0, 1.0);
  const auto u = motion.q.subspan(dofs_.begin, dofs_.size);
  const auto rate = motion.v.subspan(dofs_.begin, dofs_.size);
  values[0] = (1 - b) * u[i] + b * u[i + 1];
  values[1] = (1 - b) * rate[i] + b * rate[i + 1];
  values[2] = axial_force(i, u);
  if (position >= from && position <= to) return;
  // Beyond a mass the layer is strained evenly: its skin, at the end of the bar, takes all of the compression.
  const std::size_t point = position < from ? 0 : 1;
  const double inwards = point == 0 ? 1 : -1, depth = point == 0 ? 1 - position / from : (position - to) / (1 - to);
  values[2] = 0;
  for (const model::LayerLoad& layer : motion.layers) {
    if (layer.surface != surface_.get() || layer.point != point) continue;
    values[0] += inwards * depth * layer.compression;
    values[1] += inwards * depth * layer.compression_rate;
    values[2] -= layer.force;
  }
}

Picture Bar::draw(std::span<const double> q, std::span<const double> v) const {
  Picture picture;
  const auto u = q.subspan(dofs_.begin, dofs_.size), rate = v.subspan(dofs_.begin, dofs_.size);
  Picture::Field displacement{"displacement", 3, false, {}}, velocity{"velocity", 3, false, {}};
  for (std::size_t i = 0; i < dofs_.size; ++i) {
    const Vec3& d = properties_.direction;
    picture.points.push_back(properties_.start + (static_cast<double>(i) * element_length_ + u[i]) * d);
    for (int c = 0; c < 3; ++c) displacement.values.push_back(u[i] * d[c]);
    for (int c = 0; c < 3; ++c) velocity.values.push_back(rate[i] * d[c]);
  }
  const double radius = std::sqrt(properties_.area / std::numbers::pi), volume = element_length_ * properties_.area;
  Picture::Field force{"axial_force", 1, true, {}}, energy{"strain_energy_density", 1, true, {}};
  for (std::size_t i = 0; i < properties_.elements; ++i) {
    picture.cells.push_back(Picture::Cell::line);
    picture.connectivity.insert(picture.connectivity.end(), {static_cast<int>(i), static_cast<int>(i) + 1});
    force.values.push_back(axial_force(i, u));
    energy.values.push_back(with_element(i, [&](const auto& law) { return law.energy(u[i + 1] - u[i]); }) / volume);
  }
  picture.fields = {std::move(displacement), std::move(velocity), std::move(force), std::move(energy)};
  picture.fields.push_back({"radius", 1, false, std::vector<double>(dofs_.size, radius)});
  return picture;
}

}  // namespace ictus::mechanics
