#include <hdf5.h>

#include <ictus/solve/formats/contact_problem_format.hpp>
#include <vector>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

/// An HDF5 file in memory. HDF5 itself does not survive every damage; what is tried here is what its datasets hold.
class MemoryFile {
 public:
  MemoryFile() {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, false);
    file_ = H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
  }
  ~MemoryFile() { H5Fclose(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void group(const std::string& path) const {
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  /// Numbers of T; those of `promised` more that are not written are zeros, and take no room in the file.
  template <class T>
  void list(const std::string& path, hid_t type, const std::vector<T>& values, hsize_t promised = 0) const {
    const hsize_t size = std::max<hsize_t>(values.size(), promised);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 16;
    if (promised > 0) H5Pset_chunk(made, 1, &chunk);
    const hid_t set = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, made, H5P_DEFAULT);
    if (promised == 0 && size > 0) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Pclose(made);
    H5Sclose(space);
  }
  std::string image() const {
    H5Fflush(file_, H5F_SCOPE_LOCAL);
    std::string bytes(static_cast<std::size_t>(H5Fget_file_image(file_, nullptr, 0)), '\0');
    H5Fget_file_image(file_, bytes.data(), bytes.size());
    return bytes;
  }

 private:
  hid_t file_;
};

/// Mostly small, sometimes anything.
int any_integer(Bytes& bytes) {
  const unsigned char kind = bytes.byte();
  return kind < 250 ? kind % 16 - 3 : bytes.value<int>();
}

std::vector<int> any_integers(Bytes& bytes) {
  std::vector<int> values(bytes.byte() % 24);
  for (int& value : values) value = any_integer(bytes);
  return values;
}

std::vector<double> any_numbers(Bytes& bytes) {
  std::vector<double> values(bytes.byte() % 24);
  for (double& value : values) value = bytes.byte() < 240 ? bytes.byte() / 16.0 - 4 : bytes.value<double>();
  return values;
}

void numbers(const MemoryFile& file, const std::string& path, Bytes& bytes) {
  const unsigned char kind = bytes.byte();
  if (kind == 255) return;  // missing
  if (kind == 254) return file.list(path, H5T_NATIVE_DOUBLE, std::vector<double>{}, bytes.value<std::uint32_t>());
  file.list(path, H5T_NATIVE_DOUBLE, any_numbers(bytes));
}

void matrix(const MemoryFile& file, const std::string& path, Bytes& bytes) {
  if (bytes.byte() == 255) return;
  file.group(path);
  for (const char* name : {"/m", "/n", "/nz"})
    file.list(path + name, H5T_NATIVE_INT, std::vector<int>{any_integer(bytes)});
  for (const char* name : {"/p", "/i"}) file.list(path + name, H5T_NATIVE_INT, any_integers(bytes));
  numbers(file, path + "/x", bytes);
}

}  // namespace

void siconos(std::string_view bytes) {
  attempt([&] { solve::parse_text_problem("problem.dat", bytes); });
}

void fclib(std::string_view input) {
  Bytes bytes(input);
  const MemoryFile file;
  const bool local = bytes.byte() % 2 == 0;
  const std::string group = local ? "/fclib_local" : "/fclib_global";
  file.group(group);
  file.list(group + "/spacedim", H5T_NATIVE_INT, std::vector<int>{2 + bytes.byte() % 3});
  file.group(group + "/vectors");
  numbers(file, group + "/vectors/mu", bytes);
  numbers(file, group + (local ? "/vectors/q" : "/vectors/f"), bytes);
  if (!local) numbers(file, group + "/vectors/w", bytes);
  matrix(file, group + (local ? "/W" : "/M"), bytes);
  if (!local) matrix(file, group + "/H", bytes);
  attempt([&] { solve::read_fclib_problem("problem.hdf5", file.image()); });
}

}  // namespace ictus::fuzz
