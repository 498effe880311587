#pragma once

#include <ictus/build/build.hpp>
#include <string>
#include <string_view>

namespace ictus::program {

/// Text broken into lines of at most 100 characters, each behind `indent`.
std::string wrapped(std::string_view text, std::string_view indent);

/// The first characters of a UTF-8 text, at most `most` of them; the last one is an ellipsis where any are left out.
std::string shortened(std::string_view text, std::size_t max_count);

/// A duration as people read it: "0.4 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds);
/// The same in the largest of its units alone.
std::string rough_duration(double seconds);

/// The step of a simulation against the largest stable one, and what sets that.
std::string describe_limit(const build::Simulation& simulation);

}  // namespace ictus::program
