#pragma once

#include <filesystem>

namespace ictus::files {

/// Keeps a second run out of a folder while the object lives. Nothing is written for it, and nothing is left by a
/// process that is killed. A file system without locks is used without.
class FolderLock {
 public:
  /// Throws base::InputError when another run has the folder, which must exist.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  int file_;
};

}  // namespace ictus::files
