#include <ictus/build/device.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ictus/base/error.hpp>
#include <ictus/dynamics/explicit/free_motion.hpp>
#include <ictus/exec/device/device.hpp>

namespace ictus::build {

namespace {

/// Fewer are stepped as fast by one core.
constexpr std::size_t fewest_dofs = 4500;

/// Why a GPU that may be taken is not; empty: nothing stands against it.
std::string reason_for_host(const std::vector<std::string>& obstacles, std::size_t dofs) {
  if (!obstacles.empty()) return fmt::format("a GPU cannot take yet {}", fmt::join(obstacles, ", "));
  if (dofs < fewest_dofs) return "the scene is too small to gain by a GPU";
  return {};
}

}  // namespace

void place_on_device(exec::DeviceChoice choice, const dynamics::Integrator& integrator, dynamics::System& system,
                     std::vector<std::string>& notes) {
  using exec::DeviceChoice;
  if (choice == DeviceChoice::host) return;
  std::vector<std::string> obstacles = dynamics::FreeMotion::obstacles(system);
  if (!integrator.capabilities().device)
    obstacles.insert(obstacles.begin(), fmt::format("the integrator {}", integrator.name()));
  if (integrator.follows()) obstacles.emplace_back("steps that follow the deformation");
  if (choice == DeviceChoice::cuda) {
    if (!obstacles.empty())
      throw base::InputError(
          {"", 0, "--device",
           fmt::format("cuda cannot take yet, of this scene: {}. It knows shells without contact under "
                       "central-difference, with gravity and supports; leave --device out",
                       fmt::join(obstacles, ", "))});
    const std::shared_ptr<const exec::Device> device = exec::Device::open();
    notes.push_back(fmt::format("steps run on {}", device->name()));
    return system.place_on(device);
  }
  const std::string reason = reason_for_host(obstacles, system.dofs());
  if (!reason.empty()) return notes.push_back(fmt::format("steps run on the host: {}", reason));
  try {
    const std::shared_ptr<const exec::Device> device = exec::Device::open();
    notes.push_back(fmt::format("steps run on {}", device->name()));
    system.place_on(device);
  } catch (const base::InputError& error) {
    notes.push_back(fmt::format("steps run on the host: {}", error.mistakes().front().message));
  }
}

}  // namespace ictus::build
