#include <ictus/mechanics/solid/own_blocks.hpp>

#include <atomic>
#include <cmath>
#include <ictus/mechanics/solid/solid_element.hpp>

namespace ictus::mechanics {

using namespace solid_element;

/// One element at a place, its memory taken there in a copy.
class OwnBlocks::Element {
 public:
  Element(const Material& material, const ElementShape& shape) : shape_(shape), material_(material) {
    for (int q = 0; q < shape_.points; ++q) volume_ += shape_.volume[q];
  }

  void read_memory(const double* from, std::size_t numbers) {
    std::copy_n(from, numbers * static_cast<std::size_t>(shape_.points), memory_);
    for (std::size_t q = 0; q < static_cast<std::size_t>(shape_.points); ++q) point_[q].memory = memory_ + q * numbers;
  }
  void write_memory(double* to, std::size_t numbers) const {
    std::copy_n(memory_, numbers * static_cast<std::size_t>(shape_.points), to);
  }

  void move_to(const Vector* x) {
    double volume = 0;
    good_ = true;
    for (int q = 0; q < shape_.points; ++q) {
      Matrix3<double>& f = point(q).f;
      f = gradient(shape_, q, x);
      const double growth = dot(f.a, cross(f.b, f.c));
      good_ = good_ && growth > 0;
      volume += shape_.volume[q] * growth;
    }
    if (!good_) return;  // a material need not know what it would say there
    growth_ = volume / volume_;
    material_.respond({point_, static_cast<std::size_t>(shape_.points)});
    change_of_volume_ = material_.volume(growth_);
  }

  bool good() const { return good_; }
  double volume() const { return volume_; }
  /// w and U.
  double energy() const {
    double sum = volume_ * change_of_volume_.energy;
    for (int q = 0; q < shape_.points; ++q) sum += shape_.volume[q] * point(q).energy;
    return sum;
  }
  /// ∂w/∂F + U′ ∂J/∂F.
  Matrix3<double> stress(int q) const {
    const Matrix3<double>& f = point(q).f;
    const double slope = change_of_volume_.slope;
    return point(q).stress + Matrix3<double>{slope * cross(f.b, f.c), slope * cross(f.c, f.a), slope * cross(f.a, f.b)};
  }
  /// dΠ/dx of node a.
  void add_gradient(double factor, Vector* gradient) const {
    for (int q = 0; q < shape_.points; ++q) {
      const Matrix3<double> pull = (factor * shape_.volume[q]) * stress(q);
      for (int a = 0; a < shape_.nodes; ++a) gradient[a] += pull * shape_.gradient[q][a];
    }
  }
  double power(const Vector* v) const {
    double sum = 0;
    for (int q = 0; q < shape_.points; ++q) sum += shape_.volume[q] * contract(stress(q), gradient(shape_, q, v));
    return sum;
  }
  /// ∫ of heat and hardening.
  Taken taken(std::size_t numbers) const {
    Taken sum;
    if (numbers == 0) return sum;
    for (int q = 0; q < shape_.points; ++q) {
      const Taken one = material_.taken({point(q).memory, numbers});
      sum.heat += shape_.volume[q] * one.heat;
      sum.hardening += shape_.volume[q] * one.hardening;
    }
    return sum;
  }
  /// The mean Cauchy stress P Fᵀ/det F over the element at rest.
  Eigen::Matrix3d cauchy_stress() const {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (int q = 0; q < shape_.points; ++q) {
      const Eigen::Matrix3d f = solid_law_detail::to_eigen(point(q).f);
      sum += shape_.volume[q] / (volume_ * f.determinant()) * solid_law_detail::to_eigen(stress(q)) * f.transpose();
    }
    return sum;
  }

 private:
  DeformedPoint& point(int q) { return point_[q]; }
  const DeformedPoint& point(int q) const { return point_[q]; }

  const ElementShape& shape_;
  const Material& material_;
  DeformedPoint point_[8];
  double memory_[8 * Material::max_memory];
  double volume_ = 0, growth_ = 1;
  VolumeEnergy change_of_volume_;
  bool good_ = true;
};

void OwnBlocks::begin(double* history) const {
  std::fill_n(history, this->history(), 0.0);
  if (memory_ == 0) return;
  for (std::size_t point = 0; point < first_point(blocks_.count()); ++point)
    material_->begin({history + point * memory_, memory_});
}

template <bool remembers, class History>
bool OwnBlocks::push(const exec::Executor& exec, const double* x, History* history, double h, double* p) const {
  std::atomic<bool> good = true;
  blocks_.for_each_slot(exec, [&](std::size_t slot) {
    const ElementShape shape = blocks_.shape(slot);
    Element element(*material_, shape);
    Vector at[8], gradient[8] = {};
    read_nodes(shape, x, at);
    History* memory = history + memory_ * first_point(slot);
    element.read_memory(memory, memory_);
    element.move_to(at);
    if (!element.good()) return good.store(false, std::memory_order_relaxed);
    if constexpr (remembers) element.write_memory(memory, memory_);
    element.add_gradient(-h, gradient);
    for (int a = 0; a < shape.nodes; ++a) {
      double* to = p + shape.node[static_cast<std::size_t>(a)];
      to[0] += gradient[a].x, to[1] += gradient[a].y, to[2] += gradient[a].z;
    }
  });
  return good;
}

bool OwnBlocks::kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const {
  return push<false>(exec, x, history, h, p);
}

bool OwnBlocks::advance(const exec::Executor& exec, const double* x, double /*elapsed*/, double* history, double h,
                        double* p) const {
  return push<true>(exec, x, history, h, p);
}

OwnBlocks::Held OwnBlocks::measure(const exec::Executor& exec, const double* x, const double* history,
                                   const double* inverse_mass, const double* p, double time) const {
  const auto sum = [&](auto&& of) {
    return exec.sum(blocks_.count(), [&](std::size_t slot) {
      const ElementShape shape = blocks_.shape(slot);
      Element element(*material_, shape);
      Vector at[8], velocity[8];
      read_nodes(shape, x, at);
      for (int a = 0; a < shape.nodes; ++a) {
        const auto k = static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)]);
        velocity[a] = {inverse_mass[k] * p[k], inverse_mass[k + 1] * p[k + 1], inverse_mass[k + 2] * p[k + 2]};
        at[a] += time * velocity[a];
      }
      element.read_memory(history + memory_ * first_point(slot), memory_);
      const Taken before = element.taken(memory_);
      element.move_to(at);
      return of(element, before, velocity);
    });
  };
  return {sum([&](const Element& element, const Taken& before, const Vector*) {
            const Taken now = element.taken(memory_);
            return element.energy() + (now.heat - before.heat) + (now.hardening - before.hardening);
          }),
          sum([](const Element& element, const Taken&, const Vector* velocity) { return element.power(velocity); })};
}

Dissipated OwnBlocks::dissipated(const exec::Executor& exec, const double* history) const {
  if (memory_ == 0) return {};
  const auto sum = [&](double Taken::*part) {
    return exec.sum(blocks_.count(), [&](std::size_t slot) {
      const ElementShape shape = blocks_.shape(slot);
      Element element(*material_, shape);
      element.read_memory(history + memory_ * first_point(slot), memory_);
      return element.taken(memory_).*part;
    });
  };
  return {sum(&Taken::heat), sum(&Taken::hardening)};
}

OwnBlocks::Fields OwnBlocks::show(const double* x, const double* history) const {
  Fields fields;
  for (std::size_t slot = 0; slot < blocks_.count(); ++slot) {
    const ElementShape shape = blocks_.shape(slot);
    Element element(*material_, shape);
    Vector at[8];
    read_nodes(shape, x, at);
    element.read_memory(history + memory_ * first_point(slot), memory_);
    element.move_to(at);
    const Eigen::Matrix3d stress = element.cauchy_stress();
    const double mean = stress.trace() / 3;
    fields.deviator.push_back(
        {stress(0, 0) - mean, stress(1, 1) - mean, stress(2, 2) - mean, stress(0, 1), stress(1, 2), stress(2, 0)});
    fields.pressure.push_back(-mean);
    fields.energy_density.push_back(element.energy() / element.volume());
  }
  return fields;
}

/// By central differences of the forces.
bool OwnBlocks::stiffness(const ElementShape& shape, const Vector* x, ElementStiffness& k) const {
  if (memory_ != 0) return false;
  Element element(*material_, shape);
  const double step = 1e-6 * std::cbrt(element.volume());
  const auto n = static_cast<std::size_t>(3 * shape.nodes);
  Vector at[8];
  std::copy_n(x, shape.nodes, at);
  for (std::size_t j = 0; j < n; ++j) {
    double& moved = j % 3 == 0 ? at[j / 3].x : j % 3 == 1 ? at[j / 3].y : at[j / 3].z;
    const double from = moved;
    Vector difference[8] = {};
    for (const double side : {1.0, -1.0}) {
      moved = from + side * step;
      element.move_to(at);
      element.add_gradient(side / (2 * step), difference);
    }
    moved = from;
    for (std::size_t i = 0; i < n; ++i) {
      const Vector& d = difference[i / 3];
      k[i][j] = i % 3 == 0 ? d.x : i % 3 == 1 ? d.y : d.z;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) k[i][j] = k[j][i] = 0.5 * (k[i][j] + k[j][i]);
  }
  return true;
}

}  // namespace ictus::mechanics
