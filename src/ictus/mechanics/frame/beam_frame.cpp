// Notation: u dofs of the body (component by component), e deformations, n = k e forces that belong to them.
#include <ictus/mechanics/frame/beam_frame.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/frame/beam_frame_layout.hpp>

namespace ictus::mechanics {

using math::Vec3;

namespace {

/// A node of a frame as contact sees it; it has no face of its own, so that a contact must name its direction.
class FrameSurface final : public model::Surface {
 public:
  explicit FrameSurface(const BeamFrame& frame)
      : frame_(frame), grillage_(frame.properties().kind == FrameKind::grillage) {}

  std::size_t point_count() const override { return frame_.nodes().size(); }
  Vec3 position(std::size_t node, std::span<const double> q) const override {
    Vec3 x = frame_.nodes()[node];
    if (grillage_) {
      x.z() += q[index(node, 0)];
    } else {
      for (std::size_t c = 0; c < 3; ++c) x[static_cast<Eigen::Index>(c)] += q[index(node, c)];
    }
    return x;
  }
  Vec3 outward_normal(std::size_t, std::span<const double>) const override { return Vec3::Zero(); }
  void pull_back(std::size_t node, std::span<const double>, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    if (grillage_) {
      if (n.z() != 0) row.push_back({frame_.dof(node, 0), factor * n.z()});
      return;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const double weight = factor * n[static_cast<Eigen::Index>(c)];
      if (weight != 0) row.push_back({frame_.dof(node, c), weight});
    }
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  std::size_t index(std::size_t node, std::size_t c) const { return static_cast<std::size_t>(frame_.dof(node, c)); }

  const BeamFrame& frame_;
  bool grillage_;
};

}  // namespace

BeamFrame::BeamFrame(std::string name, const FrameProperties& properties, std::size_t first_dof)
    : DampedBody(std::move(name), properties.damping),
      properties_(properties),
      surface_(std::make_unique<FrameSurface>(*this)) {
  set_node_positions();
  dofs_ = {first_dof, dofs_per_node() * nodes_.size()};
  lump_masses();
  hold_supports();
}

BeamFrame::~BeamFrame() = default;

void BeamFrame::set_node_positions() {
  nodes_ = properties_.joints;
  if (properties_.kind == FrameKind::space) runs_ = std::vector<FrameRun<SpaceElement>>();
  for (const FrameMember& member : properties_.members) {
    const std::size_t first = nodes_.size();
    inner_nodes_.push_back(first);
    const Vec3 &from = properties_.joints[member.start], &to = properties_.joints[member.end];
    for (std::size_t i = 1; i < member.elements; ++i)
      nodes_.push_back(from + (to - from) * (static_cast<double>(i) / static_cast<double>(member.elements)));
    if (auto* grillage = std::get_if<0>(&runs_)) {
      grillage->push_back({grillage_element(properties_, member), member.start, member.end, first, member.elements});
    } else {
      std::get<1>(runs_).push_back(
          {space_element(properties_, member), member.start, member.end, first, member.elements});
    }
  }
}

std::size_t BeamFrame::node_of(std::size_t member, std::size_t i) const {
  const FrameMember& m = properties_.members[member];
  return i == 0 ? m.start : i == m.elements ? m.end : inner_nodes_[member] + i - 1;
}

/// Lumped masses [eq. frames-5, frames-6].
void BeamFrame::lump_masses() {
  const std::size_t n = nodes_.size(), components = dofs_per_node();
  mass_.assign(dofs_.size, 0.0);
  const auto add = [&](std::size_t node, const std::array<double, 6>& inertia) {
    for (std::size_t c = 0; c < components; ++c) mass_[c * n + node] += inertia[c];
    total_mass_ += inertia[0];
    first_moment_ += inertia[0] * nodes_[node];
  };
  for (std::size_t m = 0; m < properties_.members.size(); ++m) {
    const std::array<double, 6> share = node_inertia(properties_, properties_.members[m]);
    for (std::size_t i = 0; i < properties_.members[m].elements; ++i) {
      add(node_of(m, i), share);
      add(node_of(m, i + 1), share);
    }
  }
  for (const JointMass& point : properties_.point_masses) {
    if (properties_.kind == FrameKind::grillage)
      add(point.joint, {point.mass, point.inertia, point.inertia});
    else
      add(point.joint, {point.mass, point.mass, point.mass, point.inertia, point.inertia, point.inertia});
  }
}

void BeamFrame::hold_supports() {
  inverse_mass_.resize(mass_.size());
  for (std::size_t k = 0; k < mass_.size(); ++k) inverse_mass_[k] = 1 / mass_[k];
  for (const FrameSupport& support : properties_.supports) {
    for (std::size_t c = 0; c < dofs_per_node(); ++c) {
      const int k = dof(support.joint, c);
      double& inverse = inverse_mass_[static_cast<std::size_t>(k) - dofs_.begin];
      if (!support.held[c] || inverse == 0) continue;
      fixed_.push_back(k);
      inverse = 0;
    }
  }
}

template <class F>
void BeamFrame::for_each_block(F&& f) const {
  const auto visit = [&f](const auto& runs) {
    for (const auto& run : runs) {
      for (std::size_t begin = 0; begin < run.count; begin += frame_block)
        f(run, begin, std::min(frame_block, run.count - begin));
    }
  };
  std::visit(visit, runs_);
}

void BeamFrame::initialise(std::span<double> q, std::span<double> p) const {
  std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(dofs_.begin), dofs_.size, 0.0);
  std::fill_n(p.begin() + static_cast<std::ptrdiff_t>(dofs_.begin), dofs_.size, 0.0);
}

/// Gravity as far as the frame's translations feel it.
Vec3 BeamFrame::acting_gravity() const {
  const Vec3& g = properties_.gravity;
  return properties_.kind == FrameKind::grillage ? Vec3(0, 0, g.z()) : g;
}

void BeamFrame::kick(const exec::Executor&, std::span<const double> q, double h, std::span<double> p) const {
  const double* u = q.data() + dofs_.begin;
  double* momenta = p.data() + dofs_.begin;
  const std::size_t n = nodes_.size();
  const bool grillage = properties_.kind == FrameKind::grillage;
  for (std::size_t c = 0; c < (grillage ? 1 : 3); ++c) {
    const double impulse = h * properties_.gravity[grillage ? 2 : static_cast<Eigen::Index>(c)];
    if (impulse == 0) continue;
    for (std::size_t i = 0; i < n; ++i) momenta[c * n + i] += impulse * mass_[c * n + i];
  }
  resist(u, h, momenta);
}

void BeamFrame::apply_damping(const exec::Executor&, std::span<const double>, std::span<const double> v, double h,
                              std::span<double> p) const {
  resist(v.data() + dofs_.begin, h, p.data() + dofs_.begin);
}

/// p −= h K u.
void BeamFrame::resist(const double* u, double h, double* p) const {
  const NodeValues<const double> displaced{u, nodes_.size()};
  const NodeValues<double> pushed{p, nodes_.size()};
  for_each_block([&]<class Element>(const FrameRun<Element>& run, std::size_t begin, std::size_t count) {
    typename Element::Block e;
    const Element element = run.element;  // a copy that the compiler knows nobody writes to
    run.for_each(begin, count, [&](std::size_t j, std::size_t a, std::size_t b) {
      element.deform(displaced, a, b, j, e);
      element.resist(j, e);
    });
    run.for_each(begin, count,
                 [&](std::size_t j, std::size_t a, std::size_t) { element.push_first(e, j, -h, pushed, a); });
    run.for_each(begin, count,
                 [&](std::size_t j, std::size_t, std::size_t b) { element.push_second(e, j, -h, pushed, b); });
  });
}

/// ½ a·K b, from the deformations.
double BeamFrame::product_energy(const double* a, const double* b) const {
  double sum = 0;
  for_each_block([&]<class Element>(const FrameRun<Element>& run, std::size_t begin, std::size_t count) {
    typename Element::Block n, e;
    run.for_each(begin, count, [&](std::size_t j, std::size_t first, std::size_t second) {
      run.element.deform({a, nodes_.size()}, first, second, j, n);
      run.element.resist(j, n);
      run.element.deform({b, nodes_.size()}, first, second, j, e);
    });
    for (std::size_t d = 0; d < e.size(); ++d)
      sum += exec::sum_lanes(0, count, [&](std::size_t j) { return 0.5 * n[d][j] * e[d][j]; });
  });
  return sum;
}

/// u + h v.
std::vector<double> BeamFrame::moved(std::span<const double> q, std::span<const double> p, double h) const {
  const double *u = q.data() + dofs_.begin, *momenta = p.data() + dofs_.begin;
  std::vector<double> later(dofs_.size);
  for (std::size_t k = 0; k < later.size(); ++k) later[k] = u[k] + h * inverse_mass_[k] * momenta[k];
  return later;
}

/// −Σ m g·(u + h v): zero where nothing is deflected, wherever the frame stands.
double BeamFrame::gravity_energy(std::span<const double> q, std::span<const double> p, double h) const {
  const Vec3 g = acting_gravity();
  if (g.isZero()) return 0;
  const std::vector<double> later = moved(q, p, h);
  double sum = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) sum -= mass_[i] * g.dot(translation(i, later.data()));
  return sum;
}

PotentialEnergy BeamFrame::potential_energy(const exec::Executor&, std::span<const double> q) const {
  const double* u = q.data() + dofs_.begin;
  return {product_energy(u, u), gravity_energy(q, q, 0.0)};
}

PotentialEnergy BeamFrame::interval_energy(const exec::Executor&, std::span<const double> q, std::span<const double> p,
                                           double h) const {
  return {product_energy(q.data() + dofs_.begin, moved(q, p, h).data()), gravity_energy(q, p, h / 2)};
}

PotentialEnergy BeamFrame::trapezoid_energy(const exec::Executor&, std::span<const double> q, std::span<const double> p,
                                            double h) const {
  const double* u = q.data() + dofs_.begin;
  const std::vector<double> later = moved(q, p, h);
  return {0.5 * (product_energy(u, u) + product_energy(later.data(), later.data())), gravity_energy(q, p, h / 2)};
}

double BeamFrame::chord_energy(const exec::Executor&, std::span<const double>, std::span<const double> p,
                               double h) const {
  std::vector<double> step(dofs_.size);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = h * inverse_mass_[k] * p[dofs_.begin + k];
  return 0.5 * product_energy(step.data(), step.data());
}

void BeamFrame::stiffness(std::span<const double>, std::vector<StiffnessEntry>& entries) const {
  const auto add = [&]<class Element>(const std::vector<FrameRun<Element>>& runs) {
    constexpr int n = Element::dofs;
    for (std::size_t m = 0; m < runs.size(); ++m) {
      const auto k = element_stiffness(runs[m].element);
      for (std::size_t i = 0; i < runs[m].count; ++i) {
        const std::array<std::size_t, 2> ends{node_of(m, i), node_of(m, i + 1)};
        for (int row = 0; row < 2 * n; ++row) {
          for (int column = 0; column < 2 * n; ++column) {
            if (k(row, column) == 0) continue;
            entries.push_back({dof(ends[static_cast<std::size_t>(row / n)], static_cast<std::size_t>(row % n)),
                               dof(ends[static_cast<std::size_t>(column / n)], static_cast<std::size_t>(column % n)),
                               k(row, column)});
          }
        }
      }
    }
  };
  std::visit(add, runs_);
}

}  // namespace ictus::mechanics
