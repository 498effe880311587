#include <ictus/files/result_files.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/files/vtu/frame_list.hpp>
#include <ictus/files/vtu/vtu_reader.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

void read_frame(const std::filesystem::path& file) {
  files::VtuReader frame(file);
  for (const char* section : {"FieldData", "Points", "Cells", "PointData", "CellData"}) {
    for (const char* name : {"TimeValue", "Points", "connectivity", "offsets", "types", "velocity", "body"}) {
      if (!frame.has(section, name)) continue;
      attempt([&] { frame.numbers(section, name); });
      attempt([&] { frame.integers(section, name); });
      attempt([&] { frame.bytes(section, name); });
      attempt([&] { frame.words(section, name); });
    }
  }
}

}  // namespace

void results(std::string_view bytes) {
  static const Scratch scratch;
  const unsigned char kind = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
  if (!bytes.empty()) bytes.remove_prefix(1);
  const std::filesystem::path file = scratch.put("result", bytes);
  attempt([&] {
    switch (kind % 6) {
      case 0:
        files::read_history(file);
        break;
      case 1:
        files::read_contacts(file);
        break;
      case 2:
        files::read_summary(file);
        break;
      case 3:
        files::read_scene(file);
        break;
      case 4:
        read_frame(file);
        break;
      default:
        scratch.put(std::string(files::result_files::frames), bytes);
        files::list_frames(scratch.folder());
    }
  });
}

}  // namespace ictus::fuzz
