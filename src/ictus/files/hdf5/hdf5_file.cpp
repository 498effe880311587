#include <ictus/files/hdf5/hdf5_file.hpp>

#include <algorithm>

namespace ictus::files::hdf5 {

namespace {

/// Access to a file in memory.
Handle memory_access() {
  constexpr std::size_t growth = std::size_t{1} << 20;
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, growth, false));
  return access;
}

/// Strings of `size` bytes, shorter ones filled with zeros. HDF5 knows none of length 0.
Handle string_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

}  // namespace

namespace {

std::mutex turn;

}  // namespace

Quiet::Quiet() : turn_(turn) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Handle creation(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));
  return properties;
}

Handle new_file(std::size_t user_block) {
  const Handle properties = creation(H5P_FILE_CREATE);
  check(H5Pset_userblock(properties, user_block));
  return {H5Fcreate("memory", H5F_ACC_TRUNC, properties, memory_access()), H5Fclose};
}

std::string bytes_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_LOCAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw Failure();
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) < 0) throw Failure();
  return bytes;
}

Handle open_bytes(std::string& bytes) {
  const Handle access = memory_access();
  check(H5Pset_file_image(access, bytes.data(), bytes.size()));
  return {H5Fopen("memory", H5F_ACC_RDONLY, access), H5Fclose};
}

void Writer::text_attribute(const char* name, std::string_view text) const {
  const Handle type = string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(location_, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, text.empty() ? "" : text.data()));
}

void Writer::text_attribute_of(const char* set, const char* name, std::string_view text) const {
  const Handle location(H5Dopen2(location_, set, H5P_DEFAULT), H5Dclose);
  Writer(location).text_attribute(name, text);
}

void Writer::text(const char* name, std::string_view text) const {
  const Handle type = string_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(location_, name, type, space, H5P_DEFAULT, creation(H5P_DATASET_CREATE), H5P_DEFAULT),
                   H5Dclose);
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.empty() ? "" : text.data()));
}

void Writer::texts(const char* name, std::span<const std::string> words, std::span<const std::uint32_t> indices) const {
  std::size_t size = 1;
  for (const std::string& word : words) size = std::max(size, word.size());
  std::string cells(size * indices.size(), '\0');
  for (std::size_t i = 0; i < indices.size(); ++i) words[indices[i]].copy(cells.data() + i * size, size);
  write(name, string_type(size), cells.data(), indices.size());
}

void Writer::write(const char* name, hid_t type, const void* values, std::size_t size) const {
  const hsize_t length = size;
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  const Handle properties = creation(H5P_DATASET_CREATE);
  const Handle set(H5Dcreate2(location_, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
  if (length > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

Handle Writer::group(const char* name) const {
  return {H5Gcreate2(location_, name, H5P_DEFAULT, creation(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose};
}

std::string Reader::text_attribute(const char* name) const {
  const Handle attribute(H5Aopen(location_, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw Failure();
  if (extent(Handle(H5Aget_space(attribute), H5Sclose)) != 1) throw Failure();
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, text.data()));
  return text;
}

Handle Reader::group(const char* name) const { return {H5Gopen2(location_, name, H5P_DEFAULT), H5Gclose}; }

std::size_t Reader::extent(hid_t space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points < 0) throw Failure();
  return static_cast<std::size_t>(points);
}

}  // namespace ictus::files::hdf5
