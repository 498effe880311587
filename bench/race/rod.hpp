#pragma once

// What the racers of the free rod share: a straight rod of steel, 1 m long and 5 mm square, sets out in the shape of
// its first bending mode, 0.5 m/s at its ends, and swings for five and a quarter periods. Thin rods are Euler's and
// Bernoulli's: EI u'''' = -rho A u.., whose mode is u = phi(x) sin(omega t).
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rod {

constexpr double length = 1, side = 5e-3, youngs_modulus = 210e9, density = 7850, speed = 0.5;
constexpr double mass = density * side * side * length, bending = youngs_modulus * side * side * side * side / 12;
constexpr double wave_number = 4.730040744862704, sigma = 0.982502214576238;

/// The mode, 1 at the ends.
inline double shape(double x) {
  const double b = wave_number * x / length;
  return 0.5 * (std::cosh(b) + std::cos(b) - sigma * (std::sinh(b) + std::sin(b)));
}
inline double omega() { return wave_number * wave_number * std::sqrt(bending * length / mass) / (length * length); }
inline double end() { return 5.25 * 2 * M_PI / omega(); }

/// Distance in phase space between the motion of the last end and the exact one, over its speed.
inline double error(double place, double velocity) {
  const double t = omega() * end();
  return std::hypot(omega() * place - speed * std::sin(t), velocity - speed * std::cos(t)) / speed;
}

/// Rods of links: what a link and the joint between two of them have.
struct Links {
  explicit Links(int n) : count(n), link(length / n), stiffness(bending / link), link_mass(mass / n) {}
  int count;
  double link, stiffness, link_mass;
  double slope(int i) const { return speed * (shape((i + 1) * link) - shape(i * link)) / link; }
};

template <class Advance, class Last>
void run(double step, Advance advance, Last last) {
  const auto steps = static_cast<long>(std::ceil(end() / step));
  const auto begin = std::chrono::steady_clock::now();
  for (long n = 0; n < steps; ++n) advance();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto [place, velocity] = last();
  std::printf("{\"steps\": %ld, \"seconds\": %.6g, \"error\": %.6g}\n", steps, seconds, error(place, velocity));
}

/// words: LINKS STEPS, the latter for the whole motion.
inline int links_of(int count, char** words) { return count > 1 ? std::atoi(words[1]) : 40; }
inline double step_of(int count, char** words) { return end() / (count > 2 ? std::atof(words[2]) : 10000); }

}  // namespace rod
