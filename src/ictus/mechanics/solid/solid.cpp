// Notation: x position of a node, p its momentum, v velocity, m lumped mass, h step.
#include <ictus/mechanics/solid/solid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/solid/nodal_blocks.hpp>
#include <ictus/mechanics/solid/own_blocks.hpp>
#include <ictus/mechanics/solid/solid_element.hpp>

namespace ictus::mechanics {

using math::Vec3;
using namespace solid_element;

namespace {

/// The outer faces of a solid; its points are the nodes on them.
class SolidSurface final : public model::Surface {
 public:
  SolidSurface(const geometry::VolumeMesh& mesh, std::size_t first_dof) {
    std::vector<std::array<int, 3>> triangles = geometry::boundary(mesh);
    std::vector<int> point_of(mesh.nodes.size(), -1);
    std::vector<Vec3> positions;
    for (auto& triangle : triangles) {
      for (int& node : triangle) {
        int& point = point_of[static_cast<std::size_t>(node)];
        if (point < 0) {
          point = static_cast<int>(dof_.size());
          dof_.push_back(static_cast<int>(first_dof) + 3 * node);
          positions.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
        }
        node = point;
      }
    }
    around_.resize(dof_.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      for (const int point : triangles[t]) around_[static_cast<std::size_t>(point)].push_back(static_cast<int>(t));
    }
    mesh_.emplace(std::move(triangles), dof_, positions);
  }

  std::size_t point_count() const override { return dof_.size(); }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    return model::vertex_at(q, dof_[point]);
  }
  /// Of the triangles around the point, each by its area.
  Vec3 outward_normal(std::size_t point, std::span<const double> q) const override {
    Vec3 sum = Vec3::Zero();
    for (const int t : around_[point]) {
      const auto& [a, b, c] = mesh_->triangles()[static_cast<std::size_t>(t)];
      const Vec3 x = model::vertex_at(q, mesh_->dof(a));
      sum += (model::vertex_at(q, mesh_->dof(b)) - x).cross(model::vertex_at(q, mesh_->dof(c)) - x);
    }
    return sum.normalized();
  }
  void pull_back(std::size_t point, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    for (int c = 0; c < 3; ++c) row.push_back({dof_[point] + c, factor * n[c]});
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }
  const model::SurfaceMesh* mesh() const override { return &*mesh_; }

 private:
  std::vector<int> dof_;
  std::vector<std::vector<int>> around_;  // triangles at each point
  std::optional<model::SurfaceMesh> mesh_;
};

/// Whether tetrahedra would lock if each of them kept its volume by itself: where matter flows, which keeps it, and
/// where it resists changes of volume much more than of shape, λ > 9 μ, a Poisson's ratio above 0.45.
bool takes_nodal_volumes(const SolidProperties& properties) {
  if (properties.own) return false;
  return properties.material == SolidMaterial::hencky || properties.lame.lambda > 9 * properties.lame.mu;
}

constexpr std::string_view solid_quantities[] = {"displacement_x", "displacement_y", "displacement_z",
                                                 "velocity_x",     "velocity_y",     "velocity_z"};

}  // namespace

Solid::Solid(std::string name, const geometry::VolumeMesh& mesh, const SolidProperties& properties,
             std::size_t first_dof, std::size_t history_before)
    : DampedBody(std::move(name), properties.damping),
      properties_(properties),
      dofs_{first_dof, 3 * mesh.nodes.size()},
      blocks_(mesh, takes_nodal_volumes(properties)),
      history_before_(history_before),
      faces_(geometry::outer_faces(mesh)),
      element_names_(mesh.element_names),
      node_sets_(mesh.node_sets) {
  make_matter();
  lump_mass();
  hold_nodes();
  add_loads();
  properties_.held.clear();
  properties_.pressures.clear();
  critical_ = find_critical_step();
  surface_ = std::make_unique<SolidSurface>(mesh, first_dof);
}

Solid::~Solid() = default;

void Solid::make_matter() {
  if (properties_.own) {
    matters_.push_back(std::make_unique<OwnBlocks>(blocks_, properties_.own));
    const MaterialAtRest rest = at_rest(*properties_.own);
    properties_.lame = rest.lame;
    stiffening_ = rest.stiffening;
  } else if (properties_.material == SolidMaterial::hencky) {
    const double never = std::numeric_limits<double>::max();  // times a plastic strain of zero it is zero
    matters_.push_back(
        std::make_unique<PlasticBlocks>(blocks_, properties_.lame, properties_.density,
                                        properties_.plasticity.value_or(Plasticity{LinearHardening{never, 0}})));
  } else if (blocks_.nodal_means()) {
    with_law(properties_.material, [&]<class Law>(Law) {
      matters_.push_back(std::make_unique<NodalBlocks<Law>>(blocks_, properties_.lame));
    });
  }
  has_matter_ = !matters_.empty();
  for (const MaxwellArm& arm : properties_.arms)
    matters_.push_back(std::make_unique<PlasticBlocks>(blocks_, properties_.density, arm));
  for (const auto& matter : matters_) history_ += matter->history();
}

void Solid::begin_history(std::span<double> q) const {
  for_each_matter(q, [](const MaterialBlocks& matter, double* history) { matter.begin(history); });
}

std::vector<model::Loss> Solid::material_losses() const {
  std::vector<model::Loss> all;
  for (const auto& matter : matters_) {
    const auto own = matter->losses();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void Solid::lump_mass() {
  mass_.assign(dofs_.size, 0.0);
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    for (int a = 0; a < shape.nodes; ++a) {
      const double m = properties_.density * share_of_volume(shape, a);
      for (int c = 0; c < 3; ++c) mass_[static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)] + c)] += m;
    }
  }
}

void Solid::hold_nodes() {
  inverse_mass_.resize(mass_.size());
  std::transform(mass_.begin(), mass_.end(), inverse_mass_.begin(), [](double m) { return 1 / m; });
  for (const HeldNode& held : properties_.held) {
    for (int c = 0; c < 3; ++c) {
      const auto k = static_cast<std::size_t>(3 * held.node + c);
      if (!held.directions[static_cast<std::size_t>(c)] || inverse_mass_[k] == 0) continue;
      inverse_mass_[k] = 0;
      fixed_.push_back(static_cast<int>(dofs_.begin + k));
    }
  }
  std::sort(fixed_.begin(), fixed_.end());
}

void Solid::add_loads() {
  if (properties_.gravity.isZero() && properties_.pressures.empty()) return;
  load_.resize(mass_.size());
  for (std::size_t k = 0; k < load_.size(); ++k) load_[k] = mass_[k] * properties_.gravity[static_cast<int>(k % 3)];
  for (const SolidPressure& pressure : properties_.pressures) {
    for (const geometry::OuterFace& face : pressure.faces) add_pressure(face, pressure.pressure, load_);
  }
}

void Solid::add_pressure(const geometry::OuterFace& face, double pressure, std::span<double> force) const {
  const auto at = [&](int node) { return Vec3::Map(blocks_.reference().data() + 3 * static_cast<std::size_t>(node)); };
  const auto push = [&](int node, const Vec3& by) {
    for (int i = 0; i < 3; ++i) force[static_cast<std::size_t>(3 * node + i)] += by[i];
  };
  const auto& [a, b, c, d] = face;
  if (d < 0) {
    const Vec3 share = -pressure / 6 * (at(b) - at(a)).cross(at(c) - at(a));
    for (const int node : {a, b, c}) push(node, share);
    return;
  }
  // x = m + ξ u + η v + ξη w has the normal x_ξ × x_η = u×v + ξ u×w + η w×v, and N_i = ¼(1 ± ξ)(1 ± η).
  const Vec3 u = (at(b) + at(c) - at(a) - at(d)) / 4, v = (at(c) + at(d) - at(a) - at(b)) / 4,
             w = (at(a) + at(c) - at(b) - at(d)) / 4;
  const Vec3 normal = u.cross(v), along = u.cross(w) / 3, across = w.cross(v) / 3;
  push(a, -pressure * (normal - along - across));
  push(b, -pressure * (normal + along - across));
  push(c, -pressure * (normal + along + across));
  push(d, -pressure * (normal - along + across));
}

const std::vector<int>* Solid::node_set(const std::string& name) const {
  const auto found = node_sets_.find(name);
  return found == node_sets_.end() ? nullptr : &found->second;
}

double Solid::total_mass() const {
  double sum = 0;
  for (std::size_t k = 0; k < mass_.size(); k += 3) sum += mass_[k];
  return sum;
}

void Solid::initialise(std::span<double> q, std::span<double> p) const {
  const std::vector<double>& reference = blocks_.reference();
  std::copy(reference.begin(), reference.end(), q.begin() + static_cast<std::ptrdiff_t>(dofs_.begin));
  Vec3 centre = Vec3::Zero();
  for (std::size_t k = 0; k < reference.size(); k += 3) centre += mass_[k] * Vec3::Map(reference.data() + k);
  centre /= total_mass();
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    const Vec3 v = properties_.velocity + properties_.spin.cross(Vec3::Map(reference.data() + k) - centre);
    for (std::size_t c = 0; c < 3; ++c)
      p[dofs_.begin + k + c] = inverse_mass_[k + c] == 0 ? 0 : mass_[k] * v[static_cast<int>(c)];
  }
}

Momentum Solid::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  for (std::size_t k = dofs_.begin; k < dofs_.end(); k += 3) {
    const Vec3 momentum = Vec3::Map(p.data() + k);
    sum.linear += momentum;
    sum.angular += Vec3::Map(q.data() + k).cross(momentum);
  }
  return sum;
}

double Solid::momentum_scale(std::span<const double> p) const {
  double sum = 0;
  for (std::size_t k = dofs_.begin; k < dofs_.end(); k += 3) sum += Vec3::Map(p.data() + k).norm();
  return sum;
}

std::string Solid::dof_name(std::size_t dof) const {
  const std::size_t k = dof - dofs_.begin;
  return fmt::format("node {} along {}", k / 3, "xyz"[k % 3]);
}

Momentum Solid::support_impulse(int dof, double p, std::span<const double> q) const {
  const auto k = static_cast<std::size_t>(dof) - dofs_.begin;
  const Vec3 impulse = p * Vec3::Unit(static_cast<int>(k % 3));
  return {impulse, Vec3::Map(q.data() + dofs_.begin + 3 * (k / 3)).cross(impulse)};
}

Momentum Solid::gravity_impulse(std::span<const double> q, double h) const {
  Momentum sum;
  for (std::size_t k = 0; k < load_.size(); k += 3) {
    const Vec3 impulse = h * Vec3::Map(load_.data() + k);
    sum.linear += impulse;
    sum.angular += Vec3::Map(q.data() + dofs_.begin + k).cross(impulse);
  }
  return sum;
}

void Solid::kick(const exec::Executor& exec, std::span<const double> q, double h, std::span<double> p) const {
  const double* x = q.data() + dofs_.begin;
  double* momenta = p.data() + dofs_.begin;
  bool good = !elastic() || with_law(properties_.material, [&]<class Law>(Law) {
    return blocks_.kick<Law>(exec, x, h, properties_.lame, momenta);
  });
  for_each_matter(q, [&](const MaterialBlocks& matter, const double* history) {
    good = matter.kick(exec, x, history, h, momenta) && good;
  });
  if (!good) report_inverted(q);
  kick_loads(exec, h, momenta);
}

void Solid::advance(const exec::Executor& exec, double elapsed, std::span<double> q, double h,
                    std::span<double> p) const {
  if (history_ == 0) return kick(exec, q, h, p);
  const double* x = q.data() + dofs_.begin;
  double* momenta = p.data() + dofs_.begin;
  bool good = !elastic() || with_law(properties_.material, [&]<class Law>(Law) {
    return blocks_.kick<Law>(exec, x, h, properties_.lame, momenta);
  });
  for_each_matter(q, [&](const MaterialBlocks& matter, double* history) {
    good = matter.advance(exec, x, elapsed, history, h, momenta) && good;
  });
  if (!good) report_inverted(q);
  kick_loads(exec, h, momenta);
}

Dissipated Solid::dissipated(const exec::Executor& exec, std::span<const double> q) const {
  Dissipated taken;
  for_each_matter(
      q, [&](const MaterialBlocks& matter, const double* history) { taken += matter.dissipated(exec, history); });
  return taken;
}

MaterialBlocks::Held Solid::held(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                 double time) const {
  MaterialBlocks::Held sum;
  for_each_matter(q, [&](const MaterialBlocks& matter, const double* history) {
    const MaterialBlocks::Held one =
        matter.measure(exec, q.data() + dofs_.begin, history, inverse_mass_.data(), p.data() + dofs_.begin, time);
    sum.potential += one.potential;
    sum.power += one.power;
  });
  return sum;
}

/// Stiffnesses add up, and so do their bounds.
double Solid::stable_step(const exec::Executor& exec, std::span<const double> q) const {
  if (!has_matter_) return critical_.step;
  double sum = 0;
  bool is_known = true;
  for_each_matter(q, [&](const MaterialBlocks& matter, const double* history) {
    const std::optional<double> bound = matter.frequency_sq_bound(exec, q.data() + dofs_.begin, history);
    is_known = is_known && bound;
    sum += bound.value_or(0);
  });
  return is_known ? damped({2 / std::sqrt(sum), 0}).step : critical_.step;
}

void Solid::kick_loads(const exec::Executor& exec, double h, double* momenta) const {
  exec.for_blocks(load_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) momenta[k] += h * load_[k];
  });
}

void Solid::apply_damping(const exec::Executor& exec, std::span<const double> q, std::span<const double> v, double h,
                          std::span<double> p) const {
  with_law(properties_.material, [&]<class Law>(Law) {
    blocks_.apply_damping<typename Law::Viscosity>(exec, q.data() + dofs_.begin, v.data() + dofs_.begin, h,
                                                   properties_.lame, p.data() + dofs_.begin);
  });
}

void Solid::report_inverted(std::span<const double> q) const {
  Vector x[8];
  std::size_t worst = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    read_nodes(shape, q.data() + dofs_.begin, x);
    for (int point = 0; point < shape.points; ++point) {
      const Matrix3<double> f = gradient(shape, point, x);
      const double j = dot(f.a, cross(f.b, f.c));
      if (!(j >= smallest)) smallest = j, worst = e;
    }
  }
  const std::size_t number = blocks_.number(worst);
  throw base::NumericalFailure(
      "an element is turned inside out",
      fmt::format("element {} of {}, volume {:g} of its own",
                  number < element_names_.size() ? element_names_[number] : std::to_string(number), name(), smallest),
      "Use a smaller time.step, a finer mesh or a stiffer material");
}

double Solid::load_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                          double time) const {
  const double *x = q.data() + dofs_.begin, *momenta = p.data() + dofs_.begin;
  return -exec.sum(load_.size(), [=, load = load_.data(), w = inverse_mass_.data()](std::size_t k) {
    return load[k] * (x[k] + time * w[k] * momenta[k]);
  });
}

namespace {

/// Σ over the elements of f(shape, positions, velocities).
template <class F>
double sum_elements(const exec::Executor& exec, const SolidBlocks& blocks, const double* x, const double* p,
                    const double* inverse_mass, F&& f) {
  return exec.sum(blocks.count(), [&](std::size_t e) {
    const ElementShape shape = blocks.shape(e);
    Vector positions[8], velocities[8];
    read_nodes(shape, x, positions);
    for (int a = 0; a < shape.nodes; ++a) {
      const auto k = static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)]);
      velocities[a] = {inverse_mass[k] * p[k], inverse_mass[k + 1] * p[k + 1], inverse_mass[k + 2] * p[k + 2]};
    }
    return f(shape, positions, velocities);
  });
}

/// ½ (W(x) + W(x + h v)).
template <class Law>
double trapezoid(const ElementShape& shape, const Lame& lame, const Vector* x, const Vector* v, double h) {
  Vector end[8];
  for (int a = 0; a < shape.nodes; ++a) end[a] = x[a] + h * v[a];
  return 0.5 * (energy<Law>(shape, lame, x) + energy<Law>(shape, lame, end));
}

}  // namespace

PotentialEnergy Solid::potential_energy(const exec::Executor& exec, std::span<const double> q) const {
  const double* x = q.data() + dofs_.begin;
  const double matter = matters_.empty() ? 0 : held(exec, q, q, 0).potential;
  if (!elastic()) return {matter, load_energy(exec, q, q, 0)};
  const double strain = matter + with_law(properties_.material, [&]<class Law>(Law) {
                          return sum_elements(exec, blocks_, x, x, inverse_mass_.data(),
                                              [&](const ElementShape& shape, const Vector* at, const Vector*) {
                                                return energy<Law>(shape, properties_.lame, at);
                                              });
                        });
  return {strain, load_energy(exec, q, q, 0)};
}

PotentialEnergy Solid::interval_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                                       double h) const {
  const MaterialBlocks::Held now = held(exec, q, p, 0);
  const double matter = now.potential + 0.5 * h * now.power;
  if (!elastic()) return {matter, load_energy(exec, q, p, h / 2)};
  const double strain =
      matter + with_law(properties_.material, [&]<class Law>(Law) {
        return sum_elements(exec, blocks_, q.data() + dofs_.begin, p.data() + dofs_.begin, inverse_mass_.data(),
                            [&](const ElementShape& shape, const Vector* x, const Vector* v) {
                              return energy<Law>(shape, properties_.lame, x) +
                                     0.5 * h * power<Law>(shape, properties_.lame, x, v);
                            });
      });
  return {strain, load_energy(exec, q, p, h / 2)};
}

PotentialEnergy Solid::trapezoid_energy(const exec::Executor& exec, std::span<const double> q,
                                        std::span<const double> p, double h) const {
  const double matter = 0.5 * (held(exec, q, p, 0).potential + held(exec, q, p, h).potential);
  if (!elastic()) return {matter, load_energy(exec, q, p, h / 2)};
  const double strain =
      matter + with_law(properties_.material, [&]<class Law>(Law) {
        return sum_elements(exec, blocks_, q.data() + dofs_.begin, p.data() + dofs_.begin, inverse_mass_.data(),
                            [&](const ElementShape& shape, const Vector* x, const Vector* v) {
                              return trapezoid<Law>(shape, properties_.lame, x, v, h);
                            });
      });
  return {strain, load_energy(exec, q, p, h / 2)};
}

double Solid::chord_energy(const exec::Executor& exec, std::span<const double> q, std::span<const double> p,
                           double h) const {
  const MaterialBlocks::Held now = held(exec, q, p, 0);
  const double matter = 0.5 * (held(exec, q, p, h).potential - now.potential) - 0.5 * h * now.power;
  if (!elastic()) return matter;
  return matter + with_law(properties_.material, [&]<class Law>(Law) {
           return sum_elements(exec, blocks_, q.data() + dofs_.begin, p.data() + dofs_.begin, inverse_mass_.data(),
                               [&](const ElementShape& shape, const Vector* x, const Vector* v) {
                                 return trapezoid<Law>(shape, properties_.lame, x, v, h) -
                                        energy<Law>(shape, properties_.lame, x) -
                                        0.5 * h * power<Law>(shape, properties_.lame, x, v);
                               });
         });
}

std::span<const std::string_view> Solid::probe_quantities() const { return solid_quantities; }

Vec3 position_along(const std::array<Vec3, 2>& box, double fraction) {
  const Vec3 size = box[1] - box[0];
  Eigen::Index longest = 0;
  size.maxCoeff(&longest);
  Vec3 position = 0.5 * (box[0] + box[1]);
  position[longest] = box[0][longest] + fraction * size[longest];
  return position;
}

std::size_t Solid::node_at(double fraction) const {
  const std::vector<double>& reference = blocks_.reference();
  std::array<Vec3, 2> box{Vec3::Map(reference.data()), Vec3::Map(reference.data())};
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    box[0] = box[0].cwiseMin(Vec3::Map(reference.data() + k));
    box[1] = box[1].cwiseMax(Vec3::Map(reference.data() + k));
  }
  const Vec3 position = position_along(properties_.extent.value_or(box), fraction);
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    const double distance = (Vec3::Map(reference.data() + k) - position).squaredNorm();
    if (distance < least) least = distance, nearest = k / 3;
  }
  return nearest;
}

void Solid::probe(double fraction, const Motion& motion, std::span<double> values) const {
  const std::size_t k = 3 * node_at(fraction);
  for (std::size_t c = 0; c < 3; ++c) {
    values[c] = motion.q[dofs_.begin + k + c] - blocks_.reference()[k + c];
    values[3 + c] = motion.v[dofs_.begin + k + c];
  }
}

Picture Solid::draw(std::span<const double> q, std::span<const double> v) const {
  Picture picture;
  Picture::Field displacement{"displacement", 3, false, {}}, velocity{"velocity", 3, false, {}};
  for (std::size_t k = 0; k < dofs_.size; ++k) {
    displacement.values.push_back(q[dofs_.begin + k] - blocks_.reference()[k]);
    velocity.values.push_back(v[dofs_.begin + k]);
    if (k % 3 == 0) picture.points.push_back(Vec3::Map(q.data() + dofs_.begin + k));
  }
  const auto per_element = [&](const char* field) {
    return Picture::Field{field, 1, true, std::vector<double>(blocks_.count())};
  };
  picture.cells.assign(blocks_.count(), Picture::Cell::tetrahedron);
  const std::size_t tetrahedra = blocks_.tetrahedra();
  picture.connectivity.resize(4 * tetrahedra + 8 * (blocks_.count() - tetrahedra));
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    const std::size_t number = blocks_.number(e);
    if (shape.nodes == 8) picture.cells[number] = Picture::Cell::hexahedron;
    std::size_t at = number < tetrahedra ? 4 * number : 4 * tetrahedra + 8 * (number - tetrahedra);
    for (int a = 0; a < shape.nodes; ++a) picture.connectivity[at++] = shape.node[static_cast<std::size_t>(a)] / 3;
  }
  picture.fields = {std::move(displacement), std::move(velocity)};
  const MaterialBlocks::Fields fields = show(q);
  const auto add = [&](const char* name, const std::vector<double>& by_slot) {
    if (by_slot.empty()) return;
    Picture::Field field = per_element(name);
    for (std::size_t e = 0; e < blocks_.count(); ++e) field.values[blocks_.number(e)] = by_slot[e];
    picture.fields.push_back(std::move(field));
  };
  std::vector<double> von_mises(blocks_.count()), triaxiality(blocks_.count());
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    von_mises[e] = std::sqrt(1.5 * contract(fields.deviator[e], fields.deviator[e]));
    triaxiality[e] = von_mises[e] > 0 ? -fields.pressure[e] / von_mises[e] : 0;
  }
  add("plastic_strain", fields.strain);
  add("plastic_strain_rate", fields.rate);
  add("temperature", fields.temperature);
  add("damage", fields.damage);
  add("pressure", fields.pressure);
  add("von_mises", von_mises);
  if (!fields.strain.empty()) add("triaxiality", triaxiality);
  add("strain_energy_density", fields.energy_density);
  return picture;
}

/// Stresses and energies of the material and of what relaxes beside it add up.
MaterialBlocks::Fields Solid::show(std::span<const double> q) const {
  MaterialBlocks::Fields fields;
  if (elastic()) show_elastic(q, fields);
  for_each_matter(q, [&](const MaterialBlocks& matter, const double* history) {
    MaterialBlocks::Fields one = matter.show(q.data() + dofs_.begin, history);
    if (fields.deviator.empty()) return void(fields = std::move(one));
    for (std::size_t e = 0; e < blocks_.count(); ++e) {
      fields.deviator[e] = fields.deviator[e] + one.deviator[e];
      fields.energy_density[e] += one.energy_density[e];
    }
  });
  return fields;
}

void Solid::show_elastic(std::span<const double> q, MaterialBlocks::Fields& fields) const {
  with_law(properties_.material, [&]<class Law>(Law) {
    Vector x[8];
    for (std::size_t e = 0; e < blocks_.count(); ++e) {
      const ElementShape shape = blocks_.shape(e);
      read_nodes(shape, q.data() + dofs_.begin, x);
      const math::Symmetric3<double> stress =
          cauchy_stress<Law>(shape, properties_.lame.mu, pressure<Law>(shape, properties_.lame, x), x);
      fields.deviator.push_back(deviator(stress));
      fields.pressure.push_back(-trace(stress) / 3);
      fields.energy_density.push_back(energy<Law>(shape, properties_.lame, x) / shape.total_volume());
    }
  });
}

}  // namespace ictus::mechanics
