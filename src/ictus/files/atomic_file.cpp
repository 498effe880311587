#include <ictus/files/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ictus/base/error.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ictus::files {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view aside_suffix = ".part";

/// A name of its own for every file of every process; the leading dot keeps it out of listings and globs.
fs::path aside_name(const fs::path& target) {
  static std::atomic<unsigned> count = 0;
  return target.parent_path() / fmt::format(".{}.{}-{}{}", target.filename().string(), getpid(), count++, aside_suffix);
}

/// Whether aside_name can have made `name`: ".<file>.<digits>-<digits>.part".
bool is_aside_name(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(aside_suffix)) return false;
  name.remove_suffix(aside_suffix.size());
  const auto ends_with_number_after = [&name](char mark) {
    const std::size_t before = name.find_last_not_of("0123456789");
    const bool found =
        before != std::string_view::npos && before > 0 && before + 1 < name.size() && name[before] == mark;
    name = name.substr(0, found ? before : 0);
    return found;
  };
  return ends_with_number_after('-') && ends_with_number_after('.');
}

int open_new(const fs::path& path) {
  constexpr mode_t readable_by_all = 0666;  // less the umask
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_all);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw base::InputError(base::Mistake{path.string(), 0, "", what});
}

std::string system_reason() { return std::generic_category().message(errno); }

/// A folder whose entries, and the files in it, can be waited for. Not every file system can: those that cannot are let
/// be.
class Folder {
 public:
  explicit Folder(const fs::path& path)
      : path_(path.empty() ? fs::path(".") : path), folder_(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~Folder() {
    if (folder_ >= 0) close(folder_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Waits until new names of files are on the device.
  void sync() const { check(folder_ < 0 ? 0 : fsync(folder_)); }
  /// Waits until all that was written to the file system of the folder is on the device.
  void sync_files() const { check(folder_ < 0 ? 0 : syncfs(folder_)); }

 private:
  void check(int status) const {
    if (status != 0 && errno != EINVAL && errno != EROFS)
      refuse(path_, fmt::format("cannot be written: {}", system_reason()));
  }

  fs::path path_;
  int folder_;
};

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  do {
    aside_ = aside_name(target_);
    file_ = open_new(aside_);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) fail();
}

AtomicFile::~AtomicFile() { discard(); }

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      aside_(std::move(other.aside_)),
      file_(std::exchange(other.file_, -1)),
      failure_(std::move(other.failure_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  std::swap(target_, other.target_);
  std::swap(aside_, other.aside_);
  std::swap(file_, other.file_);
  std::swap(failure_, other.failure_);
  return *this;
}

void AtomicFile::fail() {
  failure_ = fmt::format("cannot be written: {}", system_reason());
  discard();
  refuse(target_, failure_);
}

void AtomicFile::check() const {
  if (file_ < 0) refuse(target_, failure_);
}

void AtomicFile::discard() noexcept {
  if (file_ < 0) return;
  close(std::exchange(file_, -1));
  unlink(aside_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  check();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write_from(const fs::path& source, std::uint64_t bytes) {
  const int from = open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) refuse(source, fmt::format("cannot be read: {}", system_reason()));
  struct Closer {
    int file;
    ~Closer() { close(file); }
  } const closer{from};
  std::vector<char> block(std::size_t{1} << 20);
  while (bytes > 0) {
    const ssize_t got = read(from, block.data(), std::min<std::uint64_t>(block.size(), bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(source, fmt::format("cannot be read: {}", system_reason()));
    if (got == 0) refuse(source, "has become shorter while the run was writing it");
    write({block.data(), static_cast<std::size_t>(got)});
    bytes -= static_cast<std::uint64_t>(got);
  }
}

void AtomicFile::truncate(std::uint64_t bytes) {
  check();
  const auto size = static_cast<off_t>(bytes);
  if (ftruncate(file_, size) != 0 || lseek(file_, size, SEEK_SET) != size) fail();
}

void AtomicFile::commit() {
  check();
  if (fsync(file_) != 0) fail();
  if (rename(aside_.c_str(), target_.c_str()) != 0) fail();
  close(std::exchange(file_, -1));
  Folder(target_.parent_path()).sync();
}

fs::path AtomicFile::set_aside() {
  check();
  if (close(std::exchange(file_, -1)) != 0) {
    unlink(aside_.c_str());
    refuse(target_, fmt::format("cannot be written: {}", system_reason()));
  }
  return aside_;
}

void write_file(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

FileBatch::~FileBatch() {
  for (const Waiting& file : waiting_) unlink(file.aside.c_str());
}

void FileBatch::write(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  waiting_.push_back({file.set_aside(), target});
}

void FileBatch::commit() {
  if (waiting_.empty()) return;
  const Folder folder(waiting_.front().target.parent_path());
  folder.sync_files();
  for (const Waiting& file : waiting_) {
    if (rename(file.aside.c_str(), file.target.c_str()) != 0)
      refuse(file.target, fmt::format("cannot be written: {}", system_reason()));
  }
  folder.sync();
  waiting_.clear();
}

void remove_leftovers(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_aside_name(entry.path().filename().string())) fs::remove(entry.path(), ignored);
  }
}

}  // namespace ictus::files
