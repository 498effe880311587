#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <ictus/math/dual.hpp>
#include <ictus/math/se3.hpp>

// What every Lie group of ictus::math promises, asked of random arguments from 1e-12 to 3. Tolerances are a few units
// in the last place of the largest intermediate, or relative to the argument where the operation keeps relative
// accuracy.

namespace ictus::math {
namespace {

constexpr double eps = 2.220446049250313e-16;

// One adapter for each group: coordinates in and out, so that the suite below is written once.
struct SO3 {
  template <class T>
  using Group = Rotation<T>;
  template <class T>
  using Algebra = Vector3<T>;
  template <class T>
  using DualAlgebra = Vector3<T>;
  static constexpr int dimension = 3;

  template <class V>
  static V algebra(const double* x) {
    return {x[0], x[1], x[2]};
  }
  template <class V>
  static V dual_algebra(const double* p) {
    return {p[0], p[1], p[2]};
  }
  static std::vector<double> coordinates(const Vector3<double>& x) { return {x.x, x.y, x.z}; }
  static double pairing(const Vector3<double>& p, const Vector3<double>& x) { return dot(p, x); }
  static std::vector<double> entries(const Rotation<double>& g) {
    const Matrix3<double> m = matrix(g);
    return {m.a.x, m.a.y, m.a.z, m.b.x, m.b.y, m.b.z, m.c.x, m.c.y, m.c.z};
  }
  // The right-trivialised derivative of a curve of group elements: ġ g⁻¹.
  static std::vector<double> right_velocity(const Rotation<Dual>& g) {
    const Rotation<Dual> h = g * inverse(Rotation<Dual>{g.s.v, {g.v.x.v, g.v.y.v, g.v.z.v}});
    return {2.0 * h.v.x.d, 2.0 * h.v.y.d, 2.0 * h.v.z.d};
  }
  static Vector3<Dual> line(const Vector3<double>& x, const Vector3<double>& y) {
    return {{x.x, y.x}, {x.y, y.y}, {x.z, y.z}};
  }
};

struct SE3 {
  template <class T>
  using Group = Pose<T>;
  template <class T>
  using Algebra = Twist<T>;
  template <class T>
  using DualAlgebra = Wrench<T>;
  static constexpr int dimension = 6;

  template <class V>
  static V algebra(const double* x) {
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  template <class V>
  static V dual_algebra(const double* p) {
    return algebra<V>(p);
  }
  static std::vector<double> coordinates(const Twist<double>& x) { return {x.w.x, x.w.y, x.w.z, x.c.x, x.c.y, x.c.z}; }
  static std::vector<double> coordinates(const Wrench<double>& p) { return {p.m.x, p.m.y, p.m.z, p.n.x, p.n.y, p.n.z}; }
  static double pairing(const Wrench<double>& p, const Twist<double>& x) { return math::pairing(p, x); }
  static std::vector<double> entries(const Pose<double>& g) {
    std::vector<double> all = SO3::entries(g.q);
    all.insert(all.end(), {g.r.x, g.r.y, g.r.z});
    return all;
  }
  static std::vector<double> right_velocity(const Pose<Dual>& g) {
    std::vector<double> velocity = SO3::right_velocity(g.q);
    const Vector3<double> w{velocity[0], velocity[1], velocity[2]};
    const Vector3<double> turned = cross(w, Vector3<double>{g.r.x.v, g.r.y.v, g.r.z.v});
    velocity.insert(velocity.end(), {g.r.x.d - turned.x, g.r.y.d - turned.y, g.r.z.d - turned.z});
    return velocity;
  }
  static Twist<Dual> line(const Twist<double>& x, const Twist<double>& y) {
    return {SO3::line(x.w, y.w), SO3::line(x.c, y.c)};
  }
};

template <class Adapter>
class LieGroup : public testing::Test {
 protected:
  using Algebra = typename Adapter::template Algebra<double>;
  using DualAlgebra = typename Adapter::template DualAlgebra<double>;
  using Group = typename Adapter::template Group<double>;

  // |x| = size in a random direction.
  Algebra random_algebra(double size) {
    double x[Adapter::dimension];
    double length_sq = 0.0;
    for (double& component : x) {
      component = normal_(generator_);
      length_sq += component * component;
    }
    for (double& component : x) component *= size / std::sqrt(length_sq);
    return Adapter::template algebra<Algebra>(x);
  }
  DualAlgebra random_dual() {
    double p[Adapter::dimension];
    for (double& component : p) component = normal_(generator_);
    return Adapter::template dual_algebra<DualAlgebra>(p);
  }

  template <class Check>
  void for_all_sizes(const Check& check) {
    for (const double size : {1e-12, 1e-9, 1e-8, 1e-7, 1e-4, 1e-2, 0.3, 1.0, 2.0, 3.0}) {
      for (int trial = 0; trial < 50; ++trial) check(size);
    }
  }

  static void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
  }

 private:
  std::mt19937 generator_{20240607};
  std::normal_distribution<double> normal_{0.0, 1.0};
};

using Groups = testing::Types<SO3, SE3>;
TYPED_TEST_SUITE(LieGroup, Groups);

TYPED_TEST(LieGroup, CayleyComesBackToRelativeAccuracy) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size);
    this->expect_near(TypeParam::coordinates(cayley_inverse(cayley(x))), TypeParam::coordinates(x), 8 * eps * size);
  });
}

TYPED_TEST(LieGroup, CayleyOfTheNegativeIsTheInverse) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size);
    this->expect_near(TypeParam::entries(cayley(x) * cayley(-x)), TypeParam::entries(typename TestFixture::Group{}),
                      16 * eps * (1.0 + size));
  });
}

TYPED_TEST(LieGroup, ProductsAreAssociativeAndInversesCancel) {
  this->for_all_sizes([&](double size) {
    const auto g = cayley(this->random_algebra(size)), h = cayley(this->random_algebra(2.0)),
               k = cayley(this->random_algebra(1.0));
    this->expect_near(TypeParam::entries((g * h) * k), TypeParam::entries(g * (h * k)), 64 * eps);
    this->expect_near(TypeParam::entries(g * inverse(g)), TypeParam::entries(typename TestFixture::Group{}), 32 * eps);
    this->expect_near(TypeParam::entries(inverse(g * h)), TypeParam::entries(inverse(h) * inverse(g)), 64 * eps);
  });
}

TYPED_TEST(LieGroup, DerivativeIsThatOfTheMap) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size), y = this->random_algebra(1.0);
    this->expect_near(TypeParam::coordinates(dcayley(x, y)), TypeParam::right_velocity(cayley(TypeParam::line(x, y))),
                      64 * eps * (1.0 + size));
  });
}

TYPED_TEST(LieGroup, DerivativeAgreesWithFiniteDifferences) {
  const double step = 1e-5;  // central: error step² ~ 1e-10
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size), y = this->random_algebra(1.0);
    const auto change = cayley_inverse(cayley(x + step * y) * inverse(cayley(x - step * y)));
    this->expect_near(TypeParam::coordinates((0.5 / step) * change), TypeParam::coordinates(dcayley(x, y)), 3e-9);
  });
}

TYPED_TEST(LieGroup, InverseDerivativeInverts) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size), y = this->random_algebra(1.0);
    const double tolerance = 16 * eps * (1.0 + size * size);
    this->expect_near(TypeParam::coordinates(dcayley_inverse(x, dcayley(x, y))), TypeParam::coordinates(y), tolerance);
    this->expect_near(TypeParam::coordinates(dcayley(x, dcayley_inverse(x, y))), TypeParam::coordinates(y), tolerance);
  });
}

TYPED_TEST(LieGroup, DualsAreTransposes) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size), y = this->random_algebra(1.0);
    const auto p = this->random_dual();
    const auto g = cayley(this->random_algebra(size));
    const double tolerance = 64 * eps * (1.0 + size * size);
    EXPECT_NEAR(TypeParam::pairing(dcayley_inverse_dual(x, p), y), TypeParam::pairing(p, dcayley_inverse(x, y)),
                tolerance);
    EXPECT_NEAR(TypeParam::pairing(coadjoint(g, p), y), TypeParam::pairing(p, adjoint(g, y)), tolerance);
    EXPECT_NEAR(TypeParam::pairing(coadjoint_inverse(g, p), y), TypeParam::pairing(p, adjoint(inverse(g), y)),
                tolerance);
  });
}

TYPED_TEST(LieGroup, AdjointRepresentsTheGroup) {
  this->for_all_sizes([&](double size) {
    const auto g = cayley(this->random_algebra(size)), h = cayley(this->random_algebra(1.5));
    const auto y = this->random_algebra(1.0);
    const auto p = this->random_dual();
    const double tolerance = 128 * eps * (1.0 + size);
    this->expect_near(TypeParam::coordinates(adjoint(g * h, y)), TypeParam::coordinates(adjoint(g, adjoint(h, y))),
                      tolerance);
    this->expect_near(TypeParam::coordinates(coadjoint(g * h, p)),
                      TypeParam::coordinates(coadjoint(h, coadjoint(g, p))), tolerance);
    this->expect_near(TypeParam::coordinates(coadjoint(g, coadjoint_inverse(g, p))), TypeParam::coordinates(p),
                      tolerance);
  });
}

TYPED_TEST(LieGroup, AdjointIsConjugation) {
  this->for_all_sizes([&](double size) {
    const auto g = cayley(this->random_algebra(size));
    const auto y = this->random_algebra(1.0);
    // cay is equivariant: g cay(y) g⁻¹ = cay(Ad_g y).
    this->expect_near(TypeParam::entries(g * cayley(y) * inverse(g)), TypeParam::entries(cayley(adjoint(g, y))),
                      128 * eps * (1.0 + size));
  });
}

TYPED_TEST(LieGroup, InverseDerivativeChangesSidesThroughTheAdjoint) {
  this->for_all_sizes([&](double size) {
    const auto x = this->random_algebra(size), y = this->random_algebra(1.0);
    const auto p = this->random_dual();
    const double tolerance = 128 * eps * (1.0 + size * size);
    this->expect_near(TypeParam::coordinates(dcayley_inverse(x, adjoint(cayley(x), y))),
                      TypeParam::coordinates(dcayley_inverse(-x, y)), tolerance);
    this->expect_near(TypeParam::coordinates(coadjoint(cayley(x), dcayley_inverse_dual(x, p))),
                      TypeParam::coordinates(dcayley_inverse_dual(-x, p)), tolerance);
  });
}

}  // namespace
}  // namespace ictus::math
