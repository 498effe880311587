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
    std::array<double, few_contacts> few;
    std::vector<double> many(body_.contacts() > few_contacts ? body_.contacts() : 0);
    const std::span<double> gaps = many.empty() ? std::span(few).first(body_.contacts()) : std::span(many);
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
  bool meets_surroundings() const override { return side_ == Side::body; }
  void slip(std::size_t point, std::span<const double> q, std::size_t direction,
            std::vector<model::RowEntry>& row) const override {
    const ContactGeometry geometry = at(point, q);
    const CoordinateVector& tangent = direction == 0 ? geometry.tangent1 : geometry.tangent2;
    const bool slides = static_cast<int>(direction) < geometry.tangents;
    for (std::size_t i = 0; i < body_.coordinates(); ++i)
      row.push_back({static_cast<int>(body_.dofs().begin + i), slides ? -tangent[i] : 0.0});
  }

 private:
  static constexpr std::size_t few_contacts = 16;  // whose gaps need no room on the heap

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

void draw_links(const GeneralisedBody& body, std::span<const double> q, Picture& picture) {
  const LinkSkin skin = body.link_skin();
  const auto first = static_cast<int>(picture.points.size());
  for (std::size_t i = 0; i < skin.lever.size(); ++i) {
    LinkMotion motion;
    body.link(static_cast<std::size_t>(skin.link[i]), q, motion);
    picture.points.push_back(motion.x + motion.turn * skin.lever[i]);
  }
  for (const std::array<int, 3>& corners : skin.triangles) {
    using Cell = Picture::Cell;
    const std::size_t count = corners[0] == corners[1] ? 1 : corners[1] == corners[2] ? 2 : 3;
    picture.cells.push_back(count == 1 ? Cell::vertex : count == 2 ? Cell::line : Cell::triangle);
    for (std::size_t k = 0; k < count; ++k) picture.connectivity.push_back(first + corners[k]);
  }
}

double GeneralisedBody::momentum_scale(std::span<const double> p) const {
  const std::vector<double> origin(coordinates());
  Momentum sum;
  add_momentum_in_space(origin, part(p), sum);
  return sum.linear.norm();
}

}  // namespace ictus::mechanics
