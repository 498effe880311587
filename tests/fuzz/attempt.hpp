#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ictus/base/error.hpp>
#include <string>
#include <string_view>

namespace ictus::fuzz {

/// Ends the process where something does not hold, with the input that led there.
inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "must hold: %s\n", what);
  std::abort();
}

/// Does what may be refused with words.
template <class F>
void attempt(F&& f) {
  try {
    f();
  } catch (const base::InputError& error) {
    demand(!error.mistakes().empty(), "an error has a mistake");
    for (const base::Mistake& mistake : error.mistakes()) demand(!mistake.message.empty(), "a mistake has a message");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
}

/// A folder in memory for readers that want a file; it goes with the process.
class Scratch {
 public:
  Scratch() {
    std::string name = "/dev/shm/ictus-fuzz-XXXXXX";
    demand(mkdtemp(name.data()) != nullptr, "there is room for scratch files");
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path put(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

/// Bytes taken one value after the other; zeros after the end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  unsigned char byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  template <class T>
  T value() {
    T result{};
    const std::size_t size = std::min(sizeof result, bytes_.size());
    bytes_.copy(reinterpret_cast<char*>(&result), size);
    bytes_.remove_prefix(size);
    return result;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace ictus::fuzz
