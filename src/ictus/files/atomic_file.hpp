#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::files {

/// A file that appears whole or not at all, whatever happens to the program or to the power: written under another name
/// in the same folder, and renamed by commit() once it is on the device. An
/// object that goes without commit() removes what it wrote. Whatever the system refuses is a base::InputError with the
/// path and the system's reason; after one, what was written is gone and every further call throws it again.
class AtomicFile {
 public:
  /// Begins a file that commit() will put at `target`, whose folder must exist.
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;

  void write(std::string_view bytes);
  /// Writes the first `bytes` bytes of `source`, which must have as many.
  void write_from(const std::filesystem::path& source, std::uint64_t bytes);
  /// Forgets everything after the first `bytes` bytes written.
  void truncate(std::uint64_t bytes);
  void commit();
  /// Ends writing for a FileBatch, which will commit the file; returns the name under which it lies.
  std::filesystem::path set_aside();

 private:
  [[noreturn]] void fail();
  void check() const;
  void discard() noexcept;

  std::filesystem::path target_;
  std::filesystem::path aside_;
  int file_ = -1;
  std::string failure_;
};

/// Puts a whole file at `target`.
void write_file(const std::filesystem::path& target, std::string_view content);

/// Many files of one folder that are to appear soon but not each at once: the device is waited for once for all. Those
/// that are not committed go with the object.
class FileBatch {
 public:
  FileBatch() = default;
  ~FileBatch();
  FileBatch(FileBatch&&) = default;
  FileBatch& operator=(FileBatch&&) = delete;

  void write(const std::filesystem::path& target, std::string_view content);
  void commit();

 private:
  struct Waiting {
    std::filesystem::path aside, target;
  };
  std::vector<Waiting> waiting_;
};

/// Removes what a killed process was writing in `folder`.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace ictus::files
