#pragma once

#include <filesystem>
#include <vector>

namespace ictus::files {

/// A frame that frames.pvd lists.
struct ListedFrame {
  double time;  ///< s
  std::filesystem::path file;
};

/// The frames of the run in `run_dir`; none where it has no frames.pvd. Throws base::InputError when that is not what
/// FrameSeries writes.
std::vector<ListedFrame> list_frames(const std::filesystem::path& run_dir);

}  // namespace ictus::files
