#include <ictus/solve/formats/contact_problem_format.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <ictus/base/error.hpp>
#include <ictus/solve/linear/sparse_blocks.hpp>
#include <utility>

namespace ictus::solve {

namespace {

/// An HDF5 identifier with the function that releases it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps HDF5 from printing while we ask what a file holds.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class Reader {
 public:
  Reader(const std::string& file, std::string_view content)
      : file_name_(file), size_(content.size()), file_(open(content), H5Fclose) {
    if (!file_) fail("", "is not a complete HDF5 file");
  }

  [[noreturn]] void fail(const std::string& key, std::string message) const {
    throw base::InputError(base::Mistake{file_name_, 0, key, std::move(message)});
  }

  bool has(const std::string& path) const { return H5Lexists(file_.get(), path.c_str(), H5P_DEFAULT) > 0; }

  std::vector<double> numbers(const std::string& path) const { return read<double>(path, H5T_NATIVE_DOUBLE); }
  std::vector<int> integers(const std::string& path) const { return read<int>(path, H5T_NATIVE_INT); }

  int integer(const std::string& path) const {
    const std::vector<int> values = integers(path);
    if (values.size() != 1) fail(path, fmt::format("has {} entries, must have one", values.size()));
    return values.front();
  }

  std::string text(const std::string& path) const {
    if (!has(path)) return {};
    const Handle set(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) return {};
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    if (!type || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) return {};
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    if (!space || H5Sget_simple_extent_npoints(space.get()) != 1 || H5Tget_size(type.get()) > size_) return {};
    std::string value(H5Tget_size(type.get()), '\0');
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) return {};
    return value.substr(0, value.find('\0'));
  }

 private:
  /// A file that lies in memory already.
  static hid_t open(std::string_view content) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (H5Pset_fapl_core(access.get(), std::size_t{1} << 20, false) < 0) return -1;
    std::string image(content);
    if (H5Pset_file_image(access.get(), image.data(), image.size()) < 0) return -1;
    return H5Fopen("memory", H5F_ACC_RDONLY, access.get());
  }

  template <class T>
  std::vector<T> read(const std::string& path, hid_t memory_type) const {
    if (!has(path)) fail(path, "is missing");
    const Handle set(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) fail(path, "is not a dataset");
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const hssize_t size = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
    if (size < 0) fail(path, "has no readable extent");
    // What HDF5 compresses shrinks to a thousandth at most.
    if (static_cast<std::uint64_t>(size) > 1100 * static_cast<std::uint64_t>(size_) / sizeof(T))
      fail(path, fmt::format("has {} entries, more than a file of {} bytes can hold", size, size_));
    std::vector<T> values(static_cast<std::size_t>(size));
    if (H5Dread(set.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      fail(path, "cannot be read: the file is damaged, or the dataset does not hold numbers");
    }
    return values;
  }

  std::string file_name_;
  std::size_t size_;
  Handle file_;
};

/// FCLIB's marks of the storage in `nz`; from 0 on it is the number of triplets.
enum FclibStorage : int { compressed_columns = -1, compressed_rows = -2 };

void check_indices(const Reader& reader, const std::string& path, const std::vector<int>& indices, int bound) {
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (indices[k] < 0 || indices[k] >= bound) {
      reader.fail(path, fmt::format("entry {} is {}, must lie in 0 .. {}", k, indices[k], bound - 1));
    }
  }
}

/// Triplets (line, index) of compressed storage.
std::vector<int> expand_pointers(const Reader& reader, const std::string& path, const std::vector<int>& pointers,
                                 std::size_t lines, std::size_t entries) {
  if (pointers.size() != lines + 1) {
    reader.fail(path, fmt::format("has {} pointers, must have {}", pointers.size(), lines + 1));
  }
  if (pointers.front() != 0 || pointers.back() != static_cast<int>(entries)) {
    reader.fail(path,
                fmt::format("runs from {} to {}, must run from 0 to {}", pointers.front(), pointers.back(), entries));
  }
  std::vector<int> line_of(entries);
  for (std::size_t line = 0; line < lines; ++line) {
    if (pointers[line] > pointers[line + 1] || pointers[line + 1] > static_cast<int>(entries)) {
      reader.fail(path, fmt::format("falls, or leaves its range, at entry {}", line + 1));
    }
    std::fill(line_of.begin() + pointers[line], line_of.begin() + pointers[line + 1], static_cast<int>(line));
  }
  return line_of;
}

/// A matrix that must have as many rows and columns as the vectors beside it say.
SparseMatrix read_matrix(const Reader& reader, const std::string& group, std::size_t wanted_rows,
                         std::size_t wanted_columns) {
  if (!reader.has(group)) reader.fail(group, "is missing");
  const int rows = reader.integer(group + "/m");
  const int columns = reader.integer(group + "/n");
  if (rows < 1 || columns < 1 || static_cast<std::size_t>(rows) != wanted_rows ||
      static_cast<std::size_t>(columns) != wanted_columns) {
    reader.fail(group, fmt::format("has {} rows and {} columns; the vectors beside it ask for {} and {}", rows, columns,
                                   wanted_rows, wanted_columns));
  }
  const int nz = reader.integer(group + "/nz");
  std::vector<int> row_of = reader.integers(group + "/i");
  std::vector<int> column_of = reader.integers(group + "/p");
  const std::vector<double> values = reader.numbers(group + "/x");
  if (row_of.size() < values.size()) reader.fail(group + "/i", "has fewer entries than x");
  std::size_t count = values.size();
  if (nz >= 0) {
    count = static_cast<std::size_t>(nz);
    if (count > values.size() || count > column_of.size()) reader.fail(group + "/nz", "is more than there are entries");
  } else if (nz == compressed_columns || nz == compressed_rows) {
    const bool by_rows = nz == compressed_rows;
    if (!column_of.empty()) count = std::min(count, static_cast<std::size_t>(std::max(0, column_of.back())));
    column_of =
        expand_pointers(reader, group + "/p", column_of, static_cast<std::size_t>(by_rows ? rows : columns), count);
    if (by_rows) std::swap(row_of, column_of);
  } else {
    reader.fail(group + "/nz", fmt::format("is {}, must be -2 (rows), -1 (columns) or a number of triplets", nz));
  }
  row_of.resize(count);
  column_of.resize(count);
  check_indices(reader, group, row_of, rows);
  check_indices(reader, group, column_of, columns);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(count);
  for (std::size_t k = 0; k < count; ++k) entries.emplace_back(row_of[k], column_of[k], values[k]);
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::vector<double> read_vector(const Reader& reader, const std::string& path, std::size_t size) {
  std::vector<double> values = reader.numbers(path);
  if (values.size() != size) reader.fail(path, fmt::format("has {} entries, must have {}", values.size(), size));
  return values;
}

/// W of a global problem of `rows` contact velocities, and its q.
SparseMatrix read_global(const Reader& reader, std::size_t rows, std::vector<double>& q) {
  const std::string group = "/fclib_global";
  if (reader.has(group + "/G")) {
    reader.fail(group + "/G", "bilateral constraints are not supported; save the problem in local form");
  }
  const std::vector<double> f = reader.numbers(group + "/vectors/f");
  const SparseMatrix mass = read_matrix(reader, group + "/M", f.size(), f.size());
  const SparseMatrix h = read_matrix(reader, group + "/H", f.size(), rows);
  q = read_vector(reader, group + "/vectors/w", rows);
  return condense(mass, h, f, q);
}

}  // namespace

SavedProblem read_fclib_problem(const std::string& file, std::string_view content) {
  const QuietErrors quiet;
  const Reader reader(file, content);
  const bool local = reader.has("/fclib_local");
  if (!local && !reader.has("/fclib_global")) {
    reader.fail("", "holds neither a group fclib_local nor fclib_global: not a problem in FCLIB format");
  }
  const std::string group = local ? "/fclib_local" : "/fclib_global";
  const std::string title = reader.text(group + "/info/title");
  const int dimension = reader.integer(group + "/spacedim");
  if (dimension != 2 && dimension != 3) {
    reader.fail(group + "/spacedim", fmt::format("is {}, must be 2 or 3", dimension));
  }
  const std::vector<double> mu = reader.numbers(group + "/vectors/mu");
  const std::size_t rows = mu.size() * static_cast<std::size_t>(dimension);
  std::vector<double> q;
  const SparseMatrix w = local ? read_matrix(reader, group + "/W", rows, rows) : read_global(reader, rows, q);
  if (local) q = read_vector(reader, group + "/vectors/q", rows);
  return saved_problem(title, dimension, w, q, mu);
}

}  // namespace ictus::solve
