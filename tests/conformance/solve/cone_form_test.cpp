// What every ConeForm promises, run on each of them.
#include <gtest/gtest.h>

#include <cmath>
#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/rigid_contacts.hpp>

#include "support/random_cones.hpp"
#include "support/sphere_pyramid.hpp"

namespace ictus::solve {
namespace {

template <class Form>
Form make_form();

template <>
BlockProblem make_form<BlockProblem>() {
  return RandomCones(1).block_problem(9, 12, FrictionCone(0.4, 0.3));
}

template <>
RigidContacts make_form<RigidContacts>() {
  SpherePyramid pyramid(4, 0.4);
  for (RigidInertia& inertia : pyramid.inertias) inertia.off_diagonal = {1.0, -2.0, 0.5};
  RigidContacts contacts;
  contacts.assign(pyramid.inertias, pyramid.velocities, pyramid.contacts);
  return contacts;
}

template <class Form>
class ConeFormTest : public testing::Test {
 protected:
  ConeFormTest() : form(make_form<Form>()), state(form.state_size(), 0.0) {
    const std::vector<double> r = RandomCones(2).normals(static_cast<int>(3 * form.size()));
    std::copy(r.begin(), r.end(), state.begin());
    form.rebuild(executor, state);
  }
  double norm(const Local& x) const { return std::sqrt(math::norm_sq(x)); }

  exec::Executor executor;
  Form form;
  std::vector<double> state;
};

using Forms = testing::Types<BlockProblem, RigidContacts>;
TYPED_TEST_SUITE(ConeFormTest, Forms);

TYPED_TEST(ConeFormTest, MeetsTheConcept) { static_assert(ConeForm<TypeParam>); }

/// Eight at a time or one by one, from any place.
TYPED_TEST(ConeFormTest, DefectIsThatOfEveryContact) {
  const double unit = this->form.reaction_unit();
  for (const std::size_t begin : {0, 1, 5}) {
    double sum = 0.0;
    for (std::size_t i = begin; i < this->form.size(); ++i) {
      sum += math::norm_sq(
          law_defect(this->form.cone(i), unit * load(this->state, i), this->form.velocity(i, this->state)));
    }
    EXPECT_NEAR(this->form.defect_sq(begin, this->form.size(), this->state), sum, 1e-13 * sum) << begin;
  }
}

TYPED_TEST(ConeFormTest, VelocityIsAffineInTheState) {
  std::vector<double> zero(this->state.size(), 0.0);
  this->form.rebuild(this->executor, zero);
  std::vector<double> half(this->state.size());
  for (std::size_t k = 0; k < half.size(); ++k) half[k] = 0.5 * (zero[k] + this->state[k]);
  double free_sq = 0.0;
  for (std::size_t i = 0; i < this->form.size(); ++i) {
    const Local q = this->form.velocity(i, zero);
    const Local mean = 0.5 * (q + this->form.velocity(i, this->state));
    EXPECT_NEAR(this->norm(this->form.velocity(i, half) - mean), 0.0, 1e-12);
    free_sq += math::norm_sq(q);
  }
  EXPECT_NEAR(this->form.free_norm(), std::sqrt(free_sq), 1e-13 * std::sqrt(free_sq));
}

TYPED_TEST(ConeFormTest, RelaxIsTheProximalUpdateAndKeepsTheStateUpToDate) {
  for (std::size_t i = 0; i < this->form.size(); ++i) {
    const Local before = load(this->state, i);
    const Local expected = this->form.prox(i).update(before, this->form.velocity(i, this->state), 0.7);
    const double change_sq = this->form.relax(i, i + 1, 0.7, this->state);
    EXPECT_NEAR(this->norm(load(this->state, i) - expected), 0.0, 1e-13);
    EXPECT_NEAR(change_sq, math::norm_sq(expected - before), 1e-11);
  }
  std::vector<double> rebuilt = this->state;
  this->form.rebuild(this->executor, rebuilt);
  // Two ways of summing some dozens of terms of size up to 100.
  for (std::size_t k = 0; k < rebuilt.size(); ++k) EXPECT_NEAR(rebuilt[k], this->state[k], 1e-11);
}

TYPED_TEST(ConeFormTest, ProximalStepsFitTheDiagonalOfW) {
  for (std::size_t i = 0; i < this->form.size(); ++i) {
    std::vector<double> pushed = this->state;
    pushed[3 * i] += 1.0;
    this->form.rebuild(this->executor, pushed);
    const double w_nn = this->form.velocity(i, pushed).x - this->form.velocity(i, this->state).x;
    EXPECT_NEAR(this->form.prox(i).step.x * w_nn, 1.0, 1e-12);
    EXPECT_NEAR(this->form.cone(i).mu1, 0.4, 1e-15);
  }
}

TYPED_TEST(ConeFormTest, WIsSymmetric) {
  const auto response = [&](std::size_t entry, std::size_t contact) {
    std::vector<double> pushed = this->state;
    pushed[entry] += 1.0;
    this->form.rebuild(this->executor, pushed);
    return this->form.velocity(contact, pushed) - this->form.velocity(contact, this->state);
  };
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(response(3 * i, j).y, response(3 * j + 1, i).x, 1e-12);
      EXPECT_NEAR(response(3 * i + 2, j).x, response(3 * j, i).z, 1e-12);
    }
  }
}

TEST(RigidContacts, AssembledMatrixGivesTheSameVelocities) {
  const RigidContacts rigid = make_form<RigidContacts>();
  const BlockProblem block = rigid.assemble();
  std::vector<double> state(rigid.state_size(), 0.0);
  const std::vector<double> r = RandomCones(3).normals(static_cast<int>(3 * rigid.size()));
  std::copy(r.begin(), r.end(), state.begin());
  rigid.rebuild(exec::Executor(), state);
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    EXPECT_NEAR(std::sqrt(math::norm_sq(rigid.velocity(i, state) - block.velocity(i, r))), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace ictus::solve
