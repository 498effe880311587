#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::files {

/// A frame that vtu() wrote, read back array by array. Every call throws base::InputError naming the file when that is
/// missing, cut off or from another program.
class VtuReader {
 public:
  explicit VtuReader(std::filesystem::path file);

  std::size_t points() const { return points_; }
  std::size_t cells() const { return cells_; }

  /// `section` is the element around the array: FieldData, Points, Cells, PointData or CellData.
  bool has(std::string_view section, std::string_view name) const;
  /// The arrays in a section, by name.
  std::vector<std::string> names(std::string_view section) const;
  std::vector<double> numbers(std::string_view section, std::string_view name);
  std::vector<std::int64_t> integers(std::string_view section, std::string_view name);
  std::vector<std::uint8_t> bytes(std::string_view section, std::string_view name);
  /// Each ended by a zero.
  std::vector<std::string> words(std::string_view section, std::string_view name);

 private:
  struct Array {
    std::string type;
    std::uint64_t offset;
  };

  [[noreturn]] void refuse(std::string_view reason) const;
  void read_head();
  void read_tag(std::string_view tag, std::string& section);
  std::string attribute(std::string_view tag, std::string_view name) const;
  std::uint64_t count(std::string_view tag, std::string_view name) const;
  std::string raw(std::string_view section, std::string_view name, std::string_view type);
  template <class T>
  std::vector<T> values(std::string_view section, std::string_view name, std::string_view type);

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;  // of the file
  std::uint64_t data_ = 0;  // where the appended arrays begin
  std::size_t points_ = 0;
  std::size_t cells_ = 0;
  std::map<std::string, Array, std::less<>> arrays_;  // by "section/name"
};

}  // namespace ictus::files
