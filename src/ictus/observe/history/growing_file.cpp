#include <ictus/observe/history/growing_file.hpp>

#include <fmt/format.h>

#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/files/checksum.hpp>
#include <utility>

namespace ictus::observe {

GrowingFile::GrowingFile(std::filesystem::path target, std::string header)
    : target_(std::move(target)), header_(std::move(header)), buffer_(header_ + '\n') {
  position_.bytes = static_cast<std::int64_t>(buffer_.size());
  position_.digest = files::checksum(buffer_);
  row_begin_ = buffer_.size();
}

void GrowingFile::end_row() {
  constexpr std::size_t max_in_memory = std::size_t{1} << 20;
  buffer_ += '\n';
  position_.bytes = spilled_ + static_cast<std::int64_t>(buffer_.size());
  ++position_.rows;
  position_.digest = files::checksum(std::string_view(buffer_).substr(row_begin_), position_.digest);
  row_begin_ = buffer_.size();
  if (buffer_.size() > max_in_memory) spill();
}

void GrowingFile::spill() {
  if (!next_) {
    files::AtomicFile next(target_);
    if (published_ > 0) next.write_from(target_, static_cast<std::uint64_t>(published_));
    next_ = std::move(next);
  }
  next_->write(buffer_);
  buffer_.clear();
  row_begin_ = 0;
  spilled_ = position_.bytes;
}

void GrowingFile::publish() {
  if (published_ == position_.bytes && ends_there_) return;
  spill();
  next_->commit();
  next_.reset();
  published_ = spilled_;
  ends_there_ = true;
}

void GrowingFile::go_back(const TextPosition& position) {
  position_ = position;
  if (position.bytes >= spilled_) {
    buffer_.resize(static_cast<std::size_t>(position.bytes - spilled_));
    row_begin_ = buffer_.size();
    return;
  }
  buffer_.clear();
  row_begin_ = 0;
  spilled_ = position.bytes;
  if (position.bytes >= published_ && next_) {
    next_->truncate(static_cast<std::uint64_t>(position.bytes));
  } else {
    next_.reset();
    published_ = position.bytes;
    ends_there_ = false;
  }
}

void GrowingFile::exchange(Archive& archive, const std::string& name) {
  archive.number(name + ".bytes", position_.bytes);
  archive.number(name + ".rows", position_.rows);
  // A double holds 53 bits exactly.
  std::int64_t high = static_cast<std::int64_t>(position_.digest >> 32);
  std::int64_t low = static_cast<std::int64_t>(position_.digest & 0xffffffff);
  archive.number(name + ".digest.high", high);
  archive.number(name + ".digest.low", low);
  position_.digest = (static_cast<std::uint64_t>(high) << 32) | static_cast<std::uint64_t>(low);
  if (archive.restoring()) resume();
}

void GrowingFile::resume() {
  const auto refuse = [&](const char* why) {
    throw base::InputError(
        base::Mistake{target_.string(), 0, "", fmt::format("{}: the run cannot go on from there", why)});
  };
  std::error_code no_status;
  if (!std::filesystem::is_regular_file(target_, no_status)) refuse("is missing, or not a plain file");
  std::ifstream file(target_, std::ios::binary);
  TextPosition found{.bytes = 0, .rows = -1, .digest = 0};
  for (std::string line; found.bytes < position_.bytes && std::getline(file, line) && !file.eof(); ++found.rows) {
    if (found.bytes == 0 && line != header_) break;
    line += '\n';
    found.digest = found.bytes == 0 ? files::checksum(line) : files::checksum(line, found.digest);
    found.bytes += static_cast<std::int64_t>(line.size());
  }
  if (found.bytes != position_.bytes || found.rows != position_.rows)
    refuse("is not the file that belongs to the checkpoint");
  if (found.digest != position_.digest) refuse("was changed since the checkpoint was written");
  next_.reset();
  buffer_.clear();
  row_begin_ = 0;
  published_ = spilled_ = position_.bytes;
  ends_there_ = file.peek() == std::ifstream::traits_type::eof();
}

}  // namespace ictus::observe
