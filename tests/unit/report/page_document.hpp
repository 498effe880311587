#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <ictus/report/report_data.hpp>

#include "support/complaint_of.hpp"

namespace ictus::report {

/// What a page carries.
inline Document document_in(const std::string& page) {
  const std::string mark = "id=\"ictus-document\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return Document::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// Undoes packed().
inline std::vector<double> unpacked(const Document& values) {
  std::vector<double> result;
  if (values.is_array()) {
    for (const auto& v : values) result.push_back(v.is_null() ? std::nan("") : v.get<double>());
    return result;
  }
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : values.get<std::string>()) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8) & 0xff));
  }
  result.resize(bytes.size() / 8);
  std::memcpy(result.data(), bytes.data(), 8 * result.size());
  return result;
}

inline std::vector<double> column(const Document& table, const std::string& name) {
  for (const auto& c : table.at("columns")) {
    if (c.at("name") == name) return unpacked(c.at("values"));
  }
  ADD_FAILURE() << "no column " << name;
  return {};
}

using testing::complaint_of;

}  // namespace ictus::report
