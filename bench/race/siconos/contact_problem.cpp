// Siconos: a frictional contact problem of a file, by its nonsmooth Gauss-Seidel method (the default, which it
// recommends for large problems) or its nonsmooth Newton method of Alart and Curnier (which it recommends for accurate
// small ones).
//
//   contact_problem FILE nsgs|newton TOLERANCE
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

/// The error that all racers are judged by, |r - P(r - u - mu |u_T| e_N)| / |q|.
double error_of(const FrictionContactProblem& problem, std::vector<double>& reaction) {
  std::vector<double> u(problem.q, problem.q + reaction.size());
  NM_gemv(1, problem.M, reaction.data(), 1, u.data());
  double sum = 0, scale = 0;
  for (std::size_t k = 0; k < reaction.size(); k += 3) {
    const double mu = problem.mu[k / 3], *r = &reaction[k], *v = &u[k];
    const double n = r[0] - v[0] - mu * std::hypot(v[1], v[2]), t = r[1] - v[1], s = r[2] - v[2];
    const double slip = std::hypot(t, s);
    double p[3] = {n, t, s};
    if (slip > mu * n) {
      if (n + mu * slip <= 0) {
        p[0] = p[1] = p[2] = 0;
      } else {
        p[0] = (n + mu * slip) / (1 + mu * mu);
        p[1] = mu * p[0] * t / slip;
        p[2] = mu * p[0] * s / slip;
      }
    }
    for (int c = 0; c < 3; ++c) {
      sum += (r[c] - p[c]) * (r[c] - p[c]);
      scale += problem.q[k + static_cast<std::size_t>(c)] * problem.q[k + static_cast<std::size_t>(c)];
    }
  }
  return std::sqrt(sum / scale);
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  FrictionContactProblem* problem = frictionContact_new_from_filename(words[1]);
  const int method = std::strcmp(words[2], "newton") == 0 ? SICONOS_FRICTION_3D_NSN_AC : SICONOS_FRICTION_3D_NSGS;
  SolverOptions* options = solver_options_create(method);
  options->dparam[SICONOS_DPARAM_TOL] = std::atof(words[3]);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  std::vector<double> reaction(3 * static_cast<std::size_t>(problem->numberOfContacts)), velocity(reaction.size());
  const auto begin = std::chrono::steady_clock::now();
  const int info = fc3d_driver(problem, reaction.data(), velocity.data(), options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double error = error_of(*problem, reaction);
  std::printf("{\"contacts\": %d, \"seconds\": %.6g, \"iterations\": %d, \"error\": %.6g, \"info\": %d}\n",
              problem->numberOfContacts, seconds, options->iparam[SICONOS_IPARAM_ITER_DONE],
              std::isfinite(error) ? error : 1e300, info);
}
