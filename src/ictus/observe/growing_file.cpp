#include <fmt/format.h>

#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/observe/growing_file.hpp>
#include <utility>

namespace ictus::observe {

GrowingFile::GrowingFile(std::filesystem::path target, std::string header)
    : target_(std::move(target)), header_(std::move(header)), buffer_(header_ + '\n') {
  position_.bytes = static_cast<std::int64_t>(buffer_.size());
}

void GrowingFile::end_row() {
  constexpr std::size_t most_in_memory = std::size_t{1} << 20;
  buffer_ += '\n';
  position_.bytes = spilled_ + static_cast<std::int64_t>(buffer_.size());
  ++position_.rows;
  if (buffer_.size() > most_in_memory) spill();
}

void GrowingFile::spill() {
  if (!next_) {
    AtomicFile next(target_);
    if (published_ > 0) next.write_from(target_, static_cast<std::uint64_t>(published_));
    next_ = std::move(next);
  }
  next_->write(buffer_);
  buffer_.clear();
  spilled_ = position_.bytes;
}

void GrowingFile::publish(Flush flush) {
  if (published_ == position_.bytes && ends_there_) return;
  spill();
  next_->commit(flush);
  next_.reset();
  published_ = spilled_;
  ends_there_ = true;
}

void GrowingFile::go_back(const TextPosition& position) {
  position_ = position;
  if (position.bytes >= spilled_) {
    buffer_.resize(static_cast<std::size_t>(position.bytes - spilled_));
    return;
  }
  buffer_.clear();
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
  if (archive.restoring()) resume();
}

void GrowingFile::resume() {
  std::ifstream file(target_, std::ios::binary);
  std::string line;
  std::getline(file, line);
  file.seekg(position_.bytes - 1);
  if (line != header_ || file.get() != '\n')
    throw base::InputError(base::Mistake{
        target_.string(), 0, "", "is not the file that belongs to the checkpoint: the run cannot go on from there"});
  next_.reset();
  buffer_.clear();
  published_ = spilled_ = position_.bytes;
  ends_there_ = file.peek() == std::ifstream::traits_type::eof();
}

}  // namespace ictus::observe
