#include <ictus/observe/checkpoint/archive.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/error.hpp>
#include <limits>

namespace ictus::observe {

namespace {

constexpr double max_exact = 9007199254740992.0;  // 2⁵³

}  // namespace

void Archive::refuse(std::string_view name, std::string_view what) const {
  throw base::InputError(base::Mistake{source_, 0, "", fmt::format("{} {}; the file is damaged", name, what)});
}

const std::vector<double>& Archive::restored(std::string_view name) const {
  const auto found = std::find_if(restored_->begin(), restored_->end(), [&](const auto& m) { return m.name == name; });
  if (found == restored_->end())
    throw base::InputError(base::Mistake{source_, 0, "", fmt::format("does not hold {}, which this run needs", name)});
  return found->values;
}

const std::vector<double>& Archive::restored(std::string_view name, std::size_t size) const {
  const std::vector<double>& values = restored(name);
  if (values.size() != size)
    throw base::InputError(base::Mistake{
        source_, 0, "", fmt::format("holds {} values of {}, where this run has {}", values.size(), name, size)});
  return values;
}

void Archive::number(std::string_view name, double& value) {
  if (restoring()) {
    value = restored(name, 1)[0];
  } else {
    saved_.push_back({std::string(name), {value}});
  }
}

void Archive::number(std::string_view name, std::int64_t& value) {
  auto real = static_cast<double>(value);
  number(name, real);
  if (!(std::abs(real) <= max_exact) || real != std::floor(real))
    refuse(name, fmt::format("is {:g}, no whole number", real));
  value = static_cast<std::int64_t>(real);
}

void Archive::number(std::string_view name, std::optional<double>& value) {
  double real = value.value_or(std::numeric_limits<double>::quiet_NaN());
  number(name, real);
  value = real == real ? std::optional(real) : std::nullopt;
}

void Archive::number(std::string_view name, math::Vec3& value) {
  std::vector<double> components(value.begin(), value.end());
  numbers(name, components);
  std::copy(components.begin(), components.end(), value.begin());
}

void Archive::numbers(std::string_view name, std::vector<double>& values, bool fixed_size) {
  if (restoring()) {
    values = fixed_size ? restored(name, values.size()) : restored(name);
  } else {
    saved_.push_back({std::string(name), values});
  }
}

void Archive::records(std::string_view name, std::vector<double>& values, std::size_t size) {
  numbers(name, values, false);
  if (values.size() % size != 0) refuse(name, fmt::format("has {} values, no records of {}", values.size(), size));
}

}  // namespace ictus::observe
