#pragma once

namespace ictus::exec {

/// Whether a run may use a GPU; `automatic`: where there is one that is faster.
enum class DeviceChoice { host, cuda, automatic };

/// What of the machine a run may use.
struct Resources {
  int threads = 1;
  DeviceChoice device = DeviceChoice::host;

  Resources(int thread_count = 1, DeviceChoice choice = DeviceChoice::host) : threads(thread_count), device(choice) {}
};

}  // namespace ictus::exec
