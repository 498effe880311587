#include <ictus/solve/cone/cone_report.hpp>

#include <fmt/format.h>

#include <array>
#include <ictus/base/error.hpp>
#include <ictus/base/nearest.hpp>
#include <ictus/solve/sweeps/anderson.hpp>
#include <string>
#include <vector>

namespace ictus::solve {

namespace {

constexpr std::array<std::string_view, 8> method_names = {"automatic",   "sorp",   "anderson",  "apgd",
                                                          "enumeration", "newton", "conjugate", "interior-point"};

}  // namespace

std::string_view name_of(ConeMethod method) { return method_names[static_cast<std::size_t>(method)]; }

ConeMethod cone_method(std::string_view name) {
  for (std::size_t i = 0; i < method_names.size(); ++i) {
    if (method_names[i] == name) return static_cast<ConeMethod>(i);
  }
  const std::vector<std::string> known(method_names.begin(), method_names.end());
  std::string message = fmt::format("'{}' is not a contact solver; known are {}", name, fmt::join(known, ", "));
  if (const auto close = base::nearest(name, known)) message += fmt::format("; did you mean '{}'?", *close);
  throw base::InputError(base::Mistake{"", 0, "solver", std::move(message)});
}

void ConeOptions::validate() const {
  std::vector<base::Mistake> mistakes;
  const auto expect = [&](bool holds, const char* key, std::string message) {
    if (!holds) mistakes.push_back({"", 0, key, std::move(message)});
  };
  expect(tolerance > 0.0, "tolerance", fmt::format("is {}, must be positive", tolerance));
  expect(max_iterations >= 1, "max_iterations", fmt::format("is {}, must be at least 1", max_iterations));
  expect(relaxation > 0.0 && relaxation < 2.0, "relaxation",
         fmt::format("is {}, must lie between 0 and 2", relaxation));
  expect(anderson_depth >= 1 && anderson_depth <= AndersonMixer::max_depth, "anderson_depth",
         fmt::format("is {}, must lie in 1 .. {}", anderson_depth, AndersonMixer::max_depth));
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
}

}  // namespace ictus::solve
