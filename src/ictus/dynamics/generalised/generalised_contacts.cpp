#include <ictus/dynamics/generalised/generalised_contacts.hpp>

namespace ictus::dynamics {

bool GeneralisedContacts::find(const mechanics::GeneralisedBody& body, std::span<const double> q,
                               std::span<const ContactLaw> laws) {
  count_ = 0;
  coordinates_ = body.coordinates();
  all_gaps_.resize(body.contacts());
  body.gaps(q, all_gaps_);
  for (std::size_t i = 0; i < all_gaps_.size(); ++i) {
    if (all_gaps_[i] > 0 || laws[i].pair < 0) continue;
    if (count_ == max_count) return false;
    index_[count_] = i;
    gap_[count_] = all_gaps_[i];
    law_[count_] = &laws[i];
    body.contact(i, q, geometry_[count_]);
    ++count_;
  }
  return true;
}

void GeneralisedContacts::condense(const GeneralisedMotion& motion) {
  cone_.contacts = count_;
  for (int i = 0; i < count_; ++i) {
    const solve::FrictionCone& cone = law_[i]->cone;
    const int tangents = geometry_[i].tangents;
    cone_.cones[i] = {tangents > 0 ? cone.mu1 : 0.0, tangents > 1 ? cone.mu2 : 0.0};
    for (int row = row_end(i); row < 3 * i + 3; ++row) {
      for (int column = 0; column < rows(); ++column) cone_.w[row][column] = cone_.w[column][row] = 0;
    }
  }
  for_each_row([&](int row) { motion.divide_by_mass(direction(row), moved_[row]); });
  with_size(coordinates_, [&](auto n) {
    for_each_row([&](int a) {
      for_each_row([&](int b) {
        if (b <= a) cone_.w[a][b] = cone_.w[b][a] = dot(direction(a), moved_[b], n);
      });
    });
  });
}

void GeneralisedContacts::rates(const Vector& x, Rows& rates) const {
  with_size(coordinates_, [&](auto n) {
    for (int i = 0; i < count_; ++i) {
      const mechanics::ContactGeometry& contact = geometry_[i];
      rates[3 * i] = dot(contact.normal, x, n);
      rates[3 * i + 1] = contact.tangents > 0 ? dot(contact.tangent1, x, n) : 0.0;
      rates[3 * i + 2] = contact.tangents > 1 ? dot(contact.tangent2, x, n) : 0.0;
    }
  });
}

void GeneralisedContacts::add(const Rows& impulses, Vector& p) const {
  with_size(coordinates_, [&](auto n) {
    for_each_row([&](int row) {
      for (std::size_t i = 0; i < n; ++i) p[i] += impulses[row] * direction(row)[i];
    });
  });
}

void GeneralisedContacts::add_velocity(const Rows& impulses, Vector& x) const {
  with_size(coordinates_, [&](auto n) {
    for_each_row([&](int row) {
      for (std::size_t i = 0; i < n; ++i) x[i] += impulses[row] * moved_[row][i];
    });
  });
}

double GeneralisedContacts::difference_sq(const Rows& a, const Rows& b) const {
  double sum = 0;
  for (int i = 0; i < rows(); ++i) {
    for (int j = 0; j < rows(); ++j) sum += (a[i] - b[i]) * cone_.w[i][j] * (a[j] - b[j]);
  }
  return sum;
}

bool GeneralisedContacts::solve(Rows& impulses) const {
  return solve::solve_by_enumeration(cone_, {}, std::span(impulses).first(static_cast<std::size_t>(rows()))).solved();
}

}  // namespace ictus::dynamics
