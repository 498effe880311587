#include <ictus/mechanics/body/body.hpp>

#include <ictus/exec/device/tile_steps.hpp>

namespace ictus::mechanics {

std::unique_ptr<exec::ElementSteps> NodalBody::free_steps(const exec::Executor&) const { return nullptr; }

}  // namespace ictus::mechanics
