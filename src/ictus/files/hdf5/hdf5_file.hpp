#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A thin layer over the C library of HDF5, for files that are made and read in memory: what reaches the disk is
/// written whole by AtomicFile.
namespace ictus::files::hdf5 {

/// HDF5 could not do what was asked; while reading: the file is damaged or foreign.
struct Failure : std::runtime_error {
  Failure() : std::runtime_error("HDF5 refused") {}
};

inline void check(herr_t status) {
  if (status < 0) throw Failure();
}

/// An HDF5 identifier and how to close it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw Failure();
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

/// The use of HDF5 for the life of the object: it keeps its tables in global data without locks, so that runs in one
/// process take turns, and it prints its errors unless told not to; ours say what a person needs.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::lock_guard<std::mutex> turn_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t type_of();
template <>
inline hid_t type_of<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t type_of<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t type_of<char>() {
  return H5T_NATIVE_UCHAR;
}

/// Properties for making something of that kind: without times, so that equal contents have equal bytes.
Handle creation(hid_t kind);

/// A new file in memory, with room for a block of the user in front (0, or a power of 2 from 512 on).
Handle new_file(std::size_t user_block = 0);
/// The bytes of a file in memory, without its user block.
std::string bytes_of(hid_t file);
/// Opens the bytes of a whole file, user block included. They are copied.
Handle open_bytes(std::string& bytes);

/// Writes below one location of a file: its root or a group.
class Writer {
 public:
  explicit Writer(hid_t location) : location_(location) {}

  template <class T>
  void attribute(const char* name, T value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(location_, name, type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute, type_of<T>(), &value));
  }
  void text_attribute(const char* name, std::string_view text) const;
  /// Of a list or text that was written here.
  void text_attribute_of(const char* set, const char* name, std::string_view text) const;

  template <class T>
  void list(const char* name, std::span<const T> values) const {
    write(name, type_of<T>(), values.data(), values.size());
  }
  void numbers(const char* name, std::span<const double> values) const { list(name, values); }
  /// Text as a list of bytes.
  void bytes(const char* name, std::string_view text) const { list(name, std::span(text)); }
  /// Text as one string.
  void text(const char* name, std::string_view text) const;
  /// A list of strings, all of them among `words`, by their indices.
  void texts(const char* name, std::span<const std::string> words, std::span<const std::uint32_t> indices) const;

  Handle group(const char* name) const;

 private:
  void write(const char* name, hid_t type, const void* values, std::size_t size) const;

  hid_t location_;
};

/// Reads below one location of a file.
class Reader {
 public:
  explicit Reader(hid_t location) : location_(location) {}

  template <class T>
  T attribute(const char* name) const {
    const Handle attribute(H5Aopen(location_, name, H5P_DEFAULT), H5Aclose);
    T value{};
    if (extent(Handle(H5Aget_space(attribute), H5Sclose)) != 1) throw Failure();
    check(H5Aread(attribute, type_of<T>(), &value));
    return value;
  }
  std::string text_attribute(const char* name) const;

  /// What Writer::list wrote.
  template <class Container>
  Container list(const char* name) const {
    using T = typename Container::value_type;
    const Handle set(H5Dopen2(location_, name, H5P_DEFAULT), H5Dclose);
    Container values(extent(Handle(H5Dget_space(set), H5Sclose)), T{});
    if (!values.empty()) check(H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }
  std::vector<double> numbers(const char* name) const { return list<std::vector<double>>(name); }
  std::string bytes(const char* name) const { return list<std::string>(name); }

  Handle group(const char* name) const;

 private:
  static std::size_t extent(hid_t space);

  hid_t location_;
};

}  // namespace ictus::files::hdf5
