#include <ictus/observe/checkpoint/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>
#include <ictus/base/text_file.hpp>
#include <ictus/base/version.hpp>
#include <ictus/files/atomic_file.hpp>
#include <ictus/files/checksum.hpp>
#include <ictus/files/hdf5/hdf5_file.hpp>
#include <ictus/observe/checkpoint/build_identity.hpp>
#include <sstream>

namespace ictus::observe {

using files::hdf5::Handle;
using files::hdf5::Reader;
using files::hdf5::Writer;

namespace {

/// An HDF5 file may begin with a block of its user. Ours names the format and has a checksum of all that follows, so
/// that HDF5, which does not survive every damage, is only given what we wrote.
constexpr std::size_t user_block = 512;

/// The user block in front of `content`.
std::string block_for(std::string_view content) {
  std::string block =
      fmt::format("Ictus checkpoint: HDF5 after {} bytes, checksum {:016x}\n", user_block, files::checksum(content));
  block.resize(user_block);
  return block;
}

/// A folder with a line "name count" for each array, and all their values one after the other.
void write_arrays(const Writer& location, const char* name, const Archive::Numbers& numbers) {
  const Handle folder = location.group(name);
  std::string names;
  std::vector<double> values;
  for (const model::Memory& array : numbers) {
    names += fmt::format("{} {}\n", array.name, array.values.size());
    values.insert(values.end(), array.values.begin(), array.values.end());
  }
  Writer(folder).bytes("names", names);
  Writer(folder).numbers("values", values);
}

Archive::Numbers read_arrays(const Reader& location, const char* name) {
  const Handle folder = location.group(name);
  std::istringstream names(Reader(folder).bytes("names"));
  const std::vector<double> values = Reader(folder).numbers("values");
  Archive::Numbers numbers;
  std::size_t begin = 0, size = 0;
  for (std::string label; names >> label >> size; begin += size) {
    if (size > values.size() - begin) throw files::hdf5::Failure();
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    numbers.push_back({label, {first, first + static_cast<std::ptrdiff_t>(size)}});
  }
  if (begin != values.size()) throw files::hdf5::Failure();
  return numbers;
}

std::string file_image(const Checkpoint& checkpoint) {
  const Handle file = files::hdf5::new_file(user_block);
  const Writer root(file);
  root.attribute("schema", std::int64_t{base::schema_version});
  root.text_attribute("build", checkpoint.build);
  root.bytes("scene", checkpoint.scene);
  {
    const Handle folder = root.group("state");
    const Writer state(folder);
    state.attribute("time", checkpoint.state.time);
    state.attribute("step", checkpoint.state.step);
    state.numbers("q", checkpoint.state.q);
    state.numbers("p", checkpoint.state.p);
    write_arrays(state, "memory", checkpoint.state.memory);
  }
  write_arrays(root, "record", checkpoint.record);
  const std::string bytes = files::hdf5::bytes_of(file);
  return block_for(bytes) + bytes;
}

Checkpoint parse(std::string& image) {
  if (image.size() <= user_block || !image.starts_with(block_for(std::string_view(image).substr(user_block))))
    throw files::hdf5::Failure();
  const Handle file = files::hdf5::open_bytes(image);
  const Reader root(file);
  Checkpoint checkpoint;
  checkpoint.build = root.text_attribute("build");
  if (root.attribute<std::int64_t>("schema") != base::schema_version || checkpoint.build != build_identity())
    return checkpoint;
  checkpoint.scene = root.bytes("scene");
  const Handle folder = root.group("state");
  const Reader state(folder);
  checkpoint.state = {state.attribute<double>("time"), state.attribute<std::int64_t>("step"), state.numbers("q"),
                      state.numbers("p"), read_arrays(state, "memory")};
  checkpoint.record = read_arrays(root, "record");
  return checkpoint;
}

[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, std::string message) {
  throw base::InputError(base::Mistake{path.string(), 0, "", std::move(message)});
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const auto image = [&] {
    const files::hdf5::Quiet quiet;
    return file_image(checkpoint);
  };
  files::write_file(path, image());
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const files::hdf5::Quiet quiet;
  std::string image = base::read_whole_file(path);
  Checkpoint checkpoint;
  try {
    checkpoint = parse(image);
  } catch (const files::hdf5::Failure&) {
    refuse_checkpoint(path, "is damaged, or not a checkpoint of Ictus");
  }
  if (checkpoint.build != build_identity())
    refuse_checkpoint(path, fmt::format("was written by another build of Ictus ({}); only that one resumes it to the "
                                        "same bits, this is {}",
                                        checkpoint.build, build_identity()));
  checkpoint.path = path;
  return checkpoint;
}

}  // namespace ictus::observe
