#pragma once

#include <ictus/solve/sweeps/anderson.hpp>
#include <ictus/solve/sweeps/best_state.hpp>
#include <ictus/solve/sweeps/conjugate_directions.hpp>
#include <vector>

namespace ictus::solve {

/// Memory of accelerated sweeps, kept between solves.
struct SweepWorkspace {
  std::vector<double> partial;  ///< one number for each chunk
  AndersonMixer mixer;
  ConjugateDirections directions;
  BestState best;
};

}  // namespace ictus::solve
