#pragma once

#include <fmt/format.h>
#include <hdf5.h>

#include <Eigen/SparseCore>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ictus::solve {

/// Writes FCLIB files; HDF5 itself complains in the test's output where this fails.
class FclibFile {
 public:
  explicit FclibFile(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~FclibFile() { H5Fclose(file_); }
  FclibFile(const FclibFile&) = delete;
  FclibFile& operator=(const FclibFile&) = delete;

  void group(const std::string& path) {
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  void integers(const std::string& path, const std::vector<int>& values) {
    dataset(path, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
  }
  void numbers(const std::string& path, const std::vector<double>& values) {
    dataset(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void matrix(const std::string& path, int rows, int columns, int nz, const std::vector<int>& p,
              const std::vector<int>& i, const std::vector<double>& x) {
    group(path);
    integers(path + "/m", {rows});
    integers(path + "/n", {columns});
    integers(path + "/nz", {nz});
    integers(path + "/nzmax", {static_cast<int>(x.size())});
    integers(path + "/p", p);
    integers(path + "/i", i);
    numbers(path + "/x", x);
  }

  /// A dataset of that many zeros, none of which is in the file.
  void promise(const std::string& path, hsize_t size) {
    const hid_t space = H5Screate_simple(1, &size, nullptr), made = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 1024;
    H5Pset_chunk(made, 1, &chunk);
    H5Dclose(H5Dcreate2(file_, path.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, made, H5P_DEFAULT));
    H5Pclose(made);
    H5Sclose(space);
  }

 private:
  void dataset(const std::string& path, hid_t type, hid_t memory_type, hsize_t size, const void* values) {
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t set = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
  }
  hid_t file_;
};

/// A problem of contact before anyone condensed it: M v = f + H r, u = Hᵀ v + w [eq. contact-solvers-3].
struct GlobalProblem {
  using Matrix = Eigen::SparseMatrix<double>;

  Matrix mass;  ///< diagonal
  Matrix h;
  std::vector<double> f, w, mu;

  Matrix local() const {
    Matrix inverse = mass;
    for (Eigen::Index k = 0; k < mass.rows(); ++k) inverse.coeffRef(k, k) = 1 / mass.coeff(k, k);
    return h.transpose() * inverse * h;
  }
  /// w + HᵀM⁻¹f.
  std::vector<double> local_q() const {
    Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(f.data(), mass.rows());
    for (Eigen::Index k = 0; k < mass.rows(); ++k) v[k] /= mass.coeff(k, k);
    const Eigen::VectorXd u = h.transpose() * v + Eigen::Map<const Eigen::VectorXd>(w.data(), h.cols());
    return {u.begin(), u.end()};
  }

  void write_fclib(const std::filesystem::path& path, bool as_local) const {
    FclibFile file(path);
    const std::string group = as_local ? "/fclib_local" : "/fclib_global";
    file.group(group);
    file.integers(group + "/spacedim", {3});
    const auto write = [&](const std::string& name, const Matrix& m) {
      std::vector<int> rows, columns;
      std::vector<double> values;
      for_each(m, [&](int i, int j, double x) { rows.push_back(i), columns.push_back(j), values.push_back(x); });
      file.matrix(group + name, static_cast<int>(m.rows()), static_cast<int>(m.cols()), static_cast<int>(values.size()),
                  columns, rows, values);
    };
    file.group(group + "/vectors");
    if (as_local) {
      write("/W", local());
      file.numbers(group + "/vectors/q", local_q());
    } else {
      write("/M", mass);
      write("/H", h);
      file.numbers(group + "/vectors/f", f);
      file.numbers(group + "/vectors/w", w);
    }
    file.numbers(group + "/vectors/mu", mu);
  }

  /// In the text of Siconos, matrices as what CSparse prints of triplets.
  void write_siconos(const std::filesystem::path& path, bool as_local) const {
    std::string text = fmt::format("3\n{}\n", mu.size());
    const auto write = [&](const Matrix& m) {
      text += fmt::format("2\n{}\n{}\n1\nCSparse Version 3.0.2, Aug 30, 2012.\ntriplet: {}-by-{}, nzmax: {} nnz: {}\n",
                          m.rows(), m.cols(), m.rows(), m.cols(), m.nonZeros(), m.nonZeros());
      for_each(m, [&](int i, int j, double x) { text += fmt::format("    {} {} : {}\n", i, j, x); });
    };
    const auto list = [&](const std::vector<double>& values) {
      for (const double x : values) text += fmt::format("{} ", x);
      text += '\n';
    };
    if (as_local) {
      write(local());
      list(local_q());
    } else {
      write(mass);
      write(h);
      list(f);
      list(w);
    }
    list(mu);
    std::ofstream(path) << text;
  }

 private:
  template <class F>
  static void for_each(const Matrix& m, F&& visit) {
    for (int column = 0; column < m.outerSize(); ++column) {
      for (Matrix::InnerIterator entry(m, column); entry; ++entry)
        visit(static_cast<int>(entry.row()), static_cast<int>(entry.col()), entry.value());
    }
  }
};

}  // namespace ictus::solve
