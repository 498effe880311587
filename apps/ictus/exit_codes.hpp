#pragma once

#include <ictus/base/error.hpp>
#include <string_view>

namespace ictus::program {

/// 128 + SIGINT, as shells have it; not one of the program's own codes, so that scripts can tell it apart.
inline constexpr auto interrupted = static_cast<base::ExitCode>(130);
/// limits.wall_time passed before the end of the run.
inline constexpr auto out_of_time = static_cast<base::ExitCode>(5);

struct ExitMeaning {
  base::ExitCode code;
  std::string_view meaning;
};

/// Every code with which the program ends: what --help, the man page and docs/results.md tell.
inline constexpr ExitMeaning exit_meanings[] = {
    {base::ExitCode::success, "done"},
    {base::ExitCode::input_error, "a mistake in the scene, the command line or a file"},
    {base::ExitCode::numerical_failure, "a computation that could not go on; results up to the last good state"},
    {base::ExitCode::expectation_missed,
     "an expectation, or a published number without a known reason, was missed (run --expect, validate)"},
    {out_of_time, "limits.wall_time passed; the run can be resumed"},
    {base::ExitCode::internal_error, "a defect of the program"},
    {interrupted, "interrupted by Ctrl-C or a signal; the run can be resumed"},
};

}  // namespace ictus::program
