#pragma once

#include <tinyxml2.h>

#include <ictus/convert/findings.hpp>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::convert {

/// An element of a file, read with its mistakes noted.
class Element {
 public:
  Element(const tinyxml2::XMLElement& element, Findings& findings) : element_(&element), findings_(&findings) {}

  std::string_view name() const { return element_->Name(); }
  int line() const { return element_->GetLineNum(); }
  std::optional<std::string> text(const char* attribute) const;
  /// The attribute, which must be there.
  std::string required(const char* attribute) const;
  /// Numbers of an attribute, `least` to `most`; nothing where it is absent or wrong.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  std::vector<double> parse_numbers(const std::string& text, const char* attribute, std::size_t least,
                                    std::size_t most) const;
  double number(const char* attribute, double fallback) const;
  Vec3 vector(const char* attribute, const Vec3& fallback) const;

  std::optional<Element> child(const char* name) const;
  std::vector<Element> children() const;
  std::vector<Element> children(const char* name) const;
  /// Notes all children but those of these names.
  void note_others(std::initializer_list<std::string_view> known) const;
  /// Notes attributes of these names that are there.
  void note_attributes(std::initializer_list<const char*> names, std::string_view why) const;

  void mistake(std::string_view attribute, std::string message) const;
  void note(std::string text) const { findings_->note(line(), std::move(text)); }

 private:
  const tinyxml2::XMLElement* element_;
  Findings* findings_;
};

Vec3 to_vector(const std::vector<double>& numbers, const Vec3& fallback);

}  // namespace ictus::convert
