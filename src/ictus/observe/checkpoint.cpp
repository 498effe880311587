#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <ictus/observe/atomic_file.hpp>
#include <ictus/observe/checkpoint.hpp>
#include <ictus/observe/csv_table.hpp>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ictus::observe {

namespace {

/// An HDF5 file may begin with a block of its user. Ours names the format and has a checksum of all that follows, so
/// that HDF5, which does not survive every damage, is only given what we wrote.
constexpr std::size_t user_block = 512;

/// HDF5 could not do what was asked; while reading: the file is damaged or foreign.
struct Hdf5Failure : std::runtime_error {
  Hdf5Failure() : std::runtime_error("HDF5 refused") {}
};

void check(herr_t status) {
  if (status < 0) throw Hdf5Failure();
}

/// An HDF5 identifier and how to close it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw Hdf5Failure();
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): stands for the identifier

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 keeps its tables in global data without locks: runs in one process take turns.
std::mutex hdf5_turn;

/// The use of HDF5 for the life of the object. It prints its errors unless told not to; ours say what a person needs.
class QuietHdf5 {
 public:
  QuietHdf5() : turn_(hdf5_turn) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  std::lock_guard<std::mutex> turn_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t hdf5_type();
template <>
hid_t hdf5_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t hdf5_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t hdf5_type<char>() {
  return H5T_NATIVE_UCHAR;
}

/// FNV-1a over words of eight bytes, the last one filled with zeros.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

/// The user block in front of `content`.
std::string block_for(std::string_view content) {
  std::string block =
      fmt::format("Ictus checkpoint: HDF5 after {} bytes, checksum {:016x}\n", user_block, checksum(content));
  block.resize(user_block);
  return block;
}

/// A file in memory.
Handle memory_file_access() {
  constexpr std::size_t growth = std::size_t{1} << 20;
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, growth, false));
  return access;
}

/// Without times, so that equal contents have equal bytes.
Handle creation(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));
  return properties;
}

class Writer {
 public:
  explicit Writer(hid_t place) : place_(place) {}

  template <class T>
  void attribute(const char* name, T value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(place_, name, hdf5_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute, hdf5_type<T>(), &value));
  }

  void text_attribute(const char* name, std::string_view text) const {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, text.size()));
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(place_, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute, type, text.data()));
  }

  template <class T>
  void list(const char* name, const T* values, std::size_t size) const {
    const hsize_t length = size;
    const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
    const Handle properties = creation(H5P_DATASET_CREATE);
    const Handle set(H5Dcreate2(place_, name, hdf5_type<T>(), space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
    if (length > 0) check(H5Dwrite(set, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }
  void list(const char* name, const std::vector<double>& values) const { list(name, values.data(), values.size()); }
  void text(const char* name, std::string_view text) const { list(name, text.data(), text.size()); }

  /// A folder with a line "name count" for each array, and all their values one after the other.
  void arrays(const char* name, const Archive::Numbers& numbers) const {
    const Handle folder = group(name);
    std::string names;
    std::vector<double> values;
    for (const model::Memory& array : numbers) {
      names += fmt::format("{} {}\n", array.name, array.values.size());
      values.insert(values.end(), array.values.begin(), array.values.end());
    }
    Writer(folder).text("names", names);
    Writer(folder).list("values", values);
  }

  Handle group(const char* name) const {
    return {H5Gcreate2(place_, name, H5P_DEFAULT, creation(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose};
  }

 private:
  hid_t place_;
};

class Reader {
 public:
  explicit Reader(hid_t place) : place_(place) {}

  template <class T>
  T attribute(const char* name) const {
    const Handle attribute(H5Aopen(place_, name, H5P_DEFAULT), H5Aclose);
    T value{};
    if (extent(Handle(H5Aget_space(attribute), H5Sclose)) != 1) throw Hdf5Failure();
    check(H5Aread(attribute, hdf5_type<T>(), &value));
    return value;
  }

  std::string text_attribute(const char* name) const {
    const Handle attribute(H5Aopen(place_, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw Hdf5Failure();
    if (extent(Handle(H5Aget_space(attribute), H5Sclose)) != 1) throw Hdf5Failure();
    std::string text(H5Tget_size(type), '\0');
    check(H5Aread(attribute, type, text.data()));
    return text;
  }

  template <class Container>
  Container list(const char* name) const {
    using T = typename Container::value_type;
    const Handle set(H5Dopen2(place_, name, H5P_DEFAULT), H5Dclose);
    Container values(extent(Handle(H5Dget_space(set), H5Sclose)), T{});
    if (!values.empty()) check(H5Dread(set, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }
  std::vector<double> numbers(const char* name) const { return list<std::vector<double>>(name); }
  std::string text(const char* name) const { return list<std::string>(name); }

  Archive::Numbers arrays(const char* name) const {
    const Handle folder = group(name);
    std::istringstream names(Reader(folder).text("names"));
    const std::vector<double> values = Reader(folder).numbers("values");
    Archive::Numbers numbers;
    std::size_t begin = 0, size = 0;
    for (std::string label; names >> label >> size; begin += size) {
      if (size > values.size() - begin) throw Hdf5Failure();
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
      numbers.push_back({label, {first, first + static_cast<std::ptrdiff_t>(size)}});
    }
    if (begin != values.size()) throw Hdf5Failure();
    return numbers;
  }

  Handle group(const char* name) const { return {H5Gopen2(place_, name, H5P_DEFAULT), H5Gclose}; }

 private:
  static std::size_t extent(hid_t space) {
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points < 0) throw Hdf5Failure();
    return static_cast<std::size_t>(points);
  }

  hid_t place_;
};

/// The whole file; HDF5 hands it out without the user block.
std::string bytes_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_LOCAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw Hdf5Failure();
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) < 0) throw Hdf5Failure();
  return block_for(bytes) + bytes;
}

std::string file_image(const Checkpoint& checkpoint) {
  const Handle properties = creation(H5P_FILE_CREATE);
  check(H5Pset_userblock(properties, user_block));
  const Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, properties, memory_file_access()), H5Fclose);
  const Writer root(file);
  root.attribute("schema", std::int64_t{base::schema_version});
  root.text_attribute("version", checkpoint.version);
  root.text("scene", checkpoint.scene);
  {
    const Handle folder = root.group("state");
    const Writer state(folder);
    state.attribute("time", checkpoint.state.time);
    state.attribute("step", checkpoint.state.step);
    state.list("q", checkpoint.state.q);
    state.list("p", checkpoint.state.p);
    state.arrays("memory", checkpoint.state.memory);
  }
  root.arrays("record", checkpoint.record);
  return bytes_of(file);
}

Checkpoint parse(std::string& image) {
  if (image.size() <= user_block || !image.starts_with(block_for(std::string_view(image).substr(user_block))))
    throw Hdf5Failure();
  const Handle access = memory_file_access();
  check(H5Pset_file_image(access, image.data(), image.size()));
  const Handle file(H5Fopen("checkpoint", H5F_ACC_RDONLY, access), H5Fclose);
  const Reader root(file);
  Checkpoint checkpoint;
  checkpoint.version = root.text_attribute("version");
  if (root.attribute<std::int64_t>("schema") != base::schema_version || checkpoint.version != base::version)
    return checkpoint;
  checkpoint.scene = root.text("scene");
  const Handle folder = root.group("state");
  const Reader state(folder);
  checkpoint.state = {state.attribute<double>("time"), state.attribute<std::int64_t>("step"), state.numbers("q"),
                      state.numbers("p"), state.arrays("memory")};
  checkpoint.record = root.arrays("record");
  return checkpoint;
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::string message) {
  throw base::InputError(base::Mistake{path.string(), 0, "", std::move(message)});
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint, Flush flush) {
  const auto image = [&] {
    const QuietHdf5 quiet;
    return file_image(checkpoint);
  };
  write_file(path, image(), flush);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  std::string image = read_text(path);
  Checkpoint checkpoint;
  try {
    checkpoint = parse(image);
  } catch (const Hdf5Failure&) {
    refuse(path, "is damaged, or not a checkpoint of Ictus");
  }
  if (checkpoint.version != base::version)
    refuse(path, fmt::format("was written by Ictus {}; only that version can resume it to the same bits, this is {}",
                             checkpoint.version, base::version));
  checkpoint.path = path;
  return checkpoint;
}

}  // namespace ictus::observe
