#pragma once

#include <ictus/base/error.hpp>
#include <ictus/scene/text/document.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::build {

/// Collects the mistakes of a scene, so that all of them are reported at once.
class Mistakes {
 public:
  explicit Mistakes(const scene::Document& document) : document_(document) {}

  void add(std::string_view key, std::string message) { found_.push_back(document_.mistake(key, std::move(message))); }
  bool empty() const { return found_.empty(); }
  void throw_if_any() const {
    if (!found_.empty()) throw base::InputError(found_);
  }

 private:
  const scene::Document& document_;
  std::vector<base::Mistake> found_;
};

}  // namespace ictus::build
