#pragma once

#include <ictus/scene/text/document.hpp>
#include <ictus/scene/text/node.hpp>

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::scene {

/// Collects the mistakes of a reading, and the location of each key.
class Reading {
 public:
  explicit Reading(const Sources& sources) : sources_(sources) {}

  void mistake(const Node& at, const std::string& path, std::string message) {
    if (!is_silent(path)) mistakes.push_back({sources_[at.source], at.line, path, std::move(message)});
  }
  /// A mistake at a key that was located before.
  void mistake(const std::string& path, std::string message) {
    if (is_silent(path)) return;
    Location location = where.find(path);
    mistakes.push_back({std::move(location.file), location.line, path, std::move(message)});
  }
  void locate(const std::string& path, int source, int line) { where.add(path, {sources_[source], line}); }

  /// Mistakes at a key that are told from now on would repeat what was said of it; with those below it if `and_below`.
  void silence(const std::string& path, bool and_below) { silent_.emplace_back(path, and_below); }

  std::vector<base::Mistake> mistakes;
  Locations where;

 private:
  bool is_silent(std::string_view path) const {
    return std::any_of(silent_.begin(), silent_.end(), [&](const auto& silent) {
      const auto& [key, and_below] = silent;
      if (path.size() == key.size()) return path == key;
      return and_below && path.starts_with(key) && path[key.size()] == '.';
    });
  }

  std::vector<std::pair<std::string, bool>> silent_;
  const Sources& sources_;
};

/// What the values of a key may be. Implementations are bound to one C++ type, the T of the Typed<T> that holds them;
/// `value` points to a T.
class Kind {
 public:
  virtual ~Kind() = default;
  /// Reads the node into the value, or reports every mistake in it and leaves the value partly read.
  virtual void read(const Node& node, const std::string& path, Reading& reading, void* value) const = 0;
  /// The node that reads back to an equal value.
  virtual Node write(const void* value) const = 0;
  /// What is allowed, to stand after "must be": "a length > 0 (in m)".
  virtual std::string allowed() const = 0;
  virtual nlohmann::ordered_json json_schema() const = 0;
};

/// Reports "must be <allowed>, not <what the node is><remark>", or that it is empty.
void report_wrong(const Node& node, const std::string& path, Reading& reading, const std::string& allowed,
                  const std::string& remark = "");

/// "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

/// ", did you mean 'x'?" where a known word is near; otherwise empty.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// A kind whose values are of type T.
template <class T>
struct Typed {
  std::shared_ptr<const Kind> kind;
};

}  // namespace ictus::scene
