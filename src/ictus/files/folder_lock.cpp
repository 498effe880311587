#include <ictus/files/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <ictus/base/error.hpp>
#include <utility>

namespace ictus::files {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(file_);
  throw base::InputError(base::Mistake{folder.string(), 0, "",
                                       "another run is writing its results here; wait for its end, or choose another "
                                       "folder with --out"});
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

}  // namespace ictus::files
