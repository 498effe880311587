#pragma once

#include <ictus/model/state.hpp>
#include <string>

namespace ictus::run {

/// Holds a state from a file against `fresh`, the one with which the same run begins: as many dofs, the same arrays
/// in memory, of the extent and with the indices that they may have, and no value that is not a number. `steps` is the
/// length of the run. Throws base::InputError naming `file`.
void check_resumed_state(const model::State& fresh, std::int64_t steps, const std::string& file,
                         const model::State& saved);

}  // namespace ictus::run
