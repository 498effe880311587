#include <ictus/mechanics/generalised/generalised_body.hpp>

#include <cmath>

namespace ictus::mechanics {

using math::Vec3;

namespace {

/// The points of a body that can touch, or of what they can meet: x of contact i, or x − push · gap.
class ContactSurface final : public model::Surface {
 public:
  enum class Side { body, surroundings };

  ContactSurface(const GeneralisedBody& body, Side side) : body_(body), side_(side) {}

  std::size_t point_count() const override { return body_.contacts(); }
  Vec3 position(std::size_t point, std::span<const double> q) const override {
    const ContactGeometry geometry = at(point, q);
    if (side_ == Side::body) return geometry.point;
    std::vector<double> gaps(body_.contacts());
    body_.gaps(body_.part(q), gaps);
    return geometry.point - geometry.metres_per_gap * gaps[point] * geometry.push;
  }
  Vec3 outward_normal(std::size_t point, std::span<const double> q) const override {
    const Vec3 push = at(point, q).push;
    return side_ == Side::body ? Vec3(-push) : push;
  }
  /// Only the direction of the normal is known to the body.
  void pull_back(std::size_t point, std::span<const double> q, const Vec3& n, double factor,
                 std::vector<model::RowEntry>& row) const override {
    if (side_ == Side::surroundings) return;
    const ContactGeometry geometry = at(point, q);
    const double weight = factor * n.dot(geometry.push) * geometry.metres_per_gap;
    for (std::size_t i = 0; i < body_.coordinates(); ++i) {
      row.push_back({static_cast<int>(body_.dofs().begin + i), weight * geometry.normal[i]});
    }
  }
  double layer_compliance(std::size_t) const override { return 0; }
  std::optional<model::Plane> plane() const override { return std::nullopt; }

 private:
  ContactGeometry at(std::size_t point, std::span<const double> q) const {
    ContactGeometry geometry{};
    body_.contact(point, body_.part(q), geometry);
    return geometry;
  }

  const GeneralisedBody& body_;
  Side side_;
};

}  // namespace

GeneralisedBody::GeneralisedBody(std::string name, Range dofs, std::size_t contacts)
    : Body(std::move(name)),
      dofs_(dofs),
      contacts_(contacts),
      surface_(std::make_unique<ContactSurface>(*this, ContactSurface::Side::body)),
      surroundings_(std::make_unique<ContactSurface>(*this, ContactSurface::Side::surroundings)) {}

GeneralisedBody::~GeneralisedBody() = default;

void GeneralisedBody::initialise(std::span<double> q, std::span<double> p) const {
  CoordinateVector v{};
  const std::span<const double> velocity = std::span(v).first(coordinates());
  start(part(q), std::span(v).first(coordinates()));
  Inertia at_start{};
  inertia(part(q), velocity, at_start);
  for (std::size_t i = 0; i < coordinates(); ++i) part(p)[i] = at_start.momentum[i];
}

Momentum GeneralisedBody::momentum(std::span<const double> q, std::span<const double> p) const {
  Momentum sum;
  add_momentum_in_space(part(q), part(p), sum);
  return sum;
}

double GeneralisedBody::momentum_scale(std::span<const double> p) const {
  const std::vector<double> origin(coordinates());
  Momentum sum;
  add_momentum_in_space(origin, part(p), sum);
  return sum.linear.norm();
}

}  // namespace ictus::mechanics
