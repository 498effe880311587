#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace ictus::solve {

enum class ConeMethod : std::uint8_t {
  automatic,    ///< enumeration for up to three contacts, otherwise anderson, then conjugate where that does not pay,
                ///< and where that stalls, up to some hundred contacts, interior_point
  sorp,         ///< one proximal update per contact and sweep: slow at worst, stuck never seen
  anderson,     ///< sorp with safeguarded Anderson acceleration
  apgd,         ///< accelerated projected gradient: every contact at once, so it uses all threads on any problem
  enumeration,  ///< open, stick or slide tried for each contact, to round-off; up to three contacts
  newton,       ///< semismooth Newton with a sparse factorisation: few steps to high accuracy where W has full rank
  conjugate,    ///< sorp along conjugate directions: goes on where anderson stalls
  interior_point,  ///< interior point for Coulomb's law: some ten factorisations, for up to some hundred contacts
};

/// The method of that name as the command line and scenes spell it.
/// Throws base::InputError naming the nearest known name.
ConeMethod cone_method(std::string_view name);
std::string_view name_of(ConeMethod method);

enum class ConeStatus : std::uint8_t {
  solved,           ///< error ≤ tolerance
  iteration_limit,  ///< the best state seen is returned
  stalled,          ///< the error has stopped falling; the best state seen is returned
  not_finite,       ///< NaN or infinity in the data or on the way
  unsuitable,       ///< the method found no solution, or is not made for this problem
};

struct ConeOptions {
  ConeMethod method = ConeMethod::automatic;
  double tolerance = 1e-6;      ///< on the error [eq. contact-solvers-6]
  int max_iterations = 100000;  ///< sweeps, or steps of the other methods
  int min_iterations = 0;       ///< made even where the guess is good enough: a guess that is used again gets better
  double relaxation = 1.0;      ///< of proximal updates, in (0, 2)
  int anderson_depth = 5;       ///< steps remembered, 1 to AndersonMixer::max_depth
  /// automatic: where every method has stalled, the search ends at errors up to this; above, sweeps go on to
  /// max_iterations
  double good_enough = 0.0;
  /// automatic: where the guess was nearly good, or contacts are few, sweeps go on towards this error as long as they
  /// pay: what one step of a simulation leaves open is the next one's work. 0: they do not
  double refine_to = 0.0;

  /// Throws base::InputError naming every option out of range.
  void validate() const;
};

struct ConeReport {
  ConeMethod method = ConeMethod::sorp;  ///< the one that gave the answer
  ConeStatus status = ConeStatus::iteration_limit;
  int iterations = 0;  ///< sweeps, steps of the other methods, or modes tried
  int rejections = 0;  ///< accelerated steps that the safeguard took back
  int handovers = 0;   ///< times that one method stalled and the next took over
  double error = 0.0;  ///< [eq. contact-solvers-6]

  bool solved() const { return status == ConeStatus::solved; }

  /// Sets the status from the error; true where an iteration has to end.
  bool settled(const ConeOptions& options) {
    if (!std::isfinite(error)) {
      status = ConeStatus::not_finite;
    } else if (error <= options.tolerance) {
      status = ConeStatus::solved;
      return iterations >= options.min_iterations;
    } else {
      status = ConeStatus::iteration_limit;
      return iterations >= options.max_iterations;
    }
    return true;
  }
};

}  // namespace ictus::solve
