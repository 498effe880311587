#include <ictus/files/vtu/vtu_reader.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <ictus/base/error.hpp>

namespace ictus::files {

namespace {

constexpr std::string_view before_data = "<AppendedData encoding=\"raw\">\n_";
/// The XML before the arrays is much shorter than this.
constexpr std::size_t longest_head = std::size_t{1} << 18;

std::string key(std::string_view section, std::string_view name) { return fmt::format("{}/{}", section, name); }

}  // namespace

VtuReader::VtuReader(std::filesystem::path file) : path_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) refuse("is missing, or not a plain file");
  file_.open(path_, std::ios::binary);
  if (!file_) refuse("cannot be read");
  size_ = std::filesystem::file_size(path_, error);
  if (error) refuse("cannot be read");
  read_head();
}

void VtuReader::refuse(std::string_view reason) const {
  throw base::InputError({path_.string(), 0, "", fmt::format("{}; it is no frame that Ictus wrote", reason)});
}

void VtuReader::read_head() {
  std::string head(std::min<std::uint64_t>(size_, longest_head), '\0');
  file_.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::size_t end = head.find(before_data);
  if (!file_ || end == std::string::npos) refuse("has no appended arrays");
  data_ = end + before_data.size();
  head.resize(end);
  if (head.find("byte_order=\"LittleEndian\" header_type=\"UInt64\"") == std::string::npos) {
    refuse("is laid out otherwise");
  }
  std::string section;
  for (std::size_t open = head.find('<'); open != std::string::npos; open = head.find('<', open + 1)) {
    const std::size_t close = head.find('>', open);
    if (close == std::string::npos) refuse("has an element that does not end");
    read_tag(std::string_view(head).substr(open + 1, close - open - 1), section);
  }
}

void VtuReader::read_tag(std::string_view tag, std::string& section) {
  if (tag.starts_with("Piece ")) {
    points_ = count(tag, "NumberOfPoints");
    cells_ = count(tag, "NumberOfCells");
  } else if (tag.starts_with("DataArray ")) {
    // The first of a name: a body may have a field that is called like one of the frame's own arrays.
    arrays_.try_emplace(key(section, attribute(tag, "Name")), Array{attribute(tag, "type"), count(tag, "offset")});
  } else if (!tag.starts_with('/')) {
    section = tag;
  }
}

std::string VtuReader::attribute(std::string_view tag, std::string_view name) const {
  const std::string mark = fmt::format(" {}=\"", name);
  const std::size_t begin = tag.find(mark);
  const std::size_t end = begin == std::string_view::npos ? begin : tag.find('"', begin + mark.size());
  if (end == std::string_view::npos) refuse(fmt::format("has an element without {}", name));
  return std::string(tag.substr(begin + mark.size(), end - begin - mark.size()));
}

std::uint64_t VtuReader::count(std::string_view tag, std::string_view name) const {
  const std::string text = attribute(tag, name);
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) refuse(fmt::format("has {} as {}", text, name));
  return value;
}

bool VtuReader::has(std::string_view section, std::string_view name) const {
  return arrays_.contains(key(section, name));
}

std::vector<std::string> VtuReader::names(std::string_view section) const {
  std::vector<std::string> names;
  const std::string before = std::string(section) + '/';
  for (const auto& [key, array] : arrays_) {
    if (key.starts_with(before)) names.push_back(key.substr(before.size()));
  }
  return names;
}

std::string VtuReader::raw(std::string_view section, std::string_view name, std::string_view type) {
  const auto found = arrays_.find(key(section, name));
  if (found == arrays_.end() || found->second.type != type) {
    refuse(fmt::format("has no array {} of type {} in {}", name, type, section));
  }
  std::uint64_t length = 0;
  const std::uint64_t limit = size_ - data_;
  const std::uint64_t offset = found->second.offset;
  if (limit < sizeof length || offset > limit - sizeof length) refuse("is cut off");
  file_.seekg(static_cast<std::streamoff>(data_ + offset));
  file_.read(reinterpret_cast<char*>(&length), sizeof length);
  if (!file_ || length > limit - sizeof length - offset) refuse("is cut off");
  std::string bytes(length, '\0');
  file_.read(bytes.data(), static_cast<std::streamsize>(length));
  if (!file_) refuse("is cut off");
  return bytes;
}

template <class T>
std::vector<T> VtuReader::values(std::string_view section, std::string_view name, std::string_view type) {
  const std::string bytes = raw(section, name, type);
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), bytes.data(), result.size() * sizeof(T));
  return result;
}

std::vector<double> VtuReader::numbers(std::string_view section, std::string_view name) {
  return values<double>(section, name, "Float64");
}

std::vector<std::int64_t> VtuReader::integers(std::string_view section, std::string_view name) {
  return values<std::int64_t>(section, name, "Int64");
}

std::vector<std::uint8_t> VtuReader::bytes(std::string_view section, std::string_view name) {
  return values<std::uint8_t>(section, name, "UInt8");
}

std::vector<std::string> VtuReader::words(std::string_view section, std::string_view name) {
  const std::string text = raw(section, name, "UInt8");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace ictus::files
