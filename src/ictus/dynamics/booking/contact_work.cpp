#include <ictus/dynamics/booking/contact_work.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

using solve::Local;

bool sticks(const solve::FrictionCone& cone, const Local& r) {
  // Projections end on the cone up to rounding.
  constexpr double inside = 1 - 1e-9;
  const auto within = [](double t, double mu) { return mu > 0 ? t / mu : t == 0 ? 0.0 : INFINITY; };
  return (cone.mu1 > 0 || cone.mu2 > 0) &&
         solve::tangential_norm(within(r.y, cone.mu1), within(r.z, cone.mu2)) < inside * r.x;
}

ContactWork work_of(const solve::FrictionCone& cone, const Local& r, const Local& before, const Local& after,
                    const Local& offset, ContactRule rule, bool still) {
  const Local defect = after + offset, meant = before - offset;
  ContactWork work;
  const double normal = -0.5 * r.x * meant.x;
  switch (rule) {
    case ContactRule::impact:
      work.restitution = normal;
      break;
    case ContactRule::hold:
      work.quadrature = normal;
      break;
    case ContactRule::part:
      work.restitution = -0.5 * r.x * std::min(0.0, before.x);
      work.parting = -0.5 * r.x * (std::max(0.0, before.x) - offset.x);
  }
  const double tangential = -0.5 * (r.y * meant.y + r.z * meant.z);
  const double on_defect = -0.5 * (r.y * defect.y + r.z * defect.z);
  // Sliding with w the law takes ½ r_N |Dw|, the most that any impulse of the cone can [eq. rigid-bodies-15].
  const double sliding =
      sticks(cone, r) ? 0 : 0.5 * r.x * solve::tangential_norm(cone.mu1 * defect.y, cone.mu2 * defect.z);
  (still ? work.quadrature : work.friction) += tangential;
  work.friction += sliding;
  work.solver = -0.5 * r.x * defect.x + (on_defect - sliding);
  return work;
}

}  // namespace ictus::dynamics
