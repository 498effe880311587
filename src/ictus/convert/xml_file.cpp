#include <ictus/convert/xml_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ictus::convert {

std::optional<std::string> Element::text(const char* attribute) const {
  const char* found = element_->Attribute(attribute);
  return found ? std::optional<std::string>(found) : std::nullopt;
}

std::string Element::required(const char* attribute) const {
  if (const auto found = text(attribute)) return *found;
  mistake(attribute, "is missing");
  return {};
}

std::vector<double> Element::parse_numbers(const std::string& text, const char* attribute, std::size_t least,
                                           std::size_t most) const {
  std::vector<double> result;
  const char *at = text.data(), *end = at + text.size();
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; };
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) break;
    if (*at == '+') ++at;
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value) || (next != end && !is_space(*next))) {
      mistake(attribute, fmt::format("must be numbers, not '{}'", text.substr(0, 40)));
      return {};
    }
    result.push_back(value);
    at = next;
    if (result.size() > most) break;
  }
  if (result.size() >= least && result.size() <= most) return result;
  const std::string count = least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  mistake(attribute, fmt::format("must have {} {}, not {}", count, most == 1 ? "number" : "numbers",
                                 result.size() > most ? "more" : fmt::format("{}", result.size())));
  return {};
}

std::vector<double> Element::numbers(const char* attribute, std::size_t least, std::size_t most) const {
  const auto found = text(attribute);
  return found ? parse_numbers(*found, attribute, least, most) : std::vector<double>();
}

double Element::number(const char* attribute, double fallback) const {
  const std::vector<double> found = numbers(attribute, 1, 1);
  return found.empty() ? fallback : found[0];
}

Vec3 to_vector(const std::vector<double>& numbers, const Vec3& fallback) {
  return numbers.size() < 3 ? fallback : Vec3(numbers[0], numbers[1], numbers[2]);
}

Vec3 Element::vector(const char* attribute, const Vec3& fallback) const {
  return to_vector(numbers(attribute, 3, 3), fallback);
}

std::optional<Element> Element::child(const char* name) const {
  const auto* found = element_->FirstChildElement(name);
  return found ? std::optional<Element>(Element(*found, *findings_)) : std::nullopt;
}

std::vector<Element> Element::children() const {
  std::vector<Element> result;
  for (const auto* one = element_->FirstChildElement(); one; one = one->NextSiblingElement())
    result.emplace_back(*one, *findings_);
  return result;
}

std::vector<Element> Element::children(const char* name) const {
  std::vector<Element> result;
  for (const auto* one = element_->FirstChildElement(name); one; one = one->NextSiblingElement(name))
    result.emplace_back(*one, *findings_);
  return result;
}

void Element::note_others(std::initializer_list<std::string_view> known) const {
  for (const Element& one : children()) {
    if (std::find(known.begin(), known.end(), one.name()) == known.end())
      one.note(fmt::format("<{}> in <{}> is not read", one.name(), name()));
  }
}

void Element::note_attributes(std::initializer_list<const char*> names, std::string_view why) const {
  for (const char* one : names) {
    if (text(one)) note(fmt::format("{} of <{}> {}", one, name(), why));
  }
}

void Element::mistake(std::string_view attribute, std::string message) const {
  findings_->mistake(line(),
                     attribute.empty() ? fmt::format("<{}>", name()) : fmt::format("<{}> {}", name(), attribute),
                     std::move(message));
}

}  // namespace ictus::convert
