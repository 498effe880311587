#pragma once

#include <cstdint>
#include <ictus/math/vector.hpp>
#include <ictus/model/state.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::observe {

/// Numbers by name, written or read back. What a class must remember across an interruption it lists once, in a
/// function `exchange(Archive&)`, which saves or restores according to the archive it is given. Counts are exact up to
/// 2⁵³; an absent optional is kept as NaN.
class Archive {
 public:
  using Numbers = std::vector<model::Memory>;

  /// Saves.
  Archive() = default;
  /// Restores from `numbers`; `source` is the file to name when they are not what was saved.
  Archive(const Numbers& numbers, std::string source) : restored_(&numbers), source_(std::move(source)) {}

  bool restoring() const { return restored_ != nullptr; }
  const Numbers& saved() const { return saved_; }

  void number(std::string_view name, double& value);
  void number(std::string_view name, std::int64_t& value);
  void number(std::string_view name, std::optional<double>& value);
  void number(std::string_view name, math::Vec3& value);
  /// Of any length, when `fixed_size` does not ask for the present one.
  void numbers(std::string_view name, std::vector<double>& values, bool fixed_size = true);
  /// Any number of records of `size` numbers.
  void records(std::string_view name, std::vector<double>& values, std::size_t size);

  /// Says what is wrong with the numbers of that name in the file.
  [[noreturn]] void refuse(std::string_view name, std::string_view what) const;

 private:
  const std::vector<double>& restored(std::string_view name) const;
  const std::vector<double>& restored(std::string_view name, std::size_t size) const;

  const Numbers* restored_ = nullptr;
  std::string source_;
  Numbers saved_;
};

}  // namespace ictus::observe
