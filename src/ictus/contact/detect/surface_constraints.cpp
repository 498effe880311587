#include <ictus/contact/detect/surface_constraints.hpp>

#include <ictus/contact/scheme/spin_of.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>

namespace ictus::contact {

using math::Vec3;
using model::ConstraintSet;
using model::RowEntry;

namespace {

void push(std::vector<RowEntry>& row, int dof, const Vec3& weights) {
  for (int c = 0; c < 3; ++c) row.push_back({dof + c, weights[c]});
}

/// Adds up the entries from `begin` on that are of one dof: points of one section share their guides.
void merge_guided(std::size_t begin, std::vector<RowEntry>& row) {
  std::size_t kept = begin;
  for (std::size_t i = begin; i < row.size(); ++i) {
    std::size_t same = begin;
    while (same < kept && row[same].dof != row[i].dof) ++same;
    if (same < kept) {
      row[same].weight += row[i].weight;
    } else {
      row[kept++] = row[i];
    }
  }
  row.resize(kept);
}

/// Rows for the separation of two points that not only nodes carry. Rigid bodies and sections are pushed at the
/// touching point of the other side, or at the middle between both skins where the other side has such, too, so that
/// the pair of forces has no moment [eq. mixed-3]. Of several sections each gets the share of its vertices, as far from
/// the mean of these as the touching point is from that of all: the row of n is the gradient of the distance
/// [eq. mixed-8].
class CarriedPoints {
 public:
  explicit CarriedPoints(const FourPoints& points) : skins_(*points.carriers->skins), q_(points.carriers->q) {
    const auto& [skins, vertex, q] = *points.carriers;
    std::array<Vec3, 2> mean{Vec3::Zero(), Vec3::Zero()};
    for (std::size_t k = 0; k < 4; ++k) mean[k < points.first ? 0 : 1] += std::abs(points.weight[k]) * points.x[k];
    const Vec3 across = (mean[1] - mean[0]).normalized();
    const std::array<bool, 2> has_frame{skins->has_frame(vertex[0]), skins->has_frame(vertex[3])};
    const Vec3 first = mean[0] + skins->radius(vertex[0]) * across,
               second = mean[1] - skins->radius(vertex[3]) * across;
    common_ = !has_frame[0] ? first : !has_frame[1] ? second : Vec3(0.5 * (first + second));
    add_side(points, 0, points.first, has_frame[0], mean[0]);
    add_side(points, points.first, 4, has_frame[1], mean[1]);
    const auto is_guided = [&](int one) {
      return skins_.is_guided(skins_.vertex_skin()[static_cast<std::size_t>(one)]);
    };
    any_guided_ = is_guided(vertex[0]) || is_guided(vertex[3]);
  }

  /// Where both sides are pushed.
  const Vec3& common() const { return common_; }

  /// Appends the row of e.
  void push(const Vec3& e, ConstraintSet& constraints) const {
    if (any_guided_) return push_guided(e, constraints.open_row());
    RowEntry* entry = constraints.open_entries(entries_).data();
    for (const Carried& one : std::span(carried_).first(count_)) {
      const Vec3 force = one.weight * e;
      if (one.frame) {
        entry = write_carried(*one.frame, one.point, force, one.dof, entry);
      } else {
        for (int c = 0; c < 3; ++c) *entry++ = {one.dof + c, force[c]};
      }
    }
  }

 private:
  struct Carried {
    int vertex, dof;
    double weight;
    Vec3 point;  // at which it is pushed
    std::optional<model::RigidFrame> frame;
  };

  /// The vertices begin … end − 1, those of one side: each node, and each frame once.
  void add_side(const FourPoints& points, std::size_t begin, std::size_t end, bool has_frame, const Vec3& mean) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto is_on_same = [&](std::size_t other) { return has_frame && points.dof[other] == points.dof[k]; };
      double weight = points.weight[k];
      Vec3 moved = weight * points.x[k];
      bool is_done = false, is_alone = true;
      for (std::size_t other = begin; other < end; ++other) {
        if (other == k) continue;
        if (!is_on_same(other)) {
          is_alone = false;
        } else if (other < k) {
          is_done = true;
        } else {
          weight += points.weight[other];
          moved += points.weight[other] * points.x[other];
        }
      }
      if (is_done || weight == 0) continue;
      const int vertex = points.carriers->vertex[k];
      Carried& one = carried_[count_++];
      one = {vertex, points.dof[k], weight, common_, std::nullopt};
      entries_ += 3;
      if (!has_frame) continue;
      if (!is_alone) one.point = moved / weight + (common_ - mean);
      one.frame = skins_.frame(vertex, q_);
      if (one.frame) entries_ += 3;
    }
  }

  void push_guided(const Vec3& e, std::vector<RowEntry>& row) const {
    const std::size_t begin = row.size();
    for (const Carried& one : std::span(carried_).first(count_)) {
      if (one.frame) {
        one.frame->pull_back(one.point, one.weight * e, one.dof, row);
      } else {
        skins_.pull_back(one.vertex, q_, one.point, one.weight * e, row);
      }
    }
    merge_guided(begin, row);
  }

  const Skins& skins_;
  std::span<const double> q_;
  Vec3 common_;
  std::array<Carried, 4> carried_;
  std::size_t count_ = 0, entries_ = 0;
  bool any_guided_ = false;
};

/// Calls row(q) for the two tangents as directions of the motion of the side to which n leads, and closes their rows.
template <class Row>
void add_tangents(const Touch& touch, ConstraintSet& constraints, Row&& row) {
  const double side = touch.towards_second ? 1 : -1;
  for (const Vec3& tangent : constraints.open_tangents()) {
    row(side * tangent);
    constraints.add_tangent();
  }
}

/// The rotations of four vertices about their mean x̄, I the inertia of unit masses on them.
class Rotations {
 public:
  explicit Rotations(const FourPoints& points) : mean_(0.25 * (points.x[0] + points.x[1] + points.x[2] + points.x[3])) {
    for (const Vec3& x : points.x) {
      const Vec3 r = x - mean_;
      inertia_ += r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose();
    }
  }

  /// The row w_k e less what it has in common with a rotation, J_k = w_k e + θ × (x_k − x̄), Iθ = −Σ x_k × w_k e.
  void push_without(const Vec3& e, const FourPoints& points, std::vector<RowEntry>& row) const {
    const Vec3 turn = spin_of(inertia_, e.cross(points.separation()));
    for (std::size_t k = 0; k < 4; ++k) {
      push(row, points.dof[k], points.weight[k] * e + turn.cross(points.x[k] - mean_));
    }
  }

 private:
  Vec3 mean_;
  Eigen::Matrix3d inertia_ = Eigen::Matrix3d::Zero();
};

/// Where the impulses of two points act: in the middle between them.
Vec3 middle_of(const FourPoints& points) {
  Vec3 middle = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) middle += 0.5 * std::abs(points.weight[k]) * points.x[k];
  return middle;
}

/// Closes the row of a distance whose impulse acts at a point.
void close_distance(const Vec3& point, const Touch& touch, double thickness, ConstraintSet& constraints) {
  constraints.add(touch.distance - thickness,
                  {touch.pair, point, touch.towards_second ? touch.direction : -touch.direction}, 0,
                  ConstraintSet::Onset::ahead, touch.name);
}

}  // namespace

void add_distance(const FourPoints& points, const Touch& touch, double thickness, ConstraintSet& constraints) {
  for (std::size_t k = 0; k < 4; ++k) push(constraints.open_row(), points.dof[k], points.weight[k] * touch.direction);
  close_distance(middle_of(points), touch, thickness, constraints);
}

void add_carried(const FourPoints& points, const Touch& touch, double thickness, bool rubs,
                 ConstraintSet& constraints) {
  const CarriedPoints carried(points);
  carried.push(touch.direction, constraints);
  close_distance(carried.common(), touch, thickness, constraints);
  if (!rubs) return;
  add_tangents(touch, constraints, [&](const Vec3& q) { carried.push(q, constraints); });
}

void add_meeting(const FourPoints& points, const Touch& touch, ConstraintSet& constraints) {
  if (points.only_nodes()) {
    Rotations(points).push_without(touch.direction, points, constraints.open_row());
  } else {
    CarriedPoints(points).push(touch.direction, constraints);
  }
  constraints.add(0, {touch.pair, middle_of(points), touch.towards_second ? touch.direction : -touch.direction}, 0,
                  ConstraintSet::Onset::ahead);
}

double gap_of_features(const Skins& skins, std::span<const ContactPair> pairs, int pair,
                       const ConstraintSet::Name& name, std::span<const double> q) {
  const Skins::Law& law = skins.laws()[static_cast<std::size_t>(pair)];
  const auto first = static_cast<std::size_t>(name.first), second = static_cast<std::size_t>(name.second);
  const auto at = [&](int vertex) { return skins.position(vertex, q); };
  if (name.kind == point_and_surroundings) {
    const ContactPair& of = pairs[static_cast<std::size_t>(pair)];
    const Vec3 apart = of.second_surface->position(of.second_point, q) - of.first_surface->position(of.first_point, q);
    return of.first_surface->outward_normal(of.first_point, q).dot(apart);
  }
  if (name.kind == plane_and_vertex) {
    const ContactPair& of = pairs[static_cast<std::size_t>(pair)];
    const model::Plane plane = model::plane_at(*(law.first < 0 ? of.first_surface : of.second_surface), q);
    const model::SurfaceMesh& mesh = *skins.skins()[static_cast<std::size_t>(std::max(law.first, law.second))].mesh;
    return plane.normal.dot(mesh.position(second, q) - plane.point) - mesh.radius(second);
  }
  if (name.kind == two_edges) {
    const auto [a, b] = skins.edges()[first];
    const auto [c, d] = skins.edges()[second];
    const Vec3 xa = at(a), xb = at(b), xc = at(c), xd = at(d);
    const geometry::SegmentPoints closest = geometry::closest_on_segments(xa, xb, xc, xd, 0.0);
    return (xc + closest.t * (xd - xc) - xa - closest.s * (xb - xa)).norm() - skins.thickness(pair, a, c);
  }
  const auto [a, b, c] = skins.triangles()[second];
  const Vec3 x = at(name.first), xa = at(a), xb = at(b), xc = at(c);
  const auto [l0, l1, l2] = geometry::closest_on_triangle(x, xa, xb, xc).weights;
  return (x - l0 * xa - l1 * xb - l2 * xc).norm() - skins.thickness(pair, name.first, a);
}

// v_t·q − d ṅ·q with ṅ from the motion of the triangle: its corner k gets d (∇l_k·q) n besides −l_k q.
void add_slip_of_vertex(const FourPoints& points, const Touch& touch, ConstraintSet& constraints) {
  const auto& [p, a, b, c] = points.x;
  const Vec3 area = (b - a).cross(c - a);
  const std::array<Vec3, 3> opposite{c - b, a - c, b - a};
  add_tangents(touch, constraints, [&](const Vec3& q) {
    push(constraints.open_row(), points.dof[0], q);
    for (std::size_t k = 0; k < 3; ++k) {
      const double turn = touch.distance * area.cross(opposite[k]).dot(q) / area.squaredNorm();
      push(constraints.open_row(), points.dof[k + 1], points.weight[k + 1] * q + turn * touch.direction);
    }
  });
}

// The ends of each edge get ∓β n and ∓γ n, β a + γ b = d q, which take away the moment d n × q of the tangential pair.
void add_slip_of_edges(const FourPoints& points, const Touch& touch, ConstraintSet& constraints) {
  const Vec3 a = points.x[1] - points.x[0], b = points.x[3] - points.x[2], &n = touch.direction;
  const double span = a.cross(b).dot(n);
  add_tangents(touch, constraints, [&](const Vec3& q) {
    const double beta = touch.distance * q.cross(b).dot(n) / span, gamma = touch.distance * a.cross(q).dot(n) / span;
    const std::array<double, 4> turn{-beta, beta, -gamma, gamma};
    for (std::size_t k = 0; k < 4; ++k) {
      push(constraints.open_row(), points.dof[k], points.weight[k] * q + turn[k] * n);
    }
  });
}

void add_slip_of_points(const FourPoints& points, const Touch& touch, ConstraintSet& constraints) {
  const Rotations rotations(points);
  add_tangents(touch, constraints, [&](const Vec3& q) { rotations.push_without(q, points, constraints.open_row()); });
}

}  // namespace ictus::contact
