#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ictus::base {

/// One mistake in something a person wrote. `message` says what is wrong, what is allowed, and the nearest known
/// key where there is one; it stands alone in a terminal line together with the location.
struct Mistake {
  std::string file;     ///< path as the person gave it; empty where there is none (a command-line value)
  int line = 0;         ///< 1-based; 0 where there is none
  std::string key;      ///< dotted path of the scene key ("bodies.left.density"); empty for the whole file
  std::string message;  ///< one sentence without a full stop
};

/// "file:line: key: message", leaving out what is empty.
std::string to_string(const Mistake& mistake);

/// A person's mistake, or an environment that cannot do what was asked: carries every mistake found. Exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Mistake> mistakes);
  explicit InputError(Mistake mistake) : InputError(std::vector<Mistake>{std::move(mistake)}) {}

  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

/// A numerical failure: no convergence, NaN, an unstable step. The run stops and keeps its last good state. Exit
/// code 3.
class NumericalFailure : public std::runtime_error {
 public:
  /// `where` names body, element and time; `advice` says what to try.
  NumericalFailure(std::string what, std::string where, std::string advice);

  const std::string& where() const { return where_; }
  const std::string& advice() const { return advice_; }

 private:
  std::string where_;
  std::string advice_;
};

/// Exit codes of the program; outsiders' scripts read them.
enum class ExitCode : int {
  success = 0,
  input_error = 2,
  numerical_failure = 3,
  expectation_missed = 4,
  internal_error = 70
};

}  // namespace ictus::base
