#include <ictus/mechanics/generalised/coordinate_body.hpp>

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <ictus/mechanics/generalised/small_vibrations.hpp>
#include <limits>

namespace ictus::mechanics {

using math::Vec3;

namespace {

/// Room for the coordinates in whole vector registers.
constexpr int max_size = 16;
static_assert(max_coordinates <= max_size);
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, max_size, max_size>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_size, 1>;
using SquareView = Eigen::Map<const Square>;
using ColumnView = Eigen::Map<const Column>;

Square leading(const CoordinateMatrix& a, Eigen::Index n) {
  Square result(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) result(i, j) = a(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  return result;
}

/// The contacts of a body with its surroundings, in the slots of CoordinateBody.
class ScaledContacts final : public model::Surface {
 public:
  ScaledContacts(const model::Surface& of_system, std::size_t coordinates, std::size_t first)
      : of_system_(of_system), count_(coordinates), first_(first) {}

  std::size_t point_count() const override { return of_system_.point_count(); }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    return of_system_.position(point, own(q));
  }
  Vec3 outward_normal(std::size_t point, std::span<const double> q) const override {
    return of_system_.outward_normal(point, own(q));
  }
  void pull_back(std::size_t point, std::span<const double> q, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    const std::size_t begin = row.size();
    of_system_.pull_back(point, own(q), n, factor, row);
    scale(q, begin, row);
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }
  bool meets_surroundings() const override { return of_system_.meets_surroundings(); }
  void slip(std::size_t point, std::span<const double> q, std::size_t direction,
            std::vector<model::RowEntry>& row) const override {
    const std::size_t begin = row.size();
    of_system_.slip(point, own(q), direction, row);
    scale(q, begin, row);
  }

 private:
  std::span<const double> own(std::span<const double> q) const { return q.subspan(first_ + count_, count_); }

  /// w ← L⁻¹w of the entries from `begin` on, if there are any.
  void scale(std::span<const double> q, std::size_t begin, std::vector<model::RowEntry>& row) const {
    if (row.size() == begin) return;
    const double* inverse_root = &q[first_ + 2 * count_];
    for (std::size_t i = count_; i-- > 0;) {  // from the last: L⁻¹ has nothing above its diagonal
      double sum = 0;
      for (std::size_t j = 0; j <= i; ++j) sum += inverse_root[i * count_ + j] * row[begin + j].weight;
      row[begin + i] = {static_cast<int>(first_ + i), sum, model::RowEntry::Kind::guided};
    }
  }

  const model::Surface& of_system_;
  std::size_t count_, first_;
};

/// T must be ½ q̇·M(q)q̇.
void require_quadratic(const GeneralisedBody& body) {
  std::vector<double> q(body.coordinates()), v(body.coordinates()), none(body.coordinates());
  body.start(q, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += 1 + 0.1 * static_cast<double>(i);
  Inertia moving{}, resting{};
  body.inertia(q, v, moving);
  body.inertia(q, none, resting);
  double twice = 0, of_rest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    twice += v[i] * moving.momentum[i];
    for (std::size_t j = 0; j < v.size(); ++j) of_rest += v[i] * resting.mass(i, j) * v[j];
  }
  const double kinetic = body.kinetic_energy(q, v), rounding = 1e-9 * kinetic;
  if (std::abs(twice - 2 * kinetic) <= rounding && std::abs(of_rest - 2 * kinetic) <= rounding) return;
  throw base::InputError({base::Mistake{"", 0, body.name(),
                                        "its kinetic energy is not quadratic in the rates of its coordinates, as that "
                                        "of bodies that meet others must be"}});
}

/// Whether the force is linear in q, as far as steps along and across the coordinates tell.
bool has_linear_force(const GeneralisedBody& body) {
  const std::size_t n = body.coordinates();
  std::vector<double> here(n), rest(n);
  body.start(here, rest);
  const auto force_at = [&](std::size_t along, double way) {
    std::vector<double> q = here;
    for (std::size_t i = 0; i < n; ++i)
      q[i] += i == along ? way : along == n ? (1 + 0.3 * static_cast<double>(i)) * way : 0;
    CoordinateVector f{};
    body.force(q, f);
    return f;
  };
  for (std::size_t along = 0; along <= n; ++along) {
    const double way = 0.1;
    const CoordinateVector f = force_at(along, 0), above = force_at(along, way), below = force_at(along, -2 * way);
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::abs(f[i]) + std::abs(above[i]) + std::abs(below[i]);
      if (std::abs(below[i] - f[i] + 2 * (above[i] - f[i])) > 1e-12 * size) return false;
    }
  }
  return true;
}

CriticalStep critical_step_of(const GeneralisedBody& body) {
  const SmallVibrations fastest = small_vibrations(body);
  const double k = std::max(fastest.frequency_sq, 0.0), c = std::max(fastest.decay, 0.0);
  // h²K + 2hC ≤ 4M: damping acts by the velocity half a step ago [eq. newmark-9]
  const double sum = c + std::sqrt(c * c + 4 * k);
  return {sum > 0 ? 4 / sum : std::numeric_limits<double>::infinity(), 0};
}

}  // namespace

CoordinateBody::CoordinateBody(std::unique_ptr<const GeneralisedBody> system, std::size_t first_dof)
    : NodalBody(system->name()),
      system_(std::move(system)),
      first_(first_dof),
      followed_{first_dof, system_->coordinates()},
      mass_(links_at() + system_->links() * followed_.slots(), 1.0),
      surface_(std::make_unique<ScaledContacts>(system_->surface(), count(), first_dof)),
      surroundings_(std::make_unique<ScaledContacts>(system_->surroundings(), count(), first_dof)) {
  require_quadratic(*system_);
  critical_ = critical_step_of(*system_);
  linear_ = system_->constant_inertia() && has_linear_force(*system_);
  LinkSkin skin = system_->link_skin();
  if (skin.empty()) return;
  std::vector<double> q(dofs().end()), p(q.size());
  initialise(q, p);
  std::vector<int> dof;
  std::vector<Vec3> position;
  for (std::size_t i = 0; i < skin.lever.size(); ++i) {
    const std::size_t at = first_ + links_at() + static_cast<std::size_t>(skin.link[i]) * followed_.slots();
    dof.push_back(static_cast<int>(at));
    position.push_back(model::RigidFrame::at(q, at).position_of(skin.lever[i]));
  }
  skin_ = std::make_unique<MeshSurface>(model::SurfaceMesh(std::move(skin.triangles), std::move(dof),
                                                           std::move(skin.lever), skin.radius, followed_, position));
}

CoordinateBody::~CoordinateBody() = default;

/// L⁻¹ and the links at the coordinates. False where M has no root.
bool CoordinateBody::follow(double* slots) const {
  const auto n = static_cast<Eigen::Index>(count());
  const std::span<const double> x(slots + coordinates_at(), count());
  const CoordinateVector none{};
  Inertia inertia;
  system_->inertia(x, std::span(none).first(count()), inertia);
  const Eigen::LLT<Square> root(leading(inertia.mass, n));
  if (root.info() != Eigen::Success) return false;
  Eigen::Map<Square> inverse(slots + inverse_root_at(), n, n);
  inverse = root.matrixL().solve(Square::Identity(n, n));
  for (std::size_t l = 0; l < system_->links(); ++l) {
    LinkMotion motion;
    system_->link(l, x, motion);
    double* to = slots + links_at() + l * followed_.slots();
    Vec3::Map(to) = motion.x;
    const std::array<double, 4> turn{motion.turn.w(), motion.turn.x(), motion.turn.y(), motion.turn.z()};
    std::copy(turn.begin(), turn.end(), to + 3);
    double *moves = to + model::RigidFrame::dofs, *turns = moves + 3 * count();
    for (std::size_t j = 0; j < count(); ++j) {
      Vec3 a = Vec3::Zero(), b = Vec3::Zero();
      for (std::size_t i = 0; i <= j; ++i) {
        const double share = inverse(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i));
        a += share * motion.moves[i];
        b += share * motion.turns[i];
      }
      Vec3::Map(moves + 3 * j) = a;
      Vec3::Map(turns + 3 * j) = b;
    }
  }
  return true;
}

void CoordinateBody::initialise(std::span<double> q, std::span<double> p) const {
  const auto n = static_cast<Eigen::Index>(count());
  CoordinateVector rate{};
  double* slots = &q[first_];
  std::fill_n(slots, count(), 0.0);
  system_->start({slots + coordinates_at(), count()}, std::span(rate).first(count()));
  if (!follow(slots))
    throw base::InputError({base::Mistake{"", 0, name(), "its mass matrix is singular at the start"}});
  std::fill_n(&p[first_], mass_.size(), 0.0);
  // π = Lᵀq̇
  const Column momenta = SquareView(slots + inverse_root_at(), n, n)
                             .transpose()
                             .triangularView<Eigen::Upper>()
                             .solve(ColumnView(rate.data(), n));
  Eigen::Map<Column>(&p[first_], n) = momenta;
}

/// Of p = Lπ.
Momentum CoordinateBody::momentum(std::span<const double> q, std::span<const double> p) const {
  const auto n = static_cast<Eigen::Index>(count());
  const Column own =
      SquareView(&q[first_ + inverse_root_at()], n, n).triangularView<Eigen::Lower>().solve(ColumnView(&p[first_], n));
  Momentum sum;
  system_->add_momentum_in_space(coordinates(q), {own.data(), count()}, sum);
  return sum;
}

/// With the inertia of the start.
double CoordinateBody::momentum_scale(std::span<const double> p) const {
  std::vector<double> q(dofs().end()), start(q.size());
  initialise(q, start);
  return momentum(q, p).linear.norm();
}

Momentum CoordinateBody::support_impulse(int dof, double p, std::span<const double> q) const {
  const std::size_t slot = static_cast<std::size_t>(dof) - first_;
  if (slot >= count()) return {};
  std::vector<double> unit(dofs().end());
  unit[first_ + slot] = p;
  return momentum(q, unit);
}

/// All of its forces that are momentum in space come from outside.
Momentum CoordinateBody::gravity_impulse(std::span<const double> q, double h) const {
  CoordinateVector f{};
  system_->force(coordinates(q), f);
  for (double& one : f) one *= h;
  Momentum sum;
  system_->add_momentum_in_space(coordinates(q), std::span(f).first(count()), sum);
  return sum;
}

/// q̇ = L⁻ᵀπ.
void CoordinateBody::rates(std::span<const double> q, std::span<const double> v, CoordinateVector& rates) const {
  const double *inverse_root = &q[first_ + inverse_root_at()], *own = &v[first_];
  for (std::size_t i = 0; i < count(); ++i) {
    rates[i] = 0;
    for (std::size_t j = i; j < count(); ++j) rates[i] += inverse_root[j * count() + i] * own[j];
  }
}

/// L⁻¹f.
void CoordinateBody::force(std::span<const double> q, CoordinateVector& scaled) const {
  CoordinateVector f;
  system_->force(coordinates(q), f);
  const double* inverse_root = &q[first_ + inverse_root_at()];
  for (std::size_t i = 0; i < count(); ++i) {
    scaled[i] = 0;
    for (std::size_t j = 0; j <= i; ++j) scaled[i] += inverse_root[i * count() + j] * f[j];
  }
}

void CoordinateBody::probe(double fraction, const Motion& motion, std::span<double> values) const {
  CoordinateVector rate{};
  rates(motion.q, motion.v, rate);
  system_->probe(fraction, {coordinates(motion.q), std::span(rate).first(count())}, values);
}

Picture CoordinateBody::draw(std::span<const double> q, std::span<const double> v) const {
  CoordinateVector rate{};
  rates(q, v, rate);
  return system_->draw(coordinates(q), std::span(rate).first(count()));
}

void CoordinateBody::fail_flight() const {
  throw base::NumericalFailure("the coordinates of a body change too much in one step, or its mass matrix is singular",
                               name(), "Try a smaller time.step");
}

/// p = ½(T_v(q, u) + T_v(q⁺, u)) − ½h T_q(q, u), q⁺ = q + hu, and p⁺ = p + ½h(T_q(q, u) + T_q(q⁺, u)), by Newton's
/// method on u [eq. mixed-12]; the ways grow by ½h(L + L⁺)ᵀu.
double CoordinateBody::fly(const exec::Executor&, double h, std::span<double> q, std::span<double> p) const {
  constexpr int max_iterations = 30;
  constexpr double negligible = 1e-16;  // energy of a correction, relative: that of the next is its square
  const auto n = static_cast<Eigen::Index>(count());
  double* slots = &q[first_];
  Eigen::Map<Column> momenta(&p[first_], n), x(slots + coordinates_at(), n), ways(slots, n);
  const SquareView inverse_root(slots + inverse_root_at(), n, n);
  const auto view = [&](const Column& a) { return std::span<const double>(a.data(), count()); };
  const double before = momenta.squaredNorm();
  const Square root = inverse_root.triangularView<Eigen::Lower>().solve(Square::Identity(n, n));
  const Column leaving = root * momenta, here = x;
  Column u = inverse_root.transpose() * momenta, next = here;
  Inertia first, last;
  for (int iteration = 0;; ++iteration) {
    if (iteration == max_iterations) fail_flight();
    next = here + h * u;
    system_->inertia(view(here), view(u), first);
    system_->inertia(view(next), view(u), last);
    const Column residual = leaving -
                            0.5 * (ColumnView(first.momentum.data(), n) + ColumnView(last.momentum.data(), n)) +
                            0.5 * h * ColumnView(first.configuration_force.data(), n);
    const Square first_coupling = leading(first.coupling, n), last_coupling = leading(last.coupling, n);
    const Square slope =
        0.5 * (leading(first.mass, n) + leading(last.mass, n) + h * (last_coupling - first_coupling.transpose()));
    const Column step = slope.partialPivLu().solve(residual);
    u += step;
    if (!u.allFinite()) fail_flight();
    if (std::abs(step.dot(residual)) <= negligible * before) break;
  }
  next = here + h * u;
  system_->inertia(view(here), view(u), first);
  system_->inertia(view(next), view(u), last);
  const Column arriving = 0.5 * (ColumnView(first.momentum.data(), n) + ColumnView(last.momentum.data(), n)) +
                          0.5 * h * ColumnView(last.configuration_force.data(), n);
  ways += 0.5 * h * root.transpose() * u;
  x = next;
  if (!follow(slots)) fail_flight();
  momenta = inverse_root.triangularView<Eigen::Lower>() * arriving;
  ways += 0.5 * h * inverse_root.transpose().triangularView<Eigen::Upper>().solve(u);
  return 0.5 * (momenta.squaredNorm() - before);
}

void CoordinateBody::kick(const exec::Executor&, std::span<const double> q, double h, std::span<double> p) const {
  CoordinateVector f;
  force(q, f);
  for (std::size_t i = 0; i < count(); ++i) p[first_ + i] += h * f[i];
}

PotentialEnergy CoordinateBody::potential_energy(const exec::Executor&, std::span<const double> q) const {
  return system_->potential_energy(coordinates(q));
}

/// What the half kick takes is that of strain, where there is any, and gravity together.
PotentialEnergy CoordinateBody::interval_energy(const exec::Executor& exec, std::span<const double> q,
                                                std::span<const double> p, double h) const {
  PotentialEnergy energy = potential_energy(exec, q);
  CoordinateVector f;
  force(q, f);
  double& share = energy.strain == 0 ? energy.gravity : energy.strain;
  for (std::size_t i = 0; i < count(); ++i) share -= 0.5 * h * f[i] * p[first_ + i];
  return energy;
}

void CoordinateBody::apply_damping(const exec::Executor&, std::span<const double> q, std::span<const double> v,
                                   double h, std::span<double> p) const {
  CoordinateVector rate{};
  rates(q, v, rate);
  Damping damping;
  system_->damping(coordinates(q), std::span(rate).first(count()), damping);
  const double* inverse_root = &q[first_ + inverse_root_at()];
  for (std::size_t i = 0; i < count(); ++i)
    for (std::size_t j = 0; j <= i; ++j) p[first_ + i] += h * inverse_root[i * count() + j] * damping.force[j];
}

}  // namespace ictus::mechanics
