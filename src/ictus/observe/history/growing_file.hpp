#pragma once

#include <cstdint>
#include <filesystem>
#include <ictus/files/atomic_file.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <optional>
#include <string>

namespace ictus::observe {

/// How far a GrowingFile has come.
struct TextPosition {
  std::int64_t bytes = 0;
  std::int64_t rows = 0;     ///< without the header
  std::uint64_t digest = 0;  ///< checksum of the header and of every row
};

/// A text file of rows under a header, which is only ever seen whole: rows gather aside, in memory and beyond a
/// mebibyte in the next version of the file, and appear with publish(). A publication costs one copy of the file.
class GrowingFile {
 public:
  GrowingFile(std::filesystem::path target, std::string header);

  /// Text to which the caller appends a row, without the line's end; end_row() closes it.
  std::string& row() { return buffer_; }
  void end_row();
  void publish();

  const std::string& header() const { return header_; }
  TextPosition position() const { return position_; }
  /// Forgets the rows after `position`, which must have been this file's position before.
  void go_back(const TextPosition& position);
  /// Saves the position under `name`, or goes on after a saved one in the file that is at the target. Throws
  /// base::InputError when that file does not begin with the rows that were written up to there.
  void exchange(Archive& archive, const std::string& name);

 private:
  void resume();
  void spill();

  std::filesystem::path target_;
  std::string header_;
  std::string buffer_;
  std::size_t row_begin_ = 0;              // in buffer_, of the row that is being written
  bool ends_there_ = false;                // whether the target ends after published_ bytes
  std::int64_t published_ = 0;             // bytes at the target that remain valid
  std::int64_t spilled_ = 0;               // bytes there and in next_; the rest is in buffer_
  std::optional<files::AtomicFile> next_;  // the next version of the file
  TextPosition position_;
};

}  // namespace ictus::observe
