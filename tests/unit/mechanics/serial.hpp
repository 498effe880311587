#pragma once

#include <ictus/exec/executor.hpp>

namespace ictus::mechanics {

inline const exec::Executor serial(1);

}  // namespace ictus::mechanics
